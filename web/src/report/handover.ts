import { keep } from "../storage";
import type { GameName } from "../types";

/** Leaves a game or a position for the page /analyse. */
export function handOver(game: GameName, start: string | null, moves: string[], title: string): void {
  keep("handover", { game, start, moves, title, review: false });
}
