import { html, type nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import type { Board, GameName, Side } from "../types";
import type { Arrow } from "./arrow";
import "./draughts";
import "./index.css";
import type { DraughtsBoard } from "./draughts";
import type { FlatBoard } from "./flat";

/** The board of a game: SVG for draughts, the cube and the four levels for Tic-Tac-Toe 3D. Fires what they fire. */
@customElement("ludus-board")
export class GameBoard extends PageElement {
  @property({ attribute: false }) game: GameName = "draughts";
  @property({ attribute: false }) board: Board | null = null;
  @property({ attribute: false }) bottom: Side = "white";
  @property({ attribute: false }) numbers = true;
  @property({ attribute: false }) active = false;
  @property({ attribute: false }) editing = false;
  @property({ attribute: false }) arrows: Arrow[] = [];

  @state() private ready = false;
  @state() private aimed = "";

  /** Puts the keyboard on the board. */
  focusBoard(): void {
    this.querySelector<DraughtsBoard | FlatBoard>("ludus-draughts-board, ludus-flat-board")?.focusBoard();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("game") || this.game !== "tictactoe3d" || this.ready) return;
    Promise.all([import("./flat"), import("./space")]).then(() => {
      this.ready = true;
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.game === "draughts") {
      return html`<ludus-draughts-board
        .board=${this.board}
        .bottom=${this.bottom}
        .numbers=${this.numbers}
        .active=${this.active}
        .editing=${this.editing}
        .arrows=${this.arrows}
        .label=${`Draughts board, ${this.bottom} at the bottom`}
      ></ludus-draughts-board>`;
    }
    const hints = this.arrows.map((arrow) => arrow.path[0]!);
    return html`
      <div class="cube">
        ${
          this.ready
            ? html`
                <ludus-space-board
                  .board=${this.board}
                  .active=${this.active}
                  .hints=${hints.slice(0, 1)}
                  .aimed=${this.aimed}
                ></ludus-space-board>
                <ludus-flat-board
                  .board=${this.board}
                  .active=${this.active}
                  .editing=${this.editing}
                  .hints=${hints}
                  @aim=${(event: CustomEvent<string>) => {
                    this.aimed = event.detail;
                  }}
                ></ludus-flat-board>
              `
            : html`<div class="space-place"></div>`
        }
      </div>
    `;
  }
}
