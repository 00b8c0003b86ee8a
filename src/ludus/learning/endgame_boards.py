"""Endgame boards for MP-Draughts: collected from games of players, and their attributes for the map."""

from collections.abc import Iterator, Sequence
from itertools import permutations
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


class BoardGame(Struct, frozen=True, kw_only=True):
    """A game that gives a board, as a task for a worker."""

    index: int
    players: tuple[Player, Player]  # the side that moves first, then the other
    opening: tuple[str, ...]
    pieces: int  # an endgame has at most so many
    least: int | None  # the board is any of the endgame with at least so many; None: the first with exactly `pieces`
    epsilon: float  # probability of a random move, without which deterministic players would repeat their games
    seed: int


def play(game: BoardGame) -> EndgameBoard | None:
    """The board; None if the game has none that fits, for example because a capture skips the number of pieces."""
    one, other = game.players
    mover = ActivePlayer(_quick(one))
    sides = mover, mover if other is one else ActivePlayer(_quick(other))
    rng = np.random.default_rng([game.seed, game.index])
    history = draughts.History()
    for move in game.opening:
        history.play(move)
    found: list[EndgameBoard] = []
    first = draughts.START.turn
    while not history.outcome():
        pieces = len(history.position.pieces())
        if pieces < (game.pieces if game.least is None else game.least):
            break
        if pieces <= game.pieces:
            found.append(EndgameBoard(history.position.text, game.index, history.plies))
            if game.least is None:
                break
        moves = history.position.moves()
        if rng.random() < game.epsilon:
            history.play(moves[rng.integers(len(moves))])
        else:
            side = sides[history.position.turn != first]
            history.play(cast(draughts.Move, side.choose(history, seed=game.seed + game.index)))
    if not found:
        return None
    return found[0] if game.least is None else found[rng.integers(len(found))]


def _quick(player: Player) -> Player:
    """The same with a small transposition table, which is quick to make."""
    if not isinstance(player.search, AlphaBeta):
        return player
    return msgspec.structs.replace(player, search=msgspec.structs.replace(player.search, table_megabytes=1))


class BoardSource(Struct, frozen=True, kw_only=True):
    """The games that give boards, and which board of a game is taken."""

    players: tuple[Player, ...]  # one plays itself; of several each plays each other, with both colours
    pieces: int
    least: int | None
    epsilon: float
    seed: int

    def games(self, numbers: range) -> list[BoardGame]:
        """The games with these numbers."""
        drawn = openings.named("ballots3", "draughts", numbers.stop, self.seed)
        pairings = list(permutations(self.players, 2)) or [(self.players[0], self.players[0])]
        return [
            BoardGame(
                index=number,
                players=pairings[number % len(pairings)],
                opening=tuple(str(move) for move in drawn[number]),
                pieces=self.pieces,
                least=self.least,
                epsilon=self.epsilon,
                seed=self.seed,
            )
            for number in numbers
        ]


def collect(
    source: BoardSource, wanted: int, workers: Workers, *, found: Sequence[EndgameBoard] = (), games: int = 0
) -> Iterator[tuple[list[EndgameBoard], int]]:
    """After every batch of games, the distinct boards and the number of games so far, until there are enough boards.

    A game gives one board at most. It goes on from the boards found in `games` games. Raises ValueError if the games
    hardly give new boards.
    """
    boards = list(found)
    known = {board.position for board in boards}
    while len(boards) < wanted:
        if games >= _MOST_GAMES * wanted + BATCH:
            names = " and ".join(player.name for player in source.players)
            raise ValueError(
                f"{names} reached only {len(boards)} different boards of {source.pieces} pieces in {games:,} games"
            )
        for board in workers.map(play, source.games(range(games, games + BATCH))):
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
