import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { players } from "../lists";
import { isOther } from "../look";
import type { Analysis } from "../messages";
import { connection, isAborted } from "../socket";
import { keep, load } from "../storage";
import type { GameName, Line, Opponent } from "../types";
import "./engine.css";

const COUNTS = [1, 2, 3, 4, 5];

/** What the search has found in this position, null before its first depth; and if it is switched on. */
export interface Found {
  found: Analysis | null;
  on: boolean;
}

/**
 * A search that runs while it is switched on. Fires `found` with what it found, and `try` with the moves of a line
 * that was clicked.
 */
@customElement("ludus-engine")
export class Engine extends PageElement {
  @property({ attribute: false, hasChanged: isOther }) line!: Line;
  /** Nothing can be searched: the game is over, or a position is being set up. */
  @property({ attribute: false }) idle = false;

  @state() private on = load("engine.on", true);
  @state() private lines = load("engine.lines", 3);
  @state() private player = load<Record<string, string>>("engine.player", {});
  @state() private opponents: Opponent[] = [];
  @state() private found: Analysis | null = null;
  @state() private stale = false;
  @state() private failure = "";
  private stop: AbortController | null = null;
  private listed: GameName | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.abort();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.listed !== this.line.game) {
      this.listed = this.line.game;
      this.found = null;
      players(this.line.game).then(
        (found) => {
          this.opponents = found.filter(({ advises }) => advises);
        },
        () => undefined,
      );
    }
    if (["line", "idle", "on", "lines", "player"].some((name) => changed.has(name))) this.search();
  }

  private search(): void {
    this.stop?.abort();
    this.stop = null;
    this.stale = true;
    this.failure = "";
    this.tell(null);
    if (!this.on || this.idle) {
      this.found = null;
      return;
    }
    const stop = new AbortController();
    this.stop = stop;
    const { line, lines } = this;
    const player = this.player[line.game] || null;
    connection
      .ask<Analysis>(
        { type: "analyse", line, player, lines },
        {
          signal: stop.signal,
          each: (answer: Analysis) => {
            if (stop.signal.aborted) return;
            this.found = answer;
            this.stale = false;
            this.tell(answer);
          },
        },
      )
      .catch((error: unknown) => {
        if (isAborted(error) || stop.signal.aborted) return;
        this.found = null;
        this.failure = error instanceof Error ? error.message : String(error);
        this.tell(null);
      });
  }

  private tell(found: Analysis | null): void {
    const detail: Found = { found, on: this.on };
    this.dispatchEvent(new CustomEvent<Found>("found", { detail, bubbles: true }));
  }

  protected override render(): TemplateResult {
    const { found } = this;
    return html`
      <div class="head">
        <label class="check switch">
          <input type="checkbox" role="switch" .checked=${this.on} @change=${this.toggle} />
          <b>Search</b>
        </label>
        <span class="value numbers">${found ? found.value : nothing}</span>
        <span class="small quiet numbers facts">
          ${found ? html`depth ${found.depth}, ${short(found.nodes)} nodes, ${short(found.speed)}/s` : this.on && !this.idle ? "…" : nothing}
        </span>
      </div>
      <ol class="lines ${this.stale ? "stale" : ""}" aria-label="Best lines">
        ${COUNTS.slice(0, this.lines).map((count) => this.bestLine(count - 1))}
      </ol>
      <p class="small error">${this.failure || nothing}</p>
      <details class="every">
        <summary>Every move</summary>
        <div class="scroll">${this.every()}</div>
      </details>
      <div class="choices-row">
        <div class="field">
          <label for="engine-player">Player</label>
          <select id="engine-player" @change=${this.choosePlayer}>
            <option value="" .selected=${!this.player[this.line.game]}>The strongest</option>
            ${this.opponents.map(
              ({ name }) =>
                html`<option value=${name} .selected=${this.player[this.line.game] === name}>${name}</option>`,
            )}
          </select>
        </div>
        <div class="field">
          <label for="engine-lines">Lines</label>
          <select id="engine-lines" @change=${this.chooseLines}>
            ${COUNTS.map((count) => html`<option value=${count} .selected=${count === this.lines}>${count}</option>`)}
          </select>
        </div>
      </div>
    `;
  }

  private bestLine(index: number): TemplateResult {
    const line = this.found?.best[index];
    if (!line) return html`<li></li>`;
    return html`<li>
      <span class="worth numbers">${line.value}</span>
      <span class="moves">
        ${line.moves.map(
          (move, ply) =>
            html`<button type="button" @click=${() => this.try(line.moves.slice(0, ply + 1))}>${move}</button> `,
        )}
      </span>
    </li>`;
  }

  private every(): TemplateResult {
    const every = [...(this.found?.every ?? [])].sort((a, b) => b.prospect - a.prospect);
    if (!every.length) return html`<p class="quiet small">Values appear while the search is on.</p>`;
    const visits = every.some((each) => (each.visits ?? 0) > 0);
    return html`<table>
      <thead>
        <tr>
          <th class="name" scope="col">Move</th>
          <th scope="col">${this.found?.unit === "men" ? "Men" : "Value"}</th>
          ${visits ? html`<th scope="col">Play-outs</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${every.map(
          (each) => html`<tr>
            <td class="name">
              <button class="plain" type="button" @click=${() => this.try([each.move])}>${each.move}</button>
            </td>
            <td>${each.value}</td>
            ${visits ? html`<td>${each.visits}</td>` : nothing}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private try(moves: string[]): void {
    this.dispatchEvent(new CustomEvent<string[]>("try", { detail: moves, bubbles: true }));
  }

  private toggle(event: Event): void {
    this.on = (event.target as HTMLInputElement).checked;
    keep("engine.on", this.on);
  }

  private choosePlayer(event: Event): void {
    this.player = { ...this.player, [this.line.game]: (event.target as HTMLSelectElement).value };
    keep("engine.player", this.player);
  }

  private chooseLines(event: Event): void {
    this.lines = Number((event.target as HTMLSelectElement).value);
    keep("engine.lines", this.lines);
  }
}

/** 1234567 as 1.2M. */
function short(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)}k`;
  return count < 1e9 ? `${(count / 1e6).toFixed(1)}M` : `${(count / 1e9).toFixed(1)}G`;
}
