"""The tables and charts of the study of MP-Draughts: pure functions of the standings of its matches and its records."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from ludus.arena.matches import Standing
from ludus.arena.score import Score
from ludus.games import draughts
from ludus.reports.page import Figure
from ludus.reports.tables import Table, decimal
from ludus.studies import trainings
from ludus.studies.trainings import BySeed

PAPER_GAMES = 20

Pair = tuple[str, str]  # of rows of the tables
Standings = Mapping[Pair, Mapping[int, Standing]]  # the finished matches of a pair, by seed
Scores = Mapping[Pair, BySeed]  # points of the first player in percent

FAITHFUL_NOTE = (
    "Every learner with --preset faithful: the papers' own search, coding and rules of cloning, and for the team one "
    "choice of the specialist a game (DI). VisionDraughts and the team play 6 plies ahead, the others 4. The "
    "specialists learn at 4 plies to save time. The diamond is the paper's result."
)
OURS_NOTE = (
    "The same players with our options, at depth 4. NeuroDraughts searches by plain minimax, which stops there. The "
    "others search by alpha-beta with late-move reductions, and beyond that depth while a capture is forced."
)
TWENTY_NOTE = (
    "Wins, losses and draws of the first player in the first 20 games of each training. They show how much 20 games "
    "vary: the paper has one training and 20 games of each match."
)
BASELINE_NOTE = (
    "Material counts pieces and searches as VisionDraughts does. VisionDraughts also plays after more training games, "
    "with the same seed."
)
CPU_NOTE = "Processor seconds of every training on this machine, without those of other machines of a cluster."
TEAM_NOTE = "The time of a team is without its generalist."


class Claim(NamedTuple):
    """The paper's result of a match. The loops are part of the draws; None if the paper does not count them."""

    wins: int
    losses: int
    draws: int
    loops: int | None

    def __str__(self) -> str:
        loops = "" if self.loops is None else f" ({self.loops} loops)"
        return f"{self.wins}-{self.losses}-{self.draws}{loops}"

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """Of the first player, in percent."""
        return 100 * (self.wins + self.draws / 2) / self.games


class Loops(NamedTuple):
    """The loops of a match, and those in which the first or the second player was ahead."""

    all: int
    first_ahead: int
    second_ahead: int

    @staticmethod
    def of(standing: Standing, most: int | None = None) -> "Loops":
        """The loops among the first `most` games, or among all."""
        count, ahead = 0, [0, 0]
        for played in standing.played[:most]:
            if played.is_loop(draughts.GAME):
                count += 1
                side = played.ahead(draughts.GAME)
                if side is not None:
                    ahead[(side + played.index) % 2] += 1
        return Loops(count, ahead[0], ahead[1])

    def share(self, standing: Standing) -> float:
        """In percent of the games."""
        return 100 * self.all / max(1, len(standing.played))


def scores(found: Mapping[int, Standing]) -> dict[int, float]:
    """The points of the first player in percent, by seed."""
    return {seed: 100 * standing.score.score for seed, standing in found.items()}


def loops(claims: Mapping[Pair, Claim], standings: Standings, seeds: Sequence[int]) -> tuple[Table, Figure]:
    """The share of loops in every training of these pairs, beside the paper's."""
    shares = {
        pair: {seed: Loops.of(standing).share(standing) for seed, standing in standings[pair].items()}
        for pair in claims
    }
    known = {pair: claim for pair, claim in claims.items() if claim.loops is not None}
    paper = {
        title(pair): f"{100 * claim.loops / claim.games:.0f} ({claim.loops} of {claim.games})"
        for pair, claim in known.items()
        if claim.loops is not None
    }
    table = trainings.table(
        "loops, % of games", {title(pair): values for pair, values in shares.items()}, seeds, others=paper
    )
    figure = trainings.chart(
        "Loops",
        {short(pair): values for pair, values in shares.items()},
        x_title="loops, % of games",
        caption="The diamond is the paper, 20 games.",
        marks={
            short(pair): 100 * claim.loops / claim.games for pair, claim in known.items() if claim.loops is not None
        },
    )
    return table, figure


