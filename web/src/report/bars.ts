/** A histogram. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { count, rounded } from "../format";
import type { BarsPart } from "../messages";

export function bars(found: BarsPart): TemplateResult {
  const most = Math.max(1, ...found.counts);
  const total = found.counts.reduce((sum, each) => sum + each, 0);
  const [first, last] = [found.edges[0] ?? 0, found.edges.at(-1) ?? 0];
  const write = (value: number): string => rounded(value, (last - first) / 2);
  const words = `${found.title}: ${count(total)} values from ${write(first)} to ${write(last)}`;
  return html`
    <figure class="histogram">
      <div class="label">${found.title}</div>
      <svg viewBox="0 0 ${10 * found.counts.length} 100" preserveAspectRatio="none" role="img" aria-label=${words}>
        ${found.counts.map(
          (each, index) => svg`
            <rect x=${10 * index + 0.5} y=${100 - (100 * each) / most} width="9" height=${(100 * each) / most}>
              <title>${count(each)} from ${write(found.edges[index]!)} to ${write(found.edges[index + 1]!)}</title>
            </rect>`,
        )}
      </svg>
      <div class="ends small quiet numbers" aria-hidden="true">
        <span>${write(first)}</span><span>${found.x_title} (${count(total)} in all)</span><span>${write(last)}</span>
      </div>
      ${found.caption ? html`<figcaption class="small quiet">${found.caption}</figcaption>` : nothing}
    </figure>
  `;
}
