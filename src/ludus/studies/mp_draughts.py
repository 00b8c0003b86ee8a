"""The study of MP-Draughts: Duarte, Julia, Barcelos and Otsuka (2009), their table, and what they did not try.

The players of the paper and of its lineage are trained at one size and meet in as many games as it takes. Then one
thing at a time is changed in the team: how many specialists it has, what puts their boards together, how long they
train, who is asked when, and which features the map is told of.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ludus.arena.game import ahead, is_loop
from ludus.arena.match import MatchConfig
from ludus.arena.score import Score
from ludus.reports import charts
from ludus.reports.charts import Estimate
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Table, decimal, span
from ludus.studies.steps import Entrant, Meeting, Step, Steps, Training

PAPER_GAMES = 20
NEURO, LS, VISION, MP = "neurodraughts", "ls-draughts", "visiondraughts", "mp-draughts"
BASELINES = ("random", "material@depth=4")


class Claim(NamedTuple):
    """What the paper prints of a match; the loops are among the draws, where it tells them."""

    wins: int
    losses: int
    draws: int
    loops: int | None

    def __str__(self) -> str:
        loops = "" if self.loops is None else f" ({self.loops} loops)"
        return f"{self.wins}-{self.losses}-{self.draws}{loops}"


# Table I; LS-Draughts against NeuroDraughts is told in the paper's text.
PAPER = {
    (VISION, NEURO): Claim(10, 1, 9, 5),
    (MP, NEURO): Claim(14, 3, 3, 0),
    (MP, VISION): Claim(10, 6, 4, 2),
    (LS, NEURO): Claim(2, 0, 5, None),
}

# The team with one thing changed: what a row is called, and what is set for it.
SELECTED = "features by a GA, 25"
ABLATIONS: dict[str, dict[str, Any]] = {
    "one specialist": {"units": 1},
    "chain of 4": {"units": 4},
    "chain of 9": {"units": 9},
    "k-means, 25": {"clusters": "kmeans"},
    "clusters by chance, 25": {"clusters": "random"},
    SELECTED: {},
    "chain of 4, budget matched": {"units": 4, "matched": True},
    "chain of 9, budget matched": {"units": 9, "matched": True},
    "chain of 25, budget matched": {"matched": True},
}
MATCHED = "chain of 25, budget matched"
DYNAMICS = "asked once (DI)"
UNITS = 25


class Scale(NamedTuple):
    """How much is done; the trainings and the matches of a seed are a trial."""

    trials: int
    sets: int
    games: int  # a set
    boards: int  # of endgames
    match_games: int  # of each training: more than twice the 174 ballots would repeat games
    tests: int  # ballots after a set, and for each two clones at the end
    population: int  # of LS-Draughts, and of the genetic algorithm for the map
    generations: int


SCALES = {"quick": Scale(1, 4, 100, 150, 60, 6, 4, 1), "full": Scale(3, 10, 250, 1000, 348, 20, 6, 3)}


class Study:
    """The trainings and matches that the tables need, and the tables that they fill."""

    title = "MP-Draughts and its lineage"
    unit = "steps"
    store = Steps

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.seeds = range(seed, seed + scale.trials)

    def trials(self) -> list[Step]:
        """All steps, one seed after the other: with more trials the study goes on with what it has.

        The players of the paper come before those with something changed.
        """
        steps: list[Step] = []
        for seed in self.seeds:
            players, changed = self._players(seed), self._changed_teams(seed)
            known = {training.name for training in players}
            early = [pair for pair in pairs() if all(of(row, seed) in known or row in BASELINES for row in pair)]
            late = [pair for pair in pairs() if pair not in early]
            steps += [*players, *(self._meeting(pair, seed) for pair in early)]
            steps += [*changed, *(self._meeting(pair, seed) for pair in late)]
        return steps

    def _common(self, seed: int) -> dict[str, Any]:
        """What all trainings have in common."""
        scale = self.scale
        return {
            "seed": seed,
            "sets": scale.sets,
            "games": scale.games,
            "budget": "depth=4",
            "test_boards": scale.tests,
            "final_boards": scale.tests,
            "pool_games": 0,
        }

    def _players(self, seed: int) -> list[Training]:
        """Those of the paper and of its lineage, and those with as many games of learning as a team."""
        scale, common = self.scale, self._common(seed)
        herd = {"population": scale.population, "generations": scale.generations, "meeting_boards": scale.tests}

        def longer(times: int) -> Training:
            name = of(f"{VISION} x{times}", seed)
            return Training(name=name, kind=VISION, options={**common, "games": times * scale.games})

        return [
            Training(name=of(NEURO, seed), kind=NEURO, options=common),
            Training(name=of(VISION, seed), kind=VISION, options=common),
            Training(name=of(LS, seed), kind=LS, options={**common, **herd}),
            self._team(MP, seed),
            longer(2),
            longer(1 + UNITS),
        ]

    def _changed_teams(self, seed: int) -> list[Training]:
        selected = {"select": self.scale.generations, "select_population": self.scale.population}
        return [
            self._team(row, seed, **changed, **(selected if row == SELECTED else {}))
            for row, changed in ABLATIONS.items()
        ]

    def _team(self, row: str, seed: int, **changed: Any) -> Training:
        own = {"boards": self.scale.boards, "trial_boards": self.scale.tests, **changed}
        options = {**self._common(seed), **own}
        return Training(name=of(row, seed), kind=MP, options=options, generalist=of(VISION, seed))

    def _meeting(self, pair: tuple[str, str], seed: int) -> Meeting:
        one, other = (entrant(name, seed) for name in pair)
        config = MatchConfig(games=self.scale.match_games, seed=seed)
        return Meeting(one=one, other=other, config=config)

    def sections(self, done: Steps) -> list[Section]:
        """The tables and pictures, from the matches that are played."""
        table = {pair: self._results(pair, done) for pair in pairs()}
        return [
            Section(
                "Table I with as many games as the paper", (self._note(), first_games(table, self.scale.match_games))
            ),
            Section(
                "Table I as it should be played",
                (
                    "From the ballots of three plies, each with both colours and none twice; a draw is half a win.",
                    scored(table, PAPER),
                    picture("Points of the first player", table, PAPER),
                ),
            ),
            Section("Against players that do not learn", (scored(table, plain_pairs()),)),
            Section("Against the generalist, with as many games of learning", (MATCHED_WORDS, *self._matched(table))),
            Section("The team with one thing changed", (ABLATION_WORDS, *self._changed(table, done))),
        ]

    def _note(self) -> str:
        scale = self.scale
        trials = f"{scale.trials} trainings of each, all games together" if scale.trials > 1 else "one training of each"
        note = (
            f"{scale.sets} sets of {scale.games} games a network, {scale.boards:,} boards; {trials}. All look 4 plies "
            "ahead: NeuroDraughts and LS-Draughts by plain minimax, which stops there, the others by alpha-beta, which "
            "looks less far after late moves and goes on while a capture is forced. Intervals and p are of the games "
            "of these players: another training would give others."
        )
        if scale[1:] != SCALES["full"][1:]:
            note += " The paper has 10 sets of 250 games: this is a look at how the study goes, and proves nothing."
        return note

    def _results(self, pair: tuple[str, str], done: Steps) -> "Result":
        return Result.of([done.standing(self._meeting(pair, seed)) for seed in self.seeds])

    def _matched(self, table: "Results") -> tuple[Table, Figure]:
        return scored(table, MATCHED_PAIRS), picture("Points of the team", table, MATCHED_PAIRS, both=False)

    def _changed(self, table: "Results", done: Steps) -> tuple[Table, Figure, Figure]:
        games = {
            training.name: done.learned(training)
            for training in (*self._players(self.seeds[0]), *self._changed_teams(self.seeds[0]))
        }
        rows = []
        for row in (MP, *changed_rows()):
            trained = MP if row == DYNAMICS else row
            cells = [row, f"{games[of(trained, self.seeds[0])]:,}"]
            for other in (VISION, MP):
                result = table.get((row, other))
                cells += result.brief() if result else ["-", "-", "-"]
            rows.append(tuple(cells))
        measures = ("points, %", "95% interval", "p")
        columns = ("the team", "games", *(f"{each} v {other}" for other in ("generalist", "team") for each in measures))
        names = (MP, *changed_rows())
        return (
            Table(columns, tuple(rows)),
            picture("Points against the generalist", table, [(row, VISION) for row in names], both=False),
            picture("Points against the team", table, [(row, MP) for row in changed_rows()], both=False),
        )


MATCHED_PAIRS = ((MP, f"{VISION} x{1 + UNITS}"), (MATCHED, f"{VISION} x2"))
MATCHED_WORDS = (
    f"A team of {UNITS} specialists has learned from up to {1 + UNITS} times the games of its generalist, or from "
    "twice as many when they share one budget. Here it meets a VisionDraughts that has learned from as many."
)
ABLATION_WORDS = (
    "All have the same generalist and the same boards. With the budget matched all specialists together learn from as "
    "many games as the generalist; else each of them does. One specialist is the same either way. The games are those "
    "from which the specialists learn; what a genetic algorithm plays to choose features is not counted. Of so "
    "many comparisons one in twenty has p below 0.05 by chance alone."
)


class Result(NamedTuple):
    """What was counted in the matches of a pair, one for each seed."""

    score: Score
    first: Score  # of the first games, as many as the paper has
    first_loops: int
    loops: int
    ahead: tuple[int, int]  # loops in which the first player was ahead, and the second

    @staticmethod
    def of(standings: Sequence[Any]) -> "Result":
        """Of the matches that are finished."""
        score, loops, while_ahead = Score(), 0, [0, 0]
        first, first_loops = Score(), 0
        for standing in standings:
            if standing is None:
                continue
            score += standing.score
            for played in standing.played:
                if is_loop(played, "draughts"):
                    loops += 1
                    side = ahead(played)
                    if side is not None:
                        while_ahead[(side + played.index) % 2] += 1
            if not first.games:
                begun = standing.played[:PAPER_GAMES]
                for one, other in zip(begun[::2], begun[1::2], strict=True):
                    first += Score.pair(one.points, 1 - other.points)
                first_loops = sum(is_loop(played, "draughts") for played in begun)
        return Result(score, first, first_loops, loops, (while_ahead[0], while_ahead[1]))

    @property
    def p(self) -> float:
        """Of equal players, two-sided."""
        return 2 * min(self.score.superiority, 1 - self.score.superiority)

    def brief(self) -> list[str]:
        """Points, interval and p."""
        if not self.score.games:
            return ["-", "-", "-"]
        low, high = self.score.interval
        p = "< 0.0001" if self.p < 1e-4 else f"{self.p:.4f}"
        return [decimal(100 * self.score.score), span(100 * low, 100 * high), p]


Results = dict[tuple[str, str], Result]


def of(row: str, seed: int) -> str:
    """The training of a row, fit for the name of a folder."""
    return f"{row.replace(',', '').replace(' ', '-')}-{seed}"


def entrant(row: str, seed: int) -> Entrant:
    """Who plays in a row."""
    if row in BASELINES:
        return Entrant(row)
    return Entrant(of(MP, seed), "DI") if row == DYNAMICS else Entrant(of(row, seed))


def changed_rows() -> list[str]:
    """The rows in which something of the team is changed."""
    return [*ABLATIONS, DYNAMICS]


def plain_pairs() -> list[tuple[str, str]]:
    """The players of the lineage against those that do not learn."""
    return [(row, other) for row in (NEURO, LS, VISION, MP) for other in BASELINES]


def pairs() -> list[tuple[str, str]]:
    """Everybody who meets."""
    changed = [(row, other) for row in changed_rows() for other in (VISION, MP)]
    return [*PAPER, *plain_pairs(), *MATCHED_PAIRS, *changed]


def first_games(table: Results, most: int) -> Table:
    """The paper's matches beside ours of the same length."""
    rows = []
    for pair, claim in PAPER.items():
        result = table[pair]
        first = result.first
        ours = f"{first.wins}-{first.losses}-{first.draws} ({result.first_loops} loops)"
        low, high = first.interval
        rows.append((f"{pair[0]} x {pair[1]}", ours, span(100 * low, 100 * high), str(claim)))
    title = f"ours, {min(PAPER_GAMES, most)} games"
    return Table(("wins-losses-draws of the first player", title, "95% interval, %", "paper"), tuple(rows))


def scored(table: Results, wanted: Any) -> Table:
    """Matches with all that there is to say of them."""
    rows = []
    for pair in wanted:
        result = table[pair]
        score = result.score
        counts = f"+{score.wins} ={score.draws} -{score.losses}"
        loops = (str(result.loops), *map(str, result.ahead))
        rows.append((f"{pair[0]} x {pair[1]}", counts, *result.brief(), *loops))
    columns = ("match", "games", "points, %", "95% interval", "p", "loops", "first ahead", "second ahead")
    return Table(columns, tuple(rows))


def picture(title: str, table: Results, wanted: Any, *, both: bool = True) -> Figure:
    """The points of the first of each pair with their intervals."""
    dots = []
    for pair in wanted:
        score = table[pair].score
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
    """For a picture, where there is little room."""
    for long, short in ((NEURO, "Neuro"), (LS, "LS"), (VISION, "Vision"), (MP, "MP"), ("budget matched", "matched")):
        row = row.replace(long, short)
    return row
