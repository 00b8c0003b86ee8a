"""The analysis of a position by a player, depth by depth, as text."""

from collections.abc import Iterator
from typing import cast

from ludus.games import History, Position, draughts
from ludus.games.core import Analysis
from ludus.play.iterations import is_cut_short, iterations, rank, written
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


def chosen_network(player: Player, history: History) -> Iterator[str]:
    """The network that a team of networks uses here, and why."""
    team = player.evaluator
    if not isinstance(team, MultiPhase):
        raise ValueError(f"{player.name} is not a team of networks")
    choice = team.choice(player.theta, history)
    asked, distances = choice.position, choice.distances
    if asked is None:
        count = draughts.material(cast(draughts.Position, history.position)).pieces
        yield f"network: the generalist, because {count} pieces are no endgame; an endgame has at most {team.pieces}"
        return
    nearest = sorted(range(len(distances)), key=lambda index: (distances[index], index))[:3]
    if choice.member:
        yield f"network: the specialist of unit {team.specialists[choice.member - 1]}"
    else:
        yield f"network: the generalist, because unit {team.units[nearest[0]]} has no specialist"
    far = ", ".join(f"unit {team.units[index]} {distances[index]:.3f}" for index in nearest)
    when = "" if asked == history.position else f", asked about {asked.text}, where the endgame began"
    yield f"why: its unit is the nearest of {len(distances)}{when}; squared distances: {far}"
    known = zip(team.attributes, choice.attributes, strict=True)
    named = [name if team.attribute_values == "binary" else f"{name} {value:g}" for name, value in known if value]
    yield f"attributes: {', '.join(named) or 'none above 0'}"
