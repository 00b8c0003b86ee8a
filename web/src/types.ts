/** Names for what the page and the server tell each other, and the rows of the lists at /api. */

import type * as messages from "./messages";

export type Line = Required<messages.Line>;
export type Piece = messages.Piece;
export type Board = messages.Board;

export type GameName = Line["game"];
export type Side = "black" | "white";
export type BoardMove = messages.LegalMove;
export type Outcome = messages.End;

export interface Opponent {
  name: string;
  kind: "package" | "run";
  /** Who it is and how strong, in a sentence. */
  words: string;
  /** How it was made, and its evaluator and search: for those who ask. */
  made: string;
  details: string;
  rating: { elo: number; low: number; high: number } | null;
  levels: boolean;
  strongest: boolean;
  advises: boolean;
}

export interface Level {
  number: number;
  words: string;
  usual: boolean;
}
