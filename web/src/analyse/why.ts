import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { styleMap } from "lit/directives/style-map.js";
import { PageElement } from "../element";
import { players } from "../lists";
import { isOther } from "../look";
import type { Explained, Reason, UnitMap, Visits } from "../messages";
import { capital } from "../play/words";
import { connection, isAborted } from "../socket";
import { keep, load } from "../storage";
import type { GameName, Line, Opponent } from "../types";
import "./why.css";

const SHOWN = 14; // reasons

/** Why a player values a position as it does. Fires `squares` with those of a reason that is pointed at. */
@customElement("ludus-why")
export class Why extends PageElement {
  @property({ attribute: false, hasChanged: isOther }) line!: Line;

  @state() private opponents: Opponent[] = [];
  @state() private player = load<Record<string, string>>("why.player", {});
  @state() private found: Explained | null = null;
  @state() private failure = "";
  private stop: AbortController | null = null;
  private listed: GameName | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.abort();
  }

  private get name(): string {
    const kept = this.player[this.line.game];
    return this.opponents.find(({ name }) => name === kept)?.name ?? this.opponents[0]?.name ?? "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.listed !== this.line.game) {
      this.listed = this.line.game;
      this.opponents = [];
      this.found = null;
      players(this.line.game).then(
        (found) => {
          this.opponents = found;
        },
        () => undefined,
      );
    }
    if (["line", "player", "opponents"].some((name) => changed.has(name))) void this.ask();
  }

  private async ask(): Promise<void> {
    this.stop?.abort();
    if (!this.name) return;
    this.stop = new AbortController();
    try {
      this.found = await connection.ask<Explained>(
        { type: "explain", line: this.line, player: this.name },
        { signal: this.stop.signal },
      );
      this.failure = "";
    } catch (error) {
      if (!isAborted(error)) this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  protected override render(): TemplateResult {
    return html`
      <div class="field">
        <label for="why-player">What does this player see here?</label>
        <select id="why-player" @change=${this.choose}>
          ${this.opponents.map(
            ({ name }) => html`<option value=${name} .selected=${name === this.name}>${name}</option>`,
          )}
        </select>
      </div>
      <p class="small error">${this.failure || nothing}</p>
      ${this.found ? this.explained(this.found) : nothing}
    `;
  }

  private explained(found: Explained): TemplateResult {
    return html`
      ${found.words ? html`<p class="small">${found.words}</p>` : nothing}
      ${
        found.kind === "none"
          ? nothing
          : html`<p class="small numbers">
              Value for ${capital(found.side)}: <b>${signed(found.after)}</b>, before the last move ${signed(found.before)}.
            </p>`
      }
      ${found.items.length ? this.reasons(found.items) : nothing}
      ${found.map ? this.map(found.map) : nothing}
      ${found.visits.length ? this.visits(found.visits) : nothing}
    `;
  }

  private reasons(items: Reason[]): TemplateResult {
    const sorted = [...items].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, SHOWN);
    const largest = Math.max(1e-9, ...sorted.map(({ weight }) => Math.abs(weight)));
    return html`<div class="scroll">
      <table class="reasons">
        <thead>
          <tr>
            <th class="name" scope="col">What</th>
            <th scope="col">Is</th>
            <th scope="col">Speaks</th>
            <th class="bars" scope="col"><span class="visually-hidden">Against or for</span></th>
          </tr>
        </thead>
        <tbody>
          ${sorted.map(
            (each) => html`<tr
              title=${each.words || nothing}
              @pointerenter=${() => this.point(each.squares ?? [])}
              @pointerleave=${() => this.point([])}
            >
              <td class="name">${each.name}</td>
              <td>${each.before === each.after ? nothing : html`${amount(each.before)} →`} ${amount(each.after)}</td>
              <td>${signed(each.weight)}</td>
              <td class="bars">
                <span class="meter ${each.weight < 0 ? "against" : "for"}"
                  style=${styleMap({ width: `${(50 * Math.abs(each.weight)) / largest}%` })}></span>
              </td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private map(map: UnitMap): TemplateResult {
    const nearest = Math.min(...map.units.map(({ distance }) => distance));
    const farthest = Math.max(...map.units.map(({ distance }) => distance), nearest + 1e-9);
    return html`
      ${map.words.map((words) => html`<p class="small">${words}</p>`)}
      <div class="units" role="img" aria-label="The map: unit ${map.chosen ?? "none"} is the nearest to the position"
        style=${styleMap({ gridTemplateColumns: `repeat(${map.columns}, minmax(0, 1fr))` })}>
        ${map.units.map(
          (unit) => html`<span
            class="unit ${unit.number === map.chosen ? "chosen" : ""} ${unit.specialist ? "specialist" : ""}"
            title="Unit ${unit.number}, distance ${unit.distance.toFixed(3)}${unit.specialist ? ", has a specialist" : ""}"
            style=${styleMap({ "--near": String((farthest - unit.distance) / (farthest - nearest)) })}
            >${unit.number}</span
          >`,
        )}
      </div>
      ${map.attributes.length ? html`<p class="small quiet">${map.attributes.join(", ")}</p>` : nothing}
    `;
  }

  private visits(visits: Visits[]): TemplateResult {
    const most = Math.max(1, ...visits.map((each) => each.visits));
    return html`<table class="reasons">
      <thead>
        <tr>
          <th class="name" scope="col">Move</th>
          <th scope="col">Play-outs</th>
          <th scope="col">Mean value</th>
          <th class="bars" scope="col"><span class="visually-hidden">Share</span></th>
        </tr>
      </thead>
      <tbody>
        ${[...visits]
          .sort((a, b) => b.visits - a.visits)
          .map(
            (each) => html`<tr>
              <td class="name">${each.move}</td>
              <td>${each.visits}</td>
              <td>${signed(each.value)}</td>
              <td class="bars">
                <span class="meter share" style=${styleMap({ width: `${(100 * each.visits) / most}%` })}></span>
              </td>
            </tr>`,
          )}
      </tbody>
    </table>`;
  }

  private point(squares: number[]): void {
    this.dispatchEvent(new CustomEvent<number[]>("squares", { detail: squares, bubbles: true }));
  }

  private choose(event: Event): void {
    this.player = { ...this.player, [this.line.game]: (event.target as HTMLSelectElement).value };
    keep("why.player", this.player);
  }
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

function amount(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
