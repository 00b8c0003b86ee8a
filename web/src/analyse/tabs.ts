import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../element";

export const TABS = { open: "Open", review: "Review", why: "Why", setup: "Set up" };
export type Tab = keyof typeof TABS;
const NAMES = Object.keys(TABS) as Tab[];

/** The tabs of the analysis. Fires `tab` with the one to show. */
@customElement("ludus-tabs")
export class Tabs extends PageElement {
  @property({ attribute: false }) tab: Tab = "open";

  protected override render(): TemplateResult {
    return html`
      <div class="tabs" role="tablist" aria-label="More" @keydown=${this.key}>
        ${NAMES.map(
          (tab) => html`<button type="button" role="tab" id="tab-${tab}" aria-controls="tab-panel"
            aria-selected=${tab === this.tab} tabindex=${tab === this.tab ? 0 : -1} @click=${() => this.choose(tab)}>
            ${TABS[tab]}
          </button>`,
        )}
      </div>
    `;
  }

  private choose(tab: Tab): void {
    this.dispatchEvent(new CustomEvent<Tab>("tab", { detail: tab, bubbles: true }));
  }

  private key(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? NAMES.length - 1 : 0;
    if (!step) return;
    event.preventDefault();
    const next = NAMES[(NAMES.indexOf(this.tab) + step) % NAMES.length]!;
    this.choose(next);
    this.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  }
}
