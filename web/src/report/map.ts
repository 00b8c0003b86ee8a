/** A Kohonen map: a tile for each unit, with its typical board. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { centre, SIZE, SQUARES } from "../boards/geometry";
import { count, many } from "../format";
import type { MapPart, MapUnit } from "../messages";
import { handOver } from "./handover";

export function unitMap(found: MapPart): TemplateResult {
  const most = Math.max(1, ...found.units.map(({ boards }) => boards));
  return html`
    <figure class="unit-map broad">
      <div class="label">${found.title}</div>
      <div class="scroll" tabindex="0" role="group" aria-label=${found.title}>
        <ol style="--columns: ${found.columns}">
          ${found.units.map((unit) => tile(unit, most))}
        </ol>
      </div>
      <figcaption class="small quiet">${found.caption}</figcaption>
    </figure>
  `;
}

function tile(unit: MapUnit, most: number): TemplateResult {
  return html`
    <li style="--share: ${Math.round(8 + (32 * unit.boards) / most)}%">
      <div class="head"><strong>${unit.name}</strong><span class="numbers">${many(unit.boards, "board")}</span></div>
      ${
        unit.position === null
          ? html`<p class="quiet small">No boards.</p>`
          : html`<a href="/analyse" title="Analyse this board" aria-label="Analyse the typical board of ${unit.name}"
              @click=${() => handOver("draughts", unit.position, [], `The typical board of ${unit.name}`)}>${board(unit)}</a>`
      }
      ${unit.lines.map((line) => html`<div class="small">${line}</div>`)}
      ${unit.score ? html`<div class="small"><strong>${unit.score}</strong></div>` : nothing}
    </li>
  `;
}

function board(unit: MapUnit): TemplateResult {
  return html`
    <svg class="mini-board" viewBox="0 0 ${8 * SIZE} ${8 * SIZE}" role="img"
      aria-label="${count(unit.pieces.length)} pieces: ${unit.position}">
      <rect class="light" width=${8 * SIZE} height=${8 * SIZE} />
      ${SQUARES.map((square) => {
        const { x, y } = centre(square, "white");
        return svg`<rect class="dark" x=${x - SIZE / 2} y=${y - SIZE / 2} width=${SIZE} height=${SIZE} />`;
      })}
      ${unit.pieces.map(({ square, side, king }) => {
        const { x, y } = centre(square, "white");
        return svg`<circle class="disc ${side}" cx=${x} cy=${y} r="3.9" />
          ${king ? svg`<circle class="gold" cx=${x} cy=${y} r="2.6" />` : nothing}`;
      })}
    </svg>
  `;
}
