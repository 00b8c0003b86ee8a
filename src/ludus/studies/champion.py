"""The study of the champion: how fast it learns from nothing, and what bounds its strength.

It repeats no paper. The learner of the shipped champion is run with several seeds, for about forty minutes of
one processor each. Then each thing that could bound the result is taken away: half of the games, and every part of the
search.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ludus.arena.matches import MatchConfig
from ludus.learning import Options
from ludus.learning.champion import Champion
from ludus.reports.page import Section
from ludus.studies import champion_tables as tables
from ludus.studies import trainings
from ludus.studies.steps import MatchPlayer, MatchStep, Step, StepStore, TrainingStep

OURS, HALF = "champion", "half the games"
FIXED = ("random", "material", "visiondraughts")
# The parts of the search, and what switches each off.
PARTS = {
    "keep_table": "off",
    "unfinished": "off",
    "aspiration": "off",
    "killers": "off",
    "reductions": "off",
    "futility": "off",
    "razoring": "off",
    "probcut": "off",
    "internal": "off",
    "extensions": "off",
    "singular": "off",
    "draw_rule": "off",
    "endgames": "0",
}
# What the first step of the shipped champion was trained with, but for the number of generations.
SHIPPED: Options = {
    "width": 128,
    "growth": 1.35,
    "most_games": 150_000,
    "nodes_growth": 1.04,
    "window": 5,
}
# Processor seconds: of a training game, and of a thousand nodes; and the moves of a game.
_GAME_SECONDS, _THOUSAND_NODES, _MOVES = 0.0065, 0.0002, 160


class Scale(NamedTuple):
    """The size of the study."""

    trials: int  # seeds
    generations: int
    random_games: int
    games: int  # of generation 1
    reference_games: int  # of each generation against each reference player, in the training
    match_games: int
    nodes: int  # of a move in a match


SCALES = {
    "quick": Scale(1, 3, 10_000, 500, 20, 20, 500),
    "full": Scale(3, 8, 60_000, 12_000, 60, 200, 5_000),
}


class Study:
    """The trainings and matches that the tables need, and the tables."""

    title = "The champion from nothing"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)

    def steps(self) -> list[Step]:
        """All steps: the champion with every seed first and its matches, then the trainings compared with it."""
        steps: list[Step] = []
        for cell in (OURS, HALF):
            steps += [self._training(cell, seed) for seed in self.seeds]
            steps += [self._match(*players, seed) for seed in self.seeds for players in self._pairs(cell).values()]
        return steps

    def _training(self, cell: str, seed: int) -> TrainingStep:
        scale = self.scale
        part = 2 if cell == HALF else 1
        options = SHIPPED | {
            "seed": seed,
            "generations": scale.generations,
            "random_games": scale.random_games // part,
            "games": scale.games // part,
            "most_games": SHIPPED["most_games"] // part,
            "match_games": scale.reference_games,  # they decide which generations are kept
        }
        return TrainingStep(
            name=run_name(cell).format(seed=seed),
            kind=Champion.kind,
            options=options,
            seconds=_GAME_SECONDS * (Champion(**options).total - options["random_games"]),
        )

    def _match(self, one: str, other: str, seed: int) -> MatchStep:
        games, nodes = self.scale.match_games, self.scale.nodes
        return MatchStep(
            one=MatchPlayer(one.format(seed=seed)),
            other=MatchPlayer(other.format(seed=seed)),
            config=MatchConfig(games=games, seed=seed),
            seconds=games * _MOVES * nodes / 1000 * _THOUSAND_NODES,
        )

    def _named(self, cell: str, generation: int | None = None, without: str = "") -> str:
        """The name of a cell's player, with {seed} for the seed; perhaps without a part of its search."""
        key = self.scale.generations if generation is None else generation
        changed = f",{without}={PARTS[without]}" if without else ""
        return f"{run_name(cell)}@{key:04}@nodes={self.scale.nodes}{changed}"

    def _pairs(self, cell: str) -> dict[tables.Pair, tuple[str, str]]:
        """The players of the matches that can be played when a cell is trained, by table and row."""
        return dict(self._ours() if cell == OURS else self._half())

    def _ours(self) -> Iterator[tuple[tables.Pair, tuple[str, str]]]:
        last, budget = self._named(OURS), f"@nodes={self.scale.nodes}"
        yield (tables.FIRST, "random"), (self._named(OURS, 0), "random")
        for name in FIXED:
            yield (tables.FIXED, name), (last, name if name == "random" else name + budget)
        for generation in self._late():
            row = f"generation {generation}"
            yield (tables.GROWTH, row), (self._named(OURS, generation), self._named(OURS, self._half_way()))
        for part in PARTS:
            yield (tables.PARTS, part), (last, self._named(OURS, without=part))

    def _half(self) -> Iterator[tuple[tables.Pair, tuple[str, str]]]:
        yield (tables.BOUNDS, HALF), (self._named(HALF), self._named(OURS))

    def _half_way(self) -> int:
        return self.scale.generations // 2

    def _late(self) -> range:
        """The generations of the second half."""
        return range(self._half_way() + 1, self.scale.generations + 1)

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished steps."""
        scale, seeds = self.scale, self.seeds
        runs: dict[int, tables.Run] = {}
        for seed in seeds:
            lines, times = store.record(self._training(OURS, seed))
            if lines:
                runs[seed] = tables.Run(lines, times)
        found = {
            pair: self._standings(players, store)
            for cell in (OURS, HALF)
            for pair, players in self._pairs(cell).items()
        }
        cpu = {
            cell: {seed: seconds for seed in seeds if (seconds := store.cpu(self._training(cell, seed))) is not None}
            for cell in (OURS, HALF)
        }
        return [
            Section("From nothing", (self._note(), *tables.curves(runs))),
            Section("Minutes to pass", (tables.PASS_NOTE, tables.minutes_to_pass(runs, found, seeds))),
            Section("Every generation", (tables.EVERY_NOTE, *tables.generations(runs, seeds))),
            Section(
                "The last generation",
                (tables.fixed_note(scale.nodes), tables.scores(tables.FIXED, "against", found, seeds)),
            ),
            Section(
                "What more games bring",
                (tables.growth_note(self._half_way()), *tables.elos(tables.GROWTH, "player", found, seeds)),
            ),
            Section("Half the games", (tables.HALF_NOTE, *tables.elos(tables.BOUNDS, "trained with", found, seeds))),
            Section(
                "The parts of the search",
                (tables.PARTS_NOTE, *tables.elos(tables.PARTS, "Elo that a part gains", found, seeds)),
            ),
            Section("Processor time", (tables.CPU_NOTE, trainings.cpu_table("training", cpu, seeds))),
        ]

    def _standings(self, players: tuple[str, str], store: StepStore) -> tables.BySeed:
        standings = {seed: store.standing(self._match(*players, seed)) for seed in self.seeds}
        return {seed: standing.score for seed, standing in standings.items() if standing is not None}

    def _note(self) -> str:
        scale = self.scale
        seeds = f"{scale.trials} trainings" if scale.trials > 1 else "One training"
        note = (
            f"{seeds} of {scale.generations} generations. Each generation plays {scale.reference_games} games against "
            f"each reference player. Matches have {scale.match_games} games from the three-move ballots with both "
            f"colours and {scale.nodes:,} nodes a move. Minutes are those of one processor; two idle processors need "
            "half as many."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += " These trainings are much shorter than those of the full scale and prove nothing."
        return note


def run_name(cell: str) -> str:
    """The name of a cell's runs, with {seed} for the seed."""
    return f"{cell.replace(' ', '-')}-{{seed}}"
