"""The genetic player of Nguyen's dissertation "Playing Draughts using Neural Networks and Genetic Algorithms".

Fifteen networks play each other. The best five survive; children of the best by node crossover, and mutated copies,
replace the others. Ours has other values: every two networks play from a ballot with both colours, the output node has
the piece difference, the initial weights are smaller, crossover exchanges all inputs of a node, and mutated copies
begin with the mean of the elite. The preset "faithful" has the values of the dissertation.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import games
from ludus.arena.task import Rules
from ludus.learning import evolution, evolution_fields, fields, operators, templates
from ludus.learning.evolution import Generation, Member, Origin
from ludus.learning.learner import Options, Progress, State
from ludus.learning.operators import Numbers
from ludus.learning.templates import PlayerTemplate
from ludus.learning.tournaments import Tournament
from ludus.players import Player, networks
from ludus.players.networks import Theta
from ludus.workers import Workers

POINTS = (2.0, 0.0, -1.0)


class Slot(Struct, frozen=True):
    """A place in the next generation, to be filled from the members with these ranks."""

    origin: Origin
    ranks: tuple[int, ...]
    reciprocal: bool = False  # the other child of the crossover before it


def plan(*, elitism: bool, crossover: bool, mutation: bool, population: int = 15, elite: int = 5) -> list[Slot]:
    """The places of the next generation; rank 0 is the best. Raises ValueError without crossover and mutation.

    The dissertation has fifteen: the best five; two children each of ranks 0 and 1, and of 1 and 2; mutated copies of
    these parents; and one of each of the other survivors. Other numbers keep the proportions: four in ten of the new
    members are children of neighbours, the best first. If a method is left out, another fills its places: mutated
    copies of the same parents, or children of neighbours.
    """
    if not (crossover or mutation):
        raise ValueError("without crossover and mutation nothing would ever change: leave one of them on")
    if elite >= population:
        raise ValueError(f"an elite of {elite} leaves no place in a population of {population}: make it smaller")
    pairs = [(rank % (elite - 1), rank % (elite - 1) + 1) for rank in range(round((population - elite) / 5))]
    parents = [rank for pair in pairs for rank in pair]
    ranks = itertools.cycle(parents + [rank for rank in range(elite) if rank not in parents])
    copied = list(itertools.islice(ranks, population - elite - len(parents)))
    slots = [Slot("elite", (rank,)) for rank in range(elite)] if elitism else []
    for pair in pairs:
        slots += _children(pair) if crossover else _mutants(pair)
    if mutation:
        slots += _mutants(copied)
    else:
        for one, other in itertools.zip_longest(copied[::2], copied[1::2], fillvalue=copied[-1]):
            slots += _children((one, other if other != one else (one + 1) % elite))
        slots = slots[: population - (0 if elitism else elite)]
    if not elitism:
        places = range(elite)
        slots += _mutants(places) if mutation else [Slot("crossover", (rank, (rank + 1) % elite)) for rank in places]
    return slots


def _children(pair: tuple[int, int]) -> list[Slot]:
    return [Slot("crossover", pair), Slot("crossover", pair, reciprocal=True)]


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
            "piece_difference": False,
            "recombination": "none",
            "averaging": 1,
            "max_plies": 100,
        },
    }

    generations: fields.Generations = 200
    seed: fields.Seed = 0
    game: fields.GameName = "draughts"
    inputs: evolution_fields.NetworkInputs = None
    hidden: evolution_fields.Hidden = "40-10"
    piece_difference: evolution_fields.PieceDifference = None
    activation: Annotated[
        Literal["tanh", "logistic"],
        Meta(description="Activation of the nodes: tanh, or the logistic 2/(1+e^-x)-1, which is tanh(x/2)."),
    ] = "tanh"
    initial_range: Annotated[
        float, Meta(description="Initial weights are drawn uniformly from -X to X.", gt=0, le=1)
    ] = 0.05

    search: evolution_fields.Search = "alphabeta"
    depth: evolution_fields.Depth = 2
    playouts: evolution_fields.Playouts = 300
    playout_plies: evolution_fields.PlayoutPlies = 6
    skewed_playouts: Annotated[
        bool,
        Meta(description="Draw a random move of a play-out again, once, if it lets the opponent capture (uct, ept)."),
    ] = False
    best_value: Annotated[
        bool,
        Meta(description="Play the move with the best mean result, not the one with the most visits (uct, ept)."),
    ] = False

    population: Annotated[int, Meta(description="Members of a generation.", ge=3, le=10_000)] = 15
    elite: Annotated[int, Meta(description="Members that are parents of the next generation.", ge=2)] = 5
    pairing: Annotated[
        Literal["random", "robin", "swiss", "none"],
        Meta(
            description="Tournament: random opponents, a round robin or Swiss system with both colours, or none: only "
            "games with the pool."
        ),
    ] = "robin"
    rounds: Annotated[
        int,
        Meta(description="Round robins, rounds of the Swiss system, or random games in which each moves first.", ge=1),
    ] = 2
    openings: evolution_fields.Openings = None
    max_plies: fields.MaxPlies = 200
    pool: evolution_fields.Pool = ("material",)
    pool_games: evolution_fields.PoolGames = 0
    end_games: evolution_fields.EndGames = 100
    blocked_draws: Annotated[
        bool, Meta(description="Score a game in which a side has pieces but no move as a draw, not as its loss.")
    ] = False

    elitism: Annotated[bool, Meta(description="Keep the elite in the next generation.")] = True
    crossover: Annotated[bool, Meta(description="Make children of the best by node crossover.")] = True
    crossover_threshold: Annotated[
        float,
        Meta(
            description="Crossover exchanges weights whose absolute value in the dominant parent is above this.",
            ge=0,
            lt=1,
        ),
    ] = 0.0
    recombination: evolution_fields.Recombination = "mean"
    averaging: evolution_fields.Averaging = 20
    mutation: Annotated[
        Literal["additive", "safe", "none"],
        Meta(description="Mutation: additive as in the dissertation, safe (steps limited by sensitivity), or none."),
    ] = "additive"
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
        search = templates.search(
            self.search,
            self.depth,
            self.playouts,
            self.playout_plies,
            skewed=self.skewed_playouts,
            by_value=self.best_value,
        )
        return templates.template(
            self.game, self.inputs, self.hidden, self.piece_difference, search, activation=self.activation
        )

    def tournament(self) -> Tournament:
        """The tournament of a generation, with the dissertation's draw rules and points."""
        rules = Rules(repetitions=3, quiet_plies=0, plies=self.max_plies, blocked=self.blocked_draws)
        openings = self.openings or games.find(self.game).usual_openings
        return Tournament(
            pairing=self.pairing,
            rounds=self.rounds,
            points=POINTS,
            openings=openings,
            rules=rules,
            pool_games=self.pool_games,
        )

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns; a progress for each generation."""
        self._plan()
        if self.pairing == "none":
            evolution.check_pool(self.pool, self.pool_games)
        return evolution.evolve(self, self.template(), self.tournament(), state, workers)

    def adapted(self, state: State, kept: Callable[[str], Player]) -> State:
        """The state with the half-way champion of this number of generations."""
        return evolution.adapted(self.generations, state, kept)

    def ask(self, template: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The members of the next generation."""
        if latest is None:
            limit = self.initial_range
            thetas = (networks.random_theta(template.layers, rng, -limit, limit) for _ in range(self.population))
            return [Member(number=number, theta=theta, origin="random") for number, theta in enumerate(thetas)]
        members: list[Member] = []
        hidden = [node for layer in networks.nodes(template.layers)[:-1] for node in layer]
        position = games.find(self.game).position
        positions = [template.encode(position(text)) for text in latest.positions]
        numbers = itertools.count(latest.created)
        elite = latest.members[: self.elite]
        mean = operators.mean([member.theta for member in elite])
        other = latest.members[0].theta  # the second child of a crossover, until its slot comes
        for slot in self._plan():
            parents = [latest.members[rank] for rank in slot.ranks]
            if slot.origin == "elite":
                survivor = parents[0]
                members.append(msgspec.structs.replace(survivor, origin="elite", parents=(survivor.number,)))
                continue
            if slot.origin == "mutation" and self.recombination == "mean":
                theta = self._mutated(template, mean, positions, rng)
                parents += [member for member in elite if member is not parents[0]]
            elif slot.origin == "mutation":
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

    def champion(self, members: Sequence[Member]) -> Member:
        """The best member; with recombination, a network with the mean weights of the elite in its place."""
        if self.recombination == "none":
            return members[0]
        mean = operators.mean([member.theta for member in members[: self.elite]])
        return msgspec.structs.replace(members[0], theta=mean)

    def _plan(self) -> list[Slot]:
        return plan(
            elitism=self.elitism,
            crossover=self.crossover,
            mutation=self.mutation != "none",
            population=self.population,
            elite=self.elite,
        )

    def _mutated(
        self, template: PlayerTemplate, theta: Theta, positions: list[tuple[Numbers, float]], rng: np.random.Generator
    ) -> Theta:
        if self.mutation == "additive":
            return operators.additive_mutation(theta, rng, self.mutation_scale)
        sensitivity = operators.sensitivity(template.network(theta), positions)
        return operators.safe_mutation(theta, sensitivity, self.mutation_change, rng)
