"""The study of MP-Draughts: Duarte, Julia, Barcelos and Otsuka (2009), their table, and variations of our own.

The players of the paper and their predecessors are trained with the same options and play matches of many games. Then
one option of the team is changed at a time: the number of specialists, the clustering of the boards, the training
games, when the map chooses the specialist, and which attributes the map has.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ludus.arena.match import MatchConfig, Standing
from ludus.arena.score import Score
from ludus.games import draughts
from ludus.learning import Options
from ludus.reports import charts
from ludus.reports.charts import Estimate
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Table, decimal, span
from ludus.studies.steps import MatchPlayer, MatchStep, Step, StepStore, TrainingStep

PAPER_GAMES = 20
NEURO, LS, VISION, MP = "neurodraughts", "ls-draughts", "visiondraughts", "mp-draughts"
BASELINES = ("random", "material@depth=4")

Pair = tuple[str, str]  # of rows of the tables


class Claim(NamedTuple):
    """The paper's result of a match. The loops are part of the draws; None if the paper does not count them."""

    wins: int
    losses: int
    draws: int
    loops: int | None

    def __str__(self) -> str:
        loops = "" if self.loops is None else f" ({self.loops} loops)"
        return f"{self.wins}-{self.losses}-{self.draws}{loops}"


# Table I; LS-Draughts against NeuroDraughts is in the paper's text.
PAPER = {
    (VISION, NEURO): Claim(10, 1, 9, 5),
    (MP, NEURO): Claim(14, 3, 3, 0),
    (MP, VISION): Claim(10, 6, 4, 2),
    (LS, NEURO): Claim(2, 0, 5, None),
}

# The team with one option changed: the title of the row, and its options.
SELECTED = "features by a GA, 25"
ABLATIONS: dict[str, Options] = {
    "one specialist": {"units": 1},
    "chain of 4": {"units": 4},
    "chain of 9": {"units": 9},
    "k-means, 25": {"clusters": "kmeans"},
    "clusters by chance, 25": {"clusters": "random"},
    SELECTED: {},
    "chain of 4, budget matched": {"units": 4, "share_games": True},
    "chain of 9, budget matched": {"units": 9, "share_games": True},
    "chain of 25, budget matched": {"share_games": True},
}
MATCHED = "chain of 25, budget matched"
DYNAMICS = "asked once (DI)"
UNITS = 25


class Scale(NamedTuple):
    """The size of the study. A trial is all trainings and matches with one seed."""

    trials: int
    sets: int
    games: int  # in a set
    boards: int  # endgame boards
    match_games: int  # more than twice the 174 ballots would repeat games
    tests: int  # test boards of all kinds
    population: int  # of LS-Draughts, and of the selection of attributes
    generations: int


SCALES = {"quick": Scale(1, 4, 100, 150, 60, 6, 4, 1), "full": Scale(3, 10, 250, 1000, 348, 20, 6, 3)}


