/** The numbers of a chart of curves: what is drawn, smoothed, and said of each curve. */

import type { Curve, LinesPart } from "./messages";

export interface Point {
  x: number;
  y: number;
}

export interface Extremes {
  last: Point | null;
  highest: Point | null;
  lowest: Point | null;
}

/** The points of a curve that are known, by x; of two with one x, the later. */
export function points(curve: Curve): Point[] {
  const found = new Map<number, number>();
  curve.x.forEach((x, index) => {
    const y = curve.y[index] ?? null;
    if (x !== null && y !== null) found.set(x, y);
  });
  return [...found].map(([x, y]) => ({ x, y })).sort((a, b) => a.x - b.x);
}

/** The last point of a curve, its highest and its lowest. */
export function extremes(curve: Curve): Extremes {
  const all = points(curve);
  const pick = (better: (a: number, b: number) => boolean): Point | null =>
    all.reduce<Point | null>((best, each) => (best === null || better(each.y, best.y) ? each : best), null);
  return { last: all.at(-1) ?? null, highest: pick((a, b) => a > b), lowest: pick((a, b) => a < b) };
}

/** The point of a curve that is nearest to x. */
export function nearest(curve: Curve, x: number): Point | null {
  return points(curve).reduce<Point | null>(
    (best, each) => (best === null || Math.abs(each.x - x) < Math.abs(best.x - x) ? each : best),
    null,
  );
}

/** Exponential smoothing, from 0 (none) to below 1; without the pull to the first value. */
export function smoothed(values: (number | null)[], weight: number): (number | null)[] {
  let sum = 0;
  let total = 0;
  return values.map((value) => {
    if (value === null) return null;
    sum = weight * sum + (1 - weight) * value;
    total = weight * total + (1 - weight);
    return sum / total;
  });
}

/** The curves of charts of one title, of several runs, in one chart. */
export function overlaid(found: { name: string; part: LinesPart }[]): LinesPart {
  const first = found[0]!.part;
  return {
    ...first,
    caption: "",
    curves: found.flatMap(({ name, part }) =>
      part.curves.map((curve) => ({ ...curve, name: part.curves.length > 1 ? `${name}: ${curve.name}` : name })),
    ),
    levels: [
      ...new Map(found.flatMap(({ part }) => part.levels).map((each) => [`${each.value} ${each.label}`, each])),
    ].map(([, each]) => each),
  };
}
