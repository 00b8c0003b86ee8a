import { html, type TemplateResult } from "lit";

/** The slider that smooths curves. The raw points stay. */
export function smoothing(value: number, changed: (value: number) => void): TemplateResult {
  return html`
    <label class="smoothing small">
      <span>Smoothing</span>
      <input type="range" min="0" max="0.98" step="0.02" .value=${String(value)}
        @input=${(event: Event) => changed(Number((event.target as HTMLInputElement).value))} />
      <output class="numbers">${value ? value.toFixed(2) : "off"}</output>
    </label>
  `;
}
