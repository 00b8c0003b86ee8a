"""The report of an LS-Draughts run: the generations of its genetic algorithm, and its player."""

from ludus.reports.charts import Series
from ludus.reports.figures import LineChart
from ludus.reports.folder import RunFolder, column
from ludus.reports.page import Figure, Section
from ludus.reports.reference_players import Lines, score_parts
from ludus.reports.tables import Table, decimal

FINALISTS = (
    "The best of the last generation, trained again for longer with other random numbers. Features are numbered in the "
    "order of the candidates. The score is that of the matches among the finalists; the player is the best."
)


def sections(run: RunFolder) -> list[Section]:
    """The fitness and the features of the best of each generation, and the player against the reference players."""
    lines = [line for line in run.progress if "generation" in line]
    if not lines:
        return [Section("Generations", ("Nothing is selected yet.",))]
    percents = [100 * share for share in column(lines, "fitness")]
    chart = LineChart(
        [Series("fitness", column(lines, "generation"), percents)],
        title="Fitness of the best over generations",
        x_title="generation",
        y_title="fitness of the best, %",
    )
    caption = (
        "Fitness is the score against the other sets of features of the same generation. "
        "It need not rise if all of them become stronger."
    )
    found = [Section("Generations", (Figure(chart, caption), feature_table(lines)))]
    if finals := [line for line in run.progress if "finalists" in line]:
        found.append(
            Section("Finalists", (FINALISTS, finalist_table(finals[-1]["finalists"], lines[-1]["population"])))
        )
    if pools := [line["pool"] for line in run.progress if "pool" in line]:
        found.append(Section("Player against the reference players", score_parts(pools[-1])))
    return found


def finalist_table(scores: dict[str, float], fitness: dict[str, float]) -> Table:
    """The finalists by mask: their features, their fitness in the selection and their score in the final."""
    rows = tuple(
        (
            str(int(mask).bit_count()),
            " ".join(str(index + 1) for index in range(int(mask).bit_length()) if int(mask) >> index & 1),
            decimal(100 * fitness[mask]),
            decimal(100 * score) if len(scores) > 1 else "-",
        )
        for mask, score in scores.items()
    )
    return Table(("number of features", "features", "fitness, %", "score of the final, %"), rows, prose=(1,))


def feature_table(lines: Lines) -> Table:
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
    return Table(("generation", "fitness, %", "number of features", "features of the best"), rows, prose=(3,))
