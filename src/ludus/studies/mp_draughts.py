"""The study of MP-Draughts: Duarte, Julia, Barcelos and Otsuka (2009), and their table.

The players of the paper and NeuroDraughts, with which it compares them, are trained twice with every seed: with our
options and with those of the papers (`--preset faithful`). They play matches, sit the exam of endings, and their thrown
wins are counted. LS-Draughts, and what the options of a team are worth, are studies of their own: ls_draughts.py and
specialists.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ludus.learning import Options
from ludus.learning.mp_draughts import MpDraughts
from ludus.reports.page import Section
from ludus.reports.tables import Table
from ludus.studies import mp_draughts_tables as tables
from ludus.studies import specialist_tables
from ludus.studies.lineage import (
    BASELINES,
    FAITHFUL,
    MATERIAL,
    MP,
    NEURO,
    NEURO_SECONDS,
    VISION,
    Comparison,
    cpu_section,
    faithful,
    faithful_pair,
    run_name,
)
from ludus.studies.mp_draughts_tables import Claim, Pair
from ludus.studies.steps import Step, StepStore, TrainingStep

KINDS = (NEURO, VISION, MP)

# Table I.
PAPER = {
    (VISION, NEURO): Claim(10, 1, 9, 5),
    (MP, NEURO): Claim(14, 3, 3, 0),
    (MP, VISION): Claim(10, 6, 4, 2),
}

UNITS = 25  # of the paper's map
TIMES = 1 + UNITS  # VisionDraughts with so many times the games has as many as a team
LONGER = f"{VISION}, {TIMES} times the games"

# Processor seconds of a training game, and the part of that of a game from an endgame board.
_SECONDS = {
    NEURO: NEURO_SECONDS,
    VISION: 0.0125,
    f"{NEURO}, faithful": NEURO_SECONDS,
    f"{VISION}, faithful": 0.057,
    f"{MP}, faithful": 0.033,  # its specialists learn at 4 plies
}
_SPECIALIST_SECONDS = 0.6


class Scale(NamedTuple):
    """The size of the study. A trial is all trainings, matches and exams with one seed."""

    trials: int
    sets: int
    games: int  # in a set
    boards: int  # endgame boards
    match_games: int  # more than twice the 174 ballots would repeat games
    tests: int  # test boards of all kinds
    exam_games: int  # of each ending and result
    held_boards: int  # endgame boards held back; a specialist is tested on a tenth of so many


SCALES = {
    "quick": Scale(1, 2, 20, 60, 20, 4, 1, 30),
    "full": Scale(5, 10, 250, 3000, 140, 20, 20, 4000),
}


class Study:
    """The trainings, matches and exams that the tables need, and the tables."""

    title = "MP-Draughts and its predecessors (Duarte, Julia, Barcelos and Otsuka 2009)"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)
        self._comparison = Comparison(
            seeds=self.seeds,
            pairs=pairs(),
            examined=examined(),
            match_games=scale.match_games,
            exam_games=scale.exam_games,
        )

    def steps(self) -> list[Step]:
        """All steps, seed by seed. A match comes as soon as its players are trained."""
        steps: list[Step] = []
        for seed in self.seeds:
            known = {*BASELINES}
            left = list(self._comparison.pairs)
            for group in (self._ours(seed), self._faithful(seed)):
                steps += group.values()
                known |= {*group}
                ready = [pair for pair in left if known.issuperset(pair)]
                left = [pair for pair in left if pair not in ready]
                steps += [self._comparison.match(pair, seed) for pair in ready]
                steps += [self._comparison.exam(row, seed) for row in self._comparison.examined if row in group]
            steps.append(self._comparison.exam(MATERIAL, seed))
        return steps

    def _common(self, seed: int) -> Options:
        """The options of all trainings."""
        return {"seed": seed, "sets": self.scale.sets, "games": self.scale.games, "reference_games": 0}

    def _training(self, row: str, kind: str, seed: int, options: Options, generalist: str = "") -> TrainingStep:
        options = {**self._common(seed), **options}
        return TrainingStep(
            name=run_name(row, seed),
            kind=kind,
            options=options,
            generalist=run_name(generalist, seed) if generalist else "",
            seconds=self._seconds(kind, options, faithful=row in map(faithful, KINDS)),
        )

    def _seconds(self, kind: str, options: Options, *, faithful: bool) -> float:
        """An estimate of the processor time of a training."""
        base = {VISION: VISION, MP: MP if faithful else VISION}.get(kind, NEURO)
        one = options["sets"] * options["games"] * _SECONDS[f"{base}, faithful" if faithful else base]
        if kind == MP:
            # A game for a board that is collected, about four more for one that is held back.
            boards = options["boards"] + 5 * options.get("held_boards", 0)
            return float(_SPECIALIST_SECONDS * (one * UNITS + boards * _SECONDS[VISION]))
        return float(one)

    def _ours(self, seed: int) -> dict[str, TrainingStep]:
        """The players of the paper and their predecessors with our options, and one with as many games as a team."""
        scale = self.scale
        tests = self._tests()
        return {
            NEURO: self._training(NEURO, NEURO, seed, tests),
            VISION: self._training(VISION, VISION, seed, tests),
            MP: self._team(seed),
            LONGER: self._training(LONGER, VISION, seed, {**tests, "games": TIMES * scale.games}),
        }

    def _tests(self) -> Options:
        return {"budget": "depth=4", "test_boards": self.scale.tests, "final_boards": self.scale.tests}

    def _faithful(self, seed: int) -> dict[str, TrainingStep]:
        """The same players with the options of the papers; the sizes of this study, if the papers' are larger."""
        sizes: dict[str, Options] = {
            # Twenty-five trainings at the six plies of the preset would take as long as all the rest of the study.
            MP: {
                **self._board_counts(),
                "boards": min(FAITHFUL[MP]["boards"], self.scale.boards),
                "specialist_budget": "depth=4",
            },
        }
        found = {}
        for kind in KINDS:
            # The preset first: the study sets the seed and the number of games.
            options = {**FAITHFUL[kind], **self._common(seed), **sizes.get(kind, {})}
            generalist = faithful(VISION) if kind == MP else ""
            found[faithful(kind)] = self._training(faithful(kind), kind, seed, options, generalist)
        return found

    def _team(self, seed: int) -> TrainingStep:
        """A team whose specialists learn from as many games together as those of the paper, however many they are."""
        options = {**self._tests(), **self._board_counts()}
        games = {"specialist_games": UNITS * self.scale.sets * self.scale.games // MpDraughts(**options).units}
        return self._training(MP, MP, seed, {**options, **games}, VISION)

    def _board_counts(self) -> Options:
        """How many boards a team has."""
        held = self.scale.held_boards
        return {"boards": self.scale.boards, "held_boards": held, "specialist_test_boards": max(1, held // 10)}

    def _all_trainings(self, seed: int) -> dict[str, TrainingStep]:
        return {**self._ours(seed), **self._faithful(seed)}

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished steps."""
        standings, seeds = self._comparison.standings(store), self.seeds
        scores = {pair: tables.scores(found) for pair, found in standings.items()}
        theirs = {faithful_pair(pair): claim for pair, claim in PAPER.items()}
        return [
            Section("Loops", (self._note(), *tables.loops({**theirs, **PAPER}, standings, seeds))),
            Section("Table I by the papers' methods", (tables.FAITHFUL_NOTE, *tables.first_table(theirs, standings))),
            Section("Table I by ours", (tables.OURS_NOTE, *tables.first_table(PAPER, standings))),
            Section(
                "Table I with as many games as the paper",
                (tables.TWENTY_NOTE, tables.first_games({**theirs, **PAPER}, standings, seeds, self.scale.match_games)),
            ),
            Section(
                "The papers' methods against ours",
                (tables.score_table([(faithful(kind), kind) for kind in KINDS], scores, seeds),),
            ),
            Section(
                "Against players that do not learn",
                (
                    tables.BASELINE_NOTE,
                    tables.score_table(baseline_pairs(), scores, seeds),
                    tables.score_chart(
                        f"Points against {MATERIAL}", [pair for pair in baseline_pairs() if pair[1] == MATERIAL], scores
                    ),
                ),
            ),
            Section("Specialists", (SPECIALIST_NOTE, *self._specialists(store))),
            Section(
                "The team and its generalist",
                (
                    TEAM_NOTE,
                    tables.score_table(team_pairs(), scores, seeds),
                    tables.score_chart("Points of the team", team_pairs(), scores, both=True),
                ),
            ),
            self._comparison.thrown_section(standings, self._counted()),
            self._comparison.exam_section(store),
            cpu_section(self._every_training(), seeds, store, f"{tables.CPU_NOTE} {tables.TEAM_NOTE}"),
        ]

    def _note(self) -> str:
        scale = self.scale
        count = f"{scale.trials} trainings of each player" if scale.trials > 1 else "one training of each player"
        seed = self.seeds[0]
        ours, theirs = self._team(seed).options, self._faithful(seed)[faithful(MP)].options
        note = (
            f"{count}, with {scale.sets} sets of {scale.games} games a network. Our teams have {ours['boards']:,} "
            f"boards and {ours['specialist_games']:,} games for each specialist; the faithful teams have "
            f"{theirs['boards']:,} boards and {theirs['sets'] * theirs['games']:,} games for each. A match has "
            f"{scale.match_games} games, from the three-move ballots with both colours. A loop is a draw by repetition "
            "with 12 pieces or fewer: the weakness that MP-Draughts is to cure. The tables have every training, the "
            "mean, and its 95% interval over trainings (Student's t): games are not pooled, because those of one "
            "training share its luck."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += " The paper has 10 sets of 250 games: these results are from a shorter training and prove nothing."
        return note[0].upper() + note[1:]

    def _specialists(self, store: StepStore) -> tuple[Table, Table]:
        records = {
            row: {seed: store.record(self._all_trainings(seed)[row])[0] for seed in self.seeds}
            for row in (MP, faithful(MP))
        }
        return specialist_tables.specialists(records), specialist_tables.checked_teams(records, self.seeds)

    def _counted(self) -> list[Pair]:
        """The matches in which thrown wins are counted: those of Table I and against material."""
        return [*PAPER, *map(faithful_pair, PAPER), *(pair for pair in baseline_pairs() if pair[1] == MATERIAL)]

    def _every_training(self) -> Iterator[tuple[str, int, TrainingStep]]:
        for seed in self.seeds:
            for row, training in self._all_trainings(seed).items():
                yield row, seed, training


TEAM_NOTE = (
    f"A team has learned from {TIMES} times the games of its generalist, as the paper's with its {UNITS} specialists. "
    "Here it plays its generalist, which is the VisionDraughts of the same seed, and a VisionDraughts that has learned "
    "from as many games as the team."
)
SPECIALIST_NOTE = f"{specialist_tables.SPECIALIST_NOTE} The faithful team takes all {UNITS}, as the paper does."


def examined() -> list[str]:
    """The players whose endings are examined."""
    return [*map(faithful, KINDS), *KINDS, LONGER, MATERIAL]


def baseline_pairs() -> list[Pair]:
    """The players of the paper and their predecessors against those that do not learn."""
    rows = [*map(faithful, KINDS), *KINDS]
    return [(row, other) for row in rows for other in BASELINES] + [(LONGER, MATERIAL)]


def team_pairs() -> list[Pair]:
    """The team against its generalist, and against one that has learned from as many games."""
    return [(faithful(MP), faithful(VISION)), (MP, VISION), (MP, LONGER)]


def pairs() -> list[Pair]:
    """All pairs that play a match."""
    beside = [(faithful(kind), kind) for kind in KINDS]
    wanted = [*PAPER, *map(faithful_pair, PAPER), *baseline_pairs(), *beside, *team_pairs()]
    return list(dict.fromkeys(wanted))
