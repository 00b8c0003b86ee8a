/** Games of a person, as the browser keeps them. */

import type { Write } from "../messages";
import { forget, keep, load } from "../storage";
import type { GameName, Line, Outcome, Side } from "../types";

export interface Clock {
  minutes: number;
  increment: number; // seconds a move
}

export interface PlayedGame {
  id: string;
  game: GameName;
  start: string | null;
  moves: string[];
  /** Moves of the opening, which cannot be taken back. */
  given: number;
  person: Side;
  opponent: string;
  level: number | null;
  seed: number;
  seedGiven: boolean;
  /** The opening in words, and the ballots that it was drawn from. */
  opening: string;
  drawn: "ballots2" | "ballots3" | null;
  clock: Clock | null;
  left: Record<Side, number> | null; // milliseconds
  outcome: Outcome | null;
  /** How the game ended where the board does not show it. */
  ending: "resignation" | "agreement" | "forfeit" | null;
  begun: string; // a date as ISO text
}

const MOST = 60; // games that are kept

/** The games, the newest first. */
export function games(): PlayedGame[] {
  return load<string[]>("games", [])
    .map((id) => load<PlayedGame | null>(`game.${id}`, null))
    .filter((each): each is PlayedGame => each !== null);
}

/** The game that was open last, or null. */
export function currentGame(): PlayedGame | null {
  const id = load<string | null>("current", null);
  return id ? load<PlayedGame | null>(`game.${id}`, null) : null;
}

/** Keeps a game and makes it the one that is open. The oldest game is forgotten when there are too many. */
export function keepGame(game: PlayedGame): void {
  keep(`game.${game.id}`, game);
  const others = load<string[]>("games", []).filter((id) => id !== game.id);
  const ids = [game.id, ...others];
  for (const id of ids.splice(MOST)) forget(`game.${id}`);
  keep("games", ids);
  keep("current", game.id);
}

/** Forgets a game. */
export function forgetGame(id: string): void {
  forget(`game.${id}`);
  keep(
    "games",
    load<string[]>("games", []).filter((each) => each !== id),
  );
  if (load<string | null>("current", null) === id) forget("current");
}

export function lineOf({ game, start, moves }: PlayedGame): Line {
  return { game, start, moves };
}

/** What the messages `write` and `save` say about a game. */
export function recordOf(game: PlayedGame): Pick<Write, "line" | "tags" | "winner" | "ending"> {
  return { line: lineOf(game), tags: tagsOf(game), winner: game.outcome?.winner ?? null, ending: game.ending };
}

/** The tags of the game for a PDN file. */
function tagsOf(game: PlayedGame): Record<string, string> {
  const names: Record<Side, string> = { black: game.opponent, white: game.opponent };
  names[game.person] = "a person";
  const tags: Record<string, string> = {
    Event: "Ludus",
    Date: game.begun.slice(0, 10).replaceAll("-", "."),
    Black: names.black,
    White: names.white,
    Seed: String(game.seed),
  };
  if (game.level !== null) tags.Level = String(game.level);
  return tags;
}
