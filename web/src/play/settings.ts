/** What a person chooses for a new game, and the game that comes of it. */

import { type Ballot, openings } from "../lists";
import type { Games } from "../messages";
import { connection } from "../socket";
import { keep, load } from "../storage";
import type { GameName, Line, Side } from "../types";
import type { Clock, PlayedGame } from "./kept";
import { other } from "./words";

export type OpeningKind = "free" | "ballots2" | "ballots3" | "typed";

export interface Settings {
  game: GameName;
  opponent: Record<GameName, string>;
  level: number;
  side: Side | "random";
  opening: OpeningKind;
  ballot: number; // -1: drawn at random
  typed: string;
  clock: string; // none, M+S or own
  minutes: number;
  increment: number;
  seed: string; // empty: a new one for each game
}

const DEFAULTS: Settings = {
  game: "draughts",
  opponent: { draughts: "", tictactoe3d: "" },
  level: 3,
  side: "black",
  opening: "free",
  ballot: -1,
  typed: "",
  clock: "none",
  minutes: 10,
  increment: 5,
  seed: "",
};

export function loadSettings(): Settings {
  return { ...DEFAULTS, ...load<Partial<Settings>>("settings", {}) };
}

export function keepSettings(settings: Settings): void {
  keep("settings", settings);
}

export function ballotWords({ number, name, moves }: Ballot): string {
  return `${number}. ${moves.join(" ")}${name ? `, ${name}` : ""}`;
}

/** A new game with these settings. Raises Refused or an Error with a sentence for the person. */
export async function beginGame(settings: Settings, hasLevels: boolean): Promise<PlayedGame> {
  const { line, words, drawn } = await opening(settings);
  const clock = clockOf(settings);
  return {
    game: settings.game,
    start: line.start,
    moves: line.moves,
    given: line.moves.length,
    person: settings.side === "random" ? (Math.random() < 0.5 ? "black" : "white") : settings.side,
    opponent: settings.opponent[settings.game],
    level: hasLevels ? settings.level : null,
    seed: settings.seed ? Number(settings.seed) : randomSeed(),
    seedGiven: settings.seed !== "",
    opening: words,
    drawn,
    clock,
    ...fresh(clock),
  };
}

/** The game once more with the sides changed, and with another ballot if the first one was drawn. */
export async function rematch(before: PlayedGame): Promise<PlayedGame> {
  const again = before.drawn ? await draw(before.drawn) : null;
  const moves = again?.moves ?? before.moves.slice(0, before.given);
  return {
    ...before,
    moves,
    given: moves.length,
    opening: again?.words ?? before.opening,
    person: other(before.person),
    seed: before.seedGiven ? before.seed : randomSeed(),
    ...fresh(before.clock),
  };
}

function fresh(clock: Clock | null): Pick<PlayedGame, "id" | "left" | "outcome" | "ending" | "begun"> {
  const time = clock ? clock.minutes * 60_000 : 0;
  return {
    id: `${Date.now().toString(36)}${Math.floor(Math.random() * 36 ** 4).toString(36)}`,
    left: clock ? { black: time, white: time } : null,
    outcome: null,
    ending: null,
    begun: new Date().toISOString(),
  };
}

function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

function clockOf(settings: Settings): Clock | null {
  if (settings.clock === "none") return null;
  if (settings.clock === "own") return { minutes: settings.minutes, increment: settings.increment };
  const [minutes, increment] = settings.clock.split("+").map(Number);
  return { minutes: minutes!, increment: increment! };
}

async function draw(kind: "ballots2" | "ballots3", index = -1): Promise<{ moves: string[]; words: string }> {
  const ballots = (await openings("draughts"))[kind];
  const chosen = index >= 0 ? index : Math.floor(Math.random() * ballots.length);
  const ballot = ballots[chosen];
  if (!ballot) throw new Error("The list of ballots could not be read.");
  return { moves: ballot.moves, words: ballotWords(ballot) };
}

async function opening(settings: Settings): Promise<{ line: Line; words: string; drawn: PlayedGame["drawn"] }> {
  const { game, opening: kind, ballot } = settings;
  const line: Line = { game, start: null, moves: [] };
  if (game !== "draughts" || kind === "free") return { line, words: "", drawn: null };
  if (kind === "typed") {
    const { games } = await connection.ask<Games>({ type: "read", game, text: settings.typed });
    if (!games[0]) throw new Error("Type the moves of the opening, as in 11-15 23-19, or a position as FEN.");
    return { line: games[0].line, words: "Typed opening", drawn: null };
  }
  const { moves, words } = await draw(kind, ballot);
  return { line: { ...line, moves }, words, drawn: ballot < 0 ? kind : null };
}
