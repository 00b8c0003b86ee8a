"""A game looked at again, move by move, as text: what each move was worth, and a summary of both sides."""

from collections.abc import Iterator

from ludus.games import Color, Move, Position
from ludus.games.record import Record
from ludus.harmless import harmless
from ludus.play.judgements import MARKS_MEN, Judgement, judgements
from ludus.play.values import Scale, scale_of
from ludus.players import Player


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
            yield f"{'':>12}{each.kind}, costs {each.cost:.2f}: better {' '.join(each.better)} ({each.best})"
    yield ""
    for side in (first, ~first):
        yield _summary(side, record, [each for each in judged if each.turn == side], scale)
    yield str(record.outcome) if record.outcome else "The game is not finished."


def _summary(side: Color, record: Record[Position, Move], judged: list[Judgement], scale: Scale) -> str:
    name = record.tags.get(str(side))
    who = harmless(f"{side} ({name})") if name else str(side)
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
