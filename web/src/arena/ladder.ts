import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import { count, many, percent, signed } from "../format";
import type { LadderCell, LadderRow, LadderSeen, LadderView } from "../messages";
import { intervals } from "../report/intervals";
import { table } from "../report/section";
import { Watched } from "../watched";
import { badge } from "./score";

/** A ladder: ratings with intervals, and the cross table. A cell leads to the games of its pair. */
@customElement("ludus-ladder")
export class Ladder extends PageElement {
  @property({ attribute: false }) ladder = "";
  private readonly watched = new Watched<LadderSeen>(this);

  protected override willUpdate(): void {
    this.watched.watch({ type: "watch-ladder", ladder: this.ladder });
  }

  protected override render(): TemplateResult {
    const view = this.watched.value?.view;
    return html`
      <nav class="crumbs small" aria-label="Where you are"><a href="/arena">Arena</a></nav>
      <div class="page-head">
        <div class="titles">
          <h1>Ladder ${this.ladder}</h1>
          <p class="quiet">${
            view
              ? html`${view.line.game}: ${many(view.line.players, "player")}, ${many(view.line.games, "game")}
                ${view.line.running ? badge("running") : nothing}`
              : this.watched.failure || "Reading the ladder…"
          }</p>
        </div>
      </div>
      ${view ? this.content(view) : nothing}
    `;
  }

  private content(view: LadderView): TemplateResult {
    return html`
      <div class="stack">
        <section class="panel report"><h2>Ratings</h2>${intervals(view.chart, "")}</section>
        <section class="panel">
          <h2>Scores</h2>
          <p>The score of each player against each other one, by rank, in percent. Choose one to see the games.</p>
          <div class="scroll" tabindex="0" role="group" aria-label="Cross table">
            <table class="cross">
              <thead>
                <tr>
                  <td></td>
                  <th class="name" scope="col">player</th>
                  <th scope="col">Elo</th>
                  <th scope="col">games</th>
                  <th scope="col">score</th>
                  ${view.rows.map(({ name }, index) => html`<th scope="col" title=${name}>${index + 1}</th>`)}
                </tr>
              </thead>
              <tbody>${view.rows.map((row, index) => this.row(row, index, view.rows))}</tbody>
            </table>
          </div>
        </section>
        ${
          view.endings
            ? html`<section class="panel report"><h2>Endings</h2><p>${view.note}</p>${table(view.endings, "Endings")}</section>`
            : nothing
        }
      </div>
    `;
  }

  private row(row: LadderRow, rank: number, rows: LadderRow[]): TemplateResult {
    return html`
      <tr>
        <td>${rank + 1}</td>
        <th class="name" scope="row">${row.name}</th>
        <td>${signed(row.elo)}</td>
        <td>${count(row.games)}</td>
        <td>${percent(row.score)}</td>
        ${row.cells.map((cell, index) => this.cell(cell, row.name, rows[index]!.name))}
      </tr>
    `;
  }

  private cell(cell: LadderCell, one: string, other: string): TemplateResult {
    if (cell.score === null || cell.match === null) return html`<td class="none">–</td>`;
    const share = Math.round(100 * cell.score);
    const words = `${one} against ${other}: ${share}% of ${many(cell.games, "game")}`;
    return html`
      <td class="pair" style="--share: ${share}%">
        <a href="/arena/match/${encodeURIComponent(cell.match)}" title=${words} aria-label="${words}. See the games.">${share}</a>
      </td>
    `;
  }
}