def first_table(claims: Mapping[Pair, Claim], standings: Standings) -> tuple[Table, Figure]:
    """The paper's matches: a row for every training, then the mean with its interval, then the paper."""
    rows: list[tuple[str, ...]] = []
    for pair, claim in claims.items():
        found = standings[pair]
        if not found:
            continue
        counted = {seed: Loops.of(standing) for seed, standing in found.items()}
        for index, (seed, standing) in enumerate(found.items()):
            score, each = standing.score, counted[seed]
            points = decimal(100 * score.score)
            counts = f"+{score.wins} ={score.draws} -{score.losses}"
            rows.append((title(pair) if index == 0 else "", f"seed {seed}", counts, points, "", *map(str, each)))
        mean, interval = trainings.mean_cells(scores(found).values())
        means = (decimal(fmean(each[place] for each in counted.values())) for place in range(3))
        rows.append(("", f"mean of {len(found)}", "", mean, interval, *means))
        theirs = f"+{claim.wins} ={claim.draws} -{claim.losses}"
        rows.append(("", "paper", theirs, decimal(claim.points), "", _or_dash(claim.loops), "-", "-"))
    columns = ("match", "training", "games", "points, %", "95% over trainings", "loops", "first ahead", "second ahead")
    figure = trainings.chart(
        "Points of the first player",
        {short(pair): scores(standings[pair]) for pair in claims},
        caption="50 is even. The diamond is the paper.",
        marks={short(pair): claim.points for pair, claim in claims.items()},
    )
    return Table(columns, tuple(rows), names=2), figure


def first_games(claims: Mapping[Pair, Claim], standings: Standings, seeds: Sequence[int], most: int) -> Table:
    """The first games of every training, as many as in the paper, beside the paper's."""
    rows = []
    for pair, claim in claims.items():
        if standings[pair]:
            cells = [_first(standings[pair][seed]) if seed in standings[pair] else "-" for seed in seeds]
            rows.append((title(pair), *cells, str(claim)))
    head = f"wins-losses-draws (loops), {min(PAPER_GAMES, most)} games"
    return Table((head, *(f"seed {seed}" for seed in seeds), "paper"), tuple(rows))


def _first(standing: Standing) -> str:
    begun = standing.played[:PAPER_GAMES]
    score = Score()
    for one, other in zip(begun[::2], begun[1::2], strict=True):
        score += Score.pair(one.points, 1 - other.points)
    return f"{score.wins}-{score.losses}-{score.draws} ({Loops.of(standing, PAPER_GAMES).all})"


def score_table(wanted: Iterable[Pair], found: Scores, seeds: Sequence[int]) -> Table:
    """The points of the first player of each pair in every training."""
    return trainings.table("points of the first, %", {title(pair): found[pair] for pair in wanted}, seeds)


def score_chart(heading: str, wanted: Iterable[Pair], found: Scores, *, both: bool = False) -> Figure:
    """The points of the first of each pair; `both` puts both players into the labels."""
    rows = {short(pair) if both else short_name(pair[0]): found[pair] for pair in wanted}
    return trainings.chart(heading, rows, caption="50 is even.")


def title(pair: Pair) -> str:
    """A pair in a table; what both have in common is said once."""
    one, other = pair
    shared = ", faithful"
    if one.endswith(shared) and other.endswith(shared):
        return f"{one.removesuffix(shared)} v {other}"
    return f"{one} v {other}"


def short(pair: Pair) -> str:
    """A pair in a chart, where there is little room."""
    return short_name(title(pair))


_NAMES = {
    "neurodraughts": "Neuro",
    "ls-draughts": "LS",
    "visiondraughts": "Vision",
    "mp-draughts": "MP",
    " times the games": " times",
    "material@depth=4": "material",
}


def short_name(text: str) -> str:
    """The name of a player in a chart or above a column."""
    for long, name in _NAMES.items():
        text = text.replace(long, name)
    return text


def _or_dash(number: int | None) -> str:
    return "-" if number is None else str(number)
