import { html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../element";
import type { Board, BoardMove } from "../types";
import { columnName } from "./cells";
import "./space.css";
import type { Scene } from "./scene";

/**
 * Tic-Tac-Toe 3D as a cube to turn, with stones to drop on its pegs. three.js is loaded with it. Everything it does can
 * be done on the flat board too, so it is hidden from screen readers. Fires `move` with a BoardMove.
 */
@customElement("ludus-space-board")
export class SpaceBoard extends PageElement {
  @property({ attribute: false }) board: Board | null = null;
  @property({ attribute: false }) active = false;
  @property({ attribute: false }) hints: number[] = [];
  /** The column of the cube that the flat board points at. */
  @property({ attribute: false }) aimed = "";

  @state() private failed = false;
  private scene: Scene | null = null;
  private observer: ResizeObserver | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("ludus-theme", this.recolour);
    this.updateComplete.then(() => this.begin());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("ludus-theme", this.recolour);
    this.observer?.disconnect();
    this.scene?.dispose();
    this.scene = null;
  }

  private readonly recolour = (): void => this.scene?.draw();

  private async begin(): Promise<void> {
    const canvas = this.querySelector("canvas");
    if (!canvas || this.scene) return;
    try {
      const { Scene } = await import("./scene");
      if (!this.isConnected) return;
      this.scene = new Scene(canvas, (column) => this.drop(column));
      this.observer = new ResizeObserver(() => this.scene?.resize());
      this.observer.observe(canvas.parentElement!);
      this.show();
    } catch {
      this.failed = true; // no WebGL: the flat board is there
    }
  }

  protected override updated(_changed: PropertyValues<this>): void {
    this.show();
  }

  private show(): void {
    if (!this.scene || !this.board) return;
    const columns = this.active ? this.board.moves.map((move) => columnName(move.path[0]!)) : [];
    this.scene.show(this.board, new Set(columns), this.hints, this.aimed);
  }

  private drop(column: string): void {
    const move = this.active && this.board?.moves.find((each) => columnName(each.path[0]!) === column);
    if (move) this.dispatchEvent(new CustomEvent<BoardMove>("move", { detail: move, bubbles: true }));
  }

  protected override render(): TemplateResult {
    return html`
      <div class="space" aria-hidden="true">
        <canvas ?hidden=${this.failed}></canvas>
        ${
          this.failed
            ? html`<p class="quiet">This browser does not draw in three dimensions. The flat board below does everything.</p>`
            : html`<p class="hint small">Drag to turn, click a peg to drop a stone.</p>`
        }
      </div>
    `;
  }
}
