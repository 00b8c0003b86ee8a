"""The games of a run's players against the reference players, which never change, as ratings, charts and tables.

In the record these results are called the pool.
"""

from collections.abc import Sequence

from ludus.arena import ratings
from ludus.arena.ratings import Rating
from ludus.arena.score import Score
from ludus.learning import Record
from ludus.reports.charts import Estimate, Reference, Series
from ludus.reports.figures import IntervalChart, LineChart
from ludus.reports.folder import column
from ludus.reports.page import Figure, Part
from ludus.reports.tables import Table, decimal, span

ANCHOR = "material@depth=2"  # has the rating 0; it is of middle strength, so most clones score some of the points

Lines = Sequence[Record]


def clone_ratings(lines: Lines) -> dict[int, Rating]:
    """The rating of every clone by its games against the reference players, with the anchor at 0.

    The record has scores and no draws. The intervals are those of games without draws, which are the wider ones.
    """
    pools = {line["clone"]: line["pool"] for line in lines if "pool" in line and "clone" in line}
    matches = {
        (f"clone {clone}", name): _without_draws(found["games"], found["score"])
        for clone, pool in pools.items()
        for name, found in pool.items()
    }
    by_name = {rating.name: rating for rating in ratings.rate(matches, ANCHOR)} if matches else {}
    return {clone: by_name[f"clone {clone}"] for clone in pools}


def _without_draws(games: int, share: float) -> Score:
    halves = round(2 * games * share)
    wins, draws = divmod(halves, 2)
    return Score(singles=(games - wins - draws, draws, wins))


def clone_parts(lines: Lines) -> tuple[Part, ...]:
    """The ratings of the clones, and their scores against each reference player, as charts and as a table."""
    known = clone_ratings(lines)
    if not known:
        return ()
    measured = [line for line in lines if line.get("clone") in known]
    if len(measured) == 1:
        return score_parts(measured[0]["pool"], f"clone {measured[0]['clone']}")
    games = column(measured, "games")
    elos = [known[line["clone"]] for line in measured]
    band = ([rating.interval.low for rating in elos], [rating.interval.high for rating in elos])
    rating = LineChart(
        [Series("clones", games, [rating.elo for rating in elos], bands=(band,))],
        title="Rating of the clones over training games",
        x_title="training games",
        y_title="rating, Elo",
        references=(Reference(0, ANCHOR),),
        error_bars=True,
    )
    opponents = list(measured[0]["pool"])
    scores = LineChart(
        [Series(name, games, [100 * line["pool"][name]["score"] for line in measured]) for name in opponents],
        title="Scores of the clones against the reference players over training games",
        x_title="training games",
        y_title="score, %",
    )
    rows = tuple(
        (
            f"clone {line['clone']}",
            f"{line['games']:,}",
            decimal(one.elo, 0),
            span(*one.interval, 0),
            *(decimal(100 * line["pool"][name]["score"]) for name in opponents),
        )
        for line, one in zip(measured, elos, strict=True)
    )
    each = measured[0]["pool"][opponents[0]]["games"]
    return (
        Figure(rating, f"{each} games against each reference player, with 95% intervals. {ANCHOR} has 0."),
        Figure(scores, "The score of each clone against each reference player. A draw is half a win."),
        Table(("", "after games", "Elo", "95% interval", *(f"{name}, %" for name in opponents)), rows),
    )


def score_parts(pool: Record, player: str = "the player") -> tuple[Part, ...]:
    """The scores of one player, or a clone, against each reference player, as a chart."""
    estimates = [
        Estimate(name, *(100 * part for part in (found["score"], *found["interval"]))) for name, found in pool.items()
    ]
    chart = IntervalChart(estimates, title="Score against each reference player", x_title="score, %")
    games = next(iter(pool.values()))["games"]
    caption = f"The scores of {player} in {games} games against each, with 95% intervals. A draw is half a win."
    return (Figure(chart, caption),)
