/** The sections of a report: words, tables and charts, with the words and numbers of the report of `ludus report`. */

import { html, nothing, type TemplateResult } from "lit";
import "../chart";
import type { LinesPart, ReportSection, TablePart } from "../messages";
import { bars } from "./bars";
import { intervals } from "./intervals";
import { origins, tree } from "./lineage";
import { unitMap } from "./map";
import "./report.css";

type Part = ReportSection["parts"][number];

/** A section of a run of this game; `smooth` smooths its curves, from 0 to below 1. */
export function section(found: ReportSection, smooth: number, game: string): TemplateResult {
  return html`
    <section class="panel report">
      <h2>${found.heading}</h2>
      <div class="parts">${found.parts.map((each) => part(each, smooth, game))}</div>
    </section>
  `;
}

function part(found: Part, smooth: number, game: string): TemplateResult {
  switch (found.part) {
    case "words":
      return html`<p class="words">${found.text}</p>`;
    case "table":
      return table(found);
    case "lines":
      return lines(found, smooth);
    case "intervals":
      return intervals(found);
    case "bars":
      return bars(found);
    case "origins":
      return origins(found, game);
    case "tree":
      return tree(found, game);
    case "map":
      return unitMap(found);
  }
}

export function lines(found: LinesPart, smooth = 0): TemplateResult {
  return html`<ludus-chart .data=${found} .smooth=${smooth}></ludus-chart>`;
}

/** A table; `label` names it for screen readers, which can scroll it. */
export function table(found: TablePart, label = "Table"): TemplateResult {
  const kind = (index: number): string => (found.prose.includes(index) ? "prose" : index < found.names ? "name" : "");
  const broad = found.prose.length > 0 || found.columns.length > 6;
  return html`
    <div class="table ${broad ? "broad" : ""}">
      <div class="scroll" tabindex="0" role="group" aria-label=${label}>
        <table>
          <thead>
            <tr>${found.columns.map((title, index) => head(title, kind(index)))}</tr>
          </thead>
          <tbody>
            ${found.rows.map(
              (row) =>
                html`<tr>${row.map((cell, index) => {
                  const content = html`${cell.text}${cell.mark ? html`<sup>${cell.mark}</sup>` : nothing}`;
                  return index < found.names && cell.text
                    ? html`<th scope="row" class=${kind(index)}>${content}</th>`
                    : html`<td class=${kind(index)}>${content}</td>`;
                })}</tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${found.notes.map((note) => html`<p class="small quiet">${note.mark} ${note.text}</p>`)}
    </div>
  `;
}

/** The title of a column; a column without one is no header. */
function head(title: string, kind: string): TemplateResult {
  return title ? html`<th scope="col" class=${kind}>${title}</th>` : html`<td class=${kind}></td>`;
}
