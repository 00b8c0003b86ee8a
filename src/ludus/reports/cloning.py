"""The report of a run of self-play with cloning (Samuel, NeuroDraughts, VisionDraughts)."""

from ludus.reports import charts
from ludus.reports.charts import Reference, Series
from ludus.reports.folder import RunFolder, column
from ludus.reports.page import Figure, Part, Section
from ludus.reports.reference_players import Lines, clone_parts
from ludus.reports.tables import Cell, Table


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
    level = (
        Reference(50, "equal to the clone")
        if threshold is None
        else Reference(100 * threshold, f"threshold, {threshold:.0%}")
    )
    chart = charts.lines(
        [Series("score against the clone", column(tested, "games"), percents)],
        title="Score against the clone over training games",
        x_title="training games",
        y_title="score, %",
        references=(level,),
    )
    promoted = sum(bool(line["promoted"]) for line in tested)
    sets = f"{len(tested)} set{'' if len(tested) == 1 else 's'}"
    return (Figure(chart, f"The learner replaced the clone after {promoted} of {sets} of training games."),)


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
    chart = charts.lines(
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
    if not any("clone" in line for line in lines):
        return ("The learner never replaced its first clone. The result is the learner after its last set.",)
    if len(last["round_robin"]) == 1:
        return ("The only clone is the result.",)
    rows = tuple(
        (f"clone {number}", Cell(str(points), "*" if number == last["named"] else ""))
        for number, points in enumerate(last["round_robin"], 1)
    )
    return (Table(("", "points"), rows, notes={"*": "This clone is the result."}),)
