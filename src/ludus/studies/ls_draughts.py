"""The study of LS-Draughts: Neto and Julia (2007), who let a genetic algorithm choose the features of NeuroDraughts.

Both are trained twice with every seed: with our options and with those of the papers (`--preset faithful`), at the
paper's size. They play matches and sit the exam of endings. What is asked: is a set of features that was found better
than the 12 chosen by hand, and with fewer features?
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ludus.learning import Options
from ludus.learning.ls_draughts import LSDraughts
from ludus.reports.page import Section
from ludus.reports.tables import Table
from ludus.studies import mp_draughts_tables as tables
from ludus.studies import trainings
from ludus.studies.lineage import (
    BASELINES,
    FAITHFUL,
    LS,
    MATERIAL,
    NEURO,
    NEURO_SECONDS,
    Comparison,
    cpu_section,
    faithful,
    faithful_pair,
    run_name,
)
from ludus.studies.mp_draughts_tables import Claim, Pair, Standings
from ludus.studies.steps import Step, StepStore, TrainingStep

KINDS = (LS, NEURO)
OURS: Pair = (LS, NEURO)
PAPER = {OURS: Claim(2, 0, 5, None)}
# The players search to the same depth here; alpha-beta sees repetitions, the papers' minimax does not.
ALPHABETA = "@search=alphabeta,depth=4"


class Scale(NamedTuple):
    """The size of the study. A trial is all trainings, matches and exams with one seed."""

    trials: int
    sets: int  # of NeuroDraughts, and of the sets of features that are trained to full length
    games: int  # in a set
    match_games: int
    tests: int  # test boards of all kinds
    population: int  # at most
    generations: int  # at most
    exam_games: int  # of each ending and result


SCALES = {
    "quick": Scale(1, 2, 20, 20, 4, 3, 1, 1),
    "full": Scale(5, 10, 250, 140, 20, 50, 30, 20),
}


class Study:
    """The trainings, matches and exams that the tables need, and the tables."""

    title = "LS-Draughts (Neto and Julia 2007)"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)
        self._comparison = Comparison(
            seeds=self.seeds,
            pairs=pairs(),
            examined=[*map(faithful, KINDS), *KINDS, MATERIAL],
            match_games=scale.match_games,
            exam_games=scale.exam_games,
        )

    def steps(self) -> list[Step]:
        """All steps, seed by seed."""
        steps: list[Step] = []
        for seed in self.seeds:
            steps += self._trainings(seed).values()
            steps += [self._comparison.match(pair, seed) for pair in self._comparison.pairs]
            steps += [self._comparison.exam(row, seed) for row in self._comparison.examined]
        return steps

    def _trainings(self, seed: int) -> dict[str, TrainingStep]:
        """All trainings with a seed, by their rows."""
        scale = self.scale
        tests: Options = {"budget": "depth=4", "test_boards": scale.tests, "final_boards": scale.tests}
        ours: dict[str, Options] = {
            LS: {**tests, **self._selection({}), "match_boards": scale.tests},
            NEURO: tests,
        }
        found = {kind: self._training(kind, kind, seed, ours[kind]) for kind in KINDS}
        for kind in KINDS:
            sizes = self._selection(FAITHFUL[kind]) if kind == LS else {}
            # The preset first: the study sets the seed and the number of games.
            options = {**FAITHFUL[kind], **self._common(seed), **sizes}
            found[faithful(kind)] = self._training(faithful(kind), kind, seed, options)
        return found

    def _common(self, seed: int) -> Options:
        """The options of all trainings."""
        return {"seed": seed, "sets": self.scale.sets, "games": self.scale.games, "reference_games": 0}

    def _training(self, row: str, kind: str, seed: int, options: Options) -> TrainingStep:
        options = {**self._common(seed), **options}
        games = options["sets"] * options["games"]
        if kind == LS:
            games *= options["population"] * (options["generations"] + 1)
            finalists = options.get("finalists", LSDraughts().finalists)
            games += finalists * options["finalist_sets"] * options["finalist_games"]
        return TrainingStep(name=run_name(row, seed), kind=kind, options=options, seconds=NEURO_SECONDS * games)

    def _selection(self, preset: Options) -> Options:
        """The size of the selection: that of the preset, but at most that of the scale.

        Individuals have a short training. Those that are chosen at the end learn from as many games as NeuroDraughts.
        """
        scale, usual = self.scale, {**msgspec.to_builtins(LSDraughts()), **preset}
        most = {name: getattr(scale, name) for name in ("population", "generations", "sets", "games")}
        found: Options = {name: min(usual[name], limit) for name, limit in most.items()}
        return {**found, "finalist_sets": scale.sets, "finalist_games": scale.games}

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished steps."""
        standings, seeds = self._comparison.standings(store), self.seeds
        scores = {pair: tables.scores(found) for pair, found in standings.items()}
        theirs = {faithful_pair(pair): claim for pair, claim in PAPER.items()}
        counted = [*PAPER, *theirs, *(pair for pair in baseline_pairs() if pair[1] == MATERIAL)]
        return [
            Section("The features that were found", (self._note(), self._features(store))),
            Section("By the papers' methods", (FAITHFUL_NOTE, *tables.first_table(theirs, standings))),
            Section("By ours", (OURS_NOTE, *tables.first_table(PAPER, standings))),
            Section("By alpha-beta", (ALPHABETA_NOTE, *self._by_alphabeta(standings))),
            Section(
                "The papers' methods against ours",
                (tables.score_table([(faithful(kind), kind) for kind in KINDS], scores, seeds),),
            ),
            Section(
                "Against players that do not learn",
                (BASELINE_NOTE, tables.score_table(baseline_pairs(), scores, seeds)),
            ),
            self._comparison.thrown_section(standings, counted),
            self._comparison.exam_section(store),
            cpu_section(self._every_training(), seeds, store, tables.CPU_NOTE),
        ]

    def _every_training(self) -> Iterator[tuple[str, int, TrainingStep]]:
        for seed in self.seeds:
            for row, training in self._trainings(seed).items():
                yield row, seed, training

    def _by_alphabeta(self, standings: Standings) -> tuple[Table, Table]:
        points, loops = {}, {}
        for shown, pair in alphabeta_pairs().items():
            points[tables.title(shown)] = tables.scores(standings[pair])
            loops[tables.title(shown)] = {
                seed: tables.Loops.of(standing).share(standing) for seed, standing in standings[pair].items()
            }
        return (
            trainings.table("points of the first, %", points, self.seeds),
            trainings.table("loops, % of games", loops, self.seeds),
        )

    def _features(self, store: StepStore) -> Table:
        """How many features each training has found, and which."""
        rows: list[tuple[str, ...]] = []
        for row in (faithful(LS), LS):
            records = {seed: store.record(self._trainings(seed)[row])[0] for seed in self.seeds}
            found = {seed: lines[-1]["features"] for seed, lines in records.items() if lines}
            for index, (seed, names) in enumerate(found.items()):
                rows.append(("" if index else row, f"seed {seed}", ", ".join(names), str(len(names))))
        return Table(("player", "training", "which", "features"), tuple(rows), names=3)

    def _note(self) -> str:
        scale = self.scale
        count = f"{scale.trials} trainings of each player" if scale.trials > 1 else "one training of each player"
        note = (
            f"{count}. NeuroDraughts and the sets of features that are trained to full length have {scale.sets} sets "
            f"of {scale.games} games. A match has {scale.match_games} games, from the three-move ballots with both "
            "colours. NeuroDraughts has 12 features. The tables have every training, the mean, and its 95% interval "
            "over trainings (Student's t)."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += " These trainings are much shorter than those of the full scale and prove nothing."
        return note[0].upper() + note[1:]


FAITHFUL_NOTE = (
    "Every learner with --preset faithful: the papers' own search (minimax, 4 plies), coding and rules of cloning. The "
    "diamond is the paper's result."
)
OURS_NOTE = "The same players with our options, by plain minimax at depth 4."
ALPHABETA_NOTE = (
    "The same networks by alpha-beta at depth 4, which sees repetitions. Most games by minimax are loops, in which all "
    "players look alike."
)
BASELINE_NOTE = "Material counts pieces, and searches by alpha-beta."


def baseline_pairs() -> list[Pair]:
    """All players against those that do not learn."""
    return [(row, other) for row in (*map(faithful, KINDS), *KINDS) for other in BASELINES]


def alphabeta_pairs() -> dict[Pair, Pair]:
    """The matches of LS-Draughts and NeuroDraughts by alpha-beta: the players, and the same with that search."""
    return {(one, other): (one + ALPHABETA, other + ALPHABETA) for one, other in (faithful_pair(OURS), OURS)}


def pairs() -> list[Pair]:
    """All pairs that play a match."""
    beside = [(faithful(kind), kind) for kind in KINDS]
    return [*PAPER, *map(faithful_pair, PAPER), *alphabeta_pairs().values(), *beside, *baseline_pairs()]
