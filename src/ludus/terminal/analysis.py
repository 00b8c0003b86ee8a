"""The analysis of a position by a player, depth by depth, as text."""

import queue
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from ludus.games import History, Move, Position, draughts
from ludus.games.core import Analysis, Valued
from ludus.players import ActivePlayer, Player
from ludus.players.evaluators import MultiPhase


class _End(NamedTuple):
    """The last thing in the queue: what the search found, or why it failed."""

    result: Analysis | Exception


def iterations(player: Player, history: History, seed: int = 0) -> Iterator[Analysis]:
    """What the player's search finds, iteration by iteration. Closing the generator stops the search."""
    active = ActivePlayer(player, exact=True)
    found: queue.Queue[Analysis | _End] = queue.Queue()

    def report(iteration: Analysis) -> bool:
        found.put(iteration)
        return True

    def search() -> None:
        try:
            found.put(_End(active.think(history, seed=seed, report=report)))
        except Exception as error:
            found.put(_End(error))

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    shown: Analysis | None = None
    try:
        while not isinstance(iteration := found.get(), _End):
            shown = iteration
            yield iteration
        end = iteration.result
        if isinstance(end, Exception):
            raise end
        # A search that was cut short ends with its last iteration, which was shown. MCTS ends with more play-outs.
        if shown is None or (end.depth, end.value, end.variation) != (shown.depth, shown.value, shown.variation):
            yield end
    finally:
        while thread.is_alive():
            active.search.stop()  # repeated, because the core ignores a stop before the search has begun
            thread.join(0.1)


def lines(player: Player, history: History, seed: int = 0) -> Iterator[str]:
    """The analysis as text: a line an iteration, with the value of every move below it, and the best move last.

    For a team of networks, the first lines say which network is used and why.
    """
    position = history.position
    if isinstance(player.evaluator, MultiPhase):
        yield from chosen_network(player, history)
    best, before, last = None, 0, 0
    yield f"{'depth':>5} {'value':>10} {'nodes':>12} {'growth':>6} {'seconds':>8}  line"
    for found in iterations(player, history, seed):
        nodes = found.nodes - before
        growth = f"{nodes / last:.2f}" if last else ""
        line = " ".join(_written(position, found.variation))
        yield f"{found.depth:>5} {value_text(found):>10} {nodes:>12,} {growth:>6} {found.seconds:>8.3f}  {line}"
        yield "      " + "  ".join(f"{position.write(choice.move)} {value_text(choice)}" for choice in found.moves)
        best, before, last = found, found.nodes, nodes
    if best is not None:
        yield f"best: {position.write(best.variation[0])}"


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


def value_text(found: Valued) -> str:
    """A value as text: a number from -1 to 1, or the plies to a forced end."""
    if found.end_in is not None:
        return f"{'win' if found.end_in > 0 else 'loss'} in {abs(found.end_in)}"
    visits = getattr(found, "visits", 0)  # of a move, when MCTS has searched it
    return f"{found.value:+.4f}" + (f"  {visits} play-outs" if visits else "")


def _written(position: Position, moves: Sequence[Move]) -> Iterator[str]:
    for move in moves:
        yield position.write(move)
        position = position.play(move)
