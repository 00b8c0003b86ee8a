"""The record of a played game: its moves and values, how it ended, and what follows from that."""

from typing import Any, cast

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ludus.arena import endings
from ludus.arena.endings import CheckedEndings
from ludus.arena.task import Rules
from ludus.endgames import Tables
from ludus.games import Game, Move, Outcome, Position, Reason
from ludus.games.record import Record

LOOP_PIECES = 12  # a draw by repetition with at most so many pieces is a loop


class PlayedGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that was played. In pairs the side that moved first comes first."""

    index: int
    moves: str  # with the opening's
    values: list[float]  # of the moves after the opening, for their mover
    depths: list[int]
    nodes: tuple[int, int]
    seconds: tuple[float, float]
    chosen: tuple[int, int]  # how many moves each side chose
    winner: int | None  # 0 the side that moved first, 1 the other, None a draw
    reason: str
    last: str  # the position at the end
    note: str = ""  # the reason of a forfeit
    endings: CheckedEndings | UnsetType = UNSET  # if it was checked and has positions of so few pieces

    @property
    def points(self) -> float:
        """Of the side that moved first: 1, a half or 0."""
        return 0.5 if self.winner is None else 1.0 - self.winner

    def outcome(self, game: Game) -> Outcome:
        """How it ended, in the game's own colours; for a game from the usual start."""
        winner = None if self.winner is None else (game.first, ~game.first)[self.winner]
        return Outcome(winner, Reason[self.reason])

    def record(self, game: Game, tags: dict[str, str]) -> Record[Position, Move]:
        """The game with the value and depth of each move as its comment."""
        moves = game.moves(self.moves.split())
        opening = len(moves) - len(self.values)
        comments = {
            opening + ply + 1: f"{value:+.4f}/{depth}"
            for ply, (value, depth) in enumerate(zip(self.values, self.depths, strict=True))
        }
        return Record(game.start, tuple(moves), self.outcome(game), tags, comments)

    def checked(self, game: Game, start: Position, rules: Rules, tables: Tables) -> "PlayedGame":
        """The same with its endings, if the tables cover any of its positions. Raises BadTable."""
        if game.material is None or game.material(game.position(self.last)).pieces > tables.pieces:
            return msgspec.structs.replace(self, endings=UNSET)
        moves: list[Any] = game.moves(self.moves.split(), start)
        found = endings.check(
            cast(Any, start),
            moves,
            len(moves) - len(self.values),
            drawn=self.winner is None,
            rules=rules,
            tables=tables,
        )
        return msgspec.structs.replace(self, endings=found)

    def is_loop(self, game: Game) -> bool:
        """A draw by repetition with twelve pieces or fewer: the known weakness of learned players in endgames."""
        if game.material is None or self.reason != Reason.REPETITION.name:
            return False
        return game.material(game.position(self.last)).pieces <= LOOP_PIECES

    def ahead(self, game: Game) -> int | None:
        """The side with more material at the end, 0 the one that moved first; None when it is even or not counted."""
        lead = game.material(game.position(self.last)).lead if game.material is not None else 0
        return None if lead == 0 else int(lead < 0)
