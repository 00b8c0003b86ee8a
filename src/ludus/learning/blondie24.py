"""Blondie24: Chellapilla and Fogel's evolution strategy (1999, 2001), with Al-Khateeb and Kendall's variations.

Fifteen parents have one offspring each. Its weights change by random steps whose sizes evolve too. All thirty play, and
the best fifteen are the next parents. There is no crossover. Ours has one more step, of the evolution strategies before
it: an offspring begins with the mean of all parents. The presets "faithful" have the values of the papers.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus.arena.task import Rules
from ludus.learning import evolution, evolution_fields, fields, operators, templates
from ludus.learning.evolution import Generation, Member
from ludus.learning.learner import Options, Progress, State
from ludus.learning.templates import Inputs, PlayerTemplate
from ludus.learning.tournaments import Tournament
from ludus.players import Player, networks
from ludus.players.networks import Theta
from ludus.players.searches import AlphaBeta, Budget
from ludus.workers import Workers

POINTS = (1.0, 0.0, -2.0)

_INPUTS: dict[str, Inputs] = {"1999": "squares32", "2001": "subsquares"}

_FAITHFUL: Options = {
    "generations": 840,
    "initial_range": 0.2,
    "initial_king": 2.0,
    "recombination": "none",
    "averaging": 1,
    "openings": "none",
    "reductions": False,
    "max_plies": 100,
}


class Blondie24(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Blondie24: evolution by self-adaptive mutation.

    Blondie24 (Chellapilla and Fogel 1999, 2001): an evolution strategy with self-adaptive mutation.
    """

    kind: ClassVar[str] = "blondie24"
    unit: ClassVar[str] = "generations"
    presets: ClassVar[dict[str, Options]] = {
        "ours": {},
        "faithful": _FAITHFUL,
        "faithful-1999": _FAITHFUL | {"network": "1999"},
    }

    generations: fields.Generations = 60
    seed: fields.Seed = 0
    network: Annotated[
        Literal["1999", "2001"],
        Meta(description="Network of the year: 32-40-10-1, or with a layer of 91 nodes on sub-squares before the 40."),
    ] = "2001"
    piece_difference: evolution_fields.PieceDifference = True
    parents: Annotated[int, Meta(description="Parents of a generation; each has one offspring.", ge=1, le=10_000)] = 15
    initial_range: Annotated[
        float, Meta(description="Initial weights are drawn uniformly from -X to X.", gt=0, le=1)
    ] = 0.05
    initial_king: Annotated[
        float, Meta(description="Initial value of a king, where a man is 1; it evolves, from 1 to 3.", ge=1, le=3)
    ] = 1.5
    initial_sigma: Annotated[float, Meta(description="Initial step size of every weight.", gt=0, le=1)] = 0.05
    recombination: evolution_fields.Recombination = "mean"
    averaging: evolution_fields.Averaging = 20
    depth: fields.Depth = 4
    reductions: fields.Reductions = True
    pairing: Annotated[
        Literal["random", "robin", "none"],
        Meta(
            description="Tournament: random opponents, a round robin with both colours, or none: only games with the "
            "pool."
        ),
    ] = "random"
    rounds: Annotated[int, Meta(description="Random games in which each moves first, or round robins.", ge=1)] = 5
    openings: Annotated[
        str, Meta(description="Openings: ballots3, ballots2, random:K for K random plies, or none.")
    ] = "ballots3"
    max_plies: fields.MaxPlies = 200
    pool: evolution_fields.Pool = ("material",)
    pool_games: evolution_fields.PoolGames = 0
    end_games: evolution_fields.EndGames = 100

    @property
    def name(self) -> str:
        """The network, the depth and the seed."""
        return f"{self.network}-depth{self.depth}-{self.seed}"

    def template(self) -> PlayerTemplate:
        """What all its players share."""
        evaluator = templates.network(
            _INPUTS[self.network], "40-10", king=self.initial_king, piece_difference=self.piece_difference
        )
        return PlayerTemplate(
            game="draughts",
            evaluator=evaluator,
            search=AlphaBeta(reductions=self.reductions),
            budget=Budget(depth=self.depth),
        )

    def tournament(self) -> Tournament:
        """The tournament of a generation."""
        rules = Rules(repetitions=3, quiet_plies=0, plies=self.max_plies)
        return Tournament(
            pairing=self.pairing,
            rounds=self.rounds,
            points=POINTS,
            openings=self.openings,
            rules=rules,
            pool_games=self.pool_games,
        )

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns; a progress for each generation."""
        if self.pairing == "none":
            evolution.check_pool(self.pool, self.pool_games)
        return evolution.evolve(self, self.template(), self.tournament(), state, workers)

    def adapted(self, state: State, kept: Callable[[str], Player]) -> State:
        """The state with the half-way champion of this number of generations."""
        return evolution.adapted(self.generations, state, kept)

    def ask(self, template: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The parents, then as many offspring."""
        if latest is None:
            limit = self.initial_range
            thetas = (networks.random_theta(template.layers, rng, -limit, limit) for _ in range(self.parents))
            parents = [
                Member(
                    number=number,
                    theta=theta,
                    origin="random",
                    king=self.initial_king,
                    sigma=np.full_like(theta, self.initial_sigma),
                )
                for number, theta in enumerate(thetas)
            ]
            created = self.parents
        else:
            parents = [
                msgspec.structs.replace(member, origin="elite", parents=(member.number,))
                for member in latest.members[: self.parents]
            ]
            created = latest.created
        origins = parents if self.recombination == "none" else recombined(parents)
        return parents + [offspring(origin, created + index, rng) for index, origin in enumerate(origins)]

    def champion(self, members: Sequence[Member]) -> Member:
        """The best member; with recombination, a network with the mean weights of the next parents in its place."""
        return members[0] if self.recombination == "none" else recombined(members[: self.parents])[0]


def recombined(parents: Sequence[Member]) -> list[Member]:
    """The parents, each with the means of all: of the weights, of the value of a king, and of the log step sizes."""
    theta = operators.mean([parent.theta for parent in parents])
    sigmas = [parent.sigma for parent in parents if parent.sigma is not None]
    sigma = np.exp(np.mean(np.log(sigmas), axis=0, dtype=np.float64)).astype(np.float32)
    king = round(float(np.mean([parent.king for parent in parents if parent.king is not None])), 1)
    return [msgspec.structs.replace(parent, theta=theta, sigma=sigma, king=king) for parent in parents]


def offspring(parent: Member, number: int, rng: np.random.Generator) -> Member:
    """A child with the parent's step sizes, weights and value of a king, randomly changed."""
    assert parent.sigma is not None and parent.king is not None
    sigma, theta = self_adapted(parent.sigma, parent.theta, rng)
    king = min(max(parent.king + 0.1 * float(rng.integers(-1, 2)), 1.0), 3.0)
    return Member(
        number=number, theta=theta, origin="mutation", parents=(parent.number,), king=round(king, 1), sigma=sigma
    )


def self_adapted(sigma: Theta, theta: Theta, rng: np.random.Generator) -> tuple[Theta, Theta]:
    """The step sizes times exp(tau N(0, 1)), and the weights plus the new step sizes times N(0, 1)."""
    tau = 1 / np.sqrt(2 * np.sqrt(theta.size))
    steps = (sigma * np.exp(tau * rng.standard_normal(theta.size))).astype(np.float32)
    return steps, (theta + steps * rng.standard_normal(theta.size)).astype(np.float32)
