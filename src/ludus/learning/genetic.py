"""The genetic player: Nguyen's "Playing Draughts using Neural Networks and Genetic Algorithms", as its text has it.

Fifteen networks play each other; the best five stay, the others give way to their children by node crossover and to
mutated copies. Ours is the same with other numbers: every two play each other from a ballot with both colours, the
first weights are smaller, crossover exchanges all that feeds a node, and a mutation knows what the output depends on.
The preset "faithful" has the text's.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import games
from ludus.arena.task import Rules
from ludus.games import GameName
from ludus.learning import Progress, State, evolution, operators, templates
from ludus.learning.evolution import Generation, Member, Origin
from ludus.learning.operators import Numbers
from ludus.learning.templates import Decision, Inputs, PlayerTemplate
from ludus.learning.tournaments import Pairing, Tournament
from ludus.players import networks
from ludus.players.networks import Theta
from ludus.workers import Workers

POPULATION = 15
POINTS = (2.0, 0.0, -1.0)


class Slot(Struct, frozen=True):
    """A place in the next generation, to be filled from those with these ranks."""

    origin: Origin
    ranks: tuple[int, ...]
    reciprocal: bool = False  # the other child of the crossover before it


def plan(*, elitism: bool, crossover: bool, mutation: bool) -> list[Slot]:
    """The fifteen places, the best being rank 0: as the text has them, or without one of its means.

    Without a means its places go to another: mutated copies of the same parents, or children of neighbours.
    """
    if not (crossover or mutation):
        raise ValueError("without crossover and mutation nothing would ever change")
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
    """Evolves networks that play by elitism, node crossover and mutation."""

    kind: ClassVar[str] = "genetic"
    unit: ClassVar[str] = "generations"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "ours": {},
        "faithful": {
            "initial": 1.0,
            "decision": "ept",
            "pairing": "random",
            "rounds": 5,
            "openings": "none",
            "threshold": 0.75,
            "mutation": "additive",
        },
    }

    generations: Annotated[int, Meta(ge=0, description="After the first, which is random and has the number 0.")] = 200
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1, description="For whatever is chosen by chance.")] = 0
    game: Annotated[GameName, Meta(description="What is played.")] = "draughts"
    inputs: Annotated[
        Inputs | None, Meta(description="What the network sees; else subsquares91, or cells64 of tictactoe3d.")
    ] = None
    hidden: Annotated[str, Meta(description="The hidden layers, from the inputs on.")] = "40-10"
    piece_difference: Annotated[bool, Meta(description="Add the piece difference to the output node.")] = False
    initial: Annotated[float, Meta(gt=0, le=1, description="The first weights lie within this of 0.")] = 0.2

    decision: Annotated[Decision, Meta(description="How moves are chosen; uct asks no network.")] = "alphabeta"
    depth: Annotated[int, Meta(ge=1, le=20, description="Plies that minimax and alphabeta look ahead.")] = 2
    playouts: Annotated[int, Meta(ge=1, description="Play-outs a move of uct and ept.")] = 300
    playout_plies: Annotated[int, Meta(ge=0, le=1000, description="Plies of a play-out of ept.")] = 6

    pairing: Annotated[
        Pairing, Meta(description="Opponents by chance, or all against all or a Swiss system with both colours.")
    ] = "robin"
    rounds: Annotated[
        int, Meta(ge=1, description="Games that each moves first in; or times all meet; or rounds of the Swiss system.")
    ] = 2
    openings: Annotated[
        str | None,
        Meta(description="Where games begin: ballots3, ballots2, random:K or none; the usual ones else."),
    ] = None
    plies: Annotated[int, Meta(ge=1, description="A game of so many plies is a draw.")] = 100

    elitism: Annotated[bool, Meta(description="The best five stay.")] = True
    crossover: Annotated[bool, Meta(description="Children of the best three.")] = True
    threshold: Annotated[
        float, Meta(ge=0, lt=1, description="Crossover exchanges the dominant parent's weights of more than this.")
    ] = 0.0
    mutation: Annotated[
        Literal["additive", "safe", "none"],
        Meta(description="The text's, or by how much the output depends on a weight, or none."),
    ] = "safe"
    scale: Annotated[float, Meta(gt=0, description="Times the step of the text's mutation.")] = 1.0
    change: Annotated[float, Meta(gt=0, description="How much a safe mutation changes the output, about.")] = 0.05

    @property
    def name(self) -> str:
        """The game, the inputs, the decision and the seed."""
        return f"{self.game}-{self.inputs or templates.usual_inputs(self.game)}-{self.decision}-{self.seed}"

    def breed(self) -> PlayerTemplate:
        """What all its players have in common. Raises ValueError."""
        if not re.fullmatch(r"\d{1,4}(-\d{1,4})*", self.hidden):
            raise ValueError(f"'{self.hidden}' are no hidden layers: write their sizes as 40-10")
        inputs = self.inputs or templates.usual_inputs(self.game)
        search, budget = templates.search(self.decision, self.depth, self.playouts, self.playout_plies)
        evaluator = templates.network(inputs, self.hidden, piece_difference=self.piece_difference)
        return PlayerTemplate(game=self.game, evaluator=evaluator, search=search, budget=budget)

    def contest(self) -> Tournament:
        """The games of a generation: the text's draw rules and points."""
        rules = Rules(repetitions=3, quiet_plies=0, plies=self.plies)
        begin = self.openings or games.find(self.game).usual_openings
        return Tournament(pairing=self.pairing, rounds=self.rounds, points=POINTS, openings=begin, rules=rules)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """A progress a generation; `players` has its champion by its number."""
        self._plan()
        return evolution.evolve(self, self.breed(), self.contest(), state, workers)

    def ask(self, breed: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The fifteen of the next generation."""
        if latest is None:
            draw = (networks.random_theta(breed.layers, rng, -self.initial, self.initial) for _ in range(POPULATION))
            return [Member(number=number, theta=theta, origin="random") for number, theta in enumerate(draw)]
        members: list[Member] = []
        hidden = [node for layer in networks.nodes(breed.layers)[:-1] for node in layer]
        position = games.find(self.game).position
        positions = [breed.encode(position(text)) for text in latest.positions]
        numbers = itertools.count(latest.born)
        other = latest.members[0].theta  # the second child of a crossover, until its slot comes
        for slot in self._plan():
            parents = [latest.members[rank] for rank in slot.ranks]
            if slot.origin == "elite":
                stays = parents[0]
                members.append(msgspec.structs.replace(stays, origin="elite", parents=(stays.number,)))
                continue
            if slot.origin == "mutation":
                theta = self._mutated(breed, parents[0].theta, positions, rng)
            elif slot.reciprocal:
                theta = other
            else:
                # The ranks are by points, and chance has decided between equals: the first is dominant.
                node = hidden[int(rng.integers(len(hidden)))]
                theta, other = operators.exchange(parents[0].theta, parents[1].theta, node, self.threshold)
            if slot.reciprocal:
                parents.reverse()  # the parent that most of it comes from is the first
            ancestors = tuple(parent.number for parent in parents)
            members.append(Member(number=next(numbers), theta=theta, origin=slot.origin, parents=ancestors))
        return members

    def _plan(self) -> list[Slot]:
        return plan(elitism=self.elitism, crossover=self.crossover, mutation=self.mutation != "none")

    def _mutated(
        self, breed: PlayerTemplate, theta: Theta, positions: list[tuple[Numbers, float]], rng: np.random.Generator
    ) -> Theta:
        if self.mutation == "additive":
            return operators.additive(theta, rng, self.scale)
        return operators.safe(theta, operators.sensitivity(breed.network(theta), positions), self.change, rng)
