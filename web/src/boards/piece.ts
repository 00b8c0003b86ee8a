import { svg, type TemplateResult } from "lit";
import type { Side } from "../types";

/** The gradients that pieces use: once in the document, for all boards. */
export const pieceDefinitions = svg`
    <radialGradient id="shine" cx="0.35" cy="0.28" r="0.85">
      <stop offset="0" stop-color="#fff" stop-opacity="0.42" />
      <stop offset="0.55" stop-color="#fff" stop-opacity="0.05" />
      <stop offset="1" stop-color="#000" stop-opacity="0.2" />
    </radialGradient>
    <radialGradient id="shine-dark" cx="0.35" cy="0.28" r="0.85">
      <stop offset="0" stop-color="#fff" stop-opacity="0.3" />
      <stop offset="0.6" stop-color="#fff" stop-opacity="0.04" />
      <stop offset="1" stop-color="#000" stop-opacity="0.4" />
    </radialGradient>`;

/** A man or a king around the point 0, 0 on a square of 10. */
export function disc(side: Side, king: boolean): TemplateResult {
  return svg`
    <ellipse class="shade" cx="0.25" cy="0.6" rx="4.05" ry="4" />
    <circle class="disc ${side}" r="3.95" />
    <circle r="3.95" fill=${side === "white" ? "url(#shine)" : "url(#shine-dark)"} />
    ${
      king
        ? svg`<circle class="gold" r="3.3" />
              <path class="crown" d="M-2.05 1.65-2.35-1.1-1 .15 0-1.9 1 .15 2.35-1.1 2.05 1.65Z" />`
        : svg`<circle class="groove ${side}" r="3" /><circle class="groove ${side}" r="1.9" />`
    }
  `;
}
