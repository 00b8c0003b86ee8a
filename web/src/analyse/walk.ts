import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import { icon, type IconName } from "../icons";
import { isMain, lastOf, type Node, type Tree } from "./tree";

/** The buttons that lead through a tree of moves. Fires `node` with one to go to, `promote` and `cut`. */
@customElement("ludus-walk")
export class Walk extends PageElement {
  @property({ attribute: false }) tree!: Tree;
  @property({ attribute: false }) current!: Node;
  @property({ attribute: false }) version = 0;

  protected override render(): TemplateResult {
    const { current } = this;
    const go = (name: IconName, label: string, to: Node | null | undefined): TemplateResult =>
      button(name, label, !to || to === current, () =>
        this.dispatchEvent(new CustomEvent<Node>("node", { detail: to!, bubbles: true })),
      );
    const change = (name: IconName, label: string, off: boolean, event: string): TemplateResult =>
      button(name, label, off, () => this.dispatchEvent(new Event(event)));
    return html`
      <div class="walk">
        ${go("first", "Start", this.tree.root)} ${go("back", "One move back", current.parent)}
        ${go("next", "One move on", current.children[0])} ${go("last", "End of the line", lastOf(current))}
        ${change("promote", "Make this the main line", isMain(current), "promote")}
        ${change("remove", "Delete from here", !current.parent, "cut")}
      </div>
    `;
  }
}

function button(name: IconName, label: string, off: boolean, action: () => void): TemplateResult {
  return html`<button type="button" title=${label} aria-label=${label} ?disabled=${off} @click=${action}>
    ${icon(name)}
  </button>`;
}
