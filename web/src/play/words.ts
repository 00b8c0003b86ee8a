/** Sentences about a game, from the side of the person. */

import type { Outcome, Side } from "../types";

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function other(side: Side): Side {
  return side === "black" ? "white" : "black";
}

/** "You won: White has no pieces left." */
export function resultWords(outcome: Outcome, person: Side): string {
  const result = outcome.winner === null ? "A draw" : outcome.winner === person ? "You won" : "You lost";
  return `${result}: ${outcome.reason.replace(/\.$/, "")}.`;
}

/** A rating: Elo above or below the mean of the ladder's players. */
export function elo(rating: number): string {
  const rounded = Math.round(rating);
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`;
}

/** A rating with its interval. */
export function ratingWords(rating: { elo: number; low: number; high: number }): string {
  const interval = `95% interval ${elo(rating.low)} to ${elo(rating.high)}`;
  return `Elo ${elo(rating.elo)} against the mean of the ladder, ${interval}`;
}

/** Time as 4:05, and with tenths in the last twenty seconds. */
export function timeWords(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 20_000) return `0:${(Math.floor(left / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
