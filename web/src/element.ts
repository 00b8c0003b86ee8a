import { LitElement } from "lit";

/**
 * The base of every element of the page. It renders into the document itself, without a shadow root: labels, live
 * regions and the styles of the whole page reach it.
 */
export class PageElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
