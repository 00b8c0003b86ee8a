"""The report of a ladder: a text table, a picture of the ratings, and a page with both."""

from itertools import combinations
from typing import Any

from ludus.arena import endings
from ludus.arena.ladder import Ladder
from ludus.reports.charts import Estimate, outliers
from ludus.reports.figures import IntervalChart
from ludus.reports.page import Figure, Footer, Section, render
from ludus.reports.tables import Table


def text(ladder: Ladder) -> str:
    """Ratings and the cross table, in plain columns; below them what happened in the endings, all together."""
    below = endings_table(ladder, each=False)
    return _table(ladder).text() + (f"\n\n{ENDINGS}\n{below.text()}" if below.rows else "")


def data(ladder: Ladder) -> dict[str, Any]:
    """The ratings and the scores of all pairs as JSON values, the best player first."""
    return {
        "ratings": [
            {"rank": rank, "player": rating.name, "elo": rating.elo, "elo_interval": list(rating.interval)}
            for rank, rating in enumerate(ladder.ratings, 1)
        ],
        "matches": [
            {
                "players": [one, other],
                "games": (score := ladder.score(one, other)).games,
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "score": score.score,
                "score_interval": list(score.interval),
            }
            for one, other in combinations(ladder.names, 2)
        ],
    }


def picture(ladder: Ladder) -> str:
    """The ratings with their intervals as an SVG picture. An arrow marks a rating outside the axis."""
    return chart(ladder)[0].svg


def chart(ladder: Ladder) -> tuple[IntervalChart, str]:
    """The ratings with their intervals, and the caption."""
    caption = "Ratings with 95% intervals. The mean of all ratings is 0."
    if outliers(_estimates(ladder)):
        caption += " An arrow marks a rating outside the axis."
    title = "Ratings with 95% intervals"
    return IntervalChart(_estimates(ladder), title=title, x_title="Elo", signed=True, clip=True), caption


def page(ladder: Ladder, command: str, title: str = "", note: str = "") -> str:
    """The page of a ladder; `title` and `note` say which one of several ladders it is."""
    ratings = Section("Ratings", (Figure(*chart(ladder)),))
    scores = Section(
        "Scores", ("The score of each player against each other one, by rank, in percent.", _table(ladder))
    )
    games = sum(score.games for score in ladder.scores.values())
    intro = f"{len(ladder.names)} players, {games:,} games: every player against every other.\n{note}".rstrip()
    heading = f"Ladder: {title[0].lower()}{title[1:]}" if title else "Ladder"
    found = endings_table(ladder, each=True)
    more = [Section("Endings", (ENDINGS, found))] if found.rows else []
    return render(heading, intro, [ratings, scores, *more], Footer(command))


ENDINGS = "Won positions reached, wins thrown, draws lost and losses saved, by the endgame tables."


def endings_table(ladder: Ladder, *, each: bool) -> Table:
    """What happened to the players in the endings, the best player first; `each` ending or all together."""
    rows = endings.rows({name: ladder.endings[name] for name in ladder.names if name in ladder.endings})
    if each:
        return Table(endings.HEADINGS, tuple(rows), names=2)
    heads, chosen = endings.HEADINGS, [row for row in rows if row[1] == "all"]
    return Table((heads[0], *heads[2:]), tuple((row[0], *row[2:]) for row in chosen))


def _estimates(ladder: Ladder) -> list[Estimate]:
    return [Estimate(rating.name, rating.elo, *rating.interval) for rating in ladder.ratings]


def _table(ladder: Ladder) -> Table:
    ranks = tuple(str(rank) for rank in range(1, len(ladder.names) + 1))
    rows = tuple(
        (
            rank,
            rating.name,
            f"{rating.elo:+.0f}",
            f"[{rating.interval.low:+.0f}, {rating.interval.high:+.0f}]",
            str(rating.games),
            f"{100 * rating.points / rating.games:.1f}%",
            *(_percent(ladder, rating.name, other) for other in ladder.names),
        )
        for rank, rating in zip(ranks, ladder.ratings, strict=True)
    )
    return Table(("", "player", "Elo", "95% interval", "games", "score", *ranks), rows, names=2)


def _percent(ladder: Ladder, one: str, other: str) -> str:
    return "-" if one == other else f"{100 * ladder.score(one, other).score:.0f}"
