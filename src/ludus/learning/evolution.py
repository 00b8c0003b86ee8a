"""Evolution: what evolutionary algorithms share. Generations of players play tournaments that rank them.

An algorithm is asked for the members of the next generation. Their tournament is played, and the algorithm gets the
ranked generation for its next answer. A ranked Generation is all that is needed to go on.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Literal, Protocol

import msgspec
import numpy as np
from msgspec import Struct

from ludus.learning import end_matches, tournaments
from ludus.learning.learner import Arrays, Facts, Progress, Record, State
from ludus.learning.templates import PlayerTemplate
from ludus.learning.tournaments import PREDECESSORS, Tournament, TournamentResult
from ludus.players import Player
from ludus.players.networks import Theta
from ludus.workers import Workers

Origin = Literal["random", "elite", "crossover", "mutation"]

SAMPLE = 64  # positions kept of the games of a generation

CHAMPIONS = "champions"  # in a pool: the last champions

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
    half_way: Member | None = None  # the champion of half the generations, once there is one

    def state(self) -> State:
        """The state that a checkpoint keeps."""
        half_way = () if self.half_way is None else (self.half_way,)
        arrays = _arrays("", self.members) | _arrays("champions_", self.champions) | _arrays("half_way_", half_way)
        facts = {
            "generation": self.number,
            "members": [_facts(member) for member in self.members],
            "points": list(self.points),
            "positions": list(self.positions),
            "champions": [_facts(member) for member in self.champions],
            "born": self.created,
            "sum": self.sum,
            "half_way": [_facts(member) for member in half_way],
        }
        return State(arrays=arrays, facts=facts)

    @staticmethod
    def of(state: State) -> "Generation":
        """The inverse of `state`."""
        facts = state.facts
        half_way = _members("half_way_", facts.get("half_way", []), state.arrays)  # older states do not have it
        return Generation(
            number=facts["generation"],
            members=_members("", facts["members"], state.arrays),
            points=tuple(facts["points"]),
            positions=tuple(facts["positions"]),
            champions=_members("champions_", facts["champions"], state.arrays),
            created=facts["born"],
            sum=facts["sum"],
            half_way=half_way[0] if half_way else None,
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

    @property
    def recombination(self) -> Literal["none", "mean"]:
        """What mutated copies begin with: one parent, or the mean of all parents."""
        ...

    @property
    def pool(self) -> tuple[str, ...]:
        """The players that every member plays beside the others, by name; CHAMPIONS are the last champions."""
        ...

    @property
    def end_games(self) -> int:
        """The games of each match at the end of the run."""
        ...

    def ask(self, template: PlayerTemplate, latest: Generation | None, rng: np.random.Generator) -> list[Member]:
        """The members of the first generation, or of the generation after `latest`."""
        ...

    def champion(self, members: Sequence[Member]) -> Member:
        """The champion of a generation, given its members, the best first."""
        ...

    @property
    def averaging(self) -> int:
        """The generations over which the kept champion is averaged."""
        ...


def evolve(
    algorithm: EvolutionaryAlgorithm,
    template: PlayerTemplate,
    tournament: Tournament,
    state: State | None,
    workers: Workers,
) -> Iterator[Progress]:
    """A progress for each generation; `players` has its champion by the generation's number in four digits.

    The last line of the record has the matches at the end of the run as `end`.
    """
    if state is not None and "half_way" not in state.facts and algorithm.recombination != "none":
        raise ValueError(
            'this run was begun by a version without recombination: to continue it, write recombination = "none" under '
            "[options] in its config.toml"
        )
    latest = None if state is None else Generation.of(state)
    while latest is None or latest.number < algorithm.generations:
        number = 0 if latest is None else latest.number + 1

        def rng(stream: int, number: int = number) -> np.random.Generator:
            return np.random.default_rng([algorithm.seed, number, stream])

        asked = algorithm.ask(template, latest, rng(_ASK))
        before = latest.champions if latest else ()
        pool = pool_players(algorithm.pool if tournament.pool_games else (), template, _players(template, before))
        result = tournaments.play(tournament, _players(template, asked), rng(_TOURNAMENT), workers, pool)
        members, points = ranked(asked, result.points, rng(_RANKS))
        best = algorithm.champion(members)
        if before:
            best = averaged(before[-1], best, min(number + 1, algorithm.averaging))
        [champion, *predecessors] = _players(template, (best, *before))
        growth = tournaments.growth(tournament, champion, predecessors, rng(_GROWTH), workers)
        latest = Generation(
            number=number,
            members=members,
            points=points,
            positions=tuple(tournaments.sample_positions(template.game, result.played, SAMPLE, rng(_SAMPLE))),
            champions=(*before, best)[-PREDECESSORS:],
            created=1 + max([member.number for member in members] + [latest.created - 1 if latest else 0]),
            sum=(latest.sum if latest else 0.0) + (growth or 0.0),
            half_way=best if number == algorithm.generations // 2 else latest.half_way if latest else None,
        )
        kept = template.champion(f"{algorithm.kind} {number:04}", best.theta, best.king)
        line = _record(latest, growth, result)
        if number == algorithm.generations and algorithm.end_games:
            line["end"] = _end(algorithm, template, latest, workers)
        yield Progress(
            done=number,
            total=algorithm.generations,
            state=latest.state(),
            line=line,
            note=_note(latest, growth),
            players={f"{number:04}": kept},
            player=kept if number == algorithm.generations else None,
            now=kept,
        )


def adapted(generations: int, state: State, kept: Callable[[str], Player]) -> State:
    """The state of a shorter run with the half-way champion of a run of so many generations, if it is there already."""
    latest, half_way = Generation.of(state), generations // 2
    if half_way > latest.number:
        return state  # it is still to come
    player = kept(f"{half_way:04}")
    theta = latest.champions[-1].theta if player.theta is None else player.theta  # UCT plays without its weights
    king = getattr(player.evaluator, "king", None)
    member = Member(number=half_way, theta=theta, origin="elite", king=king)
    return msgspec.structs.replace(latest, half_way=member).state()


def ranked(
    members: Sequence[Member], points: Sequence[float], rng: np.random.Generator
) -> tuple[tuple[Member, ...], tuple[float, ...]]:
    """The members, the best first, and their points. Ties are broken at random."""
    mixed = rng.permutation(len(members))
    order = mixed[np.argsort(-np.array(points)[mixed], kind="stable")]
    return tuple(members[index] for index in order), tuple(points[index] for index in order)


def averaged(average: Member, latest: Member, count: int) -> Member:
    """The latest champion with the running average of `count` champions as its weights and value of a king."""
    if count == 1:
        return latest
    theta = (average.theta + (latest.theta - average.theta) / count).astype(np.float32)
    king = latest.king
    if king is not None and average.king is not None:
        king = average.king + (king - average.king) / count
    return msgspec.structs.replace(latest, theta=theta, king=king)


def pool_players(names: Sequence[str], template: PlayerTemplate, champions: Sequence[Player]) -> list[Player]:
    """The players of a pool. A player that has no depth of its own gets the template's. Raises BadPlayer."""
    named = [template.opponent(name) for name in names if name != CHAMPIONS]
    return named + (list(champions) if CHAMPIONS in names else [])


