import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";
import type { Judged } from "../messages";
import { isMain, type Node, path, type Tree } from "./tree";
import "./moves.css";

/** The moves of a tree with its variations. Fires `node` with the node that was chosen. */
@customElement("ludus-tree")
export class TreeView extends PageElement {
  @property({ attribute: false }) tree!: Tree;
  @property({ attribute: false }) current!: Node;
  /** What a review said about the moves of the main line, by ply. */
  @property({ attribute: false }) judged = new Map<number, Judged>();
  /** Changed when the tree has grown, since the tree itself is the same object. */
  @property({ attribute: false }) version = 0;

  protected override updated(_changed: PropertyValues<this>): void {
    const list = this.querySelector<HTMLElement>(".tree");
    const current = this.querySelector<HTMLElement>("[aria-current]");
    if (!list) return;
    if (!current) list.scrollTop = 0;
    else if (current.offsetTop < list.scrollTop || current.offsetTop + 34 > list.scrollTop + list.clientHeight) {
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
    }
  }

  protected override render(): TemplateResult {
    const { root } = this.tree;
    return html`
      <div class="tree" role="group" aria-label="Moves">
        ${root.children.length ? this.follow(root, true) : html`<p class="quiet">No moves yet. Move on the board, or open a game.</p>`}
      </div>
    `;
  }

  /** The moves after a node: the main one, the variations in brackets, then what follows the main one. */
  private follow(from: Node, numbered: boolean): TemplateResult[] {
    const parts: TemplateResult[] = [];
    let node = from;
    let withNumber = numbered;
    while (node.children.length) {
      const [main, ...others] = node.children;
      parts.push(this.move(main!, withNumber));
      withNumber = others.length > 0;
      for (const other of others) {
        parts.push(html`<div class="variation">${this.move(other, true)} ${this.follow(other, false)}</div>`);
      }
      node = main!;
    }
    return parts;
  }

  private move(node: Node, numbered: boolean): TemplateResult {
    const ply = path(node).length;
    const number = Math.floor((ply + 1) / 2);
    const judged = isMain(node) ? this.judged.get(ply - 1) : undefined;
    // The tabulator stops at one move; arrow keys lead to the others.
    const reached = node === this.current || (!this.current.parent && node === this.tree.root.children[0]);
    const before = ply % 2 === 1 ? `${number}.` : numbered ? `${number}…` : "";
    return html`${before ? html`<span class="count quiet">${before}</span>` : nothing}<button
        type="button"
        class=${judged?.kind ?? ""}
        tabindex=${reached ? 0 : -1}
        aria-current=${node === this.current ? "step" : nothing}
        @click=${() => this.dispatchEvent(new CustomEvent<Node>("node", { detail: node, bubbles: true }))}
      >
        ${node.move}${judged?.mark ? html`<b aria-label=${judged.kind}>${judged.mark}</b>` : nothing}
      </button>`;
  }
}
