"""A ladder as people read it: a text table, a picture, and a page of its own with both."""

from ludus.arena.ladder import Ladder
from ludus.reports.charts import Dot, intervals
from ludus.reports.page import Figure, Made, Section, render
from ludus.reports.tables import Table


def text(ladder: Ladder) -> str:
    """Ratings and the cross table, in plain columns."""
    return _table(ladder).text()


def picture(ladder: Ladder) -> str:
    """The ratings with their intervals as an SVG picture that works on light and on dark pages."""
    dots = [Dot(rating.name, rating.elo, *rating.interval) for rating in ladder.ratings]
    return intervals(dots, title="Ratings with 95% intervals", x_title="Elo", signed=True)


def page(ladder: Ladder, command: str, title: str = "", note: str = "") -> str:
    """One file with everything in it; `title` and `note` say which ladder of several it is."""
    ratings = Section(
        "Ratings",
        ("In Elo, with the pool's mean at 0, and their 95% intervals.", Figure(picture(ladder))),
    )
    scores = Section("Scores", ("Of each player against each, by rank, in percent.", _table(ladder)))
    games = sum(score.games for score in ladder.scores.values())
    intro = f"{len(ladder.names)} players, {games:,} games: every player against every other."
    intro = f"{intro} {note}".rstrip()
    return render(
        f"Ladder: {title[0].lower()}{title[1:]}" if title else "Ladder", intro, [ratings, scores], Made(command)
    )


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
