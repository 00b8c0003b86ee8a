"""A natural evolution strategy: a mean that follows the search gradient of perturbed copies that play each other.

Natural evolution strategies (Wierstra et al. 2014) as Salimans et al. (2017) simplified them: all perturbations have
one step size, they come in pairs of opposite signs, and what counts of their points is the rank. Ours: the two of a
pair play each other, from the same openings as all other pairs, and the player that is kept is the average of the last
means.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import games
from ludus.arena.task import Rules
from ludus.learning import end_matches, evolution, evolution_fields, fields, operators, templates, tournaments
from ludus.learning.learner import Options, Progress, Record, State
from ludus.learning.operators import Doubles
from ludus.learning.templates import PlayerTemplate
from ludus.learning.tournaments import PREDECESSORS, Tournament
from ludus.players import Player
from ludus.players.networks import Theta
from ludus.workers import Workers

POINTS = (1.0, 0.5, 0.0)

_NOISE, _TOURNAMENT, _GROWTH, _INITIAL = range(4)  # the random streams of a generation


class Search(Struct, frozen=True, kw_only=True, eq=False):
    """What a generation leaves to the next one."""

    generation: int
    mean: Doubles
    velocity: Doubles  # the running mean of the search gradients
    average: Doubles  # of the last means: the weights of the player that is kept
    champions: tuple[Theta, ...] = ()  # the last players that were kept
    half_way: Theta | None = None  # the player of half the generations, once there is one
    sum: float = 0.0  # of the growth so far

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        arrays = {"mean": self.mean, "velocity": self.velocity, "average": self.average}
        champions = {"champions": np.stack(self.champions)} if self.champions else {}
        half_way = {} if self.half_way is None else {"half_way": self.half_way}
        return State(arrays=arrays | champions | half_way, facts={"generation": self.generation, "sum": self.sum})

    @staticmethod
    def of(state: State) -> "Search":
        """The inverse of `state`."""
        arrays = state.arrays
        return Search(
            generation=state.facts["generation"],
            mean=np.array(arrays["mean"]),
            velocity=np.array(arrays["velocity"]),
            average=np.array(arrays["average"]),
            champions=tuple(np.array(theta) for theta in arrays.get("champions", ())),
            half_way=np.array(arrays["half_way"]) if "half_way" in arrays else None,
            sum=state.facts["sum"],
        )


class EvolutionStrategy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Evolved networks: a natural evolution strategy.

    A natural evolution strategy on network weights: antithetic perturbations play each other, and the mean follows
    their ranks (Wierstra et al. 2014, Salimans et al. 2017).
    """

    kind: ClassVar[str] = "evolution-strategy"
    unit: ClassVar[str] = "generations"
    presets: ClassVar[dict[str, Options]] = {"ours": {}}

    generations: fields.Generations = 200
    seed: fields.Seed = 0
    game: fields.GameName = "draughts"
    inputs: evolution_fields.NetworkInputs = None
    hidden: evolution_fields.Hidden = "40-10"
    piece_difference: evolution_fields.PieceDifference = None
    initial_range: Annotated[
        float,
        Meta(
            description="Initial weights are drawn uniformly from -X to X, divided by the root of the inputs of their "
            "node.",
            ge=0,
            le=10,
        ),
    ] = 0.5

    search: evolution_fields.Search = "alphabeta"
    depth: evolution_fields.Depth = 2
    playouts: evolution_fields.Playouts = 300
    playout_plies: evolution_fields.PlayoutPlies = 6

    pairs: Annotated[int, Meta(description="Pairs of opposite perturbations in a generation.", ge=1, le=10_000)] = 40
    pair_games: Annotated[
        int,
        Meta(
            description="Games between the two of a pair, from the same openings for all pairs; an even number. 0 "
            "plays none: only games with the pool.",
            ge=0,
            multiple_of=2,
        ),
    ] = 8
    openings: evolution_fields.Openings = None
    max_plies: fields.MaxPlies = 200
    pool: evolution_fields.Pool = ("material",)
    pool_games: evolution_fields.PoolGames = 0
    end_games: evolution_fields.EndGames = 100

    step_size: Annotated[
        float,
        Meta(
            description="Standard deviation of a perturbation of a weight, divided by the root of the inputs of its "
            "node.",
            gt=0,
            le=10,
        ),
    ] = 0.2
    rate: Annotated[
        float, Meta(description="Learning rate: the length of a step of the mean in step sizes.", gt=0, le=10)
    ] = 0.3
    momentum: Annotated[
        float,
        Meta(description="Share of the earlier gradients in each step of the mean, from 0 to below 1.", ge=0, lt=1),
    ] = 0.9
    averaging: evolution_fields.Averaging = 20

    @property
    def name(self) -> str:
        """The game, the inputs, the search and the seed."""
        return f"{self.game}-{self.inputs or templates.usual_inputs(self.game)}-{self.search}-{self.seed}"

    def template(self) -> PlayerTemplate:
        """What all its players share. Raises ValueError."""
        search = templates.search(self.search, self.depth, self.playouts, self.playout_plies)
        return templates.template(self.game, self.inputs, self.hidden, self.piece_difference, search)

    def tournament(self) -> Tournament:
        """The tournament of a generation."""
        return Tournament(
            pairing="twins",
            rounds=self.pair_games // 2,
            points=POINTS,
            openings=self.openings or games.find(self.game).usual_openings,
            rules=Rules(repetitions=3, quiet_plies=0, plies=self.max_plies),
            pool_games=self.pool_games,
        )

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Learns; a progress for each generation. `players` has the average by the generation's number."""
        if not self.pair_games:
            evolution.check_pool(self.pool, self.pool_games)
        template, tournament = self.template(), self.tournament()
        latest = None if state is None else Search.of(state)
        while latest is None or latest.generation < self.generations:
            latest, line = self._step(template, tournament, latest, workers)
            number = latest.generation
            kept = template.champion(f"{self.kind} {number:04}", _theta(latest.average))
            if number == self.generations and self.end_games:
                half_way = (
                    template.champion("half", latest.half_way) if number and latest.half_way is not None else None
                )
                line["end"] = end_matches.scores(kept, half_way, self.end_games, self.seed, workers)
            yield Progress(
                done=number,
                total=self.generations,
                state=latest.state(),
                line=line,
                note=_note(line),
                players={f"{number:04}": kept},
                player=kept if number == self.generations else None,
                now=kept,
            )

    def adapted(self, state: State, kept: Callable[[str], Player]) -> State:
        """The state with the half-way average of this number of generations, if it is there already."""
        latest, half_way = Search.of(state), self.generations // 2
        if half_way > latest.generation:
            return state  # it is still to come
        theta = kept(f"{half_way:04}").theta
        return msgspec.structs.replace(latest, half_way=_theta(latest.average) if theta is None else theta).state()

    def _step(
        self, template: PlayerTemplate, tournament: Tournament, latest: Search | None, workers: Workers
    ) -> tuple[Search, Record]:
        """The next generation, and its line of the record. Generation 0 is the first step from random weights."""
        number = 0 if latest is None else latest.generation + 1

        def rng(stream: int) -> np.random.Generator:
            return np.random.default_rng([self.seed, number, stream])

        scale = operators.node_scale(template.layers)
        if latest is None:
            mean = rng(_INITIAL).uniform(-self.initial_range, self.initial_range, scale.size) * scale
            latest = Search(generation=-1, mean=mean, velocity=np.zeros_like(mean), average=mean)
        noise = rng(_NOISE).standard_normal((self.pairs, scale.size))
        steps = self.step_size * scale * noise
        thetas = [_theta(latest.mean + sign * step) for step in steps for sign in (1, -1)]
        champions = [template.player(f"champion {place}", theta) for place, theta in enumerate(latest.champions)]
        pool = evolution.pool_players(self.pool if self.pool_games else (), template, champions)
        members = [template.player(str(place), theta) for place, theta in enumerate(thetas)]
        result = tournaments.play(tournament, members, rng(_TOURNAMENT), workers, pool)

        gradient = operators.search_gradient(noise, result.points)
        velocity = self.momentum * latest.velocity + (1 - self.momentum) * gradient
        mean = latest.mean + self.rate * self.step_size * scale * velocity
        average = latest.average + (mean - latest.average) / min(number + 1, self.averaging)
        theta = _theta(average)
        champion: Player = template.player("champion", theta)
        growth = tournaments.growth(tournament, champion, champions, rng(_GROWTH), workers)
        found = Search(
            generation=number,
            mean=mean,
            velocity=velocity,
            average=average,
            champions=(*latest.champions, theta)[-PREDECESSORS:],
            half_way=theta if number == self.generations // 2 else latest.half_way,
            sum=latest.sum + (growth or 0.0),
        )
        line: Record = {
            "generation": number,
            "points": sorted(result.points, reverse=True),
            # The length of the mean of the last gradients: 1 if all agree, the root of (1 - momentum) / (1 + momentum)
            # if they have nothing in common.
            "signal": float(np.sqrt(np.mean(np.square(velocity)))),
            "growth": growth,
            "sum": found.sum,
            **evolution.game_facts(result),
            "weights": evolution.deciles(theta),
        }
        return found, line


def _theta(weights: Doubles) -> Theta:
    return weights.astype(np.float32)


def _note(line: Record) -> str:
    growth = line["growth"]
    better = "" if growth is None else f"{growth:+.2f} against the last champions, "
    return f"{better}sum {line['sum']:+.2f}, signal {line['signal']:.2f}"
