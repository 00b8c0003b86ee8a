import { html, type TemplateResult } from "lit";
import { icon, type IconName } from "../icons";

/** A button beside a board that turns something on or off. */
export function tool(name: IconName, label: string, on: boolean, action: () => void): TemplateResult {
  return html`<button class="icon" type="button" title=${label} aria-label=${label} aria-pressed=${on} @click=${action}>
    ${icon(name)}
  </button>`;
}
