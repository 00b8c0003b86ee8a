/** Sentences about positions and moves. */

import type { Judged } from "../messages";
import { capital, other } from "../play/words";
import type { Board } from "../types";

/** What the endgame tables say: "Endgame tables: White wins in 23 plies." */
export function verdictWords({ table, turn }: Board): string {
  if (!table) return "";
  if (table.verdict === "draw") return "Endgame tables: a draw.";
  const winner = table.verdict === "win" ? turn : other(turn);
  return `Endgame tables: ${capital(winner)} wins${table.plies === null ? "" : ` in ${plies(table.plies)}`}.`;
}

function plies(count: number): string {
  return count === 1 ? "1 ply" : `${count} plies`;
}

/** "A mistake: it costs 0.62 men." */
export function costWords({ kind, cost, thrown }: Judged, unit: string): string {
  const costs = kind ? `${capital(kind)}: it costs ${cost.toFixed(2)}${unit === "men" ? " men" : ""}.` : "";
  return thrown ? `${costs} It throws a win away.`.trim() : costs;
}
