"""Endings by the endgame tables: who reached won positions in a game, who threw wins away, and who saved losses.

A side *throws a win* when it stands won and its move leads to a position that is not, or when the game ends as a draw
while it stands won. Its opponent then *saves a loss*. A side *loses a draw* when its move leads from a drawn position
to a lost one. All of this is counted after the game, from its moves.
"""

from collections.abc import Sequence

from msgspec import Struct

from ludus.endgames import Result, Tables
from ludus.games import Color
from ludus.games.draughts import Position

_OPPOSITE = {Result.WIN: Result.LOSS, Result.DRAW: Result.DRAW, Result.LOSS: Result.WIN}


class EndingCounts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What happened to a side, or to a player in many games, in one kind of ending."""

    won: int = 0  # times it came to stand won
    thrown: int = 0  # wins it threw away
    lost_draws: int = 0
    saved: int = 0  # losses that its opponent let it escape

    def __add__(self, other: "EndingCounts") -> "EndingCounts":
        return EndingCounts(
            won=self.won + other.won,
            thrown=self.thrown + other.thrown,
            lost_draws=self.lost_draws + other.lost_draws,
            saved=self.saved + other.saved,
        )


Endings = dict[str, EndingCounts]  # by the name of the ending, as the side sees it: "2 kings v king"


class CheckedEndings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The endings of a game. In the pair the side that moved first comes first."""

    pieces: int  # of the tables
    tables: str  # their digest
    sides: tuple[Endings, Endings]


def name(position: Position, *, mover: bool) -> str:
    """The pieces of the side to move, or of the other one, against those of its opponent: `king and 2 men v king`."""
    letters = list(position.pieces().values())
    black, white = (_side(letters.count(man.upper()), letters.count(man)) for man in "bw")
    own, other = (black, white) if (position.turn == Color.BLACK) == mover else (white, black)
    return f"{own} v {other}"


def _side(kings: int, men: int) -> str:
    words = [
        one if count == 1 else f"{count} {many}"
        for count, one, many in ((kings, "king", "kings"), (men, "man", "men"))
        if count
    ]
    return " and ".join(words)


def check(positions: Sequence[Position], first: Color, *, drawn: bool, tables: Tables) -> CheckedEndings:
    """The endings of a game, from the positions that its players came to; `first` moved first. Raises BadTable."""
    sides: tuple[Endings, Endings] = ({}, {})
    before: tuple[Position, list[Result]] | None = None

    def add(side: int, position: Position, counts: EndingCounts) -> None:
        ending = name(position, mover=(position.turn != first) == bool(side))
        sides[side][ending] = sides[side].get(ending, EndingCounts()) + counts

    for position in positions:
        verdict = tables.verdict(position)
        if verdict is None or len({letter.lower() for letter in position.pieces().values()}) < 2:
            continue  # a side without pieces is the end of a game and no ending
        side = int(position.turn != first)
        results = [verdict.result, _OPPOSITE[verdict.result]]
        if side == 1:
            results.reverse()
        if before is not None:
            place, old = before
            mover = 1 - side
            if old[mover] is Result.WIN and results[mover] is not Result.WIN:
                add(mover, place, EndingCounts(thrown=1))
                add(side, place, EndingCounts(saved=1))
            elif old[mover] is Result.DRAW and results[mover] is Result.LOSS:
                add(mover, place, EndingCounts(lost_draws=1))
        for each in (0, 1):
            if results[each] is Result.WIN and (before is None or before[1][each] is not Result.WIN):
                add(each, position, EndingCounts(won=1))
        before = position, results
    if drawn and before is not None and Result.WIN in before[1]:
        winner = before[1].index(Result.WIN)
        add(winner, before[0], EndingCounts(thrown=1))
        add(1 - winner, before[0], EndingCounts(saved=1))
    return CheckedEndings(pieces=tables.pieces, tables=tables.digest, sides=sides)


def add_to(total: Endings, more: Endings) -> None:
    """Adds counts to those of the same endings."""
    for ending, counts in more.items():
        total[ending] = total.get(ending, EndingCounts()) + counts


def summed(endings: Endings) -> EndingCounts:
    """All endings together."""
    return sum(endings.values(), EndingCounts())


HEADINGS = ("player", "ending", "won", "thrown", "draws lost", "losses saved")


def rows(players: dict[str, Endings]) -> list[tuple[str, ...]]:
    """The rows of a table under HEADINGS: for each player all endings together, then each, the most frequent first."""
    found = []
    for player, endings in players.items():
        if not endings:
            continue
        ordered = sorted(endings.items(), key=lambda item: (-item[1].won, -item[1].thrown, -item[1].saved, item[0]))
        for ending, counts in [("all", summed(endings)), *ordered]:
            figures = (counts.won, counts.thrown, counts.lost_draws, counts.saved)
            found.append((player if ending == "all" else "", ending, *map(str, figures)))
    return found
