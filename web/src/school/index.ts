import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";

/** The page of /school. `path` holds the parts of the address after it: /school/a/b gives ["a", "b"]. */
@customElement("ludus-school")
export class School extends PageElement {
  @property({ attribute: false }) path: string[] = [];

  protected override render(): TemplateResult {
    return html`<h1>School</h1>`;
  }
}
