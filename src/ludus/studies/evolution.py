"""The study of evolution: the results chapter that the dissertation on the genetic player has as empty headings.

Each cell is a way to evolve, run with several seeds; ours is the learner as it is usual here, and every other cell but
the text's differs from it in one thing. Whatever is compared is a mean over seeds, with its 95% interval.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludus import networks, players
from ludus.arena.match import MatchConfig
from ludus.learning.genetic import Genetic
from ludus.players import Player
from ludus.reports.page import Section
from ludus.runs import Run
from ludus.studies import evolution_tables as tables
from ludus.studies import matches, trials
from ludus.studies.trials import Done, Trial, Trials

OURS, TEXT = "ours", "the text's"
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
    "the text's, play-outs of 1 ply": Genetic.presets["faithful"] | {"playout_plies": 1},
    "the text's, minimax at 4 plies": Genetic.presets["faithful"] | {"decision": "minimax", "depth": 4},
}
SPEED_GENERATIONS = 2

# What the text's public code takes for a generation, in seconds of one core of a machine like ours: measured at
# 1 ply; at 6 plies from what the text says, 200 generations in about 20 hours on 128 cores.
PUBLIC = {"the text's, play-outs of 1 ply": 900.0, TEXT: 20 * 3600 * 128 / 200}


class Scale(NamedTuple):
    """How much is done."""

    trials: int  # seeds a cell
    generations: int  # an even number: there is a champion half-way
    rounds: int  # times that all meet in a generation
    games: int  # of a match
    playouts: int  # a move of the UCT player


SCALES = {"quick": Scale(2, 20, 1, 40, 300), "full": Scale(10, 100, 2, 200, 300)}


class Study:
    """The trials and matches that the tables need, and the tables that they fill."""

    title = "Draughts by evolution"

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seed = seed
        self.cells: dict[str, list[Trial]] = {}
        self.played: dict[tuple[str, str], list[Trial]] = {}  # by the cell and whom it plays, a match for each seed
        deeper = {cell: {"depth": depth} for depth, cell in TRAINED.items() if cell != OURS}
        for cell, options in (INHERITANCE | deeper).items():
            self._add(cell, scale.generations, options)
        for cell, options in SPEED.items():
            self._add(cell, SPEED_GENERATIONS, options)
        for cell in INHERITANCE:
            self._meet(cell)
        for cell in (OURS, TEXT):
            for row, name in self.rows(cell).items():
                for other in self.opponents():
                    self._match((row, other), cell, name, other)
        for cell in TRAINED.values():
            for depth in PLAYED:
                self._match((cell, f"depth {depth}"), cell, f"{{last}}@depth={depth}", f"material@depth={depth}")

    def _add(self, cell: str, generations: int, options: dict[str, Any]) -> None:
        usual: dict[str, Any] = {"rounds": self.scale.rounds, "generations": generations}
        self.cells[cell] = [
            trials.of(cell, Genetic(seed=self.seed + index, **usual | options)) for index in range(self.scale.trials)
        ]

    def opponents(self) -> tuple[str, ...]:
        """Those outside evolution."""
        return ("random", f"uct@playouts={self.scale.playouts}", "material@depth=2")

    def rows(self, cell: str) -> dict[str, str]:
        """The players of a cell whose play is compared, by what they are called in the table."""
        last, half = self.scale.generations, self.scale.generations // 2
        return {
            f"{cell}, untrained": "{untrained}",
            f"{cell}, champion of generation 0": "{first}",
            f"{cell}, champion of generation {half}": "{half}",
            f"{cell}, champion of generation {last}": "{last}",
        }

    def _meet(self, cell: str) -> None:
        """The last champion of a cell against those before it, and against the last of ours."""
        self._match((cell, "half-way"), cell, "{last}", "{half}")
        self._match((cell, "generation 0"), cell, "{last}", "{first}")
        self._match((cell, "untrained"), cell, "{last}", "{untrained}")
        if cell != OURS:
            self._match((cell, OURS), cell, "{last}", "{ours}")

    def _match(self, key: tuple[str, str], cell: str, first: str, second: str) -> None:
        self.played[key] = []
        for index, (trial, ours) in enumerate(zip(self.cells[cell], self.cells[OURS], strict=True)):
            home, last = trials.home(trial), self.scale.generations
            names = {
                "first": f"{home}@{0:04}",
                "half": f"{home}@{last // 2:04}",
                "last": f"{home}@{last:04}",
                "untrained": f"untrained/{home}",
                "ours": f"{trials.home(ours)}@{last:04}",
            }
            config = MatchConfig(games=self.scale.games, seed=self.seed + index)
            pair = (first.format_map(names), second.format_map(names))
            self.played[key].append(matches.of(f"{key[0]} against {key[1]}", pair, config))

    def trials(self) -> list[Trial]:
        """All runs, the first of each cell first: a study that is stopped early has something everywhere."""
        return [cell[index] for index in range(self.scale.trials) for cell in self.cells.values()]

    def matches(self) -> list[Trial]:
        """All matches, in the same order."""
        return [each[index] for index in range(self.scale.trials) for each in self.played.values()]

    def work(self, folder: Path) -> Callable[[Trial], Done]:
        """Runs are kept in the folder, and the players of the matches found there."""
        return partial(work, folder)

    def sections(self, done: Trials) -> list[Section]:
        """The chapter, from what is done."""
        runs = {cell: [done[trial] for trial in wanted if trial in done] for cell, wanted in self.cells.items()}
        scores = {
            key: [100 * matches.score(done[trial]).score for trial in wanted if trial in done]
            for key, wanted in self.played.items()
        }
        evolved = {cell: runs[cell] for cell in INHERITANCE}
        last, half = self.scale.generations, self.scale.generations // 2
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
                    tables.scored(
                        "trained at",
                        TRAINED.values(),
                        [f"depth {depth}" for depth in PLAYED],
                        scores,
                        named={cell: f"depth {depth}" for depth, cell in TRAINED.items()},
                    ),
                ),
            ),
        ]

    def _note(self) -> str:
        scale = self.scale
        note = (
            f"{scale.trials} seeds of {scale.generations} generations; scores in percent of {scale.games} games a "
            "seed from the three-move ballots with both colours, each player with the search it was trained with. "
            "An untrained network is a random one under that search: what it scores is the search's, the rest is the "
            "network's. The champion of generation 0 is the best of fifteen such."
        )
        if scale != SCALES["full"]:
            note += (
                f" The full scale has {SCALES['full'].trials} seeds of {SCALES['full'].generations} generations: "
                "this is a look at the beginning."
            )
        return note


def work(folder: Path, trial: Trial) -> Done:
    """Does a trial, be it a run or a match."""
    if trial.kind == matches.KIND:
        return matches.play(trial, partial(find, folder))
    return trials.run_in(folder, trial)


def find(folder: Path, name: str) -> Player:
    """A player of a run of the study, one that such a run could have begun with, or one of ours."""
    kind, _, home = name.partition("/")
    if kind == "untrained":
        return untrained(Run.open(folder / home))
    return players.find(f"{folder}/{name}" if kind == "runs" else name, "draughts")


def untrained(run: Run) -> Player:
    """A network with weights as the run's first have, whom nobody has chosen, under the run's search."""
    learner = run.learner
    assert isinstance(learner, Genetic)
    breed = learner.breed()
    rng = np.random.default_rng([learner.seed, 0, 0, 1])  # a stream that no generation has
    theta = networks.random_theta(breed.layers, rng, -learner.initial, learner.initial)
    return breed.champion(f"untrained {run.folder.name}", theta)
