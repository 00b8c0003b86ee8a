import { svg, type TemplateResult } from "lit";
import type { Side } from "../types";
import { centre } from "./geometry";

/** An arrow along a move, or a ring around a square (point). The best arrow has rank 0; others are thinner. */
export interface Arrow {
  path: number[];
  kind: "hint" | "best" | "point";
  rank?: number;
}

export function arrow({ path, kind, rank = 0 }: Arrow, bottom: Side): TemplateResult {
  const points = path.map((square) => centre(square, bottom));
  if (points.length === 1) return svg`<circle class="arrow ${kind}" cx=${points[0]!.x} cy=${points[0]!.y} r="4.5" />`;
  const [from, to] = [points.at(-2)!, points.at(-1)!];
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const width = Math.max(0.8, 1.7 - 0.25 * rank);
  const neck = { x: to.x - 3 * dx, y: to.y - 3 * dy };
  const wing = 1.15 * width + 0.6;
  const line = [...points.slice(0, -1), neck].map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");
  const head = [
    [to.x, to.y],
    [neck.x - wing * dy, neck.y + wing * dx],
    [neck.x + wing * dy, neck.y - wing * dx],
  ];
  return svg`
    <g class="arrow ${kind}" opacity=${Math.max(0.35, 0.8 - 0.13 * rank)}>
      <path d="M${line}" stroke-width=${width} />
      <polygon points=${head.map(([x, y]) => `${x!.toFixed(2)},${y!.toFixed(2)}`).join(" ")} />
    </g>`;
}
