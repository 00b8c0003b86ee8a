"""A learner, an evaluator, a player and a network of your own, without a change of the package.

    cd examples
    ludus train my_school:Climber --steps 30
    ludus train --resume runs/climber-0 --steps 60           # makes the run longer
    ludus --import my_school match runs/climber-0 random     # the file of the player names `my_school:value`
    ludus match my_school:blockers random --games 20
    ludus train td --network my_school:THREE_LAYERS --games 20000

docs/extending.md says how a package offers them under names of their own.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta, Struct

from ludus import arena
from ludus.games import tictactoe3d
from ludus.learning import Progress, State
from ludus.players import Player, networks
from ludus.players.evaluators import CellNetwork
from ludus.players.named_networks import NamedNetwork
from ludus.workers import Workers

HIDDEN = 16
WEIGHTS = 64 * HIDDEN + HIDDEN


def value(positions: list[tictactoe3d.Position], theta: np.ndarray) -> np.ndarray:
    """An evaluator: a network of NumPy, 64-16-1. A value is from -1 to 1, for the side to move."""
    first, last = theta[: 64 * HIDDEN].reshape(64, HIDDEN), theta[64 * HIDDEN :]
    return np.tanh(np.tanh(tictactoe3d.cells(positions) @ first) @ last)


def player(theta: np.ndarray, name: str = "climber") -> Player:
    """The player with these weights: it takes the move with the best value."""
    return Player.from_function(value, name=name, game="tictactoe3d", search="greedy", theta=theta)


class Climber(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hill climbing: change the weights at random, keep the change if it wins.

    The changed network plays the present one; it takes its place if it scores more than half of the points.
    """

    kind: ClassVar[str] = "climber"
    unit: ClassVar[str] = "steps"

    steps: Annotated[int, Meta(description="Changes to try.", ge=1)] = 20
    games: Annotated[int, Meta(description="Games that test a change; an even number.", ge=2)] = 20
    change: Annotated[float, Meta(description="Standard deviation of a change of a weight.", ge=0)] = 0.3
    seed: Annotated[int, Meta(description="Seed of the random numbers.", ge=0)] = 0

    @property
    def name(self) -> str:
        """What tells this run from others."""
        return str(self.seed)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns from the beginning, or from a state that it has yielded."""
        theta = np.zeros(WEIGHTS, np.float32) if state is None else state.arrays["theta"]
        done, kept = (0, 0) if state is None else (state.facts["done"], state.facts["kept"])
        while done < self.steps:
            done += 1
            # A stream of random numbers for each step, so that a resumed run draws the same.
            rng = np.random.default_rng([self.seed, done])
            changed = theta + rng.normal(0, self.change, WEIGHTS).astype(np.float32)
            found = arena.match(player(changed, "changed"), player(theta), games=self.games, seed=done, workers=workers)
            if found.score.score > 0.5:
                theta, kept = changed, kept + 1
            yield Progress(
                done=done,
                total=self.steps,
                state=State(arrays={"theta": theta}, facts={"done": done, "kept": kept}),
                line={"step": done, "score": found.score.score, "kept": kept},
                note=f"{kept} of {done} changes are kept",
                now=player(theta),
                player=player(theta) if done == self.steps else None,
            )


def lines(positions: list[tictactoe3d.Position]) -> np.ndarray:
    """Another evaluator, without weights: the sum of the side's stones, those near the middle counting double."""
    return np.tanh(tictactoe3d.cells(positions) @ MIDDLE / 16)


MIDDLE = np.array([2.0 if 0 < x < 3 and 0 < y < 3 else 1.0 for _ in range(4) for y in range(4) for x in range(4)])


def blockers() -> Player:
    """A player for `ludus match my_school:blockers ...`: it looks 3 plies ahead with `lines`."""
    return Player.from_function(lines, game="tictactoe3d", search="alphabeta", budget="depth=3")


def _three_layers(bias: bool) -> CellNetwork:
    return CellNetwork(layers=networks.dense(64, 64, 32, 16, 1, activation="logistic", bias=bias))


# A network on inputs of the package, which the core trains: the function makes it with biases or without.
THREE_LAYERS = NamedNetwork(_three_layers, 0.5)
