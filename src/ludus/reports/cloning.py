"""The report of a run of self-play with cloning (Samuel, NeuroDraughts, VisionDraughts)."""

from ludus.reports.charts import Reference, Series
from ludus.reports.figures import LineChart
from ludus.reports.folder import RunFolder, column
from ludus.reports.page import Figure, Part, Section
from ludus.reports.reference_players import Lines, clone_parts
from ludus.reports.tables import Cell, Table, decimal, span


def sections(run: RunFolder) -> list[Section]:
    """The clones against the reference players, the tests, the training games and the last round robin."""
    found = [
        Section("Clones against the reference players", clone_parts(run.progress)),
        Section("Tests against the clone", test_parts(run.progress, run.options.get("threshold"))),
        Section("Training games", _games(run.progress)),
        Section("Round robin of the clones", round_robin_parts(run.progress)),
    ]
    return [section for section in found if section.parts] or [Section("Learning", ("Nothing is tested yet.",))]


def test_parts(lines: Lines, threshold: float | None = None) -> tuple[Part, ...]:
    """The score against the clone in the test after each set, and how often the learner replaced the clone."""
    tested = [line for line in lines if "test_score" in line]
    if not tested:
        return ()
    percents = [100 * share for share in column(tested, "test_score")]
    bands: tuple[tuple[list[float], list[float]], ...] = ()
    if all("test_interval" in line for line in tested):
        low, high = ([100 * line["test_interval"][end] for line in tested] for end in (0, 1))
        bands = ((low, high),)
    level = (
        Reference(50, "equal to the clone")
        if threshold is None
        else Reference(100 * threshold, f"threshold, {threshold:.0%}")
    )
    chart = LineChart(
        [Series("score against the clone", column(tested, "games"), percents, bands=bands)],
        title="Score against the clone over training games",
        x_title="training games",
        y_title="score, %",
        references=(level,),
        error_bars=True,
    )
    promoted = sum(bool(line["promoted"]) for line in tested)
    sets = f"{len(tested)} set{'' if len(tested) == 1 else 's'}"
    figure = Figure(chart, f"The learner replaced the clone after {promoted} of {sets} of training games.")
    return (figure, _test_table(tested)) if bands else (figure,)


def _test_table(tested: Lines) -> Table:
    """The learning rate at the end of each set, the test after it with its interval, and whether the learner passed."""
    number = 0
    rows = []
    for line in tested:
        number += bool(line["promoted"])
        rows.append(
            (
                str(line["set"]),
                f"{line['games']:,}",
                f"{line['rate']:.2g}",
                str(2 * len(line["test_points"])),
                decimal(100 * line["test_score"]),
                span(*(100 * end for end in line["test_interval"])),
                f"clone {number}" if line["promoted"] else "failed",
            )
        )
    columns = ("set", "after games", "rate", "test games", "score, %", "95% interval", "result")
    return Table(columns, tuple(rows))


def _games(lines: Lines) -> tuple[Part, ...]:
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
    chart = LineChart(
        series,
        title="Results of the training games",
        x_title="training games",
        y_title="share of the games of a set, %",
    )
    return (Figure(chart, "The results of the learner against its clone."),)


def round_robin_parts(lines: Lines) -> tuple[Part, ...]:
    """The points of the clones in the games among themselves."""
    last = next((line for line in lines if "round_robin" in line), None)
    if last is None:
        return ()
    numbers = last.get("candidates") or list(range(1, len(last["round_robin"]) + 1))
    if not any("clone" in line for line in lines):
        kept = "The result is the learner after its last set."
        if numbers == [0]:
            kept = "The result has the initial weights."
        return (f"The learner never replaced its first clone. {kept}",)
    if len(numbers) == 1:
        return ("The only clone is the result.",)
    rows = tuple(
        (f"clone {number}" if number else "first clone", Cell(str(points), "*" if number == last["named"] else ""))
        for number, points in zip(numbers, last["round_robin"], strict=True)
    )
    return (Table(("", "points"), rows, notes={"*": "This clone is the result."}),)
