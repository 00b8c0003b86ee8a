"""Judgements of the moves of a game: what each was worth, which were mistakes, and what was better."""

from collections.abc import Iterator
from typing import NamedTuple

from ludus import games
from ludus.games import Color, Move, Position
from ludus.games.core import Analysis, RootMove
from ludus.games.record import Record
from ludus.play.iterations import is_cut_short, iterations, written
from ludus.play.values import Scale, scale_of
from ludus.players import ActivePlayer, Player

# What a move costs, in men, to be a slip, a mistake and a blunder; and in games without men.
MARKS_MEN = ((1.0, "??", "blunder"), (0.5, "?", "mistake"), (0.25, "?!", "slip"))
MARKS_VALUE = ((0.6, "??", "blunder"), (0.3, "?", "mistake"), (0.15, "?!", "slip"))
SHOWN_LINE = 8  # moves of the better line


class Judgement(NamedTuple):
    """What a move was worth."""

    ply: int
    move: Move
    text: str
    turn: Color
    value: str  # of the move, for its side
    cost: float  # what was better by, in the unit of the scale
    mark: str
    kind: str  # blunder, mistake, slip or nothing
    better: tuple[str, ...]  # the better line; empty when the move was best
    best: str  # its value
    chance: float = 0.0  # of the move, from -1 to 1: see Scale.chance
    best_chance: float = 0.0  # of the best move


def judgements(player: Player, record: Record[Position, Move], seed: int = 0) -> Iterator[Judgement]:
    """What the player thinks of every move, one by one. A move that was forced costs nothing."""
    active = ActivePlayer(player, exact=True)
    scale = scale_of(player)
    history = games.find(player.game).history(record.start)
    for ply, move in enumerate(record.moves):
        position = history.position
        if len(position.moves()) > 1 and history.outcome() is None:
            yield judged(_found(active, history, seed), scale, position, ply, move)
        else:
            yield Judgement(ply, move, position.write(move), position.turn, "only", 0.0, "", "", (), "")
        history.play(move)


def _found(active: ActivePlayer, history: games.History, seed: int) -> Analysis:
    """The last iteration that was not cut short."""
    found: Analysis | None = None
    for each in iterations(active, history, seed):
        if found is None or not is_cut_short(found, each):
            found = each
    assert found is not None
    return found


def judged(found: Analysis, scale: Scale, position: Position, ply: int, move: Move) -> Judgement:
    """What a move was worth, after a search of the position that has the exact value of every move."""
    played = next(each for each in found.moves if each.move == move)
    best: RootMove = max(found.moves, key=lambda each: (scale.prospect(each), each.move == found.variation[0]))
    cost = max(0.0, scale.prospect(best) - scale.prospect(played))
    marks = MARKS_VALUE if scale.man is None else MARKS_MEN
    mark, kind = next(((mark, kind) for limit, mark, kind in marks if cost >= limit), ("", ""))
    line = found.variation if best.move == found.variation[0] else (best.move,)
    return Judgement(
        ply=ply,
        move=move,
        text=position.write(move),
        turn=position.turn,
        value=scale.text(played),
        cost=cost,
        mark=mark,
        kind=kind,
        better=tuple(written(position, line))[:SHOWN_LINE] if kind else (),
        best=scale.text(best),
        chance=scale.chance(played),
        best_chance=scale.chance(best),
    )
