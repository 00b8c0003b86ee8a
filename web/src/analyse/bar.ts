import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { styleMap } from "lit/directives/style-map.js";
import { PageElement } from "../element";
import type { Side } from "../types";
import "./bar.css";

/** The evaluation bar: White's share is the white part, at White's side of the board. */
@customElement("ludus-bar")
export class EvaluationBar extends PageElement {
  /** From -1 to 1 for White; null: not known. */
  @property({ attribute: false }) prospect: number | null = null;
  @property({ attribute: false }) bottom: Side = "white";

  protected override render(): TemplateResult {
    const share = 50 + 50 * (this.prospect ?? 0);
    const words =
      this.prospect === null
        ? "not known"
        : `${Math.round(share)} of 100 for White, ${Math.round(100 - share)} for Black`;
    return html`<div
      class="evaluation ${this.bottom} ${this.prospect === null ? "unknown" : ""}"
      role="img"
      aria-label="Evaluation: ${words}"
      title="Evaluation: ${words}"
    >
      <span style=${styleMap({ "--share": String(share / 100) })}></span>
    </div>`;
  }
}
