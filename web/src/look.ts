/** Boards of games, asked from the server and kept for the visit: walking through a game does not ask twice. */

import { connection } from "./socket";
import type { Board, Line } from "./types";

const MOST = 2000;
const kept = new Map<string, Promise<Board>>();

function key({ game, start, moves }: Line): string {
  return `${game}|${start ?? ""}|${moves.join(" ")}`;
}

/** The board after the moves of a line. Raises Refused when a move is not legal. */
export function look(line: Line): Promise<Board> {
  const name = key(line);
  let board = kept.get(name);
  if (!board) {
    board = connection.ask<Board>({ type: "look", line });
    remember(line, board);
    board.catch(() => kept.delete(name));
  }
  return board;
}

/** Keeps a board that the server sent with another answer. */
export function remember(line: Line, board: Promise<Board>): void {
  if (kept.size >= MOST) kept.delete(kept.keys().next().value!);
  kept.set(key(line), board);
}

/** For properties of elements: whether a line is another one, and not only another object. */
export function isOther(line: Line | undefined, before: Line | undefined): boolean {
  return !line || !before || key(line) !== key(before);
}
