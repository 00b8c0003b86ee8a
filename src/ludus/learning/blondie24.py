"""Blondie24: Chellapilla and Fogel's evolution strategy (1999, 2001), with Al-Khateeb and Kendall's variations.

Fifteen parents have an offspring each, whose weights move by steps that evolve along with them; each of the thirty
plays, and the best fifteen are the next parents. There is no crossover.
"""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus.arena.task import Rules
from ludus.learning import Progress, State, evolution, templates
from ludus.learning.evolution import Generation, Member
from ludus.learning.templates import Inputs, PlayerTemplate
from ludus.learning.tournaments import Tournament
from ludus.players import networks
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta, Budget
from ludus.workers import Workers

PARENTS = 15
POINTS = (1.0, 0.0, -2.0)
WEIGHT, SIGMA, KING = 0.2, 0.05, 2.0  # at the start: weights within so much of 0, their steps, the worth of a king

_INPUTS: dict[str, Inputs] = {"1999": "squares32", "2001": "subsquares"}


class Blondie24(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Evolves draughts networks by mutation whose steps adapt themselves."""

    kind: ClassVar[str] = "blondie24"
    unit: ClassVar[str] = "generations"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "ours": {},
        "faithful": {"openings": "none", "reductions": False},
        "faithful-1999": {"openings": "none", "reductions": False, "network": "1999"},
    }

    generations: Annotated[int, Meta(ge=0, description="After the first, which has the number 0.")] = 840
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1, description="For whatever is chosen by chance.")] = 0
    network: Annotated[
        Literal["1999", "2001"], Meta(description="32-40-10-1, or with the 91 nodes of sub-squares before the 40.")
    ] = "2001"
    piece_difference: Annotated[bool, Meta(description="Add the piece difference to the output node.")] = True
    depth: Annotated[int, Meta(ge=1, le=20, description="Plies looked ahead, more while a capture is forced.")] = 4
    reductions: Annotated[bool, Meta(description="It looks less far after moves that promise little.")] = True
    pairing: Annotated[
        Literal["random", "robin"], Meta(description="Opponents by chance, or all against all with both colours.")
    ] = "random"
    rounds: Annotated[int, Meta(ge=1, description="Games that each moves first in; or times all meet.")] = 5
    openings: Annotated[str, Meta(description="Where games begin: ballots3, ballots2, random:K or none.")] = "ballots3"
    plies: Annotated[int, Meta(ge=1, description="A game of so many plies is a draw.")] = 100

    @property
    def name(self) -> str:
        """The network, the depth and the seed."""
        return f"{self.network}-depth{self.depth}-{self.seed}"

    def breed(self) -> PlayerTemplate:
        """What all its players have in common."""
        evaluator = templates.network(_INPUTS[self.network], "40-10", king=KING, piece_difference=self.piece_difference)
        return PlayerTemplate(
            game="draughts",
            evaluator=evaluator,
            search=AlphaBeta(reductions=self.reductions),
            budget=Budget(depth=self.depth),
        )

    def contest(self) -> Tournament:
        """The games of a generation."""
        rules = Rules(repetitions=3, quiet_plies=0, plies=self.plies)
        return Tournament(pairing=self.pairing, rounds=self.rounds, points=POINTS, openings=self.openings, rules=rules)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """A progress a generation; `players` has its champion by its number."""
        return evolution.evolve(self, self.breed(), self.contest(), state, workers)

    def ask(self, breed: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The fifteen parents, then an offspring of each."""
        if latest is None:
            draw = (networks.random_theta(breed.layers, rng, -WEIGHT, WEIGHT) for _ in range(PARENTS))
            parents = [
                Member(number=number, theta=theta, origin="random", king=KING, sigma=np.full_like(theta, SIGMA))
                for number, theta in enumerate(draw)
            ]
            born = PARENTS
        else:
            parents = [
                msgspec.structs.replace(member, origin="elite", parents=(member.number,))
                for member in latest.members[:PARENTS]
            ]
            born = latest.born
        return parents + [offspring(parent, born + index, rng) for index, parent in enumerate(parents)]


def offspring(parent: Member, number: int, rng: np.random.Generator) -> Member:
    """A child whose steps, weights and worth of a king are its parent's, changed by chance."""
    assert parent.sigma is not None and parent.king is not None
    sigma, theta = adapted(parent.sigma, parent.theta, rng)
    king = min(max(parent.king + 0.1 * float(rng.integers(-1, 2)), 1.0), 3.0)
    return Member(
        number=number, theta=theta, origin="mutation", parents=(parent.number,), king=round(king, 1), sigma=sigma
    )


def adapted(sigma: Theta, theta: Theta, rng: np.random.Generator) -> tuple[Theta, Theta]:
    """The steps times exp(tau N(0, 1)), and the weights moved by the new steps times N(0, 1), each by its own."""
    tau = 1 / np.sqrt(2 * np.sqrt(theta.size))
    steps = (sigma * np.exp(tau * rng.standard_normal(theta.size))).astype(np.float32)
    return steps, (theta + steps * rng.standard_normal(theta.size)).astype(np.float32)