def check_pool(pool: Sequence[str], games: int) -> None:
    """Raises ValueError if no player of the pool is there from the first generation on."""
    if not games or all(name == CHAMPIONS for name in pool):
        raise ValueError("all games are with the pool: give it a player that does not evolve, and pool-games above 0")


def _end(algorithm: EvolutionaryAlgorithm, template: PlayerTemplate, last: Generation, workers: Workers) -> Record:
    before = (last.half_way,) if algorithm.generations and last.half_way is not None else ()
    [champion, *half_way] = [
        template.champion(str(member.number), member.theta, member.king) for member in (last.champions[-1], *before)
    ]
    return end_matches.scores(champion, half_way[0] if half_way else None, algorithm.end_games, algorithm.seed, workers)


def _players(template: PlayerTemplate, members: Sequence[Member]) -> list[Player]:
    return [template.player(str(member.number), member.theta, member.king) for member in members]


def _record(latest: Generation, growth: float | None, result: TournamentResult) -> Record:
    champion = latest.champions[-1]
    line: Record = {
        "generation": latest.number,
        "members": [member.number for member in latest.members],
        "origins": [member.origin for member in latest.members],
        "parents": [list(member.parents) for member in latest.members],
        "points": list(latest.points),
        "champion": champion.number,
        "growth": growth,
        "sum": latest.sum,
        **game_facts(result),
        "weights": deciles(champion.theta),
    }
    if champion.king is not None:
        line["king"] = champion.king
    if champion.sigma is not None:
        line["sigma"] = float(champion.sigma.mean())
    return line


def game_facts(result: TournamentResult) -> Record:
    """The number of games, their mean length and the draws, for the record."""
    draws = sum(played.winner is None for played in result.played)
    return {"games": len(result.played), "plies": result.plies, "draws": draws}


def deciles(theta: Theta) -> list[float]:
    """The smallest weight, the nine deciles and the largest weight, for the record."""
    return [round(float(weight), 6) for weight in np.quantile(theta, np.linspace(0, 1, 11))]


def _note(latest: Generation, growth: float | None) -> str:
    champion = latest.members[0]
    better = "" if growth is None else f", {growth:+.2f} against the last champions"
    return f"champion {champion.number} by {champion.origin}{better}, sum {latest.sum:+.2f}"


def _arrays(prefix: str, members: Sequence[Member]) -> Arrays:
    if not members:
        return {}
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
