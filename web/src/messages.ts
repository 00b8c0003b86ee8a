// Written by `python -m ludus.web.typescript` from src/ludus/web/messages; do not edit.

/** The first message of the page: the token of its index.html. */
export interface Hello {
  type: "hello";
  token: string;
  id?: number;
}

/** Stops the request of this id. */
export interface Cancel {
  type: "cancel";
  id: number;
}

/** A game so far. The server keeps no games. */
export interface Line {
  game: "draughts" | "tictactoe3d";
  start: string | null;
  moves: string[];
}

/** Asks for the board after these moves. Answered by a board. */
export interface Look {
  type: "look";
  line: Line;
  id: number;
}

/** What the player has left. */
export interface Clock {
  left_ms: number;
  increment_ms?: number;
}

/** Asks a player for its move. Answered by what it thinks, then by its move. */
export interface Play {
  type: "play";
  line: Line;
  player: string;
  level?: number | null;
  seed?: number;
  clock?: Clock | null;
  id: number;
}

/** Asks the strongest player for a move. */
export interface Hint {
  type: "hint";
  line: Line;
  id: number;
}

/** Offers the opponent a draw. */
export interface Draw {
  type: "draw";
  line: Line;
  player: string;
  level?: number | null;
  id: number;
}

/** A piece: a square from 1 to 32 of draughts, a cell from 0 to 63 (level * 16 + row * 4 + column) of the cube. */
export interface Piece {
  square: number;
  side: "black" | "white";
  king: boolean;
}

/** Asks for the board with these pieces. Answered by a board, or an error that says what is wrong with it. */
export interface Setup {
  type: "setup";
  game: "draughts" | "tictactoe3d";
  pieces: Piece[];
  turn: "black" | "white";
  id: number;
}

/** Reads a text: a position, a list of moves, or games. */
export interface Read {
  type: "read";
  text: string;
  game?: "draughts" | "tictactoe3d" | null;
  id: number;
}

/** Asks for the game as a text: PDN of draughts, a line of moves of Tic-Tac-Toe 3D. */
export interface Write {
  type: "write";
  line: Line;
  tags?: Record<string, string>;
  winner?: "black" | "white" | null;
  ending?: "resignation" | "agreement" | "forfeit" | null;
  id: number;
}

/** Adds the game to the file of this name in the server's folder of games; the file is made if it is not there. */
export interface Save {
  type: "save";
  line: Line;
  name: string;
  tags?: Record<string, string>;
  winner?: "black" | "white" | null;
  ending?: "resignation" | "agreement" | "forfeit" | null;
  id: number;
}

/** Searches until it is cancelled. Without a player the strongest one searches. Answered by analyses. */
export interface Analyse {
  type: "analyse";
  line: Line;
  player?: string | null;
  lines?: number;
  threads?: number;
  id: number;
}

/** Judges every move of a game. Without a player the strongest one judges. */
export interface Review {
  type: "review";
  line: Line;
  player?: string | null;
  id: number;
}

/** Asks why a player values the position after these moves as it does. */
export interface Explain {
  type: "explain";
  line: Line;
  player: string;
  id: number;
}

/** The token was right. */
export interface Welcome {
  type: "welcome";
  version: string;
  id: number;
  final: boolean;
}

/** What was wrong with a request, one sentence. With the id 0 it is about a message that could not be read. */
export interface Error {
  type: "error";
  message: string;
  id: number;
  final: boolean;
}

/** A move: its text, the squares it goes through, and the squares of what it captures. */
export interface LegalMove {
  text: string;
  path: number[];
  captured: number[];
}

/** How a game ended; a draw has no winner. */
export interface End {
  winner: "black" | "white" | null;
  reason: string;
}

/** What the endgame tables say for the side to move; the plies to the end of the game if they are known. */
export interface TableVerdict {
  verdict: "win" | "draw" | "loss";
  plies: number | null;
}

/** A position: what is on it, what can be played, and how the game stands. */
export interface Board {
  type: "board";
  fen: string;
  turn: "black" | "white";
  pieces: Piece[];
  moves: LegalMove[];
  last: LegalMove | null;
  history: string[];
  outcome: End | null;
  win: number[];
  table: TableVerdict | null;
  opening: string | null;
  id: number;
  final: boolean;
}

/** What a player has found so far. The value is for the player. */
export interface Thinking {
  type: "thinking";
  id: number;
  final: boolean;
  depth: number;
  value: string;
  nodes: number;
  line: string[];
}

