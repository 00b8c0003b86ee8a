import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { PageElement } from "../element";

@customElement("ludus-analyse")
export class Analyse extends PageElement {
  protected override render(): TemplateResult {
    return html`<h1>Analyse</h1>`;
  }
}
