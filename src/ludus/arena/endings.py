"""Endings by the endgame tables: who reached won positions in a game, who threw wins away, and who saved losses.

A side *throws a win* when it stands won and its move leads to a position that is not, or when the game ends as a draw
while it stands won. Its opponent then *saves a loss*. A side *loses a draw* when its move leads from a drawn position
to a lost one. A position is won only if the plies to the end of the game are no more than the draw rules leave. All of
this is counted after the game, from its moves.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ludus.arena.task import Rules
from ludus.endgames import Result, Tables
from ludus.endgames import load as load_tables
from ludus.games import Color, Outcome, Reason
from ludus.games.draughts import Move, Position

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
    black, white = (side(letters.count(man.upper()), letters.count(man)) for man in "bw")
    own, other = (black, white) if (position.turn == Color.BLACK) == mover else (white, black)
    return f"{own} v {other}"


def side(kings: int, men: int) -> str:
    """The pieces of one side in words: `king and 2 men`."""
    words = [
        one if count == 1 else f"{count} {many}"
        for count, one, many in ((kings, "king", "kings"), (men, "man", "men"))
        if count
    ]
    return " and ".join(words)


def adjudicated(position: Any, pieces: int) -> Outcome | None:
    """The outcome by the tables of up to so many pieces, if they have the position and no capture is compulsory.

    None for 0 pieces. Raises NoTable or BadTable.
    """
    if not pieces:
        return None
    verdict = load_tables(pieces).verdict(position)
    if verdict is None or any(move.captured for move in position.moves()):
        return None
    winner = {Result.WIN: position.turn, Result.DRAW: None, Result.LOSS: ~position.turn}[verdict.result]
    return Outcome(winner, Reason.ADJUDICATION)


def check(
    start: Position, moves: Sequence[Move], opening: int, *, drawn: bool, rules: Rules, tables: Tables
) -> CheckedEndings:
    """The endings of a game, after its first `opening` moves. Raises BadTable."""
    counter = _Counter(start, tables)
    position, quiet = start, 0
    for ply in range(len(moves) + 1):
        if ply >= opening:
            left = [limit - used for limit, used in ((rules.quiet_plies, quiet), (rules.plies, ply)) if limit]
            counter.see(position, min(left, default=None))
        if ply < len(moves):
            move = moves[ply]
            is_man = position.pieces()[move.squares[0]].islower()
            quiet = 0 if is_man or move.captured else quiet + 1
            position = position.play(move)
    if drawn:
        counter.end_in_a_draw()
    return CheckedEndings(pieces=tables.pieces, tables=tables.digest, sides=counter.sides)


class _Counter:
    """Counts what happens from one position of a game to the next."""

    def __init__(self, start: Position, tables: Tables) -> None:
        self.sides: tuple[Endings, Endings] = ({}, {})
        self._first = start.turn
        self._tables = tables
        self._last: Position | None = None  # the last position that the tables cover
        self._results = [Result.DRAW, Result.DRAW]  # there, of both sides; a win for which no time is left is none
        self._by_table = self._results  # the same without regard to time

    def see(self, position: Position, left: int | None) -> None:
        """The next position, `left` plies before a draw rule ends the game unless there is a capture or a man moves."""
        verdict = self._tables.verdict(position)
        if verdict is None or len({letter.lower() for letter in position.pieces().values()}) < 2:
            return  # a side without pieces is the end of a game and no ending
        side = int(position.turn != self._first)
        mover = 1 - side
        by_table = [verdict.result, _OPPOSITE[verdict.result]]
        if side == 1:
            by_table.reverse()
        results = by_table
        if Result.WIN in results:
            winner = results.index(Result.WIN)
            late = left is not None and verdict.distance is not None and verdict.distance > left
            if late and self._results[winner] is not Result.WIN:
                results = [Result.DRAW, Result.DRAW]
        if self._last is not None:
            if self._results[mover] is Result.WIN and results[mover] is not Result.WIN:
                self._add(mover, self._last, EndingCounts(thrown=1))
                self._add(side, self._last, EndingCounts(saved=1))
            elif self._by_table[mover] is Result.DRAW and results[mover] is Result.LOSS:
                self._add(mover, self._last, EndingCounts(lost_draws=1))
        for each in (0, 1):
            if results[each] is Result.WIN and self._results[each] is not Result.WIN:
                self._add(each, position, EndingCounts(won=1))
        self._last, self._results, self._by_table = position, results, by_table

    def end_in_a_draw(self) -> None:
        """The game ended as a draw: a side that stood won has thrown its win."""
        if self._last is not None and Result.WIN in self._results:
            winner = self._results.index(Result.WIN)
            self._add(winner, self._last, EndingCounts(thrown=1))
            self._add(1 - winner, self._last, EndingCounts(saved=1))

    def _add(self, side: int, position: Position, counts: EndingCounts) -> None:
        ending = name(position, mover=(position.turn != self._first) == bool(side))
        add_to(self.sides[side], {ending: counts})


def add_to(total: Endings, more: Endings) -> None:
    """Adds counts to those of the same endings."""
    for ending, counts in more.items():
        total[ending] = total.get(ending, EndingCounts()) + counts


def summed(endings: Endings) -> EndingCounts:
    """All endings together."""
    return sum(endings.values(), EndingCounts())


HEADINGS = ("player", "ending", "won", "thrown", "draws lost", "losses saved")


def rows(players: dict[str, Endings], *, short: bool = False) -> list[tuple[str, ...]]:
    """The rows of a table under HEADINGS: for each player all endings together, then each, the most frequent first.

    `short` puts those in which nothing was thrown, lost or saved into one row.
    """
    found = []
    for player, endings in players.items():
        if not endings:
            continue
        ordered = sorted(endings.items(), key=lambda item: (-item[1].won, -item[1].thrown, -item[1].saved, item[0]))
        lines = [("all", summed(endings)), *ordered]
        if short:
            plain = {ending: counts for ending, counts in ordered if counts == EndingCounts(won=counts.won)}
            lines = [line for line in lines if line[0] not in plain]
            if plain:
                lines.append((f"{len(plain)} other{'s' if len(plain) > 1 else ''}", summed(plain)))
        for ending, counts in lines:
            figures = (counts.won, counts.thrown, counts.lost_draws, counts.saved)
            found.append((player if ending == "all" else "", ending, *map(str, figures)))
    return found
