"""The genetic player of Nguyen's dissertation "Playing Draughts using Neural Networks and Genetic Algorithms".

Fifteen networks play each other. The best five survive; children of the best by node crossover, and mutated copies,
replace the others. Ours has other values: every two networks play from a ballot with both colours, the initial weights
are smaller, crossover exchanges all inputs of a node, and mutation is scaled by the sensitivity of the output. The
preset "faithful" has the values of the dissertation.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import games
from ludus.arena.task import Rules
from ludus.learning import evolution, fields, operators, templates
from ludus.learning.evolution import Generation, Member, Origin
from ludus.learning.learner import Options, Progress, State
from ludus.learning.operators import Numbers
from ludus.learning.templates import Inputs, PlayerTemplate, SearchName
from ludus.learning.tournaments import Pairing, Tournament
from ludus.players import networks
from ludus.players.networks import Theta
from ludus.workers import Workers

POPULATION = 15
POINTS = (2.0, 0.0, -1.0)


class Slot(Struct, frozen=True):
    """A place in the next generation, to be filled from the members with these ranks."""

    origin: Origin
    ranks: tuple[int, ...]
    reciprocal: bool = False  # the other child of the crossover before it


def plan(*, elitism: bool, crossover: bool, mutation: bool) -> list[Slot]:
    """The fifteen places of the dissertation; rank 0 is the best. Raises ValueError without crossover and mutation.

    If a method is left out, another fills its places: mutated copies of the same parents, or children of neighbours.
    """
    if not (crossover or mutation):
        raise ValueError("without crossover and mutation nothing would ever change: leave one of them on")
    copies = [(0, 1), (1, 2), (3, 4)]
    slots = [Slot("elite", (rank,)) for rank in range(5)] if elitism else []
    for pair in copies[:2]:
        slots += [Slot("crossover", pair), Slot("crossover", pair, reciprocal=True)] if crossover else _mutants(pair)
    for pair in copies:
        slots += _mutants(pair) if mutation else [Slot("crossover", pair), Slot("crossover", pair, reciprocal=True)]
    if not elitism:
        ranks = range(5)
        slots += _mutants(ranks) if mutation else [Slot("crossover", (rank, (rank + 1) % 5)) for rank in ranks]
    return slots


def _mutants(ranks: Sequence[int]) -> list[Slot]:
    return [Slot("mutation", (rank,)) for rank in ranks]


class Genetic(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Evolved networks: elitism, crossover and mutation.

    A genetic algorithm on network weights, with elitism, node crossover and mutation (Nguyen).
    """

    kind: ClassVar[str] = "genetic"
    unit: ClassVar[str] = "generations"
    presets: ClassVar[dict[str, Options]] = {
        "ours": {},
        "faithful": {
            "initial_range": 1.0,
            "search": "ept",
            "pairing": "random",
            "rounds": 5,
            "openings": "none",
            "crossover_threshold": 0.75,
            "mutation": "additive",
            "activation": "logistic",
            "blocked_draws": True,
            "skewed_playouts": True,
            "best_value": True,
        },
    }

    generations: fields.Generations = 200
    seed: fields.Seed = 0
    game: fields.GameName = "draughts"
    inputs: Annotated[
        Inputs | None,
        Meta(description="Network inputs. If not given: subsquares91, or cells64 for tictactoe3d."),
    ] = None
    hidden: Annotated[str, Meta(description="Nodes of the hidden layers, the first layer first.")] = "40-10"
    piece_difference: fields.PieceDifference = False
    activation: Annotated[
        Literal["tanh", "logistic"],
        Meta(description="Activation of the nodes: tanh, or the logistic 2/(1+e^-x)-1, which is tanh(x/2)."),
    ] = "tanh"
    initial_range: Annotated[
        float, Meta(description="Initial weights are drawn uniformly from -X to X.", gt=0, le=1)
    ] = 0.2

    search: Annotated[SearchName, Meta(description="Search that chooses the moves; uct uses no network.")] = "alphabeta"
    depth: Annotated[int, Meta(description="Search depth in plies of minimax and alphabeta.", ge=1, le=20)] = 2
    playouts: Annotated[int, Meta(description="Play-outs of a move of uct and ept.", ge=1)] = 300
    playout_plies: Annotated[
        int, Meta(description="Plies after which ept ends a play-out with the value of the network.", ge=0, le=1000)
    ] = 6
    skewed_playouts: Annotated[
        bool,
        Meta(description="Draw a random move of a play-out again, once, if it lets the opponent capture (uct, ept)."),
    ] = False
    best_value: Annotated[
        bool,
        Meta(description="Play the move with the best mean result, not the one with the most visits (uct, ept)."),
    ] = False

    pairing: Annotated[
        Pairing,
        Meta(description="Tournament: random opponents, or a round robin or Swiss system with both colours."),
    ] = "robin"
    rounds: Annotated[
        int,
        Meta(description="Round robins, rounds of the Swiss system, or random games in which each moves first.", ge=1),
    ] = 2
    openings: Annotated[
        str | None,
        Meta(
            description="Openings: ballots3, ballots2, random:K for K random plies, or none. If not given, the usual "
            "ones of the game."
        ),
    ] = None
    max_plies: fields.MaxPlies = 100
    blocked_draws: Annotated[
        bool, Meta(description="Score a game in which a side has pieces but no move as a draw, not as its loss.")
    ] = False

    elitism: Annotated[bool, Meta(description="Keep the best five in the next generation.")] = True
    crossover: Annotated[bool, Meta(description="Make children of the best three by node crossover.")] = True
    crossover_threshold: Annotated[
        float,
        Meta(
            description="Crossover exchanges weights whose absolute value in the dominant parent is above this.",
            ge=0,
            lt=1,
        ),
    ] = 0.0
    mutation: Annotated[
        Literal["additive", "safe", "none"],
        Meta(description="Mutation: additive as in the dissertation, safe (steps limited by sensitivity), or none."),
    ] = "safe"
    mutation_scale: Annotated[
        float, Meta(description="Factor on the steps of additive mutation; 1 is the dissertation's.", gt=0)
    ] = 1.0
    mutation_change: Annotated[
        float, Meta(description="Root mean square change of the network's output by safe mutation.", gt=0)
    ] = 0.05

    @property
    def name(self) -> str:
        """The game, the inputs, the search and the seed."""
        return f"{self.game}-{self.inputs or templates.usual_inputs(self.game)}-{self.search}-{self.seed}"

    def template(self) -> PlayerTemplate:
        """What all its players share. Raises ValueError."""
        if not re.fullmatch(r"\d{1,4}(-\d{1,4})*", self.hidden):
            raise ValueError(f"'{self.hidden}' are no hidden layers: write their sizes as 40-10")
        inputs = self.inputs or templates.usual_inputs(self.game)
        search, budget = templates.search(
            self.search,
            self.depth,
            self.playouts,
            self.playout_plies,
            skewed=self.skewed_playouts,
            by_value=self.best_value,
        )
        evaluator = templates.network(
            inputs, self.hidden, piece_difference=self.piece_difference, activation=self.activation
        )
        if evaluator.game != self.game:
            raise ValueError(f"the inputs {inputs} are those of {evaluator.game}, not of {self.game}")
        return PlayerTemplate(game=self.game, evaluator=evaluator, search=search, budget=budget)

    def tournament(self) -> Tournament:
        """The tournament of a generation, with the dissertation's draw rules and points."""
        rules = Rules(repetitions=3, quiet_plies=0, plies=self.max_plies, blocked=self.blocked_draws)
        openings = self.openings or games.find(self.game).usual_openings
        return Tournament(pairing=self.pairing, rounds=self.rounds, points=POINTS, openings=openings, rules=rules)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns; a progress for each generation."""
        self._plan()
        return evolution.evolve(self, self.template(), self.tournament(), state, workers)

    def ask(self, template: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The fifteen members of the next generation."""
        if latest is None:
            limit = self.initial_range
            thetas = (networks.random_theta(template.layers, rng, -limit, limit) for _ in range(POPULATION))
            return [Member(number=number, theta=theta, origin="random") for number, theta in enumerate(thetas)]
        members: list[Member] = []
        hidden = [node for layer in networks.nodes(template.layers)[:-1] for node in layer]
        position = games.find(self.game).position
        positions = [template.encode(position(text)) for text in latest.positions]
        numbers = itertools.count(latest.created)
        other = latest.members[0].theta  # the second child of a crossover, until its slot comes
        for slot in self._plan():
            parents = [latest.members[rank] for rank in slot.ranks]
            if slot.origin == "elite":
                survivor = parents[0]
                members.append(msgspec.structs.replace(survivor, origin="elite", parents=(survivor.number,)))
                continue
            if slot.origin == "mutation":
                theta = self._mutated(template, parents[0].theta, positions, rng)
            elif slot.reciprocal:
                theta = other
            else:
                # The members are ranked by points, ties broken at random: the first parent is dominant.
                node = hidden[int(rng.integers(len(hidden)))]
                theta, other = operators.crossover(parents[0].theta, parents[1].theta, node, self.crossover_threshold)
            if slot.reciprocal:
                parents.reverse()  # the first parent is the one that most weights come from
            ancestors = tuple(parent.number for parent in parents)
            members.append(Member(number=next(numbers), theta=theta, origin=slot.origin, parents=ancestors))
        return members

    def _plan(self) -> list[Slot]:
        return plan(elitism=self.elitism, crossover=self.crossover, mutation=self.mutation != "none")

    def _mutated(
        self, template: PlayerTemplate, theta: Theta, positions: list[tuple[Numbers, float]], rng: np.random.Generator
    ) -> Theta:
        if self.mutation == "additive":
            return operators.additive_mutation(theta, rng, self.mutation_scale)
        sensitivity = operators.sensitivity(template.network(theta), positions)
        return operators.safe_mutation(theta, sensitivity, self.mutation_change, rng)
