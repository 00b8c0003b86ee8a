"""What a player thinks of a position, as it thinks deeper."""

import queue
import threading
from collections.abc import Iterator
from typing import Any

from ludus import games
from ludus.players import ActivePlayer, Player
from ludus.players.evaluators import MultiPhase
from ludus.terminal.play import value_text


def iterations(player: Player, history: Any, seed: int = 0) -> Iterator[Any]:
    """What the player's search finds, iteration by iteration. To stop asking is to stop the search."""
    thinker = ActivePlayer(player, exact=True)
    found: queue.Queue[Any] = queue.Queue()

    def report(iteration: Any) -> bool:
        found.put(iteration)
        return True

    def search() -> None:
        # The last thing in the queue is what the search ended with: what it found, or why it could not.
        try:
            found.put((thinker.think(history, seed=seed, report=report),))
        except Exception as error:
            found.put((error,))

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    shown = None
    try:
        while not isinstance(iteration := found.get(), tuple):
            shown = iteration
            yield iteration
        (end,) = iteration
        if isinstance(end, Exception):
            raise end
        # What was cut short ends with its last iteration, which was shown; MCTS ends with more play-outs than that.
        if shown is None or (end.depth, end.value, end.variation) != (shown.depth, shown.value, shown.variation):
            yield end
    finally:
        while thread.is_alive():
            thinker.search.stop()  # more than once, for it is not heard before the search has begun
            thread.join(0.1)


def lines(player: Player, history: Any, seed: int = 0) -> Iterator[str]:
    """A table for a person: a line an iteration, with the value of every move below it, and the best move last.

    Of a team it is first said who speaks, and why.
    """
    position = history.position
    if isinstance(player.evaluator, MultiPhase):
        yield from speaker(player, history)
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


def speaker(player: Player, history: Any) -> Iterator[str]:
    """Who speaks in a team, and why."""
    team = player.evaluator
    if not isinstance(team, MultiPhase):
        raise ValueError(f"{player.name} is no team")
    choice = team.build(games.core(player.game), player.theta).member_choice(history)
    asked, distances = choice.position, choice.distances
    if asked is None:
        count = len(history.position.pieces())
        yield f"speaks: the generalist, for {count} pieces are no endgame; that has at most {team.pieces}"
        return
    yield f"speaks: the specialist of unit {team.units[choice.member - 1]}"
    nearest = sorted(range(len(distances)), key=lambda index: (distances[index], index))[:3]
    far = ", ".join(f"unit {team.units[index]} {distances[index]:.3f}" for index in nearest)
    when = "" if asked == history.position else f", asked about {asked.text}, where the endgame began"
    yield f"why: its unit is the nearest of {len(distances)}{when}; squared distances: {far}"
    known = zip(team.attributes, choice.attributes, strict=True)
    named = [name if team.told == "binary" else f"{name} {value:g}" for name, value in known if value]
    yield f"the map was told: {', '.join(named) or 'nothing that is above 0'}"


def _written(position: Any, moves: list[Any]) -> Iterator[str]:
    for move in moves:
        yield position.write(move)
        position = position.play(move)
