"""The study of evolution: the results of Nguyen's dissertation, whose results chapter has only headings.

Each cell is a genetic learner, run with several seeds. Ours has the default options; every other cell but the text's
differs from it in one option. All comparisons are of means over seeds, with their 95% intervals.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ludus.arena.match import MatchConfig
from ludus.learning import Options, registry
from ludus.learning.genetic import Genetic
from ludus.reports.evolution import seconds_of
from ludus.reports.page import Section
from ludus.studies import evolution_tables as tables
from ludus.studies.steps import MatchPlayer, MatchStep, Step, StepStore, TrainingStep

Pair = tuple[str, str]  # a row and a column of a table

OURS, TEXT = "ours", "the text"
DEPTHS = (1, 2, 4)  # in training
PLAYED = (1, 2, 4, 6)  # depths in play

# The cells and their options.
INHERITANCE: dict[str, Options] = {
    OURS: {},
    "without crossover": {"crossover": False},
    "without elitism": {"elitism": False},
    "without mutation": {"mutation": "none"},
    "safe mutation": {"mutation": "safe"},
    "without recombination": {"recombination": "none"},
    "without the piece difference": {"piece_difference": False},
    TEXT: Genetic.presets["faithful"],
}
TRAINED = {depth: OURS if depth == Genetic().depth else f"trained at depth {depth}" for depth in DEPTHS}
# Cells that only measure the time of a generation.
SPEED: dict[str, Options] = {
    "the text at 1 ply": Genetic.presets["faithful"] | {"playout_plies": 1},
    "the text by minimax at 4 plies": Genetic.presets["faithful"] | {"search": "minimax", "depth": 4},
}
SPEED_GENERATIONS = 2
# A random member of the first generation: all games are draws after one ply, so the champion is drawn at random.
UNTRAINED: Options = {"generations": 0, "pairing": "random", "rounds": 1, "max_plies": 1, "end_games": 0} | {
    "recombination": "none"
}

# The time of a generation of the text's public code, in seconds on one core of a machine like ours.
PUBLIC = {"the text at 1 ply": 900.0}


class Scale(NamedTuple):
    """The size of the study."""

    trials: int  # seeds a cell
    generations: int  # an even number, so that there is a champion half-way
    rounds: int  # round robins in a generation
    games: int  # of a match
    playouts: int  # of a move of the UCT player


SCALES = {"quick": Scale(2, 20, 1, 40, 300), "full": Scale(10, 100, 2, 200, 300)}


class Study:
    """The trainings and matches that the tables need, and the tables."""

    title = "Draughts by a genetic algorithm (Nguyen's dissertation)"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)
        deeper = {cell: {"depth": depth} for depth, cell in TRAINED.items() if cell != OURS}
        # The study plays its own matches.
        usual: Options = {"rounds": scale.rounds, "generations": scale.generations, "end_games": 0}
        few = {"generations": SPEED_GENERATIONS}
        self.cells: dict[str, Options] = (
            {cell: usual | options for cell, options in (INHERITANCE | deeper).items()}
            | {cell: usual | options | few for cell, options in SPEED.items()}
            | {untrained(cell): INHERITANCE[cell] | UNTRAINED for cell in (OURS, TEXT)}
        )
        self.pairs = dict(self._pairs())

    def _pairs(self) -> Iterator[tuple[Pair, tuple[str, str]]]:
        """The players of each match by row and column of a table, with {seed} for the seed in their names."""
        last, half = f"{self.scale.generations:04}", f"{self.scale.generations // 2:04}"
        for cell in INHERITANCE:
            champion = f"{run_name(cell)}@{last}"
            yield (cell, "half-way"), (champion, f"{run_name(cell)}@{half}")
            yield (cell, "generation 0"), (champion, f"{run_name(cell)}@0000")
            yield (cell, "untrained"), (champion, run_name(untrained(TEXT if cell == TEXT else OURS)))
            if cell != OURS:
                yield (cell, OURS), (champion, f"{run_name(OURS)}@{last}")
        for cell in (OURS, TEXT):
            for row, name in self.rows(cell).items():
                for other in self.opponents():
                    yield (row, other), (name, other)
        for cell in TRAINED.values():
            for depth in PLAYED:
                budget = f"depth={depth}"
                champion = f"{run_name(cell)}@{last}@{budget}"
                yield (cell, f"depth {depth}"), (champion, f"material@{budget}")
                if cell != OURS:
                    yield (beside_ours(cell), f"depth {depth}"), (champion, f"{run_name(OURS)}@{last}@{budget}")

    def opponents(self) -> tuple[str, ...]:
        """The opponents that do not evolve."""
        return ("random", f"uct@playouts={self.scale.playouts}", "material@depth=2")

    def rows(self, cell: str) -> dict[str, str]:
        """The players of a cell that are compared, by the titles of their rows."""
        rows = {f"{cell}, untrained": run_name(untrained(cell))}
        for generation in (0, self.scale.generations // 2, self.scale.generations):
            rows[f"{cell}, champion of generation {generation}"] = f"{run_name(cell)}@{generation:04}"
        return rows

    def steps(self) -> list[Step]:
        """All steps, seed by seed: a study that is stopped early has results in every table."""
        steps: list[Step] = []
        for seed in self.seeds:
            steps += [self._training(cell, seed) for cell in self.cells]
            steps += [self._match(pair, seed) for pair in self.pairs]
        return steps

    def _training(self, cell: str, seed: int) -> TrainingStep:
        options = registry.values(Genetic(seed=seed, **self.cells[cell]))
        return TrainingStep(name=run_name(cell).format(seed=seed), kind=Genetic.kind, options=options)

    def _match(self, pair: Pair, seed: int) -> MatchStep:
        one, other = (MatchPlayer(name.format(seed=seed)) for name in self.pairs[pair])
        return MatchStep(one=one, other=other, config=MatchConfig(games=self.scale.games, seed=seed))

    def _runs(self, cell: str, store: StepStore) -> list[tables.Lines]:
        """The lines of a cell's finished trainings, with the processor seconds of each line as `cpu`."""
        found = []
        for training in (self._training(cell, seed) for seed in self.seeds):
            if training in store:
                lines, times = store.record(training)
                took = seconds_of(times, "cpu")
                found.append([line | {"cpu": took.get(line["generation"])} for line in lines])
        return found

    def _scores(self, pair: Pair, store: StepStore) -> list[float]:
        """The scores of the first player in the finished matches of a pair, in percent."""
        standings = (store.standing(self._match(pair, seed)) for seed in self.seeds)
        return [100 * standing.score.score for standing in standings if standing]

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished steps, under the headings of the dissertation."""
        runs = {cell: self._runs(cell, store) for cell in self.cells if cell not in (untrained(OURS), untrained(TEXT))}
        scores = {pair: self._scores(pair, store) for pair in self.pairs}
        evolved = {cell: runs[cell] for cell in INHERITANCE}
        last, half = self.scale.generations, self.scale.generations // 2
        deeper = [cell for cell in TRAINED.values() if cell != OURS]
        depths = [f"depth {depth}" for depth in PLAYED]
        named = {row: f"depth {depth}" for depth, cell in TRAINED.items() for row in (cell, beside_ours(cell))}
        return [
            Section("Speed", (tables.SPEED_NOTE, tables.speed(runs, PUBLIC))),
            Section("Learning rate", (tables.GROWTH_NOTE, tables.growth(evolved), tables.growth_curves(evolved))),
            Section(
                "Performance",
                (
                    self._note(),
                    tables.score_table(
                        "player", [row for cell in (OURS, TEXT) for row in self.rows(cell)], self.opponents(), scores
                    ),
                    tables.ablation_note(last, half),
                    tables.score_table("evolved", INHERITANCE, ("half-way", "generation 0", "untrained", OURS), scores),
                ),
            ),
            Section("Number of moves", (tables.lengths(evolved), tables.length_curves(evolved))),
            Section("CPU times", (tables.CPU_NOTE, tables.cpu(evolved), tables.cpu_curves(evolved))),
            Section("Influence of the inheritance methods", (tables.ORIGINS_NOTE, tables.origins(evolved))),
            Section(
                "Depth in training and in play",
                (
                    tables.DEPTH_NOTE,
                    tables.score_table("trained at", TRAINED.values(), depths, scores, named),
                    tables.DEPTH_OURS_NOTE,
                    tables.score_table("trained at", map(beside_ours, deeper), depths, scores, named),
                ),
            ),
        ]

    def _note(self) -> str:
        scale = self.scale
        seeds = f"{scale.trials} seeds" if scale.trials > 1 else "One seed"
        note = (
            f"{seeds} of {scale.generations} generations; scores in percent of {scale.games} games a seed from the "
            "three-move ballots with both colours, each player with the search it was trained with. An untrained "
            "player has random weights: its score shows what the search alone does. The champion of generation 0 is "
            "the best of fifteen untrained players. Intervals are of the mean over the seeds. An interval without "
            "width only says that all seeds agree."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += (
                f" The full scale has {SCALES['full'].trials} seeds of {SCALES['full'].generations} generations: "
                "these results are from a shorter training."
            )
        return note


def run_name(cell: str) -> str:
    """The name of a cell's runs, with {seed} for the seed."""
    return f"{cell.replace(' ', '-')}-{{seed}}"


def beside_ours(cell: str) -> str:
    """The row of a cell that plays ours at every depth."""
    return f"{cell}, against ours"


def untrained(cell: str) -> str:
    """The cell of the untrained players of this cell."""
    return f"{cell} untrained"
