/** Where the 32 squares of a draughts board lie. Square 1 is at the top left when White is at the bottom. */

import type { Side } from "../types";

export const SIZE = 10; // the side of a square in the picture
export const SQUARES = Array.from({ length: 32 }, (_, index) => index + 1);

export interface Place {
  row: number;
  column: number;
}

/** Row and column on the screen, from the top left. */
export function place(square: number, bottom: Side): Place {
  const row = Math.floor((square - 1) / 4);
  const column = 2 * ((square - 1) % 4) + (row % 2 === 0 ? 1 : 0);
  return bottom === "white" ? { row, column } : { row: 7 - row, column: 7 - column };
}

/** The dark square at a row and a column of the screen, or null. */
export function squareAt(row: number, column: number, bottom: Side): number | null {
  const [r, c] = bottom === "white" ? [row, column] : [7 - row, 7 - column];
  if (r < 0 || r > 7 || c < 0 || c > 7 || (r + c) % 2 === 0) return null;
  return 4 * r + Math.floor(c / 2) + 1;
}

/** The middle of a square in the picture. */
export function centre(square: number, bottom: Side): { x: number; y: number } {
  const { row, column } = place(square, bottom);
  return { x: (column + 0.5) * SIZE, y: (row + 0.5) * SIZE };
}

/** The square that an arrow key leads to: two columns aside, or the next row. */
export function neighbour(square: number, key: string, bottom: Side): number {
  const { row, column } = place(square, bottom);
  switch (key) {
    case "ArrowLeft":
      return squareAt(row, column - 2, bottom) ?? square;
    case "ArrowRight":
      return squareAt(row, column + 2, bottom) ?? square;
    case "ArrowUp":
    case "ArrowDown": {
      const next = row + (key === "ArrowUp" ? -1 : 1);
      return squareAt(next, column - (column % 2 === 0 ? -1 : 1), bottom) ?? square;
    }
    default:
      return square;
  }
}

/** The square that a jump between two squares leads over, or null for a step. */
export function between(from: number, to: number): number | null {
  const [a, b] = [place(from, "white"), place(to, "white")];
  if (Math.abs(a.row - b.row) !== 2) return null;
  return squareAt((a.row + b.row) / 2, (a.column + b.column) / 2, "white");
}
