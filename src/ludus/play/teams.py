"""Which network of a team speaks, and why, for a person."""

from collections.abc import Iterator
from typing import cast

from ludus.games import History, draughts
from ludus.players import Player
from ludus.players.evaluators import MultiPhase


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