class Study:
    """The trainings and matches that the tables need, and the tables."""

    title = "MP-Draughts and its predecessors (Duarte, Julia, Barcelos and Otsuka 2009)"
    unit = "steps"
    store = StepStore

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)

    def steps(self) -> list[Step]:
        """All steps, seed by seed, so that more trials can be added later.

        The players of the paper come before the changed teams.
        """
        steps: list[Step] = []
        for seed in self.seeds:
            players, changed = self._players(seed), self._changed_teams(seed)
            known = {training.name for training in players}
            early = [pair for pair in pairs() if all(run_name(row, seed) in known or row in BASELINES for row in pair)]
            late = [pair for pair in pairs() if pair not in early]
            steps += [*players, *(self._match(pair, seed) for pair in early)]
            steps += [*changed, *(self._match(pair, seed) for pair in late)]
        return steps

    def _common(self, seed: int) -> Options:
        """The options of all trainings."""
        scale = self.scale
        return {
            "seed": seed,
            "sets": scale.sets,
            "games": scale.games,
            "budget": "depth=4",
            "test_boards": scale.tests,
            "final_boards": scale.tests,
            "reference_games": 0,
        }

    def _players(self, seed: int) -> list[TrainingStep]:
        """The players of the paper, their predecessors, and two with as many training games as a team."""
        scale, common = self.scale, self._common(seed)
        selection = {"population": scale.population, "generations": scale.generations, "match_boards": scale.tests}

        def longer(times: int) -> TrainingStep:
            name = run_name(f"{VISION} x{times}", seed)
            return TrainingStep(name=name, kind=VISION, options={**common, "games": times * scale.games})

        return [
            TrainingStep(name=run_name(NEURO, seed), kind=NEURO, options=common),
            TrainingStep(name=run_name(VISION, seed), kind=VISION, options=common),
            TrainingStep(name=run_name(LS, seed), kind=LS, options={**common, **selection}),
            self._team(MP, seed),
            longer(2),
            longer(1 + UNITS),
        ]

    def _changed_teams(self, seed: int) -> list[TrainingStep]:
        selected = {
            "selection_generations": self.scale.generations,
            "selection_population": self.scale.population,
        }
        return [
            self._team(row, seed, **changed, **(selected if row == SELECTED else {}))
            for row, changed in ABLATIONS.items()
        ]

    def _team(self, row: str, seed: int, **changed: object) -> TrainingStep:
        own = {"boards": self.scale.boards, "specialist_test_boards": self.scale.tests, **changed}
        options = {**self._common(seed), **own}
        return TrainingStep(name=run_name(row, seed), kind=MP, options=options, generalist=run_name(VISION, seed))

    def _match(self, pair: Pair, seed: int) -> MatchStep:
        one, other = (match_player(row, seed) for row in pair)
        config = MatchConfig(games=self.scale.match_games, seed=seed)
        return MatchStep(one=one, other=other, config=config)

    def sections(self, store: StepStore) -> list[Section]:
        """The tables and charts of the finished matches."""
        results = {pair: self._result(pair, store) for pair in pairs()}
        return [
            Section(
                "Table I with as many games as the paper", (self._note(), first_games(results, self.scale.match_games))
            ),
            Section(
                "Table I as it should be played",
                (
                    "From the three-move ballots, each with both colours and none twice. A draw is half a win.",
                    score_table(results, PAPER),
                    score_chart("Points of the first player", results, PAPER),
                ),
            ),
            Section("Against players that do not learn", (score_table(results, baseline_pairs()),)),
            Section("Against the generalist, with as many training games", (MATCHED_NOTE, *self._matched(results))),
            Section("The team with one option changed", (ABLATION_NOTE, *self._changed(results, store))),
        ]

    def _note(self) -> str:
        scale = self.scale
        trials = f"{scale.trials} trainings of each, all games together" if scale.trials > 1 else "one training of each"
        note = (
            f"{scale.sets} sets of {scale.games} games a network, {scale.boards:,} boards; {trials}. All search to "
            "depth 4: NeuroDraughts and LS-Draughts by plain minimax, which stops there, the others by alpha-beta "
            "with late-move reductions and with forced captures beyond that depth. Intervals and p describe the games "
            "of these players: other trainings would give other players."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += " The paper has 10 sets of 250 games: these results are from a shorter training and prove nothing."
        return note

    def _result(self, pair: Pair, store: StepStore) -> "PairResult":
        return PairResult.of([store.standing(self._match(pair, seed)) for seed in self.seeds])

    def _matched(self, results: "PairResults") -> tuple[Table, Figure]:
        chart = score_chart("Points of the team", results, MATCHED_PAIRS, both=False)
        return score_table(results, MATCHED_PAIRS), chart

    def _changed(self, results: "PairResults", store: StepStore) -> tuple[Table, Figure, Figure]:
        games = {
            training.name: store.done(training)
            for training in (*self._players(self.seeds[0]), *self._changed_teams(self.seeds[0]))
        }
        rows = []
        for row in (MP, *changed_rows()):
            trained = MP if row == DYNAMICS else row
            cells = [row, f"{games[run_name(trained, self.seeds[0])]:,}"]
            for other in (VISION, MP):
                result = results.get((row, other))
                cells += result.cells() if result else ["-", "-", "-"]
            rows.append(tuple(cells))
        measures = ("points, %", "95% interval", "p")
        columns = ("the team", "games", *(f"{each} v {other}" for other in ("generalist", "team") for each in measures))
        names = (MP, *changed_rows())
        return (
            Table(columns, tuple(rows)),
            score_chart("Points against the generalist", results, [(row, VISION) for row in names], both=False),
            score_chart("Points against the team", results, [(row, MP) for row in changed_rows()], both=False),
        )


MATCHED_PAIRS = ((MP, f"{VISION} x{1 + UNITS}"), (MATCHED, f"{VISION} x2"))
MATCHED_NOTE = (
    f"A team of {UNITS} specialists has learned from up to {1 + UNITS} times the games of its generalist, or from "
    "twice as many if they share the games. Here it plays a VisionDraughts that has learned from as many games."
)
ABLATION_NOTE = (
    "All have the same generalist and the same boards. With the budget matched, all specialists together learn from as "
    "many games as the generalist; otherwise each of them does. For one specialist both are the same. The column "
    "games counts the training games; those of the genetic algorithm that selects features are not counted. Of so "
    "many comparisons one in twenty has p below 0.05 by chance alone."
)


class PairResult(NamedTuple):
    """The result of the matches of a pair, one for each seed."""

    score: Score
    first: Score  # of the first games, as many as in the paper
    first_loops: int
    loops: int
    ahead: tuple[int, int]  # loops in which the first player was ahead, and the second

    @staticmethod
    def of(standings: Sequence[Standing | None]) -> "PairResult":
        """The result of the finished matches; None stands for one that is not."""
        score, loops, while_ahead = Score(), 0, [0, 0]
        first, first_loops = Score(), 0
        for standing in standings:
            if standing is None:
                continue
            score += standing.score
            for played in standing.played:
                if played.is_loop(draughts.GAME):
                    loops += 1
                    side = played.ahead(draughts.GAME)
                    if side is not None:
                        while_ahead[(side + played.index) % 2] += 1
            if not first.games:
                begun = standing.played[:PAPER_GAMES]
                for one, other in zip(begun[::2], begun[1::2], strict=True):
                    first += Score.pair(one.points, 1 - other.points)
                first_loops = sum(played.is_loop(draughts.GAME) for played in begun)
        return PairResult(score, first, first_loops, loops, (while_ahead[0], while_ahead[1]))

    @property
    def p(self) -> float:
        """The two-sided p-value of the hypothesis that both players are equal."""
        return 2 * min(self.score.superiority, 1 - self.score.superiority)

    def cells(self) -> list[str]:
        """The cells of a table: points, interval and p."""
        if not self.score.games:
            return ["-", "-", "-"]
        low, high = self.score.interval
        p = "< 0.0001" if self.p < 1e-4 else f"{self.p:.4f}"
        return [decimal(100 * self.score.score), span(100 * low, 100 * high), p]


PairResults = dict[Pair, PairResult]


def run_name(row: str, seed: int) -> str:
    """The name of the run of a row."""
    return f"{row.replace(',', '').replace(' ', '-')}-{seed}"


def match_player(row: str, seed: int) -> MatchPlayer:
    """The player of a row."""
    if row in BASELINES:
        return MatchPlayer(row)
    return MatchPlayer(run_name(MP, seed), "DI") if row == DYNAMICS else MatchPlayer(run_name(row, seed))


def changed_rows() -> list[str]:
    """The rows of the changed teams."""
    return [*ABLATIONS, DYNAMICS]


def baseline_pairs() -> list[Pair]:
    """The players of the paper and their predecessors against those that do not learn."""
    return [(row, other) for row in (NEURO, LS, VISION, MP) for other in BASELINES]


def pairs() -> list[Pair]:
    """All pairs that play a match."""
    changed = [(row, other) for row in changed_rows() for other in (VISION, MP)]
    return [*PAPER, *baseline_pairs(), *MATCHED_PAIRS, *changed]


def first_games(results: PairResults, most: int) -> Table:
    """The paper's matches beside our first games, as many as in the paper."""
    rows = []
    for pair, claim in PAPER.items():
        result = results[pair]
        first = result.first
        ours = f"{first.wins}-{first.losses}-{first.draws} ({result.first_loops} loops)"
        low, high = first.interval
        rows.append((f"{pair[0]} x {pair[1]}", ours, span(100 * low, 100 * high), str(claim)))
    title = f"ours, {min(PAPER_GAMES, most)} games"
    return Table(("wins-losses-draws of the first player", title, "95% interval, %", "paper"), tuple(rows))


def score_table(results: PairResults, wanted: Iterable[Pair]) -> Table:
    """The matches of these pairs: games, points, interval, p and loops."""
    rows = []
    for pair in wanted:
        result = results[pair]
        score = result.score
        counts = f"+{score.wins} ={score.draws} -{score.losses}"
        loops = (str(result.loops), *map(str, result.ahead))
        rows.append((f"{pair[0]} x {pair[1]}", counts, *result.cells(), *loops))
    columns = ("match", "games", "points, %", "95% interval", "p", "loops", "first ahead", "second ahead")
    return Table(columns, tuple(rows))


def score_chart(title: str, results: PairResults, wanted: Iterable[Pair], *, both: bool = True) -> Figure:
    """The points of the first of each pair with their intervals; `both` puts both players into the labels."""
    dots = []
    for pair in wanted:
        score = results[pair].score
        if score.games:
            dots.append(
                Estimate(
                    f"{_short(pair[0])} x {_short(pair[1])}" if both else _short(pair[0]),
                    *(100 * value for value in (score.score, *score.interval)),
                )
            )
    chart = charts.intervals(dots, title=title, x_title="points, %")
    return Figure(chart, f"{title}, with 95% intervals; 50 is even.")


def _short(row: str) -> str:
    """The label of a row in a chart, where there is little room."""
    for long, short in ((NEURO, "Neuro"), (LS, "LS"), (VISION, "Vision"), (MP, "MP"), ("budget matched", "matched")):
        row = row.replace(long, short)
    return row
