"""Evolution: what evolutionary algorithms share. Generations of players play tournaments that rank them.

An algorithm is asked for the members of the next generation. Their tournament is played, and the algorithm gets the
ranked generation for its next answer. A ranked Generation is all that is needed to go on.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, Protocol

import numpy as np
from msgspec import Struct

from ludus.learning import tournaments
from ludus.learning.learner import Arrays, Facts, Progress, Record, State
from ludus.learning.templates import PlayerTemplate
from ludus.learning.tournaments import PREDECESSORS, Tournament, TournamentResult
from ludus.players import Player
from ludus.players.networks import Theta
from ludus.workers import Workers

Origin = Literal["random", "elite", "crossover", "mutation"]

SAMPLE = 64  # positions kept of the games of a generation

_ASK, _TOURNAMENT, _RANKS, _GROWTH, _SAMPLE = range(5)  # the random streams of a generation


class Member(Struct, frozen=True, kw_only=True, eq=False):
    """A member of a population."""

    number: int  # in the run; a member that survives keeps it
    theta: Theta
    origin: Origin  # how it came into its generation
    parents: tuple[int, ...] = ()  # their numbers, the one it has most weights of first; its own if it survived
    king: float | None = None  # the value of a king, where it evolves
    sigma: Theta | None = None  # the step sizes of the weights, where they evolve


class Generation(Struct, frozen=True, kw_only=True, eq=False):
    """A generation after its tournament, with what it takes over from the generations before."""

    number: int  # the first is 0
    members: tuple[Member, ...]  # the best first
    points: tuple[float, ...]  # of the members
    positions: tuple[str, ...]  # a sample of its games
    champions: tuple[Member, ...]  # the last ones, its own last
    created: int  # members so far, in all generations
    sum: float  # of the growth so far

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        arrays = _arrays("", self.members) | _arrays("champions_", self.champions)
        facts = {
            "generation": self.number,
            "members": [_facts(member) for member in self.members],
            "points": list(self.points),
            "positions": list(self.positions),
            "champions": [_facts(member) for member in self.champions],
            "born": self.created,
            "sum": self.sum,
        }
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "Generation":
        """The inverse of `state`."""
        facts = state.facts
        return Generation(
            number=facts["generation"],
            members=_members("", facts["members"], state.arrays),
            points=tuple(facts["points"]),
            positions=tuple(facts["positions"]),
            champions=_members("champions_", facts["champions"], state.arrays),
            created=facts["born"],
            sum=facts["sum"],
        )


class EvolutionaryAlgorithm(Protocol):
    """A config that chooses the members of each generation."""

    kind: ClassVar[str]

    @property
    def seed(self) -> int:
        """The seed of all random numbers."""
        ...

    @property
    def generations(self) -> int:
        """The number of the last generation; the first is 0."""
        ...

    def ask(self, template: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The members of the first generation, or of the generation after `latest`."""
        ...


def evolve(
    algorithm: EvolutionaryAlgorithm,
    template: PlayerTemplate,
    tournament: Tournament,
    state: State | None,
    workers: Workers,
) -> Iterator[Progress]:
    """A progress for each generation; `players` has its champion by the generation's number in four digits."""
    latest = None if state is None else Generation.of(state)
    while latest is None or latest.number < algorithm.generations:
        number = 0 if latest is None else latest.number + 1

        def rng(stream: int, number: int = number) -> np.random.Generator:
            return np.random.default_rng([algorithm.seed, number, stream])

        asked = algorithm.ask(template, latest, rng(_ASK))
        result = tournaments.play(tournament, _players(template, asked), rng(_TOURNAMENT), workers)
        members, points = ranked(asked, result.points, rng(_RANKS))
        before = latest.champions if latest else ()
        [champion, *predecessors] = _players(template, (members[0], *before))
        growth = tournaments.growth(tournament, champion, predecessors, rng(_GROWTH), workers)
        latest = Generation(
            number=number,
            members=members,
            points=points,
            positions=tuple(tournaments.sample_positions(template.game, result.played, SAMPLE, rng(_SAMPLE))),
            champions=(*before, members[0])[-PREDECESSORS:],
            created=1 + max([member.number for member in members] + [latest.created - 1 if latest else 0]),
            sum=(latest.sum if latest else 0.0) + (growth or 0.0),
        )
        kept = template.champion(f"{algorithm.kind} {number:04}", members[0].theta, members[0].king)
        yield Progress(
            done=number,
            total=algorithm.generations,
            state=latest.state(),
            line=_record(latest, growth, result),
            note=_note(latest, growth),
            players={f"{number:04}": kept},
            player=kept if number == algorithm.generations else None,
        )


def ranked(
    members: Sequence[Member], points: Sequence[float], rng: np.random.Generator
) -> tuple[tuple[Member, ...], tuple[float, ...]]:
    """The members, the best first, and their points. Ties are broken at random."""
    mixed = rng.permutation(len(members))
    order = mixed[np.argsort(-np.array(points)[mixed], kind="stable")]
    return tuple(members[index] for index in order), tuple(points[index] for index in order)


def _players(template: PlayerTemplate, members: Sequence[Member]) -> list[Player]:
    return [template.player(str(member.number), member.theta, member.king) for member in members]


def _record(latest: Generation, growth: float | None, result: TournamentResult) -> Record:
    champion = latest.members[0]
    line: Record = {
        "generation": latest.number,
        "members": [member.number for member in latest.members],
        "origins": [member.origin for member in latest.members],
        "parents": [list(member.parents) for member in latest.members],
        "points": list(latest.points),
        "champion": champion.number,
        "growth": growth,
        "sum": latest.sum,
        "games": len(result.played),
        "plies": result.plies,
        "draws": sum(played.winner is None for played in result.played),
        # Deciles of the champion's weights, from the smallest to the largest.
        "weights": [round(float(weight), 6) for weight in np.quantile(champion.theta, np.linspace(0, 1, 11))],
    }
    if champion.king is not None:
        line["king"] = champion.king
    if champion.sigma is not None:
        line["sigma"] = float(champion.sigma.mean())
    return line


def _note(latest: Generation, growth: float | None) -> str:
    champion = latest.members[0]
    better = "" if growth is None else f", {growth:+.2f} against the last champions"
    return f"champion {champion.number} by {champion.origin}{better}, sum {latest.sum:+.2f}"


def _arrays(prefix: str, members: Sequence[Member]) -> Arrays:
    arrays: Arrays = {f"{prefix}theta": np.stack([member.theta for member in members])}
    sigmas = [member.sigma for member in members if member.sigma is not None]
    return arrays | ({f"{prefix}sigma": np.stack(sigmas)} if sigmas else {})


def _facts(member: Member) -> Facts:
    return {"number": member.number, "origin": member.origin, "parents": list(member.parents), "king": member.king}


def _members(prefix: str, facts: list[Facts], arrays: Arrays) -> tuple[Member, ...]:
    sigmas = arrays.get(f"{prefix}sigma")
    return tuple(
        Member(
            number=each["number"],
            theta=np.array(arrays[f"{prefix}theta"][index]),
            origin=each["origin"],
            parents=tuple(each["parents"]),
            king=each["king"],
            sigma=None if sigmas is None else np.array(sigmas[index]),
        )
        for index, each in enumerate(facts)
    )
