"""The study of MP-Draughts: Duarte, Julia, Barcelos and Otsuka (2009), and their table.

The players of the paper and their predecessors are trained twice with every seed: with our options and with those of
the papers (`--preset faithful`). They play matches, sit the exam of endings, and their thrown wins are counted. What
the options of a team are worth is a study of its own, specialists.py.
"""

from typing import NamedTuple

import msgspec

from ludus.arena import endings
from ludus.arena.endings import Endings
from ludus.arena.exam import ExamConfig, ExamResult
from ludus.arena.matches import MatchConfig, Standing
from ludus.learning import Options
from ludus.learning.ls_draughts import LSDraughts
from ludus.learning.mp_draughts import MpDraughts
from ludus.learning.neurodraughts import NeuroDraughts
from ludus.learning.visiondraughts import VisionDraughts
from ludus.reports.page import Section
from ludus.reports.tables import Table
from ludus.studies import endgame_tables, specialist_tables, trainings
from ludus.studies import mp_draughts_tables as tables
from ludus.studies.mp_draughts_tables import Claim, Pair
from ludus.studies.steps import ExamStep, MatchPlayer, MatchStep, Step, StepStore, TrainingStep

NEURO, LS, VISION, MP = KINDS = ("neurodraughts", "ls-draughts", "visiondraughts", "mp-draughts")
FAITHFUL: dict[str, Options] = {
    NEURO: NeuroDraughts.presets["faithful"],
    VISION: VisionDraughts.presets["faithful"],
    LS: LSDraughts.presets["faithful"],
    MP: MpDraughts.presets["faithful"],
}
MATERIAL = "material@depth=4"
BASELINES = ("random", MATERIAL)

# Table I; LS-Draughts against NeuroDraughts is in the paper's text.
PAPER = {
    (VISION, NEURO): Claim(10, 1, 9, 5),
    (MP, NEURO): Claim(14, 3, 3, 0),
    (MP, VISION): Claim(10, 6, 4, 2),
    (LS, NEURO): Claim(2, 0, 5, None),
}

UNITS = 25  # of the paper's map
TIMES = 1 + UNITS  # VisionDraughts with so many times the games has as many as a team
LONGER = f"{VISION}, {TIMES} times the games"
EXAM_PIECES = 4  # the tables of so many come with the package

# Processor seconds of a training game, the part of that of a game from an endgame board, and of a game of a match and
# of an exam.
_SECONDS = {
    NEURO: 0.0045,
    VISION: 0.0125,
    f"{NEURO}, faithful": 0.0045,
    f"{VISION}, faithful": 0.057,
    f"{MP}, faithful": 0.033,  # its specialists learn at 4 plies
}
_SPECIALIST_SECONDS, _MATCH_SECONDS, _EXAM_SECONDS = 0.6, 0.02, 0.01


class Scale(NamedTuple):
    """The size of the study. A trial is all trainings, matches and exams with one seed."""

    trials: int
    sets: int
    games: int  # in a set
    boards: int  # endgame boards
    match_games: int  # more than twice the 174 ballots would repeat games
    tests: int  # test boards of all kinds
    population: int  # of LS-Draughts, at most
    generations: int
    exam_games: int  # of each ending and result
    held_boards: int  # endgame boards held back; a specialist is tested on a tenth of so many


SCALES = {
    "quick": Scale(1, 2, 20, 60, 20, 4, 3, 1, 1, 30),
    "full": Scale(5, 10, 250, 3000, 140, 20, 50, 30, 20, 4000),
}


