import { html, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import type { Judged } from "../messages";
import "./curve.css";

const HEIGHT = 100;
const STEP = 10; // the width of a ply

/** The values of a game move by move, above the middle for White. Fires `go` with a ply. */
@customElement("ludus-curve")
export class Curve extends PageElement {
  @property({ attribute: false }) judged = new Map<number, Judged>();
  @property({ attribute: false }) count = 0;
  /** The moves before the position that is shown. */
  @property({ attribute: false }) ply = 0;

  protected override render(): TemplateResult {
    const width = Math.max(1, this.count) * STEP;
    const points = [...this.judged.values()]
      .sort((a, b) => a.ply - b.ply)
      .map((each) => ({ each, x: (each.ply + 1) * STEP, y: height(each) }));
    const line = points.map(({ x, y }) => `L${x} ${y.toFixed(1)}`).join("");
    const end = points.at(-1)?.x ?? 0;
    const middle = HEIGHT / 2;
    return html`
      <div class="curve">
        <svg
          viewBox="0 0 ${width} ${HEIGHT}"
          preserveAspectRatio="none"
          role="img"
          aria-label="Value of the game after each move, White above the middle"
          @click=${this.choose}
        >
          <rect class="ground" width=${width} height=${HEIGHT} />
          <path class="area" d="M0 ${HEIGHT}V${middle}${line}L${end} ${HEIGHT}Z" />
          <line class="middle" x2=${width} y1=${middle} y2=${middle} />
          <path class="line" d="M0 ${middle}${line}" />
          <line class="now" x1=${this.ply * STEP} x2=${this.ply * STEP} y1="0" y2=${HEIGHT} />
          ${points
            .filter(({ each }) => each.kind)
            .map(
              ({ each, x, y }) =>
                svg`<line class="mark ${each.kind}" x1=${x} x2=${x} y1=${y.toFixed(1)} y2=${y.toFixed(1)} />`,
            )}
        </svg>
      </div>
    `;
  }

  private choose(event: MouseEvent): void {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const ply = Math.round(((event.clientX - box.left) / box.width) * this.count);
    this.dispatchEvent(new CustomEvent<number>("go", { detail: ply, bubbles: true }));
  }
}

/** The height of a value, from the side of White. */
function height({ prospect, side }: Judged): number {
  const value = side === "white" ? prospect : -prospect;
  return HEIGHT / 2 - (value * HEIGHT) / 2.1;
}
