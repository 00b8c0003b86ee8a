"""LS-Draughts (Neto and Julia 2007): a genetic algorithm selects the features that a network has as inputs.

A chromosome is a mask of 15 candidate features; the features of NeuroDraughts are one of the first. Every individual
trains a network of its own by cloning. Its fitness is its score in matches among the parents and their children, who
compete for the places in the next generation. A mask is trained once, and two masks play one match, however often they
appear. The best masks of the last generation, the finalists, train again for longer. Their matches name the player.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Annotated, ClassVar, TypeVar

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus.arena import play as arena
from ludus.learning import cloning, feature_masks, fields, training_games
from ludus.learning.cloning_config import FAITHFUL, FeatureCloningConfig
from ludus.learning.learner import Arrays, Options, Progress, Record, State
from ludus.learning.neurodraughts import NeuroDraughts
from ludus.learning.training_games import TrainingSetup, derived_seed
from ludus.players import Player
from ludus.players.evaluators import FEATUREMAP12, FEATURES
from ludus.players.networks import Theta
from ludus.workers import Workers

CANDIDATES = (*FEATURES[:13], "Threat", "Taken")
_TRAININGS = 8  # between two progresses
_MATCHES = 200  # between two progresses

Pair = tuple[int, int]  # masks, the smaller first
Item = TypeVar("Item")


class IndividualTraining(Struct, frozen=True, kw_only=True):
    """The training of an individual, as a task for a worker."""

    config: NeuroDraughts
    mask: int
    seed: int


def train(task: IndividualTraining) -> Theta:
    """The individual's weights."""
    return cloning.train_fully(task.config.plan(), task.config.initial_theta(task.seed), task.seed)


class Population(Struct, kw_only=True):
    """The parents and children of a generation, with the weights and the matches of all individuals so far."""

    generation: int = 0
    parents: list[int] = []  # masks, the best first
    children: list[int] = []
    weights: dict[int, Theta] = {}  # by mask
    points: dict[Pair, int] = {}  # of the first of a pair in its match against the second
    finalists: dict[int, Theta] = {}  # the weights after their longer training, by mask

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        arrays: Arrays = {f"theta-{mask}": theta for mask, theta in self.weights.items()}
        arrays |= {f"final-{mask}": theta for mask, theta in self.finalists.items()}
        arrays["meetings"] = np.array([(*pair, won) for pair, won in self.points.items()], np.int64).reshape(-1, 3)
        facts = {"generation": self.generation, "parents": list(self.parents), "children": list(self.children)}
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "Population":
        """The inverse of `state`."""
        return Population(
            weights={int(name[6:]): theta for name, theta in state.arrays.items() if name.startswith("theta-")},
            finalists={int(name[6:]): theta for name, theta in state.arrays.items() if name.startswith("final-")},
            points={(int(one), int(other)): int(won) for one, other, won in state.arrays["meetings"]},
            generation=state.facts["generation"],
            parents=list(state.facts["parents"]),
            children=list(state.facts["children"]),
        )

    def fitness(self, masks: Sequence[int], match_points: int) -> dict[int, float]:
        """The score of each of these masks, from 0 to 1, in its matches with the others so far."""
        won, matches = dict.fromkeys(masks, 0), dict.fromkeys(masks, 0)
        for one, other in combinations(sorted(masks), 2):
            if (one, other) in self.points:
                won[one] += self.points[one, other]
                won[other] += match_points - self.points[one, other]
                matches[one] += 1
                matches[other] += 1
        return {mask: points / (match_points * max(matches[mask], 1)) for mask, points in won.items()}


