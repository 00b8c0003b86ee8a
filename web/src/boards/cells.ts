/** The 64 cells of Tic-Tac-Toe 3D: level * 16 + row * 4 + column. A move is a column of the cube: `a1` to `d4`. */

export interface Cell {
  level: number;
  row: number;
  column: number;
}

export function cellAt(cell: number): Cell {
  return { level: Math.floor(cell / 16), row: Math.floor(cell / 4) % 4, column: cell % 4 };
}

export function cellNumber({ level, row, column }: Cell): number {
  return 16 * level + 4 * row + column;
}

/** The name of the column of the cube that a cell is in: a letter for the column, a digit for the row. */
export function columnName(cell: number): string {
  const { row, column } = cellAt(cell);
  return `${"abcd"[column]}${row + 1}`;
}
