"""LS-Draughts (Neto and Julia 2007): a genetic algorithm looks for the features a network should see.

A chromosome is a mask over a pool of 15 features. Every individual trains a network of its own by cloning; its fitness
is its share of the points in games among the parents and their children, who compete for the places of the next
generation. A mask is trained once and two masks meet once, however often they come up again.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from msgspec import Meta, Struct

from ludus.arena import game as arena
from ludus.learning import Progress, State, reference_players
from ludus.learning.cloning import FAITHFUL, Featured, NeuroDraughts, complete
from ludus.learning.training_games import Method, duel, points, stream
from ludus.players.evaluators import FEATURES
from ludus.players.networks import Theta
from ludus.workers import Workers

POOL = (*FEATURES[:13], "Threat", "Taken")
_TURN = 8  # trainings between two progresses
_MEETINGS = 200  # pairs of individuals between two progresses

Pair = tuple[int, int]  # masks, the smaller first
Thing = TypeVar("Thing")


class Training(Struct, frozen=True, kw_only=True):
    """An individual to be trained."""

    config: NeuroDraughts
    mask: int
    seed: int


def train(training: Training) -> Theta:
    """The individual's weights."""
    return complete(training.config.course(), training.config.first_theta(training.seed), training.seed)


class Herd(Struct, kw_only=True):
    """All individuals there ever were, and who of them lives."""

    generation: int = 0
    parents: list[int] = []  # masks, the best first
    children: list[int] = []
    weights: dict[int, Theta] = {}  # by mask
    points: dict[Pair, int] = {}  # of the first of the two, in its games with the second

    def state(self) -> State:
        """The same for a run to keep."""
        arrays: dict[str, Any] = {f"theta-{mask}": theta for mask, theta in self.weights.items()}
        arrays["meetings"] = np.array([(*pair, won) for pair, won in self.points.items()], np.int64).reshape(-1, 3)
        facts = {"generation": self.generation, "parents": list(self.parents), "children": list(self.children)}
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "Herd":
        """The inverse."""
        return Herd(
            weights={int(name[6:]): theta for name, theta in state.arrays.items() if name.startswith("theta-")},
            points={(int(one), int(other)): int(won) for one, other, won in state.arrays["meetings"]},
            generation=state.facts["generation"],
            parents=list(state.facts["parents"]),
            children=list(state.facts["children"]),
        )

    def fitness(self, masks: Sequence[int], most: int) -> dict[int, float]:
        """The share of the points that each brought home among these; `most` can be won in a meeting."""
        won = dict.fromkeys(masks, 0)
        for one, other in combinations(sorted(masks), 2):
            won[one] += self.points[one, other]
            won[other] += most - self.points[one, other]
        return {mask: points / (most * max(len(masks) - 1, 1)) for mask, points in won.items()}


def first_masks(count: int, size: int, rng: np.random.Generator) -> list[int]:
    """Different masks over so many features, drawn by chance, none of them empty."""
    masks: dict[int, None] = {}
    while len(masks) < count:
        masks[int(rng.integers(1, 2**size))] = None
    return list(masks)


def bred(parents: Sequence[int], size: int, count: int, mutation: float, rng: np.random.Generator) -> list[int]:
    """Children of two parents each, the better ones preferred: every feature from one of the two, or changed.

    The best parent comes first. No child is empty.
    """
    children: list[int] = []
    while len(children) < count:
        one, other = (min(rng.integers(len(parents), size=2)) for _ in range(2))
        of_one, changed = rng.random(size) < 0.5, rng.random(size) < mutation
        child = 0
        for place in range(size):
            bit = parents[one if of_one[place] else other] >> place & 1
            child |= (bit ^ int(changed[place])) << place
        if child:
            children.append(child)
    return children


