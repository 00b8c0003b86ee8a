"""The endgame tables as an opponent: no result is given away, and drawn positions are made difficult."""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from ludus import games
from ludus.endgames import Result, Tables
from ludus.games import Move, Position, draughts
from ludus.games.core import Search
from ludus.players import evaluators, searches
from ludus.players.searches import AlphaBeta
from ludus.protocols.engine import Reply

SEARCHED_NODES = 100_000  # a move, where the tables have results and no distances


class TableOpponent:
    """Plays the best move by the tables. Moves that are equally good are drawn by the seed.

    In a won position it wins as fast as it can, in a lost one it loses as late as it can. In a drawn one it keeps the
    draw, avoids positions that occurred before, and leaves the smallest share of replies that keep the draw.

    Without distances a search chooses among the moves that keep the result: it makes progress in a won position and
    delays the next capture or man's move in a lost one.
    """

    def __init__(self, tables: Tables, seed: int) -> None:
        self._tables = tables
        self._seed = seed
        self._search: Search | None = None  # made when a position without a distance comes

    def choose(self, start: Position, moves: Sequence[Move]) -> Reply:
        """Its move in the game that began at `start` and went on with `moves`."""
        position = cast(draughts.Position, start)
        before = [position]
        for move in moves:
            position = position.play(cast(draughts.Move, move))
            before.append(position)
        choices = self._tables.moves(position)
        best = choices[0][1]
        if best.result is not Result.DRAW and any(
            verdict.distance is None for _, verdict in choices if verdict.result is best.result
        ):
            return Reply(self._searched(start, moves), float(best.result.value - 1), 0, 0, 0.0)
        good = [move for move, verdict in choices if verdict.worth == best.worth]
        if best.result is Result.DRAW:
            good = _least(good, lambda move: before.count(position.play(move)))
            good = _least(good, lambda move: self._safe_share(position.play(move)))
        rng = np.random.default_rng([self._seed, len(moves)])
        chosen = good[rng.integers(len(good))]
        return Reply(chosen, float(best.result.value - 1), 0, 0, 0.0)

    def _searched(self, start: Position, moves: Sequence[Move]) -> Move:
        """The move of a search that the tables guide at its root."""
        game = games.find("draughts")
        if self._search is None:
            material = evaluators.Material().build(game.core, None)
            self._search = searches.build(AlphaBeta(table_megabytes=8), game.core, material, tables=self._tables)
        history = game.history(start)
        for move in moves:
            history.play(move)
        return self._search.search(history, nodes=SEARCHED_NODES).variation[0]

    def _safe_share(self, position: draughts.Position) -> float:
        """The share of moves in a drawn position that keep the draw."""
        verdicts = [verdict for _, verdict in self._tables.moves(position)]
        return sum(verdict.result is Result.DRAW for verdict in verdicts) / len(verdicts)


def _least(moves: list[draughts.Move], key: Callable[[draughts.Move], float]) -> list[draughts.Move]:
    """The moves for which the key is least."""
    keys = [key(move) for move in moves]
    return [move for move, value in zip(moves, keys, strict=True) if value == min(keys)]
