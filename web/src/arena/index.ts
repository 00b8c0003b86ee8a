import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";

/** The page of /arena. `path` holds the parts of the address after it: /arena/a/b gives ["a", "b"]. */
@customElement("ludus-arena")
export class Arena extends PageElement {
  @property({ attribute: false }) path: string[] = [];

  protected override render(): TemplateResult {
    return html`<h1>Arena</h1>`;
  }
}
