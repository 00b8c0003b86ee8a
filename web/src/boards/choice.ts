/** A move that is being entered square by square, among the legal moves. */

import type { BoardMove } from "../types";
import { between } from "./geometry";

function begins(move: BoardMove, path: readonly number[]): boolean {
  return path.every((square, index) => move.path[index] === square);
}

/** The moves that begin with these squares. */
export function candidates(moves: readonly BoardMove[], path: readonly number[]): BoardMove[] {
  return moves.filter((move) => begins(move, path));
}

/** The squares that can come next. */
export function targets(moves: readonly BoardMove[], path: readonly number[]): Set<number> {
  if (path.length === 0) return new Set();
  return new Set(candidates(moves, path).flatMap((move) => move.path[path.length] ?? []));
}

/** The last squares of the moves that begin so, where only one of them ends there: a shortcut for long jumps. */
export function shortcuts(moves: readonly BoardMove[], path: readonly number[]): Map<number, BoardMove> {
  const found = new Map<number, BoardMove>();
  if (path.length === 0) return found;
  const twice = new Set<number>();
  for (const move of candidates(moves, path)) {
    const end = move.path.at(-1)!;
    if (move.path.length <= path.length) continue;
    if (found.has(end)) twice.add(end);
    found.set(end, move);
  }
  for (const end of twice) found.delete(end);
  return found;
}

/** The squares of the pieces that a path has jumped over. */
export function jumped(path: readonly number[]): number[] {
  return path.slice(1).flatMap((square, index) => between(path[index]!, square) ?? []);
}

/** The result of choosing a square: a finished move, a longer path, or another start. */
export function choose(
  moves: readonly BoardMove[],
  path: readonly number[],
  square: number,
): { move: BoardMove } | { path: number[] } {
  if (targets(moves, path).has(square)) {
    const longer = [...path, square];
    const [first] = candidates(moves, longer);
    return first && first.path.length === longer.length ? { move: first } : { path: longer };
  }
  const shortcut = shortcuts(moves, path).get(square);
  if (shortcut) return { move: shortcut };
  if (path.length === 1 && path[0] === square) return { path: [] };
  return moves.some((move) => move.path[0] === square) ? { path: [square] } : { path: [] };
}
