/** Moves as people type them. */

import type { Board, BoardMove, GameName } from "./types";

/** The legal move that a text means: `11-15`, `11 15`, `22x15`, `c3`; or a sentence that says why there is none. */
export function typedMove(game: GameName, board: Board, text: string): BoardMove | string {
  const plain = text.trim().toLowerCase();
  if (!plain) return "Type a move first.";
  const exact = board.moves.find((move) => move.text.toLowerCase() === plain);
  if (exact) return exact;
  if (game === "draughts") {
    const numbers = (plain.match(/\d+/g) ?? []).map(Number);
    const fits = board.moves.filter(({ path }) => {
      if (numbers.length === path.length) return path.every((square, index) => square === numbers[index]);
      return numbers.length === 2 && path[0] === numbers[0] && path.at(-1) === numbers[1];
    });
    if (fits.length === 1) return fits[0]!;
    if (fits.length > 1) {
      return `${text.trim()} is more than one move: ${fits.map((move) => move.text).join(" or ")}.`;
    }
    if (numbers.length >= 2 && board.moves[0]?.captured.length) {
      return `A capture must be made: ${board.moves.map((move) => move.text).join(", ")}.`;
    }
  }
  const legal = board.moves.map((move) => move.text);
  const shown = legal.slice(0, 16).join(", ") + (legal.length > 16 ? " …" : "");
  return `${text.trim()} is not legal here. Legal: ${shown}.`;
}
