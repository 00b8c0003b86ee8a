"""The endings of the exam, and the positions that a seed draws for each of them.

An ending names the material of two sides, the stronger one first. In won positions the examined player has the stronger
side, in drawn and lost ones the weaker side; it is always to move. Positions are quiet: neither side can capture.
"""

import itertools
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct

from ludus.arena import endings
from ludus.endgames import Result, Tables
from ludus.games import Color
from ludus.games.draughts import Position

ResultName = Literal["win", "draw", "loss"]
RESULTS: tuple[ResultName, ...] = ("win", "draw", "loss")  # for the examined player, who is to move

_NAMES: dict[Result, ResultName] = {Result.WIN: "win", Result.DRAW: "draw", Result.LOSS: "loss"}
_TRIES = 5000  # random positions in a row without a new one that fits, after which no more are looked for


class Side(NamedTuple):
    """The material of one side."""

    kings: int
    men: int

    def __str__(self) -> str:
        return endings.side(self.kings, self.men)


class Ending(Struct, frozen=True):
    """An ending by its material, or by a list of well-known positions in which the examined player is to move."""

    strong: Side
    weak: Side
    title: str = ""  # of well-known positions
    known: tuple[str, ...] = ()

    @property
    def pieces(self) -> int:
        """Pieces on the board."""
        return sum(self.strong) + sum(self.weak)

    @property
    def name(self) -> str:
        """Such as `2 kings v king`."""
        return self.title or f"{self.strong} v {self.weak}"


def _ending(strong: tuple[int, int], weak: tuple[int, int]) -> Ending:
    return Ending(Side(*strong), Side(*weak))


# Kings and men of the stronger side, then of the weaker one. An exam of N pieces has all endings of at most N pieces.
ENDINGS: tuple[Ending, ...] = (
    _ending((2, 0), (1, 0)),
    _ending((1, 1), (1, 0)),
    _ending((0, 2), (0, 1)),
    _ending((3, 0), (1, 0)),
    _ending((2, 0), (2, 0)),
    _ending((2, 1), (1, 0)),
    _ending((2, 0), (1, 1)),
    _ending((1, 1), (1, 1)),
    _ending((0, 3), (0, 1)),
    _ending((0, 2), (0, 2)),
    # Payne's First Position, after Lasker, Chess and Checkers (1918), diagram 93: White wins if it is to move; if Black
    # is to move, it draws.
    Ending(Side(2, 0), Side(1, 1), "First Position", ("W:WK19,K23:B12,K28", "B:WK19,K23:B12,K28")),
    _ending((3, 0), (2, 0)),
    _ending((2, 1), (2, 0)),
    _ending((2, 1), (1, 1)),
    _ending((1, 2), (1, 1)),
    _ending((0, 3), (0, 2)),
    _ending((4, 0), (2, 0)),
    _ending((3, 0), (3, 0)),
    _ending((3, 1), (2, 0)),
    _ending((2, 1), (2, 1)),
    _ending((1, 2), (1, 2)),
    _ending((0, 3), (0, 3)),
    # The Second Position, ibid., diagram 95: White to move wins.
    Ending(Side(1, 2), Side(1, 2), "Second Position", ("W:W27,30,K22:B20,21,K9", "B:W27,30,K22:B20,21,K9")),
)


class Question(Struct, frozen=True, kw_only=True):
    """A position of the exam: the examined player is to move."""

    index: int  # the same for any number of games, so that an exam can be extended
    ending: str
    position: str
    result: ResultName  # by the tables, for the player
    distance: int | None  # plies to the end of the game by perfect play; None for a draw and for results only


def draw_questions(tables: Tables, pieces: int, games: int, seed: int) -> list[Question]:
    """The questions of an exam: up to `games` of each ending and result, in the order of their index.

    The colour of the examined player changes from one question of a kind to the next. Raises ValueError if a table is
    missing.
    """
    found = []
    asked = [ending for ending in ENDINGS if ending.pieces <= pieces]
    for number, ending in enumerate(asked):
        for column, result in enumerate(RESULTS):
            kind = len(RESULTS) * number + column
            rng = np.random.default_rng([seed, *ending.strong, *ending.weak, column])
            for count, position in enumerate(_positions(tables, ending, result, games, rng)):
                verdict = tables.verdict(position)
                found.append(
                    Question(
                        index=count * len(RESULTS) * len(ENDINGS) + kind,
                        ending=ending.name,
                        position=position.text,
                        result=result,
                        distance=None if verdict is None else verdict.distance,
                    )
                )
    return sorted(found, key=lambda question: question.index)


def _positions(
    tables: Tables, ending: Ending, result: ResultName, wanted: int, rng: np.random.Generator
) -> Iterator[Position]:
    """Different positions of an ending with this result, at most `wanted`; Black and White are to move in turn."""
    if ending.known:
        drawn = (each for text in ending.known for each in (Position(text), Position(text).turned()))
    else:
        own, other = (ending.strong, ending.weak) if result == "win" else (ending.weak, ending.strong)
        drawn = (_random(own, other, rng) for _ in itertools.count())
    seen: set[Position] = set()
    failures = 0
    for position in drawn:
        if position in seen or not _is_quiet(position) or _result(tables, position) != result:
            failures += 1
            if failures == _TRIES:
                return
            continue
        failures = 0
        seen.add(position)
        yield position.turned() if len(seen) % 2 == 0 and not ending.known else position
        if len(seen) == wanted:
            return


def _random(own: Side, other: Side, rng: np.random.Generator) -> Position:
    """A random position of this material, Black to move; every one is equally likely."""
    while True:
        squares = [int(square) + 1 for square in rng.choice(32, sum(own) + sum(other), replace=False)]
        blacks, whites = squares[: sum(own)], squares[sum(own) :]
        # Men are never on the row where they are crowned: 29 to 32 for Black, 1 to 4 for White.
        if all(square <= 28 for square in blacks[own.kings :]) and all(square >= 5 for square in whites[other.kings :]):
            break
    return Position(f"B:W{_listed(whites, other.kings)}:B{_listed(blacks, own.kings)}")


def _listed(squares: list[int], kings: int) -> str:
    return ",".join(f"K{square}" if place < kings else str(square) for place, square in enumerate(squares))


def _is_quiet(position: Position) -> bool:
    """Can neither side capture, whichever is to move? A position in which the game is over is not quiet."""
    turn = "B" if position.turn == Color.WHITE else "W"
    other = Position(turn + position.text[1:])
    moves = position.moves()
    return bool(moves) and not any(move.captured for move in (*moves, *other.moves()))


def _result(tables: Tables, position: Position) -> ResultName:
    verdict = tables.verdict(position)
    if verdict is None:
        raise ValueError(f"the endgame tables do not have {position.text}: give a smaller --pieces, or build them")
    return _NAMES[verdict.result]
