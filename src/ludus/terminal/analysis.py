"""The analysis of a position by a player, depth by depth, as text."""

from collections.abc import Iterator

from ludus.games import History, Position
from ludus.games.core import Analysis
from ludus.play.iterations import is_cut_short, iterations, rank, written
from ludus.play.teams import chosen_network
from ludus.play.values import Scale, scale_of
from ludus.players import ActivePlayer, Player
from ludus.players.evaluators import MultiPhase


def lines(player: Player, history: History, seed: int = 0) -> Iterator[str]:
    """The analysis as text: a line an iteration, then the value of every move once, and the best line last.

    Nodes and seconds are totals. A depth with a plus was cut short. For a team of networks, the first lines say which
    network is used and why. Ctrl-C stops the search; what it has found is still told.
    """
    position = history.position
    if isinstance(player.evaluator, MultiPhase):
        yield from chosen_network(player, history)
    scale = scale_of(player)
    last: Analysis | None = None
    whole: Analysis | None = None
    yield f"{'depth':>5} {scale.unit:>10} {'nodes':>13} {'seconds':>8}  line"
    try:
        for found in iterations(ActivePlayer(player, exact=True), history, seed):
            cut = last is not None and is_cut_short(last, found)
            whole = whole if cut else found
            last = found
            depth = f"{found.depth}{'+' if cut else ''}"
            line = " ".join(written(position, found.variation))
            yield f"{depth:>5} {scale.text(found):>10} {found.nodes:>13,} {found.seconds:>8.3f}  {line}"
    except KeyboardInterrupt:
        yield "stopped"
    if last is not None and whole is not None:
        heading = "value" if scale.man is None else "value in men"
        yield f"every move and its {heading}, for {position.turn}, {whole.depth} plies ahead:"
        yield from move_lines(position, whole, scale)
        yield f"best line: {' '.join(written(position, last.variation))}"
        yield f"best: {position.write(last.variation[0])}"


def move_lines(position: Position, found: Analysis, scale: Scale) -> Iterator[str]:
    """A line for every move, the best first. A value that is only an upper bound says so."""
    for choice in sorted(found.moves, key=lambda choice: -rank(choice)):
        visits = f"  {choice.visits:,} play-outs" if choice.visits else ""
        bound = "" if choice.exact or choice.visits else "  or less"
        yield f"  {position.write(choice.move):<12} {scale.text(choice):>10}{visits}{bound}"
