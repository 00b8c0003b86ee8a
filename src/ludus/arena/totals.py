"""What a match adds up over its games, so that the games themselves need not be kept in memory."""

from collections.abc import Iterable
from copy import copy

from ludus.arena.endings import CheckedEndings, Endings, add_to
from ludus.arena.record import PlayedGame
from ludus.games import Game

MOST_NOTES = 100  # of forfeits that are kept; the others are only counted


class Totals:
    """Sums over the games of a match. In pairs the first player of the match comes first."""

    def __init__(self) -> None:
        self.games = 0
        self.reasons: dict[str, int] = {}  # games by how they ended
        self.plies = 0
        self.nodes = (0, 0)
        self.seconds = (0.0, 0.0)
        self.chosen = (0, 0)  # moves
        self.loops = 0
        self.loops_ahead = (0, 0)  # loops in which the player had more material
        self.endings: tuple[Endings, Endings] = ({}, {})
        self.notes: tuple[str, ...] = ()  # of forfeits, the first of them
        self.forfeits = 0

    @classmethod
    def of(cls, played: Iterable[PlayedGame], game: Game) -> "Totals":
        """The sums of these games."""
        totals = cls()
        for each in played:
            totals.add(each, game)
        return totals

    def add(self, played: PlayedGame, game: Game) -> None:
        """Counts a game."""
        turn = played.index % 2  # in every second game the players change sides
        self.games += 1
        reason = played.reason.lower().replace("_", " ")
        self.reasons[reason] = self.reasons.get(reason, 0) + 1
        self.plies += len(played.moves.split())
        self.nodes = (self.nodes[0] + played.nodes[turn], self.nodes[1] + played.nodes[1 - turn])
        self.seconds = (self.seconds[0] + played.seconds[turn], self.seconds[1] + played.seconds[1 - turn])
        self.chosen = (self.chosen[0] + played.chosen[turn], self.chosen[1] + played.chosen[1 - turn])
        if played.is_loop(game):
            self.loops += 1
            if (side := played.ahead(game)) is not None:
                first = int((side + turn) % 2 == 0)
                self.loops_ahead = (self.loops_ahead[0] + first, self.loops_ahead[1] + 1 - first)
        if isinstance(played.endings, CheckedEndings):
            for side, found in enumerate(played.endings.sides):
                add_to(self.endings[(side + turn) % 2], found)
        if played.note:
            self.forfeits += 1
            if self.forfeits <= MOST_NOTES:
                self.notes = (*self.notes, f"game {played.index + 1}: {played.note}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def snapshot(self) -> "Totals":
        """The sums as they are now."""
        kept = copy(self)
        kept.reasons = dict(self.reasons)
        kept.endings = (dict(self.endings[0]), dict(self.endings[1]))
        return kept

    def per_move(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The nodes and the seconds of a move, of each player."""
        one, other = max(1, self.chosen[0]), max(1, self.chosen[1])
        return (self.nodes[0] / one, self.nodes[1] / other), (self.seconds[0] / one, self.seconds[1] / other)