class Study:
    """The trainings, matches and exams that the tables need, and the tables."""

    title = "MP-Draughts and its predecessors (Duarte, Julia, Barcelos and Otsuka 2009)"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)

    def steps(self) -> list[Step]:
        """All steps, seed by seed. A match comes as soon as its players are trained."""
        steps: list[Step] = []
        for seed in self.seeds:
            known = {*BASELINES}
            left = pairs()
            for group in (self._ours(seed), self._faithful(seed)):
                steps += group.values()
                known |= {*group}
                ready = [pair for pair in left if known.issuperset(pair)]
                left = [pair for pair in left if pair not in ready]
                steps += [self._match(pair, seed) for pair in ready]
                steps += [self._exam(row, seed) for row in examined() if row in group]
            steps.append(self._exam(MATERIAL, seed))
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
        if kind == LS:
            finalists = options.get("finalist_sets", 0) * options.get("finalist_games", 0) * _SECONDS[NEURO]
            return float(one * options["population"] * (options["generations"] + 1) + 3 * finalists)
        if kind == MP:
            # A game for a board that is collected, about four more for one that is held back.
            boards = options["boards"] + 5 * options.get("held_boards", 0)
            return float(_SPECIALIST_SECONDS * (one * UNITS + boards * _SECONDS[VISION]))
        return float(one)

    def _selection(self, preset: Options) -> Options:
        """The size of LS-Draughts: that of the preset, but at most that of the scale.

        Individuals have a short training. Those that are chosen at the end learn from as many games as other players.
        """
        scale, usual = self.scale, {**msgspec.to_builtins(LSDraughts()), **preset}
        most = {name: getattr(scale, name) for name in ("population", "generations", "sets", "games")}
        found: Options = {name: min(usual[name], limit) for name, limit in most.items()}
        return {**found, "finalist_sets": scale.sets, "finalist_games": scale.games}

    def _ours(self, seed: int) -> dict[str, TrainingStep]:
        """The players of the paper and their predecessors with our options, and one with as many games as a team."""
        scale = self.scale
        tests = self._tests()
        return {
            NEURO: self._training(NEURO, NEURO, seed, tests),
            VISION: self._training(VISION, VISION, seed, tests),
            LS: self._training(LS, LS, seed, {**tests, **self._selection({}), "match_boards": scale.tests}),
            MP: self._team(seed),
            LONGER: self._training(LONGER, VISION, seed, {**tests, "games": TIMES * scale.games}),
        }

    def _tests(self) -> Options:
        return {"budget": "depth=4", "test_boards": self.scale.tests, "final_boards": self.scale.tests}

    def _faithful(self, seed: int) -> dict[str, TrainingStep]:
        """The same players with the options of the papers; the sizes of this study, if the papers' are larger."""
        sizes: dict[str, Options] = {
            LS: self._selection(FAITHFUL[LS]),
            # Twenty-five trainings at the six plies of the preset would take as long as all the rest of the study.
            MP: {
                **self._board_counts(),
                "boards": min(FAITHFUL[MP]["boards"], self.scale.boards),
                "specialist_budget": "depth=4",
            },
        }
        found = {}
        for kind, preset in FAITHFUL.items():
            # The preset first: the study sets the seed and the number of games.
            options = {**preset, **self._common(seed), **sizes.get(kind, {})}
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

    def _match(self, pair: Pair, seed: int) -> MatchStep:
        one, other = (match_player(row, seed) for row in pair)
        games = self.scale.match_games
        return MatchStep(
            one=one, other=other, config=MatchConfig(games=games, seed=seed), seconds=_MATCH_SECONDS * games
        )

    def _exam(self, row: str, seed: int) -> ExamStep:
        config = ExamConfig(pieces=EXAM_PIECES, games=self.scale.exam_games, seed=seed)
        seconds = _EXAM_SECONDS * 30 * self.scale.exam_games
        return ExamStep(player=match_player(row, seed), config=config, seconds=seconds)

    def _all_trainings(self, seed: int) -> dict[str, TrainingStep]:
        return {**self._ours(seed), **self._faithful(seed)}

    def _standings(self, store: StepStore) -> tables.Standings:
        """The finished matches of every pair, by seed."""
        found: dict[Pair, dict[int, Standing]] = {}
        for pair in pairs():
            standings = {seed: store.standing(self._match(pair, seed)) for seed in self.seeds}
            found[pair] = {seed: standing for seed, standing in standings.items() if standing is not None}
        return found

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished steps."""
        standings, seeds = self._standings(store), self.seeds
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
            Section(
                "Thrown wins",
                (endgame_tables.THROWN_NOTE, *endgame_tables.thrown(self._thrown(standings), seeds, tables.short_name)),
            ),
            Section(
                "The exam of endings",
                (endgame_tables.EXAM_NOTE, *endgame_tables.exam(self._exams(store), seeds, tables.short_name)),
            ),
            Section("Processor time", (tables.CPU_NOTE, trainings.cpu_table("training", self._cpu(store), seeds))),
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

    def _thrown(self, standings: tables.Standings) -> dict[str, dict[int, Endings]]:
        """What happened to each player in endings, by seed, in the matches of Table I and against material."""
        counted = [*PAPER, *map(faithful_pair, PAPER), *(pair for pair in baseline_pairs() if pair[1] == MATERIAL)]
        found: dict[str, dict[int, Endings]] = {row: {} for row in examined()}
        for pair in counted:
            for seed, standing in standings[pair].items():
                for row, more in zip(pair, standing.endings(), strict=True):
                    if row in found:
                        endings.add_to(found[row].setdefault(seed, {}), more)
        return found

    def _exams(self, store: StepStore) -> dict[str, dict[int, ExamResult]]:
        results = {row: {seed: store.exam(self._exam(row, seed)) for seed in self.seeds} for row in examined()}
        return {
            row: {seed: result for seed, result in found.items() if result is not None}
            for row, found in results.items()
        }

    def _cpu(self, store: StepStore) -> dict[str, dict[int, float]]:
        found: dict[str, dict[int, float]] = {}
        for seed in self.seeds:
            for row, training in self._all_trainings(seed).items():
                if (seconds := store.cpu(training)) is not None:
                    found.setdefault(row, {})[seed] = seconds
        return found


TEAM_NOTE = (
    f"A team has learned from {TIMES} times the games of its generalist, as the paper's with its {UNITS} specialists. "
    "Here it plays its generalist, which is the VisionDraughts of the same seed, and a VisionDraughts that has learned "
    "from as many games as the team."
)
SPECIALIST_NOTE = f"{specialist_tables.SPECIALIST_NOTE} The faithful team takes all {UNITS}, as the paper does."


def faithful(kind: str) -> str:
    """The row of the player by the papers' method."""
    return f"{kind}, faithful"


def faithful_pair(pair: Pair) -> Pair:
    """The same pair by the papers' methods."""
    return faithful(pair[0]), faithful(pair[1])


def run_name(row: str, seed: int) -> str:
    """The name of the run of a row."""
    return f"{row.replace(',', '').replace(' ', '-')}-{seed}"


def match_player(row: str, seed: int) -> MatchPlayer:
    """The player of a row."""
    if row in BASELINES:
        return MatchPlayer(row)
    return MatchPlayer(run_name(row, seed))


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
