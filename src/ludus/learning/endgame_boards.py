"""Endgame boards for MP-Draughts: from a player's own games, and as a Kohonen map is told of them."""

from collections.abc import Iterator, Sequence
from typing import cast

import msgspec
import numpy as np
from msgspec import Struct

from ludus._core import draughts as _core
from ludus.arena import openings
from ludus.games import draughts
from ludus.learning.kohonen import Points
from ludus.players import ActivePlayer, Player
from ludus.players.evaluators import FEATURES, AttributeValues
from ludus.players.searches import AlphaBeta
from ludus.workers import Workers

BATCH = 50  # games at a time
_LONGEST = 40  # games a board that is wanted: a player whose games give fewer boards than that repeats itself


class Board(Struct, frozen=True):
    """An endgame and where it comes from."""

    position: str
    game: int  # from 0
    ply: int


class Game(Struct, frozen=True, kw_only=True):
    """A game of a player with itself, as far as the endgame. Equal games give equal boards."""

    index: int
    player: Player
    opening: tuple[str, ...]
    pieces: int
    epsilon: float  # how often a move is random, or a player that never changes its mind would repeat itself
    seed: int


def reached(game: Game) -> Board | None:
    """The first board with exactly so many pieces; None when a capture leaps over it, or the game ends before."""
    search = game.player.search
    if isinstance(search, AlphaBeta):
        search = msgspec.structs.replace(search, table_megabytes=1)  # quick to make
    thinker = ActivePlayer(msgspec.structs.replace(game.player, search=search))
    rng = np.random.default_rng([game.seed, game.index])
    history = draughts.History()
    for move in game.opening:
        history.play(move)
    while not history.outcome():
        pieces = len(history.position.pieces())
        if pieces <= game.pieces:
            return Board(history.position.text, game.index, history.plies) if pieces == game.pieces else None
        moves = history.position.moves()
        if rng.random() < game.epsilon:
            history.play(moves[rng.integers(len(moves))])
        else:
            history.play(cast(draughts.Move, thinker.choose(history, seed=game.seed + game.index)))
    return None


def collect(
    player: Player,
    wanted: int,
    pieces: int,
    epsilon: float,
    seed: int,
    workers: Workers,
    *,
    found: Sequence[Board] = (),
    games: int = 0,
) -> Iterator[tuple[list[Board], int]]:
    """The distinct boards so far and the games they took, after every batch of games, until there are enough.

    It goes on from what was found in so many games. Raises ValueError when there are hardly any more to be found.
    """
    boards = list(found)
    known = {board.position for board in boards}
    while len(boards) < wanted:
        if games >= _LONGEST * wanted + BATCH:
            raise ValueError(
                f"{player.name} reached only {len(boards)} different boards of {pieces} pieces in {games:,} games"
            )
        dealt = openings.named("ballots3", "draughts", games + BATCH, seed)[games:]
        tasks = [
            Game(
                index=games + place,
                player=player,
                opening=tuple(str(move) for move in opening),
                pieces=pieces,
                epsilon=epsilon,
                seed=seed,
            )
            for place, opening in enumerate(dealt)
        ]
        for board in workers.map(reached, tasks):
            if board is not None and board.position not in known and len(boards) < wanted:
                boards.append(board)
                known.add(board.position)
        games += BATCH
        yield list(boards), games


def points(boards: Sequence[Board], attributes: Sequence[str], told: AttributeValues) -> Points:
    """What a map is told of each board: [boards, attributes]"""
    kind = _core.Attributes[told.upper()]
    columns = [FEATURES.index(name) for name in attributes]
    rows = [_core.attributes(draughts.Position(board.position), kind) for board in boards]
    return np.array(rows, np.float64)[:, columns]
