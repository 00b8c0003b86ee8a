"""A game: its rules in the core, its notation, and what is usual in it. There is one object a game."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus._core import Color, DrawRules, Outcome
from ludus.game_names import GameName
from ludus.games.core import Core, History, Move, Position
from ludus.games.record import Record


class Material(NamedTuple):
    """What is on a board."""

    pieces: int  # of both sides
    lead: int  # what the side that moves first is ahead by; negative: behind


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """The rules of a game and what belongs to it. `games.find` gives it by name.

    The fields that say what is usual are names: of openings, of a network, of inputs, of a player.

    Examples:
        >>> from ludus import games
        >>> game = games.find("draughts")
        >>> game.title, game.start.turn, game.ending
        ('English draughts', Color.BLACK, 'pdn')
        >>> [str(move) for move in game.moves(["11-15", "23-19"])]
        ['11-15', '23-19']
    """

    name: GameName
    title: str  # for people
    core: Core  # its module of the core
    position_mark: str  # a character that its positions have as text, and those of the other games have not
    write: Callable[[Record[Any, Any]], str]  # a record as text; drops what the notation has no place for
    # The records in the lines of a file. `strict` mends nothing, `on_mended` is told what was mended: see `pdn.read`.
    read: Callable[..., Iterator[Record[Any, Any]]]
    ending: str  # of files that hold records, without the dot
    has_ballots: bool = False  # games may begin with openings drawn by lot: see arena/openings.py
    has_endgames: bool = False  # there are endgame tables: see endgames/
    usual_openings: str = "random:4"
    usual_network: str = ""  # that TD trains; empty while the game has none
    usual_inputs: str = ""  # of networks that evolve; empty while the game has none
    usual_opponent: str = "random"  # in the tests of a learner
    analyst: str = "material"  # the strongest player that comes with the package
    playout_plies: int  # of a random play-out from a position of a random game, about
    material: Callable[[Any], Material] | None = None  # for games in which positions can come back

    @property
    def start(self) -> Position:
        """Where games begin."""
        return self.core.START

    @property
    def first(self) -> Color:
        """The side that moves first."""
        return self.core.START.turn

    def position(self, text: str) -> Position:
        """Reads a position from its text. Raises BadPosition with the reason."""
        return self.core.Position(text)

    def history(self, start: Position | None = None, rules: DrawRules | None = None) -> History:
        """A game that begins at `start`, under the official draw rules unless others are given."""
        return self.core.History(self.start if start is None else start, DrawRules() if rules is None else rules)

    def moves(self, texts: Iterable[str], start: Position | None = None) -> list[Move]:
        """Moves from `start` or the game's own start, given as text. Raises IllegalMove or AmbiguousMove."""
        position, moves = self.start if start is None else start, []
        for text in texts:
            moves.append(position.move(text))
            position = position.play(moves[-1])
        return moves

    def random_game(self, seed: int, index: int) -> tuple[Sequence[Move], Outcome]:
        """The moves and the outcome of game `index` of uniformly random play."""
        return self.core.random_game(seed, index)

    def encode(
        self,
        positions: Sequence[Position],
        encoder: str = "planes",
        *,
        afterstates: bool = False,
        king: float = 1.5,
        out: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Network inputs for a batch of positions: an array with a row, or a stack of planes, for each.

        Positions are seen by the side to move, or with `afterstates` by the side that has just moved, which is how the
        networks of this package see them. `king` is the worth of a king for the encoders that add pieces up. `out` is
        filled without a copy if it is given: float32, in C order. `docs/environments.md` shows what the encoders are.
        Raises ValueError for an unknown encoder, an array that does not fit, or anything but positions of the game.

        Examples:
            >>> from ludus.games import draughts
            >>> draughts.encode([draughts.START, draughts.START.play("11-15")], "squares32").shape
            (2, 32)
        """
        encoders = self.core.encoders()
        if encoder not in encoders:
            raise ValueError(f"{self.name} has no encoder {encoder!r}: name one of {', '.join(encoders)}")
        if not isinstance(positions, Sequence):
            raise ValueError(f"`positions` is a list of positions of {self.name}")
        shape = (len(positions), *encoders[encoder])
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"`out` is a writable float32 array of shape {shape} in C order")
        try:
            self.core.encode(encoder, positions, out, afterstates=afterstates, king=king)
        except TypeError as error:
            raise ValueError(f"`positions` is a list of positions of {self.name}") from error
        return out

    def __repr__(self) -> str:
        return f"games.find({self.name!r})"

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        from ludus.games import find

        return find, (self.name,)
