"""The report of a run of self-play with cloning: how the clones grew stronger, by players that never change."""

from collections.abc import Sequence
from typing import Any

from ludus.arena import ratings
from ludus.arena.ratings import Rating
from ludus.arena.score import Score
from ludus.reports import charts
from ludus.reports.charts import Dot, Reference, Series
from ludus.reports.folder import RunFolder, column
from ludus.reports.page import Figure, Section
from ludus.reports.tables import Cell, Table, decimal, span

ANCHOR = "material@depth=2"  # has a rating of 0: neither so weak nor so strong that hardly a clone's points would tell

_Lines = Sequence[dict[str, Any]]
_Parts = tuple[str | Figure | Table, ...]


def sections(run: RunFolder) -> list[Section]:
    """The clones against the fixed pool, the tests against the clone before, the games, and the last round robin."""
    found = [
        Section("Clones against players that never change", pool_parts(run.progress)),
        Section("Tests against the clone", test_parts(run.progress, run.options.get("threshold"))),
        Section("Training games", _games(run.progress)),
        Section("Round robin of the clones", robin_parts(run.progress)),
    ]
    return [section for section in found if section.parts] or [Section("Learning", ("Nothing is tested yet.",))]


def selection_sections(run: RunFolder) -> list[Section]:
    """The same for LS-Draughts: the generations of its genetic algorithm, and its player against the pool."""
    lines = [line for line in run.progress if "generation" in line]
    if not lines:
        return [Section("Generations", ("Nothing is selected yet.",))]
    percents = [100 * share for share in column(lines, "fitness")]
    chart = charts.lines(
        [Series("fitness", column(lines, "generation"), percents)],
        title="Fitness of the best over generations",
        x_title="generation",
        y_title="points among its rivals, %",
    )
    caption = "Each generation has rivals of its own: the curve need not rise when all of them grow stronger."
    parts: _Parts = (Figure(chart, caption), feature_table(lines))
    found = [Section("Generations", parts)]
    if pools := [line["pool"] for line in run.progress if "pool" in line]:
        found.append(Section("Its player against players that never change", pool_scores(pools[-1])))
    return found


def feature_table(lines: _Lines) -> Table:
    """The best set of features of each generation."""
    rows = tuple(
        (
            str(line["generation"]),
            decimal(100 * line["fitness"]),
            str(len(line["features"])),
            ", ".join(line["features"]),
        )
        for line in lines
    )
    return Table(("generation", "fitness, %", "features", "of the best"), rows)


def rated(lines: _Lines) -> dict[int, Rating]:
    """The rating of every clone by its games against the pool, on one scale on which the anchor has 0.

    The record has points and no draws: the intervals are those of games without draws, wide rather than narrow.
    """
    pools = {line["clone"]: line["pool"] for line in lines if "pool" in line and "clone" in line}
    matches = {
        (f"clone {clone}", name): _decided(found["games"], found["score"])
        for clone, pool in pools.items()
        for name, found in pool.items()
    }
    by_name = {rating.name: rating for rating in ratings.rate(matches, ANCHOR)} if matches else {}
    return {clone: by_name[f"clone {clone}"] for clone in pools}


def _decided(games: int, share: float) -> Score:
    halves = round(2 * games * share)
    wins, draws = divmod(halves, 2)
    return Score(singles=(games - wins - draws, draws, wins))


def pool_parts(lines: _Lines) -> _Parts:
    """The ratings of the clones as a curve, their scores against each of the pool, and both as a table."""
    known = rated(lines)
    if not known:
        return ()
    measured = [line for line in lines if line.get("clone") in known]
    games = column(measured, "games")
    elos = [known[line["clone"]] for line in measured]
    band = ([rating.interval.low for rating in elos], [rating.interval.high for rating in elos])
    rating = charts.lines(
        [Series("rating", games, [rating.elo for rating in elos], bands=(band,))],
        title="Rating of the clones over training games",
        x_title="training games",
        y_title="Elo",
        references=(Reference(0, ANCHOR),),
        error_bars=True,
    )
    opponents = list(measured[0]["pool"])
    scores = charts.lines(
        [Series(name, games, [100 * line["pool"][name]["score"] for line in measured]) for name in opponents],
        title="Points of the clones against each of the pool over training games",
        x_title="training games",
        y_title="points, %",
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
        Figure(rating, f"From {each} games against each of the pool, with 95% intervals; {ANCHOR} has 0."),
        Figure(scores),
        Table(("", "after games", "Elo", "95% interval", *(f"{name}, %" for name in opponents)), rows),
    )


def test_parts(lines: _Lines, threshold: float | None = None) -> _Parts:
    """The points against the clone after each set, and how often they were enough."""
    tested = [line for line in lines if "test_score" in line]
    if not tested:
        return ()
    percents = [100 * share for share in column(tested, "test_score")]
    level = Reference(50, "even") if threshold is None else Reference(100 * threshold, "enough")
    chart = charts.lines(
        [Series("points against the clone", column(tested, "games"), percents)],
        title="Points against the clone over training games",
        x_title="training games",
        y_title="points, %",
        references=(level,),
    )
    promoted = sum(bool(line["promoted"]) for line in tested)
    return (Figure(chart, f"In {promoted} of {len(tested)} sets it became the clone."),)


def _games(lines: _Lines) -> _Parts:
    played = [line for line in lines if "test_score" in line and "wins" in line]
    if not played:
        return ()
    totals = [sum(line[name] for name in ("wins", "draws", "losses")) for line in played]
    series = [
        Series(
            name,
            column(played, "games"),
            [100 * line[name] / total for line, total in zip(played, totals, strict=True)],
        )
        for name in ("wins", "draws", "losses")
    ]
    chart = charts.lines(
        series, title="Training games over sets", x_title="training games", y_title="of the games of a set, %"
    )
    return (Figure(chart, "Of the learner against its clone, with random openings and moves as far as it has them."),)


def robin_parts(lines: _Lines) -> _Parts:
    """The points of the clones among themselves."""
    last = next((line for line in lines if "round_robin" in line), None)
    if last is None:
        return ()
    if not any("clone" in line for line in lines):
        return ("It never beat its first clone: as it was at the end, it is the player.",)
    rows = tuple(
        (f"clone {number}", Cell(str(points), "*" if number == last["named"] else ""))
        for number, points in enumerate(last["round_robin"], 1)
    )
    return (Table(("", "points"), rows, notes={"*": "is the player"}),)


def pool_scores(pool: dict[str, Any]) -> _Parts:
    """A player's points against each of the pool."""
    dots = [Dot(name, *(100 * part for part in (found["score"], *found["interval"]))) for name, found in pool.items()]
    chart = charts.intervals(dots, title="Points against each of the pool", x_title="points, %")
    return (Figure(chart, f"{next(iter(pool.values()))['games']} games each, with 95% intervals."),)
