"""The study of evolution: the results chapter that the dissertation on the genetic player has as empty headings.

Each cell is a way to evolve, run with several seeds; ours is the learner as it is usual here, and every other cell but
the text's differs from it in one thing. Whatever is compared is a mean over seeds, with its 95% interval.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ludus.arena.match import MatchConfig
from ludus.learning import registry
from ludus.learning.genetic import Genetic
from ludus.reports.evolution import seconds_of
from ludus.reports.page import Section
from ludus.studies import evolution_tables as tables
from ludus.studies.steps import Entrant, Meeting, Step, Steps, Training

Pair = tuple[str, str]  # a row and a column of a table

OURS, TEXT = "ours", "the text"
DEPTHS = (1, 2, 4)  # in training, and
PLAYED = (1, 2, 4, 6)  # in play

# The cells, and what is set for them.
INHERITANCE: dict[str, dict[str, Any]] = {
    OURS: {},
    "without crossover": {"crossover": False},
    "without elitism": {"elitism": False},
    "without mutation": {"mutation": "none"},
    "additive mutation": {"mutation": "additive"},
    TEXT: Genetic.presets["faithful"],
}
TRAINED = {depth: OURS if depth == Genetic().depth else f"trained at depth {depth}" for depth in DEPTHS}
# Only to see what a generation takes.
SPEED: dict[str, dict[str, Any]] = {
    "the text at 1 ply": Genetic.presets["faithful"] | {"playout_plies": 1},
    "the text by minimax at 4 plies": Genetic.presets["faithful"] | {"decision": "minimax", "depth": 4},
}
SPEED_GENERATIONS = 2
# One of the first generation whom nobody has chosen: all games are draws before they begin, and chance decides.
UNTRAINED: dict[str, Any] = {"generations": 0, "pairing": "random", "rounds": 1, "plies": 1}

# What the text's public code takes for a generation, in seconds of one core of a machine like ours.
PUBLIC = {"the text at 1 ply": 900.0}


class Scale(NamedTuple):
    """How much is done."""

    trials: int  # seeds a cell
    generations: int  # an even number: there is a champion half-way
    rounds: int  # times that all meet in a generation
    games: int  # of a match
    playouts: int  # a move of the UCT player


SCALES = {"quick": Scale(2, 20, 1, 40, 300), "full": Scale(10, 100, 2, 200, 300)}


class Study:
    """The trainings and matches that the tables need, and the tables that they fill."""

    title = "Draughts by evolution"
    unit = "steps"
    store = Steps

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)
        deeper = {cell: {"depth": depth} for depth, cell in TRAINED.items() if cell != OURS}
        usual: dict[str, Any] = {"rounds": scale.rounds, "generations": scale.generations}
        few = {"generations": SPEED_GENERATIONS}
        self.cells: dict[str, dict[str, Any]] = (
            {cell: usual | options for cell, options in (INHERITANCE | deeper).items()}
            | {cell: usual | options | few for cell, options in SPEED.items()}
            | {untrained(cell): INHERITANCE[cell] | UNTRAINED for cell in (OURS, TEXT)}
        )
        self.pairs = dict(self._pairs())

    def _pairs(self) -> Iterator[tuple[Pair, tuple[str, str]]]:
        """Who meets, by row and column of a table: as names of players, with {seed} for the seed."""
        last, half = f"{self.scale.generations:04}", f"{self.scale.generations // 2:04}"
        for cell in INHERITANCE:
            champion = f"{of(cell)}@{last}"
            yield (cell, "half-way"), (champion, f"{of(cell)}@{half}")
            yield (cell, "generation 0"), (champion, f"{of(cell)}@0000")
            yield (cell, "untrained"), (champion, of(untrained(TEXT if cell == TEXT else OURS)))
            if cell != OURS:
                yield (cell, OURS), (champion, f"{of(OURS)}@{last}")
        for cell in (OURS, TEXT):
            for row, name in self.rows(cell).items():
                for other in self.opponents():
                    yield (row, other), (name, other)
        for cell in TRAINED.values():
            for depth in PLAYED:
                budget = f"depth={depth}"
                champion = f"{of(cell)}@{last}@{budget}"
                yield (cell, f"depth {depth}"), (champion, f"material@{budget}")
                if cell != OURS:
                    yield (beside_ours(cell), f"depth {depth}"), (champion, f"{of(OURS)}@{last}@{budget}")

    def opponents(self) -> tuple[str, ...]:
        """Those outside evolution."""
        return ("random", f"uct@playouts={self.scale.playouts}", "material@depth=2")

    def rows(self, cell: str) -> dict[str, str]:
        """The players of a cell whose play is compared, by what they are called in the table."""
        rows = {f"{cell}, untrained": of(untrained(cell))}
        for generation in (0, self.scale.generations // 2, self.scale.generations):
            rows[f"{cell}, champion of generation {generation}"] = f"{of(cell)}@{generation:04}"
        return rows

    def trials(self) -> list[Step]:
        """All steps, those of a seed together: a study that is stopped early has something everywhere."""
        steps: list[Step] = []
        for seed in self.seeds:
            steps += [self._training(cell, seed) for cell in self.cells]
            steps += [self._meeting(pair, seed) for pair in self.pairs]
        return steps

    def _training(self, cell: str, seed: int) -> Training:
        options = registry.values(Genetic(seed=seed, **self.cells[cell]))
        return Training(name=of(cell).format(seed=seed), kind=Genetic.kind, options=options)

    def _meeting(self, pair: Pair, seed: int) -> Meeting:
        one, other = (Entrant(name.format(seed=seed)) for name in self.pairs[pair])
        return Meeting(one=one, other=other, config=MatchConfig(games=self.scale.games, seed=seed))

    def _runs(self, cell: str, done: Steps) -> list[tables.Lines]:
        """The lines of a cell's finished trainings, with the seconds of processors that each took, `cpu`."""
        found = []
        for training in (self._training(cell, seed) for seed in self.seeds):
            if training in done:
                lines, times = done.record(training)
                took = seconds_of(times, "cpu")
                found.append([line | {"cpu": took.get(line["generation"])} for line in lines])
        return found

    def _scores(self, pair: Pair, done: Steps) -> list[float]:
        """Of the first in each finished match of a pair, in percent."""
        standings = (done.standing(self._meeting(pair, seed)) for seed in self.seeds)
        return [100 * standing.score.score for standing in standings if standing]

    def sections(self, done: Steps) -> list[Section]:
        """The chapter, from what is done."""
        runs = {cell: self._runs(cell, done) for cell in self.cells if cell not in (untrained(OURS), untrained(TEXT))}
        scores = {pair: self._scores(pair, done) for pair in self.pairs}
        evolved = {cell: runs[cell] for cell in INHERITANCE}
        last, half = self.scale.generations, self.scale.generations // 2
        deeper = [cell for cell in TRAINED.values() if cell != OURS]
        depths = [f"depth {depth}" for depth in PLAYED]
        named = {row: f"depth {depth}" for depth, cell in TRAINED.items() for row in (cell, beside_ours(cell))}
        return [
            Section("Speed", (tables.SPEED, tables.speed(runs, PUBLIC))),
            Section("Learning rate", (tables.GROWTH, tables.growth(evolved), tables.growth_curves(evolved))),
            Section(
                "Performance",
                (
                    self._note(),
                    tables.scored(
                        "player", [row for cell in (OURS, TEXT) for row in self.rows(cell)], self.opponents(), scores
                    ),
                    tables.ablation(last, half),
                    tables.scored("evolved", INHERITANCE, ("half-way", "generation 0", "untrained", OURS), scores),
                ),
            ),
            Section("Number of moves", (tables.lengths(evolved), tables.length_curves(evolved))),
            Section("CPU times", (tables.CPU, tables.cpu(evolved), tables.cpu_curves(evolved))),
            Section("Influence of the inheritance methods", (tables.ORIGINS, tables.origins(evolved))),
            Section(
                "Depth in training and in play",
                (
                    tables.DEPTH,
                    tables.scored("trained at", TRAINED.values(), depths, scores, named),
                    tables.DEPTH_OURS,
                    tables.scored("trained at", map(beside_ours, deeper), depths, scores, named),
                ),
            ),
        ]

    def _note(self) -> str:
        scale = self.scale
        seeds = f"{scale.trials} seeds" if scale.trials > 1 else "One seed"
        note = (
            f"{seeds} of {scale.generations} generations; scores in percent of {scale.games} games a seed from the "
            "three-move ballots with both colours, each player with the search it was trained with. An untrained "
            "network is a random one under that search: what it scores is the search's, the rest is the network's. "
            "The champion of generation 0 is the best of fifteen such. Intervals are of the mean over the seeds: one "
            "without any width says that all seeds agree, and no more."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += (
                f" The full scale has {SCALES['full'].trials} seeds of {SCALES['full'].generations} generations: "
                "this is a look at the beginning."
            )
        return note


def of(cell: str) -> str:
    """The names of a cell's trainings, fit for folders; {seed} stands for the seed."""
    return f"{cell.replace(' ', '-')}-{{seed}}"


def beside_ours(cell: str) -> str:
    """The row of a cell that meets ours at every depth."""
    return f"{cell}, against ours"


def untrained(cell: str) -> str:
    """The cell of those who could have been the first of this one."""
    return f"{cell} untrained"
