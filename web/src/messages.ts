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

/** Asks for the list of runs, and again whenever it changes. */
export interface WatchRuns {
  type: "watch-runs";
  id: number;
}

/** Asks for a run, and again whenever it changes. */
export interface WatchRun {
  type: "watch-run";
  id: number;
  run: string;
}

/** Starts a training: a preset, and the options that differ from it. */
export interface Train {
  type: "train";
  id: number;
  learner: string;
  preset?: string | null;
  options?: Record<string, boolean | number | number | string>;
  name?: string | null;
}

/** Stops a training that this server started. */
export interface StopTraining {
  type: "stop-training";
  id: number;
  run: string;
}

/** Goes on with a run that was stopped. */
export interface ResumeTraining {
  type: "resume-training";
  id: number;
  run: string;
}

/** Asks for the ladders and matches, and again whenever they change. */
export interface WatchArena {
  type: "watch-arena";
  id: number;
}

/** Asks for a ladder, and again whenever it changes. */
export interface WatchLadder {
  type: "watch-ladder";
  id: number;
  ladder: string;
}

/** Asks for a match, and again whenever it changes. */
export interface WatchMatch {
  type: "watch-match";
  id: number;
  match: string;
}

/** Asks for a game of a match as a text. */
export interface MatchGame {
  type: "match-game";
  id: number;
  match: string;
  number: number;
}

/** Starts a match between two players of the catalogue. */
export interface StartMatch {
  type: "match";
  id: number;
  game: "draughts" | "tictactoe3d";
  first: string;
  second: string;
  first_budget?: string | null;
  second_budget?: string | null;
  games?: number;
  openings?: string | null;
  seed?: number;
  elo0?: number | null;
  elo1?: number | null;
}

/** Stops a match that this server started. */
export interface StopMatch {
  type: "stop-match";
  id: number;
  match: string;
}

