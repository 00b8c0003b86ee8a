/** The lists that forms offer: players, levels, openings. */

import { read, readOnce } from "./api";
import type { GameName, Level, Opponent } from "./types";

export interface Ballot {
  number: number;
  name: string;
  moves: string[];
}

export interface Openings {
  ballots2: Ballot[];
  ballots3: Ballot[];
}

export function players(game: GameName): Promise<Opponent[]> {
  return read<Opponent[]>(`players?game=${game}`);
}

export function levels(): Promise<Level[]> {
  return readOnce<Level[]>("levels");
}

export function openings(game: GameName): Promise<Openings> {
  return readOnce<Openings>(`openings?game=${game}`);
}
