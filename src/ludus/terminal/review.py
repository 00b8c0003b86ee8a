"""A game looked at again, move by move: what each move was worth, which were mistakes, and what was better."""

from collections.abc import Iterator
from typing import NamedTuple

from ludus import games
from ludus.games import Color, Move, Position
from ludus.games.core import Analysis, RootMove
from ludus.games.record import Record
from ludus.players import ActivePlayer, Player
from ludus.terminal import analysis
from ludus.terminal.values import Scale, scale_of

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
    better: str  # the better line; empty when the move was best
    best: str  # its value


def judgements(player: Player, record: Record[Position, Move], seed: int = 0) -> Iterator[Judgement]:
    """What the player thinks of every move, one by one. A move that was forced costs nothing."""
    active = ActivePlayer(player, exact=True)
    scale = scale_of(player)
    history = games.find(player.game).history(record.start)
    for ply, move in enumerate(record.moves):
        position = history.position
        if len(position.moves()) > 1 and history.outcome() is None:
            yield _judged(active, scale, history, ply, move, seed)
        else:
            yield Judgement(ply, move, position.write(move), position.turn, "only", 0.0, "", "", "", "")
        history.play(move)


def _judged(active: ActivePlayer, scale: Scale, history: games.History, ply: int, move: Move, seed: int) -> Judgement:
    position = history.position
    found: Analysis | None = None
    for each in analysis.iterations(active, history, seed):
        if found is None or not analysis.is_cut_short(found, each):
            found = each
    assert found is not None
    played = next(each for each in found.moves if each.move == move)
    best: RootMove = max(found.moves, key=lambda each: (scale.prospect(each), each.move == found.variation[0]))
    cost = max(0.0, scale.prospect(best) - scale.prospect(played))
    marks = MARKS_VALUE if scale.man is None else MARKS_MEN
    mark, kind = next(((mark, kind) for limit, mark, kind in marks if cost >= limit), ("", ""))
    line = found.variation if best.move == found.variation[0] else (best.move,)
    better = " ".join(list(analysis.written(position, line))[:SHOWN_LINE]) if kind else ""
    return Judgement(
        ply, move, position.write(move), position.turn, scale.text(played), cost, mark, kind, better, scale.text(best)
    )


def lines(player: Player, record: Record[Position, Move], seed: int = 0) -> Iterator[str]:
    """The review as text: a line a move, a line below each mistake, and a summary of both sides."""
    scale = scale_of(player)
    first = record.start.turn
    unit = "values are in men" if scale.man is not None else "values are from -1 to 1"
    yield f"Reviewed by {player.name}; {unit}, for the side that moved. Costs are against its best move."
    judged: list[Judgement] = []
    for each in judgements(player, record, seed):
        judged.append(each)
        number = f"{each.ply // 2 + 1}." if each.turn == first else ""
        yield f"{number:>4} {each.turn!s:<6} {each.text:<12} {each.value:>10} {each.mark}".rstrip()
        if each.kind:
            yield f"{'':>12}{each.kind}, costs {each.cost:.2f}: better {each.better} ({each.best})"
    yield ""
    for side in (first, ~first):
        yield _summary(side, record, [each for each in judged if each.turn == side], scale)
    yield str(record.outcome) if record.outcome else "The game is not finished."


def _summary(side: Color, record: Record[Position, Move], judged: list[Judgement], scale: Scale) -> str:
    name = record.tags.get(str(side))
    who = f"{side} ({name})" if name else str(side)
    if not judged:
        return f"{who}: no moves."
    counts = [(kind, sum(each.kind == kind for each in judged)) for _, _, kind in MARKS_MEN]
    found = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counts)
    mean = sum(each.cost for each in judged) / len(judged)
    unit = " men" if scale.man is not None else ""
    worst = max(judged, key=lambda each: each.cost)
    ending = f"; the costliest was {worst.ply // 2 + 1}. {worst.text}, {worst.cost:.2f}{unit}" if worst.kind else ""
    moves = f"{len(judged)} {'move' if len(judged) == 1 else 'moves'}"
    return f"{who}: {moves}, {found}.\n  A move cost {mean:.2f}{unit} on average{ending}."