/** The player's move and the board after it. `value` is empty if the player moved without a search. */
export interface Moved {
  type: "moved";
  move: string;
  board: Board;
  draw_offer: boolean;
  value: string;
  depth: number;
  nodes: number;
  milliseconds: number;
  id: number;
  final: boolean;
}

/** A good move, its value for the side to move, and how the game could go on. */
export interface Hinted {
  type: "hint";
  move: string;
  value: string;
  line: string[];
  player: string;
  id: number;
  final: boolean;
}

/** Whether it accepts. */
export interface Drawn {
  type: "drawn";
  accepted: boolean;
  reason: string;
  id: number;
  final: boolean;
}

/** A game that was read. */
export interface ReadGame {
  tags: Record<string, string>;
  line: Line;
  result: string;
  outcome: End | null;
  title: string;
}

/** What was read, and a note for each thing that could not be. */
export interface Games {
  type: "games";
  games: ReadGame[];
  notes: string[];
  id: number;
  final: boolean;
}

/** The game as a text. */
export interface Written {
  type: "text";
  text: string;
  id: number;
  final: boolean;
}

/** The name of the file, and a sentence that says what was written. */
export interface Saved {
  type: "saved";
  name: string;
  message: string;
  id: number;
  final: boolean;
}

/** A good line. `prospect` is from -1 to 1 for the side to move. */
export interface BestLine {
  moves: string[];
  value: string;
  prospect: number;
}

/** What a move is worth to the side to move. `visits` are the play-outs of MCTS that began with it. */
export interface MoveValue {
  move: string;
  value: string;
  prospect: number;
  exact: boolean;
  visits: number;
}

/** What the search has found so far. `unit` is men, or value for values from -1 to 1. */
export interface Analysis {
  type: "analysis";
  id: number;
  final: boolean;
  depth: number;
  value: string;
  prospect: number;
  nodes: number;
  speed: number;
  best: BestLine[];
  every: MoveValue[];
  unit: string;
  player: string;
}

/** What a move was worth to the side that moved, and what was better. `best` is the value of the best move. `prospect` and `best_prospect` are from -1 to 1. `table` is what the endgame tables said before the move. */
export interface Judged {
  type: "judged";
  id: number;
  final: boolean;
  ply: number;
  move: string;
  side: "black" | "white";
  value: string;
  prospect: number;
  cost: number;
  mark: string;
  kind: string;
  better: string[];
  best: string;
  best_prospect: number;
  thrown: boolean;
}

/** What a side's moves were worth: the accuracy in percent, the counts, and the mean cost of a move. */
export interface SideReview {
  accuracy: number;
  moves: number;
  slips: number;
  mistakes: number;
  blunders: number;
  thrown: number;
  mean_cost: number;
}

/** The review of both sides. Costs are in `unit`: men, or value. */
export interface Reviewed {
  type: "reviewed";
  black: SideReview;
  white: SideReview;
  unit: string;
  player: string;
  id: number;
  final: boolean;
}

/** A thing that speaks for or against, for the side that made the last move. `before` and `after` are the input before and after the last move; `weight` is what it adds to the value now, and `weight_before` what it added before. `squares` are where it is on the board, if it has a place. */
export interface Reason {
  name: string;
  before: number;
  after: number;
  weight: number;
  weight_before: number;
  squares: number[];
  words: string;
}

/** A unit of the map: its number from 1, how far it is from the position, and if it has a specialist. */
export interface Unit {
  number: number;
  distance: number;
  specialist: boolean;
}

/** The map of MP-Draughts. `chosen` is the nearest unit; `words` say who speaks and why. */
export interface UnitMap {
  rows: number;
  columns: number;
  units: Unit[];
  chosen: number | null;
  specialist: boolean;
  attributes: string[];
  words: string[];
}

/** The play-outs that began with a move, and its mean value for the side to move. */
export interface Visits {
  move: string;
  visits: number;
  value: number;
}

/** Why: the value for the side that made the last move, before and after it, and what speaks for and against. */
export interface Explained {
  type: "explained";
  kind: "features" | "squares" | "map" | "visits" | "none";
  player: string;
  side: "black" | "white";
  before: number;
  after: number;
  items: Reason[];
  map: UnitMap | null;
  visits: Visits[];
  words: string;
  id: number;
  final: boolean;
}

export type Request =
  | Hello
  | Cancel
  | Look
  | Play
  | Hint
  | Draw
  | Setup
  | Read
  | Write
  | Save
  | Analyse
  | Review
  | Explain;

export type Answer =
  | Welcome
  | Error
  | Board
  | Thinking
  | Moved
  | Hinted
  | Drawn
  | Games
  | Written
  | Saved
  | Analysis
  | Judged
  | Reviewed
  | Explained;