/** Goes on with a match that the page started and that was stopped. */
export interface ResumeMatch {
  type: "resume-match";
  id: number;
  match: string;
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

/** A run in the list of runs. */
export interface RunLine {
  run: string;
  kind: string;
  name: string;
  game: string;
  state: "finished" | "running" | "stopped" | "broken";
  done: number;
  total: number;
  unit: string;
  stage: string;
  note: string;
  date: string;
  seconds: number;
  left: number | null;
  here: boolean;
  player: string | null;
}

/** The list of runs. */
export interface Runs {
  type: "runs";
  id: number;
  final: boolean;
  runs: RunLine[];
  folder: string;
  trainings: boolean;
  room: number;
  failures: string[];
}

/** A paragraph. */
export interface Words {
  part: "words";
  text: string;
}

/** A cell; a note of the table explains its mark. */
export interface TableCell {
  text: string;
  mark: string;
}

/** What a mark means. */
export interface TableNote {
  mark: string;
  text: string;
}

/** A table. The first `names` columns and those in `prose` are text; the others are numbers. */
export interface TablePart {
  part: "table";
  columns: string[];
  rows: TableCell[][];
  names: number;
  prose: number[];
  notes: TableNote[];
}

/** The ends of an interval at each point of a curve. */
export interface Band {
  low: (number | null)[];
  high: (number | null)[];
}

/** A named line, with its bands, the widest first. */
export interface Curve {
  name: string;
  x: (number | null)[];
  y: (number | null)[];
  bands: Band[];
}

/** A horizontal line to compare with. */
export interface ReferenceLine {
  value: number;
  label: string;
}

/** A chart of curves; `error_bars` draws intervals as bars, not as bands. */
export interface LinesPart {
  part: "lines";
  title: string;
  caption: string;
  x_title: string;
  y_title: string;
  curves: Curve[];
  levels: ReferenceLine[];
  error_bars: boolean;
}

/** A named value with its interval. `samples` are what it is the mean of, `mark` a value of others. */
export interface EstimateRow {
  name: string;
  value: number | null;
  low: number | null;
  high: number | null;
  samples: number[];
  mark: number | null;
  outside: boolean;
}

/** A chart of estimates, a row each; `signed` writes +5 for 5. */
export interface IntervalsPart {
  part: "intervals";
  title: string;
  caption: string;
  x_title: string;
  signed: boolean;
  rows: EstimateRow[];
}

/** A histogram: counts, and the edges of their bins. */
export interface BarsPart {
  part: "bars";
  title: string;
  caption: string;
  x_title: string;
  counts: number[];
  edges: number[];
}

/** How the champion of a generation was made; `player` names it for play if the run has kept it. */
export interface Origin {
  generation: number;
  origin: string;
  player: string | null;
}

/** The origin of each generation's champion. */
export interface OriginsPart {
  part: "origins";
  title: string;
  caption: string;
  unit: string;
  origins: Origin[];
}

/** An ancestor of a champion. `player` names it for play if it was a champion that the run has kept. */
export interface AncestorRow {
  number: number;
  generation: number;
  origin: string;
  words: string;
  champion: boolean;
  player: string | null;
}

/** The family tree of a champion: the champion first, then its first parent, and so on. */
export interface TreePart {
  part: "tree";
  title: string;
  caption: string;
  ancestors: AncestorRow[];
}

/** A piece of draughts on a square, 1 to 32. */
export interface BoardPiece {
  square: number;
  side: string;
  king: boolean;
}

/** A unit of a Kohonen map: its number of boards, its typical board, its largest attributes, its score. */
export interface MapUnit {
  name: string;
  boards: number;
  position: string | null;
  pieces: BoardPiece[];
  lines: string[];
  score: string;
}

/** A Kohonen map in rows of `columns` units. */
export interface MapPart {
  part: "map";
  title: string;
  caption: string;
  columns: number;
  units: MapUnit[];
}

/** A heading and what is below it. */
export interface ReportSection {
  heading: string;
  parts: (Words | TablePart | LinesPart | IntervalsPart | BarsPart | OriginsPart | TreePart | MapPart)[];
}

/** A value in the config of a run. */
export interface RunOption {
  field: string;
  name: string;
  value: string;
  usual: boolean;
}

/** A player that a run has kept. */
export interface KeptPlayer {
  key: string;
  player: string;
}

/** All that the page shows of a run. */
export interface RunView {
  line: RunLine;
  command: string;
  intro: string;
  sections: ReportSection[];
  config: RunOption[];
  kept: KeptPlayer[];
}

/** A run as it is now. */
export interface RunSeen {
  type: "run";
  id: number;
  final: boolean;
  view: RunView;
}

/** A training was started or stopped. */
export interface TrainingStarted {
  type: "training";
  id: number;
  final: boolean;
  run: string;
}

/** Values of options that belong together, as they are typed. */
export interface FormPreset {
  name: string;
  values: Record<string, string>;
}

/** An option of a learner. */
export interface FormField {
  field: string;
  label: string;
  takes: "yes or no" | "whole number" | "number" | "choice" | "text";
  help: string;
  default: string | null;
  choices: string[];
  least: number | null;
  most: number | null;
}

/** The form of a kind of learner: its options in their order. */
export interface LearnerForm {
  kind: string;
  title: string;
  words: string;
  unit: string;
  presets: FormPreset[];
  fields: FormField[];
}

/** The forms of all learners. */
export interface Learners {
  type: "learners";
  id: number;
  final: boolean;
  forms: LearnerForm[];
}

/** A ladder in the list of ladders. */
export interface LadderLine {
  ladder: string;
  game: string;
  players: number;
  games: number;
  running: boolean;
  best: string;
}

/** The score of the first player, with 95% intervals. An Elo difference that is infinite or unknown is null. */
export interface MatchScore {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  score: number | null;
  low: number;
  high: number;
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
}

/** A match in the list of matches. */
export interface MatchLine {
  match: string;
  players: [string, string];
  game: string;
  state: "finished" | "running" | "stopped";
  planned: number;
  score: MatchScore;
  here: boolean;
  again: boolean;
}

/** The ladders, the matches that are not part of one, and the ratings of the players of the package by game. */
export interface ArenaSeen {
  type: "arena";
  id: number;
  final: boolean;
  ladders: LadderLine[];
  matches: MatchLine[];
  package: IntervalsPart[];
  allowed: boolean;
  room: number;
  failures: string[];
}

/** A pair of players: the score of the player of the row, and the id of their match. */
export interface LadderCell {
  score: number | null;
  games: number;
  match: string | null;
}

/** A player of a ladder. */
export interface LadderRow {
  name: string;
  elo: number;
  low: number;
  high: number;
  games: number;
  score: number;
  cells: LadderCell[];
}

/** A ladder with its cross table. */
export interface LadderView {
  line: LadderLine;
  note: string;
  chart: IntervalsPart;
  rows: LadderRow[];
  endings: TablePart | null;
}

/** A ladder as it is now. */
export interface LadderSeen {
  type: "ladder";
  id: number;
  final: boolean;
  view: LadderView;
}

/** A sequential test: the log-likelihood ratio between its bounds. */
export interface SprtBar {
  elo0: number;
  elo1: number;
  llr: number;
  low: number;
  high: number;
  verdict: string;
}

/** How many games ended for this reason. */
export interface EndingCount {
  reason: string;
  games: number;
}

/** A game of a match. `number` counts from 1. */
export interface GameLine {
  number: number;
  black: string;
  white: string;
  winner: "black" | "white" | null;
  reason: string;
  opening: string;
  plies: number;
  thrown: number;
  note: string;
}

/** All that the page shows of a match. */
export interface MatchView {
  line: MatchLine;
  openings: string;
  seed: number;
  rules: string;
  ladder: string | null;
  sprt: SprtBar | null;
  pentanomial: number[];
  endings: EndingCount[];
  plies: number;
  nodes: number[];
  seconds: number[];
  loops: string;
  thrown: TablePart | null;
  curve: LinesPart;
  games: GameLine[];
}

/** A match as it is now. */
export interface MatchSeen {
  type: "match";
  id: number;
  final: boolean;
  view: MatchView;
}

/** A game of a match: its moves from the start of the game, and the game in its notation. */
export interface MatchText {
  type: "match-game";
  id: number;
  final: boolean;
  game: "draughts" | "tictactoe3d";
  moves: string[];
  text: string;
}

/** A match was started or stopped. */
export interface MatchStarted {
  type: "match-started";
  id: number;
  final: boolean;
  match: string;
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
  | Explain
  | WatchRuns
  | WatchRun
  | Train
  | StopTraining
  | ResumeTraining
  | WatchArena
  | WatchLadder
  | WatchMatch
  | MatchGame
  | StartMatch
  | StopMatch
  | ResumeMatch;

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
  | Explained
  | Runs
  | RunSeen
  | TrainingStarted
  | Learners
  | ArenaSeen
  | LadderSeen
  | MatchSeen
  | MatchText
  | MatchStarted;
