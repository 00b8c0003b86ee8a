import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import { look } from "../look";
import type { Board } from "../messages";
import { connection } from "../socket";
import type { GameName, Piece, Side } from "../types";
import "./setup.css";

type Brush = "white man" | "white king" | "black man" | "black king" | "nothing";

const BRUSHES: Record<GameName, [Brush, string][]> = {
  draughts: [
    ["white man", "White man"],
    ["white king", "White king"],
    ["black man", "Black man"],
    ["black king", "Black king"],
    ["nothing", "Empty"],
  ],
  tictactoe3d: [
    ["white man", "White stone"],
    ["black man", "Black stone"],
    ["nothing", "Empty"],
  ],
};

/**
 * Setting up a position. The board of the page shows `pieces` and calls `put` for a square; fires `pieces` when they
 * change and `position` with a Board when the position is complete.
 */
@customElement("ludus-setup")
export class Setup extends PageElement {
  @property({ attribute: false }) game: GameName = "draughts";
  @property({ attribute: false }) pieces: Piece[] = [];
  @property({ attribute: false }) turn: Side = "black";

  @state() private brush: Brush = "white man";
  @state() private failure = "";

  /** Puts what is chosen on a square; the same piece again takes it away. */
  put(square: number): void {
    const rest = this.pieces.filter((piece) => piece.square !== square);
    const there = this.pieces.find((piece) => piece.square === square);
    const [side, kind] = this.brush.split(" ") as [Side, string];
    const king = kind === "king";
    const same = there && there.side === side && (there.king ?? false) === king;
    this.change(this.brush === "nothing" || same ? rest : [...rest, { square, side, king }]);
  }

  private change(pieces: Piece[]): void {
    this.failure = "";
    this.dispatchEvent(new CustomEvent<Piece[]>("pieces", { detail: pieces, bubbles: true }));
  }

  private async finish(): Promise<void> {
    try {
      const message = { type: "setup" as const, game: this.game, pieces: this.pieces, turn: this.turn };
      const board = await connection.ask<Board>(message);
      this.dispatchEvent(new CustomEvent<Board>("position", { detail: board, bubbles: true }));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  private async begin(): Promise<void> {
    const board = await look({ game: this.game, start: null, moves: [] });
    this.turn = board.turn;
    this.change(board.pieces);
  }

  protected override render(): TemplateResult {
    return html`
      <div class="stack">
        <p class="small quiet">Choose a piece, then click squares. The same piece again takes it away.</p>
        <fieldset>
          <legend>Piece</legend>
          <div class="brushes">
            ${BRUSHES[this.game].map(
              ([brush, words]) => html`<label class="check">
                <input type="radio" name="brush" .checked=${this.brush === brush}
                  @change=${() => {
                    this.brush = brush;
                  }} />
                ${words}
              </label>`,
            )}
          </div>
        </fieldset>
        ${
          this.game === "draughts"
            ? html`<fieldset class="choices">
                <legend>To move</legend>
                <div>
                  ${(["black", "white"] as const).map(
                    (side) => html`<label
                      ><input type="radio" name="turn" .checked=${this.turn === side}
                        @change=${() => {
                          this.turn = side;
                        }} /><span>${side === "black" ? "Black" : "White"}</span></label
                    >`,
                  )}
                </div>
              </fieldset>`
            : nothing
        }
        <div class="row">
          <button type="button" @click=${() => this.change([])}>Clear the board</button>
          <button type="button" @click=${this.begin}>Start position</button>
        </div>
        <p class="small error" role="alert">${this.failure || nothing}</p>
        <div class="row">
          <button type="button" class="primary" @click=${this.finish}>Analyse this position</button>
        </div>
      </div>
    `;
  }
}