class LSDraughts(FeatureCloningConfig, frozen=True, kw_only=True):
    """LS-Draughts: a genetic algorithm chooses the features.

    LS-Draughts (Neto and Julia 2007): a genetic algorithm selects the features of a NeuroDraughts network.
    """

    kind: ClassVar[str] = "ls-draughts"
    unit: ClassVar[str] = "individuals"
    length: ClassVar[str] = "generations"
    presets: ClassVar[dict[str, Options]] = {
        "ours": {},
        "faithful": {
            **FAITHFUL,
            "coding": "faithful",
            "population": 50,
            "generations": 30,
            "sets": 1,
            "games": 100,
            "match_boards": 0,
            "opponents": 10,
            "finalists": 1,
            "finalist_sets": 10,
            "finalist_games": 250,
        },
    }

    features: Annotated[
        tuple[str, ...],
        Meta(description=f"Candidate features of the selection, separated by commas. {fields.FEATURE_NAMES}"),
    ] = CANDIDATES
    most_features: Annotated[
        int, Meta(description="Most features that a set may have. 0 sets no limit.", ge=0, le=len(FEATURES))
    ] = 0
    sets: fields.Sets = 4
    games: fields.SetGames = 100
    population: Annotated[int, Meta(description="Individuals that survive each generation.", ge=2)] = 8
    generations: Annotated[int, Meta(description="Generations after the first, which has the number 0.", ge=1)] = 5
    mutation_rate: Annotated[
        float, Meta(description="Probability, from 0 to 1, that a child gains or loses a feature.", ge=0, le=1)
    ] = 0.1
    match_boards: Annotated[
        int,
        Meta(
            description="Openings (three-move ballots) of the match between two individuals, each played with both "
            "colours. 0 plays from the start position.",
            ge=0,
        ),
    ] = 10
    opponents: Annotated[
        int, Meta(description="Random opponents of each individual in a generation. 0 plays all the others.", ge=0)
    ] = 0
    known_features: Annotated[
        bool, Meta(description="Put the 12 features of NeuroDraughts among the first individuals.")
    ] = True
    finalists: Annotated[
        int,
        Meta(
            description="Best individuals of the last generation that train again, for longer; their matches choose "
            "the player. 0 keeps the best one as it is.",
            ge=0,
        ),
    ] = 3
    finalist_sets: Annotated[int, Meta(description="Sets of training games of a finalist.", ge=1)] = 10
    finalist_games: Annotated[int, Meta(description="Training games in a set of a finalist.", ge=1)] = 500
    finalist_boards: Annotated[
        int,
        Meta(
            description="Openings (three-move ballots) of the match between two finalists, each played with both "
            "colours. 0 plays from the start position.",
            ge=0,
        ),
    ] = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        size = len(set(self.features))
        sets = sum(math.comb(size, chosen) for chosen in range(1, (self.most_features or size) + 1))
        if self.population > sets:
            raise ValueError(f"of {size} features there are fewer sets than {self.population}")

    @property
    def name(self) -> str:
        """The budget, the population, the generations and the seed."""
        return f"{self.budget.replace('=', '')}-{self.population}x{self.generations}-{self.seed}"

    def setup(self) -> TrainingSetup:
        """The setup of an individual with all candidate features."""
        return self.individual((1 << len(set(self.features))) - 1).setup()

    def individual(self, mask: int) -> NeuroDraughts:
        """The config that trains an individual with the features of this mask."""
        values = {name: getattr(self, name) for name in NeuroDraughts.__struct_fields__}
        chosen = feature_masks.features_of(mask, self.evaluator().features)
        return NeuroDraughts(**{**values, "features": chosen})

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns; a progress every few trainings, every few matches and every generation."""
        boards = self.plan().draw_boards(self.match_boards, self.seed, 4)
        population = Population(children=self._initial_masks()) if state is None else Population.of(state)
        total = self.population * (self.generations + 1)

        def progress(stage: str, line: Record | None = None, note: str = "", player: Player | None = None) -> Progress:
            trained = sum(mask in population.weights for mask in population.children)
            done = min(population.generation * self.population + trained, total)
            state = population.state()
            return Progress(
                done=done,
                total=total,
                state=state,
                stage=stage,
                line=line,
                note=note,
                player=player,
                now=self._best(population),
                open=population.generation <= self.generations,
            )

        while population.generation <= self.generations:
            for masks in _chunks([mask for mask in population.children if mask not in population.weights], _TRAININGS):
                tasks = [
                    IndividualTraining(config=self.individual(mask), mask=mask, seed=derived_seed(self.seed, 5, mask))
                    for mask in masks
                ]
                trained = dict(zip(masks, workers.map(train, tasks), strict=True))
                population.weights = {**population.weights, **trained}
                yield progress("training")
            rivals = sorted({*population.parents, *population.children})
            missing = [pair for pair in self._pairs(rivals, population.generation) if pair not in population.points]
            for pairs in _chunks(missing, _MATCHES):
                points = self._play_matches(population.weights, pairs, boards, workers)
                population.points = {**population.points, **points}
                yield progress("matches")
            fitness = population.fitness(rivals, 4 * len(boards))
            population.parents = sorted(rivals, key=lambda mask: (-fitness[mask], mask))[: self.population]
            line = self._generation_record(population, fitness)
            population.generation += 1
            population.children = self._offspring(population) if population.generation <= self.generations else []
            note = f"generation {line['generation']}: {line['fitness']:.0%} with {len(line['features'])} features"
            yield progress("selection", line, note)
        chosen, theta, line = population.parents[0], population.weights[population.parents[0]], {}
        if self.finalists:
            best = population.parents[: self.finalists]
            tasks = [self._finalist(mask) for mask in best if mask not in population.finalists]
            for task, trained_theta in zip(tasks, workers.map(train, tasks), strict=True):
                population.finalists = {**population.finalists, task.mask: trained_theta}
                yield progress("finalists", note=f"{len(population.finalists)} of {len(best)} finalists trained")
            fitness = self._final(population.finalists, best, workers)
            chosen = max(best, key=lambda mask: fitness[mask])  # the first of equals
            theta = population.finalists[chosen]
            line = {"finalists": {str(mask): fitness[mask] for mask in best}}
        named = self.individual(chosen)
        player = named.setup().player(self.kind, theta)
        line |= {"features": list(named.features)} | self._reference_scores(player, workers)
        yield progress("result", line, f"its features are {', '.join(named.features)}", player)

    def _best(self, population: Population) -> Player | None:
        """The best individual of the last generation, once there is one."""
        if not population.parents:
            return None
        best = population.parents[0]
        return self.individual(best).setup().player(self.kind, population.weights[best])

    def _finalist(self, mask: int) -> IndividualTraining:
        """The longer training of a finalist, with a seed of its own: luck of the first training does not help it."""
        config = msgspec.structs.replace(self.individual(mask), sets=self.finalist_sets, games=self.finalist_games)
        return IndividualTraining(config=config, mask=mask, seed=derived_seed(self.seed, 10, mask))

    def _final(self, weights: dict[int, Theta], masks: Sequence[int], workers: Workers) -> dict[int, float]:
        """The scores of the finalists in their matches."""
        boards = self.plan().draw_boards(self.finalist_boards, self.seed, 11)
        final = Population()
        final.points = self._play_matches(weights, list(combinations(sorted(masks), 2)), boards, workers)
        return final.fitness(masks, 4 * len(boards))

    def _pairs(self, rivals: Sequence[int], generation: int) -> list[Pair]:
        """The pairs of a generation that play a match, or have played one before."""
        if not self.opponents:
            return list(combinations(rivals, 2))
        rng = np.random.default_rng([self.seed, 9, generation])
        pairs: dict[Pair, None] = {}
        for one in rivals:
            others = [mask for mask in rivals if mask != one]
            for index in rng.permutation(len(others))[: self.opponents]:
                pairs[min(one, others[index]), max(one, others[index])] = None
        return sorted(pairs)

    def _initial_masks(self) -> list[int]:
        rng = np.random.default_rng([self.seed, 6])
        features = self.evaluator().features
        masks = feature_masks.random_masks(self.population, len(features), rng, self.most_features)
        # Those of them that are candidates, if any are.
        known = sum(1 << index for index, name in enumerate(features) if name in FEATUREMAP12)
        fits = 0 < known.bit_count() <= (self.most_features or len(features))
        return list(dict.fromkeys([known, *masks]))[: self.population] if self.known_features and fits else masks

    def _offspring(self, population: Population) -> list[int]:
        rng = np.random.default_rng([self.seed, 7, population.generation])
        size = len(set(self.features))
        return feature_masks.offspring(
            population.parents, size, self.population, self.mutation_rate, rng, self.most_features
        )

    def _play_matches(
        self, weights: dict[int, Theta], pairs: Sequence[Pair], boards: Sequence[str], workers: Workers
    ) -> dict[Pair, int]:
        """The points of the first of each pair: 2 for a win, 1 for a draw."""
        games = [
            game
            for one, other in pairs
            for game in training_games.test_games(
                self.individual(one).setup(),
                weights[one],
                weights[other],
                boards,
                derived_seed(self.seed, 8, one, other),
                self.individual(other).setup(),
            )
        ]
        points = training_games.board_points(list(workers.map(arena.play, games)))
        each = len(boards)
        return {pair: sum(points[index * each : (index + 1) * each]) for index, pair in enumerate(pairs)}

    def _generation_record(self, population: Population, fitness: dict[int, float]) -> Record:
        best = population.parents[0]
        return {
            "generation": population.generation,
            "fitness": fitness[best],
            "features": list(self.individual(best).features),
            "population": {str(mask): fitness[mask] for mask in population.parents},
            "trained": len(population.weights),
        }


def _chunks(items: Sequence[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk
