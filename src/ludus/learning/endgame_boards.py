"""Endgame boards for MP-Draughts: collected from a player's games against itself, and their attributes for the map."""

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
_MOST_GAMES = 40  # for each board that is wanted: a player that needs more repeats itself


class EndgameBoard(Struct, frozen=True):
    """An endgame and the game it comes from."""

    position: str
    game: int  # from 0
    ply: int


class SelfPlayGame(Struct, frozen=True, kw_only=True):
    """A game of a player against itself, up to the endgame, as a task for a worker."""

    index: int
    player: Player
    opening: tuple[str, ...]
    pieces: int
    epsilon: float  # probability of a random move, without which a deterministic player would repeat its games
    seed: int


def play(game: SelfPlayGame) -> EndgameBoard | None:
    """The first board with `pieces` pieces; None if a capture skips that number, or the game ends before."""
    search = game.player.search
    if isinstance(search, AlphaBeta):
        search = msgspec.structs.replace(search, table_megabytes=1)  # quick to make
    player = ActivePlayer(msgspec.structs.replace(game.player, search=search))
    rng = np.random.default_rng([game.seed, game.index])
    history = draughts.History()
    for move in game.opening:
        history.play(move)
    while not history.outcome():
        pieces = len(history.position.pieces())
        if pieces <= game.pieces:
            return EndgameBoard(history.position.text, game.index, history.plies) if pieces == game.pieces else None
        moves = history.position.moves()
        if rng.random() < game.epsilon:
            history.play(moves[rng.integers(len(moves))])
        else:
            history.play(cast(draughts.Move, player.choose(history, seed=game.seed + game.index)))
    return None


def collect(
    player: Player,
    wanted: int,
    pieces: int,
    epsilon: float,
    seed: int,
    workers: Workers,
    *,
    found: Sequence[EndgameBoard] = (),
    games: int = 0,
) -> Iterator[tuple[list[EndgameBoard], int]]:
    """After every batch of games, the distinct boards and the number of games so far, until there are enough boards.

    It goes on from the boards found in `games` games. Raises ValueError if the games hardly give new boards.
    """
    boards = list(found)
    known = {board.position for board in boards}
    while len(boards) < wanted:
        if games >= _MOST_GAMES * wanted + BATCH:
            raise ValueError(
                f"{player.name} reached only {len(boards)} different boards of {pieces} pieces in {games:,} games"
            )
        drawn = openings.named("ballots3", "draughts", games + BATCH, seed)[games:]
        tasks = [
            SelfPlayGame(
                index=games + place,
                player=player,
                opening=tuple(str(move) for move in opening),
                pieces=pieces,
                epsilon=epsilon,
                seed=seed,
            )
            for place, opening in enumerate(drawn)
        ]
        for board in workers.map(play, tasks):
            if board is not None and board.position not in known and len(boards) < wanted:
                boards.append(board)
                known.add(board.position)
        games += BATCH
        yield list(boards), games


def attributes(boards: Sequence[EndgameBoard], names: Sequence[str], values: AttributeValues) -> Points:
    """The attributes of each board that the map learns from: [boards, names]"""
    kind = _core.Attributes[values.upper()]
    columns = [FEATURES.index(name) for name in names]
    rows = [_core.attributes(draughts.Position(board.position), kind) for board in boards]
    return np.array(rows, np.float64)[:, columns]
