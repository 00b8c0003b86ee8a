/** Estimates with their 95% intervals, a row each: a table whose bars share one axis. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { rounded, signed } from "../format";
import type { EstimateRow, IntervalsPart } from "../messages";

const WIDTH = 1000; // of the axis in the picture

/** The figure; without its title where a heading says it already. */
export function intervals(found: IntervalsPart, title = found.title): TemplateResult {
  const ends = found.rows
    .filter((row) => !row.outside)
    .flatMap((row) => [row.value, row.low, row.high, row.mark, ...row.samples])
    .filter((value) => value !== null);
  const low = Math.min(...ends, ...(found.signed ? [0] : []));
  const high = Math.max(...ends, ...(found.signed ? [0] : []));
  const room = (high - low) * 0.03 || 1;
  const place = (value: number): number => (WIDTH * (value - low + room)) / (high - low + 2 * room);
  const write = (value: number | null): string =>
    value === null ? "–" : found.signed ? signed(value) : rounded(value, high - low);
  return html`
    <figure class="intervals">
      ${title ? html`<div class="label">${title}</div>` : nothing}
      <table>
        <thead>
          <tr>
            <th class="name" scope="col">player</th>
            <td class="bar" aria-hidden="true"></td>
            <th scope="col">${found.x_title || "value"}</th>
            <th scope="col" class="range">95% interval</th>
          </tr>
        </thead>
        <tbody>
          ${found.rows.map(
            (row) => html`
              <tr>
                <th class="name" scope="row">${row.name}</th>
                <td class="bar" aria-hidden="true">
                  ${bar(row, place, found.signed ? place(0) : null)}
                  ${row.outside ? html`<span class="arrow ${row.value! > low ? "above" : ""}">${row.value! > low ? "▶" : "◀"}</span>` : nothing}
                </td>
                <td>${write(row.value)}</td>
                <td class="range quiet">[${write(row.low)}, ${write(row.high)}]</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
      ${found.caption ? html`<figcaption class="small quiet">${found.caption}</figcaption>` : nothing}
    </figure>
  `;
}

function bar(row: EstimateRow, place: (value: number) => number, zero: number | null): TemplateResult {
  const { value, low, high } = row;
  const from = low === null ? 0 : Math.max(0, Math.min(WIDTH, place(low)));
  const to = high === null ? WIDTH : Math.max(0, Math.min(WIDTH, place(high)));
  const at = value === null ? null : Math.max(3, Math.min(WIDTH - 3, place(value)));
  return html`
    <svg viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none">
      ${zero === null ? nothing : line(zero, 0, zero, 20, "zero")}
      ${row.outside ? nothing : line(from, 10, to, 10, "range")}
      ${row.mark === null ? nothing : line(place(row.mark), 3, place(row.mark), 17, "mark")}
      ${at === null || row.outside ? nothing : line(at, 3, at, 17, "value")}
      ${row.samples.map((sample) => line(place(sample), 15, place(sample), 19, "sample"))}
    </svg>
  `;
}

function line(x1: number, y1: number, x2: number, y2: number, kind: string): TemplateResult {
  return svg`<line class=${kind} x1=${x1} y1=${y1} x2=${x2} y2=${y2} vector-effect="non-scaling-stroke" />`;
}
