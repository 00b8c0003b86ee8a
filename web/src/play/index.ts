import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { PageElement } from "../element";

@customElement("ludus-play")
export class Play extends PageElement {
  protected override render(): TemplateResult {
    return html`<h1>Play</h1>`;
  }
}
