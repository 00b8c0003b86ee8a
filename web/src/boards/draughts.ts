import { html, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { PageElement } from "../element";
import type { Board, BoardMove, Side } from "../types";
import { arrow, type Arrow } from "./arrow";
import { choose, jumped, shortcuts, targets } from "./choice";
import "./draughts.css";
import { centre, neighbour, place, SIZE, SQUARES, squareAt } from "./geometry";
import { disc } from "./piece";

/** A piece with an identity, so that it glides when it moves. */
interface Shown {
  id: number;
  square: number;
  side: Side;
  king: boolean;
  gone: boolean;
}

const LEG = 140; // milliseconds of a step or of each jump
const DRAG_FROM = 6; // pixels that make a press a drag

/**
 * A draughts board to look at, to move on and to set up. Fires `move` with a BoardMove when a legal move was entered by
 * mouse, touch or keyboard, `square` with a number when it is being set up, and `typed` when a digit was typed on it.
 */
@customElement("ludus-draughts-board")
export class DraughtsBoard extends PageElement {
  @property({ attribute: false }) board: Board | null = null;
  @property({ attribute: false }) bottom: Side = "white";
  @property({ attribute: false }) numbers = true;
  /** Whether moves can be entered now. */
  @property({ attribute: false }) active = false;
  /** Every square can be chosen and fires `square`. */
  @property({ attribute: false }) editing = false;
  @property({ attribute: false }) arrows: Arrow[] = [];
  @property({ attribute: false }) label = "Draughts board";

  @state() private path: number[] = [];
  @state() private cursor = 0;
  @state() private shown: Shown[] = [];
  @state() private drag: { square: number; x: number; y: number } | null = null;
  private pressed: { square: number; x: number; y: number; wasChosen: boolean } | null = null;
  private nextId = 1;
  private glide: { id: number; path: number[] } | null = null;
  private dropped = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("board")) this.follow(changed.get("board") as Board | null | undefined);
    if ((changed.has("board") && this.board?.fen !== (changed.get("board") as Board | null)?.fen) || !this.active) {
      this.path = [];
      this.drag = null;
    }
    if (!this.cursor) this.cursor = this.bottom === "white" ? 29 : 4;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("board")) this.animatePiece();
  }

  /** Puts the keyboard on the board, at a piece that can move. */
  focusBoard(): void {
    const first = this.board?.moves[0]?.path[0];
    if (first && this.active && !this.board?.moves.some((move) => move.path[0] === this.cursor)) this.cursor = first;
    this.updateComplete.then(() => this.focusCursor());
  }

  private focusCursor(): void {
    this.querySelector<SVGElement>(`[data-square="${this.cursor}"]`)?.focus({ preventScroll: true });
  }

  /** Gives the pieces of a new board the identities of the old ones, and remembers which one moved. */
  private follow(before: Board | null | undefined): void {
    const board = this.board;
    this.glide = null;
    if (!board) {
      this.shown = [];
      return;
    }
    const old = new Map(this.shown.filter((each) => !each.gone).map((each) => [each.square, each]));
    const last = board.last;
    const moved = last && old.get(last.path[0]!);
    const forward =
      before && last && moved && before.fen !== board.fen && before.turn !== board.turn && !hasPiece(before, last);
    const taken: Shown[] = [];
    if (forward) {
      old.delete(moved.square);
      for (const square of last.captured) {
        const piece = old.get(square);
        if (piece) taken.push({ ...piece, gone: true });
        old.delete(square);
      }
      if (!this.dropped) this.glide = { id: moved.id, path: last.path };
    }
    this.dropped = false;
    const pieces = board.pieces.map((piece): Shown => {
      const king = piece.king ?? false;
      if (forward && piece.square === last.path.at(-1)) return { ...piece, king, id: moved.id, gone: false };
      const same = old.get(piece.square);
      const id = same && same.side === piece.side ? same.id : this.nextId++;
      return { ...piece, king, id, gone: false };
    });
    this.shown = [...taken, ...pieces];
  }

  private animatePiece(): void {
    const glide = this.glide;
    this.glide = null;
    if (!glide || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const frames = glide.path.map((square) => {
      const { x, y } = centre(square, this.bottom);
      return { transform: `translate(${x}px, ${y}px)` };
    });
    this.querySelector(`[data-piece="${glide.id}"]`)?.animate(frames, {
      duration: LEG * (frames.length - 1),
      easing: frames.length > 2 ? "linear" : "ease-out",
    });
  }

  private get moves(): BoardMove[] {
    return this.active && this.board ? this.board.moves : [];
  }

  protected override render(): TemplateResult {
    const moves = this.moves;
    const next = targets(moves, this.path);
    const ends = shortcuts(moves, this.path);
    return html`
      <svg
        viewBox="0 0 ${8 * SIZE} ${8 * SIZE}"
        role="group"
        aria-label=${this.label}
        class=${this.drag ? "dragging" : ""}
        @pointerdown=${this.press}
        @pointermove=${this.pull}
        @pointerup=${this.release}
        @pointercancel=${this.cancelDrag}
        @keydown=${this.key}
      >
        <rect class="light" width=${8 * SIZE} height=${8 * SIZE} rx="0.8" />
        ${SQUARES.map((square) => this.square(square, next, ends))}
        <g class="crosses">${this.board?.last ? this.crosses(this.board.last) : nothing}</g>
        <g class="pieces" aria-hidden="true">
          ${repeat(
            this.shown,
            (each) => each.id,
            (each) => this.piece(each),
          )}
        </g>
        <g class="targets" aria-hidden="true">${this.dots(next, ends)}</g>
        <g class="arrows" aria-hidden="true">${this.arrows.map((each) => arrow(each, this.bottom))}</g>
      </svg>
    `;
  }

  private square(square: number, next: Set<number>, ends: Map<number, BoardMove>): TemplateResult {
    const { row, column } = place(square, this.bottom);
    const [x, y] = [column * SIZE, row * SIZE];
    const last = this.board?.last?.path;
    const marked = last && (square === last[0] || square === last.at(-1));
    const chosen = this.path.includes(square);
    return svg`
      <g
        role="button"
        class="square"
        data-square=${square}
        tabindex=${square === this.cursor ? 0 : -1}
        aria-label=${this.describe(square, next, ends)}
        aria-pressed=${this.path.length ? String(chosen) : nothing}
        @focus=${() => {
          this.cursor = square;
        }}
      >
        <rect class="dark" x=${x} y=${y} width=${SIZE} height=${SIZE} />
        ${marked ? svg`<rect class="last" x=${x} y=${y} width=${SIZE} height=${SIZE} />` : nothing}
        ${chosen ? svg`<rect class="chosen" x=${x} y=${y} width=${SIZE} height=${SIZE} />` : nothing}
        ${this.numbers ? svg`<text class="number" x=${x + 0.35} y=${y + 1.7}>${square}</text>` : nothing}
        <rect class="ring" x=${x + 0.35} y=${y + 0.35} width=${SIZE - 0.7} height=${SIZE - 0.7} rx="0.6" />
      </g>`;
  }

  private crosses(last: BoardMove): TemplateResult[] {
    return last.captured.map((square) => {
      const { x, y } = centre(square, this.bottom);
      return svg`<path class="cross" d="M${x - 1.4} ${y - 1.4}l2.8 2.8m0-2.8l-2.8 2.8" />`;
    });
  }

  private piece(each: Shown): TemplateResult {
    const moving = this.path.length > 1 && each.square === this.path[0];
    const square = moving ? this.path.at(-1)! : each.square;
    let { x, y } = centre(square, this.bottom);
    const dragged = this.drag?.square === square && !each.gone;
    if (dragged && this.drag) [x, y] = [this.drag.x, this.drag.y];
    const movable = this.moves.some((move) => move.path[0] === each.square);
    const must = movable && this.moves.some((move) => move.captured.length > 0) && this.path.length === 0;
    const taken = this.path.length > 1 && jumped(this.path).includes(each.square);
    const names = ["piece", each.gone && "gone", movable && "movable", dragged && "dragged", taken && "taken"];
    return svg`
      <g class=${names.filter(Boolean).join(" ")} data-piece=${each.id} transform="translate(${x} ${y})">
        ${must ? svg`<circle class="must" r="4.45" />` : nothing}
        ${disc(each.side, each.king)}
      </g>`;
  }

  private dots(next: Set<number>, ends: Map<number, BoardMove>): TemplateResult[] {
    const dots = [...next].map((square) => {
      const { x, y } = centre(square, this.bottom);
      return svg`<circle class="dot" cx=${x} cy=${y} r="1.45" />`;
    });
    for (const square of ends.keys()) {
      if (next.has(square)) continue;
      const { x, y } = centre(square, this.bottom);
      dots.push(svg`<circle class="dot far" cx=${x} cy=${y} r="1.3" />`);
    }
    return dots;
  }

  private describe(square: number, next: Set<number>, ends: Map<number, BoardMove>): string {
    const piece = this.board?.pieces.find((each) => each.square === square);
    const words = [String(square), piece ? `${piece.side} ${piece.king ? "king" : "man"}` : "empty"];
    if (next.has(square)) words.push("can be reached");
    else if (ends.has(square)) words.push("end of the jump");
    else if (this.path.includes(square)) words.push("chosen");
    else {
      const own = this.moves.filter((move) => move.path[0] === square);
      if (own.length) words.push(own[0]!.captured.length ? "must capture" : "can move");
    }
    return words.join(", ");
  }

  private pick(square: number, dragged = false): void {
    this.cursor = square;
    if (this.editing) {
      this.dispatchEvent(new CustomEvent<number>("square", { detail: square, bubbles: true }));
      return;
    }
    const result = choose(this.moves, this.path, square);
    if ("path" in result) {
      this.path = result.path;
      return;
    }
    // A piece that was dragged, or led jump by jump, is already there: it does not glide once more.
    this.dropped = dragged || this.path.length > 1;
    this.path = [];
    this.dispatchEvent(new CustomEvent<BoardMove>("move", { detail: result.move, bubbles: true }));
  }

  /** The place of a pointer in the coordinates of the picture. */
  private point(event: PointerEvent): { x: number; y: number; square: number | null } {
    const box = this.querySelector("svg")!.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 8 * SIZE;
    const y = ((event.clientY - box.top) / box.height) * 8 * SIZE;
    return { x, y, square: squareAt(Math.floor(y / SIZE), Math.floor(x / SIZE), this.bottom) };
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const { square } = this.point(event);
    this.pressed = null;
    if (square === null) {
      this.path = [];
      return;
    }
    this.cursor = square;
    this.querySelector<SVGElement>(`[data-square="${square}"]`)?.focus({ preventScroll: true });
    event.preventDefault();
    const own = this.path.at(-1) === square || this.moves.some((move) => move.path[0] === square);
    const wasChosen = this.path.at(-1) === square;
    if (own && !this.editing) {
      this.pressed = { square, x: event.clientX, y: event.clientY, wasChosen };
      if (!wasChosen && !targets(this.moves, this.path).has(square)) this.path = [square];
      else if (!wasChosen) this.pick(square);
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    } else this.pick(square);
  }

  private pull(event: PointerEvent): void {
    if (!this.pressed) return;
    const far = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > DRAG_FROM;
    if (!this.drag && !far) return;
    const { x, y } = this.point(event);
    this.drag = { square: this.pressed.square, x, y };
  }

  private release(event: PointerEvent): void {
    const pressed = this.pressed;
    this.pressed = null;
    if (!pressed) return;
    if (!this.drag) {
      // A second click on the chosen piece lets it go, unless it is in the middle of a jump.
      if (pressed.wasChosen && this.path.length === 1) this.path = [];
      return;
    }
    this.drag = null;
    const { square } = this.point(event);
    if (square === null || square === pressed.square) return;
    if (targets(this.moves, this.path).has(square) || shortcuts(this.moves, this.path).has(square)) {
      this.pick(square, true);
    }
  }

  private cancelDrag(): void {
    this.pressed = null;
    this.drag = null;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) {
      this.cursor = neighbour(this.cursor, event.key, this.bottom);
      this.updateComplete.then(() => this.focusCursor());
    } else if (event.key === "Enter" || event.key === " ") {
      this.pick(this.cursor);
    } else if (event.key === "Escape") {
      this.path = [];
    } else if (/^[0-9]$/.test(event.key) && !this.editing) {
      this.dispatchEvent(new CustomEvent<string>("typed", { detail: event.key, bubbles: true }));
    } else return;
    event.preventDefault();
  }
}

/** Whether the last square of a move was already taken: then the new board is not the next one of the old. */
function hasPiece(before: Board, last: BoardMove): boolean {
  const end = last.path.at(-1);
  return end !== last.path[0] && before.pieces.some((piece) => piece.square === end);
}
