import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import type { Board, BoardMove } from "../types";
import { type Cell, cellAt, cellNumber, columnName } from "./cells";
import "./flat.css";

const FOUR = [0, 1, 2, 3];

/**
 * Tic-Tac-Toe 3D as four levels side by side: does everything by mouse, touch and keyboard. Arrow keys move inside a
 * level and on to the next one, Page Up and Page Down change the level. Fires `move` with a BoardMove.
 */
@customElement("ludus-flat-board")
export class FlatBoard extends PageElement {
  @property({ attribute: false }) board: Board | null = null;
  @property({ attribute: false }) active = false;
  @property({ attribute: false }) editing = false;
  @property({ attribute: false }) hints: number[] = [];
  @property({ attribute: false }) label = "Flat board of four levels";

  @state() private cursor = 0;
  @state() private hovered = "";

  /** Puts the keyboard on the board. */
  focusBoard(): void {
    this.querySelector<HTMLElement>(`[data-cell="${this.cursor}"]`)?.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const falls = new Map((this.active ? (this.board?.moves ?? []) : []).map((move) => [move.path[0]!, move]));
    return html`
      <div class="levels" role="group" aria-label=${this.label} @keydown=${this.key}>
        ${FOUR.map(
          (level) => html`
            <div class="level" role="group" aria-label="Level ${level + 1}">
              <div class="title" aria-hidden="true">Level ${level + 1}${level === 0 ? ", lowest" : level === 3 ? ", top" : ""}</div>
              <div class="cells">
                ${[3, 2, 1, 0].map(
                  (row) => html`
                    <span class="row-name" aria-hidden="true">${row + 1}</span>
                    ${FOUR.map((column) => this.cell({ level, row, column }, falls))}
                  `,
                )}
                <span></span>
                ${["a", "b", "c", "d"].map((name) => html`<span class="column-name" aria-hidden="true">${name}</span>`)}
              </div>
            </div>
          `,
        )}
      </div>
    `;
  }

  private cell(cell: Cell, falls: Map<number, BoardMove>): TemplateResult {
    const number = cellNumber(cell);
    const name = columnName(number);
    const stone = this.board?.pieces.find((piece) => piece.square === number);
    const move = falls.get(number);
    const words = [`${name} level ${cell.level + 1}`, stone ? stone.side : "empty"];
    if (move) words.push("a stone can be dropped here");
    if (this.board?.last?.path[0] === number) words.push("last move");
    if (this.board?.win.includes(number)) words.push("winning line");
    const classes = [
      "cell",
      move && "free",
      this.hovered === name && move && "aimed",
      this.board?.last?.path[0] === number && "last",
      this.board?.win.includes(number) && "won",
      this.hints.includes(number) && "hinted",
    ];
    return html`<button
      type="button"
      class=${classes.filter(Boolean).join(" ")}
      data-cell=${number}
      tabindex=${number === this.cursor ? 0 : -1}
      aria-label=${words.join(", ")}
      aria-disabled=${move || this.editing ? nothing : "true"}
      @focus=${() => {
        this.cursor = number;
      }}
      @pointerenter=${() => this.aim(name)}
      @pointerleave=${() => this.aim("")}
      @click=${() => this.pick(number)}
    >
      ${stone ? html`<span class="stone ${stone.side}"></span>` : nothing}
    </button>`;
  }

  private aim(name: string): void {
    this.hovered = name;
    this.dispatchEvent(new CustomEvent<string>("aim", { detail: name, bubbles: true }));
  }

  /** A click anywhere in a column of the cube drops a stone into it. */
  private pick(cell: number): void {
    this.cursor = cell;
    if (this.editing) {
      this.dispatchEvent(new CustomEvent<number>("square", { detail: cell, bubbles: true }));
      return;
    }
    if (!this.active || this.board?.pieces.some((piece) => piece.square === cell)) return;
    const name = columnName(cell);
    const move = this.board?.moves.find((each) => columnName(each.path[0]!) === name);
    if (move) this.dispatchEvent(new CustomEvent<BoardMove>("move", { detail: move, bubbles: true }));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = cellAt(this.cursor);
    switch (event.key) {
      case "ArrowUp":
        cell.row = Math.min(3, cell.row + 1);
        break;
      case "ArrowDown":
        cell.row = Math.max(0, cell.row - 1);
        break;
      case "ArrowLeft":
        if (cell.column > 0) cell.column--;
        else if (cell.level > 0) Object.assign(cell, { level: cell.level - 1, column: 3 });
        break;
      case "ArrowRight":
        if (cell.column < 3) cell.column++;
        else if (cell.level < 3) Object.assign(cell, { level: cell.level + 1, column: 0 });
        break;
      case "PageUp":
        cell.level = Math.min(3, cell.level + 1);
        break;
      case "PageDown":
        cell.level = Math.max(0, cell.level - 1);
        break;
      default:
        if (/^[a-d]$/i.test(event.key) && !this.editing) {
          this.dispatchEvent(new CustomEvent<string>("typed", { detail: event.key, bubbles: true }));
          event.preventDefault();
        }
        return;
    }
    event.preventDefault();
    this.cursor = cellNumber(cell);
    this.updateComplete.then(() => this.focusBoard());
  }
}
