import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import { icon, type IconName } from "../icons";
import type { Side } from "../types";
import "./moves.css";

/** The moves of a game in pairs, and buttons to walk through them. Fires `go` with the number of moves to show. */
@customElement("ludus-moves")
export class Moves extends PageElement {
  @property({ attribute: false }) moves: string[] = [];
  @property({ attribute: false }) ply = 0;
  @property({ attribute: false }) first: Side = "black";

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("ply") && !changed.has("moves")) return;
    const list = this.querySelector("ol");
    const current = this.querySelector<HTMLElement>("[aria-current]");
    if (!list) return;
    if (!current) list.scrollTop = 0;
    else if (current.offsetTop < list.scrollTop || current.offsetTop + 40 > list.scrollTop + list.clientHeight) {
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
    }
  }

  protected override render(): TemplateResult {
    const rows: [string, string | undefined][] = [];
    for (let ply = 0; ply < this.moves.length; ply += 2) rows.push([this.moves[ply]!, this.moves[ply + 1]]);
    return html`
      <ol class="moves" aria-label="Moves" @keydown=${this.key}>
        ${rows.map(
          ([one, two], row) => html`<li>
            <span class="count quiet" aria-hidden="true">${row + 1}</span>
            ${this.move(one, 2 * row + 1)}${two === undefined ? nothing : this.move(two, 2 * row + 2)}
          </li>`,
        )}
        ${rows.length ? nothing : html`<li class="none quiet">No moves yet.</li>`}
      </ol>
      <div class="walk">
        ${this.step("first", "Start of the game", 0)} ${this.step("back", "One move back", this.ply - 1)}
        ${this.step("next", "One move on", this.ply + 1)} ${this.step("last", "Last move", this.moves.length)}
      </div>
    `;
  }

  private move(text: string, ply: number): TemplateResult {
    const reached = ply === this.ply || (this.ply === 0 && ply === 1);
    return html`<button
      type="button"
      data-ply=${ply}
      tabindex=${reached ? 0 : -1}
      aria-current=${ply === this.ply ? "step" : nothing}
      @click=${() => this.go(ply)}
    >
      ${text}
    </button>`;
  }

  private step(name: IconName, label: string, ply: number): TemplateResult {
    const off = ply < 0 || ply > this.moves.length || ply === this.ply;
    return html`<button type="button" title=${label} aria-label=${label} ?disabled=${off} @click=${() => this.go(ply)}>
      ${icon(name)}
    </button>`;
  }

  /** The tabulator stops at one move; arrow keys lead to the others. */
  private key(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    const ply = Math.max(1, Math.min(this.moves.length, this.ply + step));
    this.go(ply);
    this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-ply="${ply}"]`)?.focus());
  }

  private go(ply: number): void {
    this.dispatchEvent(new CustomEvent<number>("go", { detail: ply, bubbles: true }));
  }
}
