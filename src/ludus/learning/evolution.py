"""Evolution: generations of players whose points decide whose descendants play next. What learners of its kind share.

A breeder is asked for the members of the next generation; their games are played and it is told nothing but a ranked
Generation, all that it needs, with the weights of the population and of the last champions, to go on.
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from msgspec import Struct

from ludus.learning import Progress, State, tournaments
from ludus.learning.templates import PlayerTemplate
from ludus.learning.tournaments import PREDECESSORS, Result, Tournament
from ludus.players import Player
from ludus.players.networks import Theta
from ludus.workers import Workers

Origin = Literal["random", "elite", "crossover", "mutation"]

SAMPLE = 64  # positions kept of the games of a generation

_ASK, _CONTEST, _RANKS, _GROWTH, _SAMPLE = range(5)  # the streams of a generation


class Member(Struct, frozen=True, kw_only=True, eq=False):
    """One of a population."""

    number: int  # in the run; who stays keeps it
    theta: Theta
    origin: Origin  # how it came into its generation
    parents: tuple[int, ...] = ()  # their numbers, the one it is most like first; its own if it stayed
    king: float | None = None  # where the worth of a king is evolved
    sigma: Theta | None = None  # where the steps of the weights are


class Generation(Struct, frozen=True, kw_only=True, eq=False):
    """A generation after its games, and what it takes over from those before it."""

    number: int  # the first is 0
    members: tuple[Member, ...]  # the best first
    points: tuple[float, ...]  # of the members
    positions: tuple[str, ...]  # a sample of its games
    champions: tuple[Member, ...]  # the last ones, its own last
    born: int  # members so far, in all generations
    sum: float  # of the means of means so far

    def state(self) -> State:
        """All of it."""
        arrays = _arrays("", self.members) | _arrays("champions_", self.champions)
        facts = {
            "generation": self.number,
            "members": [_facts(member) for member in self.members],
            "points": list(self.points),
            "positions": list(self.positions),
            "champions": [_facts(member) for member in self.champions],
            "born": self.born,
            "sum": self.sum,
        }
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "Generation":
        """The generation that had this state."""
        facts = state.facts
        return Generation(
            number=facts["generation"],
            members=_members("", facts["members"], state.arrays),
            points=tuple(facts["points"]),
            positions=tuple(facts["positions"]),
            champions=_members("champions_", facts["champions"], state.arrays),
            born=facts["born"],
            sum=facts["sum"],
        )


class Breeder(Protocol):
    """A config that knows whose descendants play next."""

    kind: ClassVar[str]

    @property
    def seed(self) -> int:
        """For whatever is chosen by chance."""
        ...

    @property
    def generations(self) -> int:
        """The number of the last one."""
        ...

    def ask(self, breed: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The members of the first generation, or of the one after the latest."""
        ...


def evolve(
    breeder: Breeder, breed: PlayerTemplate, contest: Tournament, state: State | None, workers: Workers
) -> Iterator[Progress]:
    """A progress a generation, with its champion by the generation's number in four digits."""
    latest = None if state is None else Generation.of(state)
    while latest is None or latest.number < breeder.generations:
        number = 0 if latest is None else latest.number + 1

        def rng(stream: int, number: int = number) -> np.random.Generator:
            return np.random.default_rng([breeder.seed, number, stream])

        asked = breeder.ask(breed, latest, rng(_ASK))
        result = tournaments.play(contest, _players(breed, asked), rng(_CONTEST), workers)
        members, points = ranked(asked, result.points, rng(_RANKS))
        before = latest.champions if latest else ()
        [champion, *predecessors] = _players(breed, (members[0], *before))
        growth = tournaments.growth(contest, champion, predecessors, rng(_GROWTH), workers)
        latest = Generation(
            number=number,
            members=members,
            points=points,
            positions=tuple(tournaments.sample(breed.game, result.played, SAMPLE, rng(_SAMPLE))),
            champions=(*before, members[0])[-PREDECESSORS:],
            born=1 + max([member.number for member in members] + [latest.born - 1 if latest else 0]),
            sum=(latest.sum if latest else 0.0) + (growth or 0.0),
        )
        kept = breed.champion(f"{breeder.kind} {number:04}", members[0].theta, members[0].king)
        yield Progress(
            done=number,
            total=breeder.generations,
            state=latest.state(),
            line=_line(latest, growth, result),
            note=_note(latest, growth),
            players={f"{number:04}": kept},
            player=kept if number == breeder.generations else None,
        )


def ranked(
    members: Sequence[Member], points: Sequence[float], rng: np.random.Generator
) -> tuple[tuple[Member, ...], tuple[float, ...]]:
    """The best first, and their points; chance decides between equals."""
    mixed = rng.permutation(len(members))
    order = mixed[np.argsort(-np.array(points)[mixed], kind="stable")]
    return tuple(members[index] for index in order), tuple(points[index] for index in order)


def _players(breed: PlayerTemplate, members: Sequence[Member]) -> list[Player]:
    return [breed.player(str(member.number), member.theta, member.king) for member in members]


def _line(latest: Generation, growth: float | None, result: Result) -> dict[str, Any]:
    champion = latest.members[0]
    line: dict[str, Any] = {
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
        # The champion's weights: the least, every tenth in a hundred and the largest.
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


def _arrays(prefix: str, members: Sequence[Member]) -> dict[str, Any]:
    arrays: dict[str, Any] = {f"{prefix}theta": np.stack([member.theta for member in members])}
    sigmas = [member.sigma for member in members if member.sigma is not None]
    return arrays | ({f"{prefix}sigma": np.stack(sigmas)} if sigmas else {})


def _facts(member: Member) -> dict[str, Any]:
    return {"number": member.number, "origin": member.origin, "parents": list(member.parents), "king": member.king}


def _members(prefix: str, facts: list[dict[str, Any]], arrays: dict[str, Any]) -> tuple[Member, ...]:
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