class LSDraughts(Featured, frozen=True, kw_only=True):
    """LS-Draughts: a genetic algorithm over sets of features, each trained as NeuroDraughts trains."""

    kind: ClassVar[str] = "ls-draughts"
    unit: ClassVar[str] = "individuals"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "ours": {},
        "faithful": {
            **FAITHFUL,
            "coding": "faithful",
            "population": 50,
            "generations": 30,
            "sets": 10,
            "games": 250,
            "meeting_boards": 0,
        },
    }

    features: Annotated[tuple[str, ...], Meta(description="The pool that sets of features are chosen from.")] = POOL
    sets: Annotated[int, Meta(description="Sets of games an individual trains.", ge=1)] = 4
    games: Annotated[int, Meta(description="Games a set.", ge=1)] = 100
    population: Annotated[int, Meta(description="Individuals that live on from generation to generation.", ge=2)] = 8
    generations: Annotated[int, Meta(description="Generations of children.", ge=1)] = 5
    mutation: Annotated[float, Meta(description="How often a feature is put in or left out.", ge=0, le=1)] = 0.1
    meeting_boards: Annotated[
        int, Meta(description="Ballots from which each two individuals play, both colours; 0: the start.", ge=0)
    ] = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.population >= 2 ** len(set(self.features)):
            raise ValueError(f"of {len(set(self.features))} features there are fewer sets than {self.population}")

    @property
    def name(self) -> str:
        """What distinguishes this run from others of its kind."""
        return f"{self.budget.replace('=', '')}-{self.population}x{self.generations}"

    def method(self) -> Method:
        """That of an individual that sees the whole pool."""
        return self.individual((1 << len(set(self.features))) - 1).method()

    def individual(self, mask: int) -> NeuroDraughts:
        """How an individual trains: feature i of the pool is seen if bit i of the mask is on."""
        values = {name: getattr(self, name) for name in NeuroDraughts.__struct_fields__}
        pool_of_features = self.evaluator().features
        chosen = tuple(feature for place, feature in enumerate(pool_of_features) if mask >> place & 1)
        return NeuroDraughts(**{**values, "features": chosen})

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns, a progress every few trainings, every few meetings and every generation."""
        boards = self.course().drawn(self.meeting_boards, self.seed, 4)
        most = 4 * len(boards)  # points of a meeting
        herd = Herd(children=self._first()) if state is None else Herd.of(state)
        total = self.population * (self.generations + 1)

        def progress(stage: str, **more: Any) -> Progress:
            trained = sum(mask in herd.weights for mask in herd.children)
            done = min(herd.generation * self.population + trained, total)
            return Progress(done=done, total=total, state=herd.state(), stage=stage, **more)

        while herd.generation <= self.generations:
            for masks in _chunks([mask for mask in herd.children if mask not in herd.weights], _TURN):
                trainings = [
                    Training(config=self.individual(mask), mask=mask, seed=stream(self.seed, 5, mask)) for mask in masks
                ]
                herd.weights = {**herd.weights, **dict(zip(masks, workers.map(train, trainings), strict=True))}
                yield progress("training")
            rivals = sorted({*herd.parents, *herd.children})
            missing = [pair for pair in combinations(rivals, 2) if pair not in herd.points]
            for pairs in _chunks(missing, _MEETINGS):
                herd.points = {**herd.points, **self._meet(herd, pairs, boards, workers)}
                yield progress("meetings")
            fitness = herd.fitness(rivals, most)
            herd.parents = sorted(rivals, key=lambda mask: (-fitness[mask], mask))[: self.population]
            line: dict[str, Any] = self._summary(herd, fitness)
            herd.generation += 1
            herd.children = self._bred(herd) if herd.generation <= self.generations else []
            note = f"generation {line['generation']}: {line['fitness']:.0%} with {len(line['features'])} features"
            yield progress("selection", line=line, note=note)
        best = self.individual(herd.parents[0])
        player = best.method().player(self.kind, herd.weights[herd.parents[0]])
        line = {"features": list(best.features)}
        if self.pool_games:
            line["pool"] = reference_players.measure(player, self.pool_games, self.seed, workers)
        yield progress("naming", line=line, note=f"it sees {', '.join(best.features)}", player=player)

    def _first(self) -> list[int]:
        return first_masks(self.population, len(set(self.features)), np.random.default_rng([self.seed, 6]))

    def _bred(self, herd: Herd) -> list[int]:
        rng = np.random.default_rng([self.seed, 7, herd.generation])
        return bred(herd.parents, len(set(self.features)), self.population, self.mutation, rng)

    def _meet(self, herd: Herd, pairs: Sequence[Pair], boards: Sequence[str], workers: Workers) -> dict[Pair, int]:
        """The points of the first of each pair: 2 a win, 1 a draw."""
        meetings = [
            task
            for one, other in pairs
            for task in duel(
                self.individual(one).method(),
                herd.weights[one],
                herd.weights[other],
                boards,
                stream(self.seed, 8, one, other),
                rival=self.individual(other).method(),
            )
        ]
        won = points(list(workers.map(arena.play, meetings)))
        return {pair: sum(won[place * len(boards) : (place + 1) * len(boards)]) for place, pair in enumerate(pairs)}

    def _summary(self, herd: Herd, fitness: dict[int, float]) -> dict[str, Any]:
        best = herd.parents[0]
        return {
            "generation": herd.generation,
            "fitness": fitness[best],
            "features": list(self.individual(best).features),
            "population": {str(mask): fitness[mask] for mask in herd.parents},
            "trained": len(herd.weights),
        }


def _chunks(things: Sequence[Thing], size: int) -> Iterator[list[Thing]]:
    rest = iter(things)
    while chunk := list(islice(rest, size)):
        yield chunk
