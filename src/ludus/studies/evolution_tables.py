"""The tables and charts of the study of evolution: pure functions of the records of its runs and of match scores.

A cell is a list of runs, one for each seed; a run is the lines of its record.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from ludus.arena.samples import Summary, summary
from ludus.learning import Record
from ludus.learning.tournaments import GAMES_EACH, PREDECESSORS
from ludus.reports import charts
from ludus.reports.charts import Reference, Series
from ludus.reports.evolution import births
from ludus.reports.page import Figure, Part
from ludus.reports.tables import Table, decimal
from ludus.studies import trainings
from ludus.studies.trainings import ANY, PERCENT, BySeed

Pair = tuple[str, str]  # a row and a column of a table
Lines = list[Record]
Cells = Mapping[str, list[Lines]]
ALPHABETA, MINIMAX = "alpha-beta", "minimax"


class Timed(NamedTuple):
    """A match of MCTS-EPT: its score in percent, and milliseconds a move of it and of the other."""

    score: float
    own_ms: float
    other_ms: float


MATERIAL_NOTE = (
    "Champions against the material player, which counts pieces, at the depth they were trained at, with their own "
    "search; at 2 plies against MCTS-EPT. At 50 the network knows as much as the piece count."
)
PERFORMANCE_NOTE = (
    "Each player with the search it was trained with. An untrained player has random weights: its score shows what the "
    "search alone does. The champion of generation 0 is the best of its untrained generation."
)
END_NOTE = "The last champion of each run in the matches that its own training played at the end, from the record."
EVERY_NOTE = "The score of the first player in every match of this page, in percent."

SPEED_NOTE = (
    "Seconds are processor seconds of this machine, which other work hardly changes; those of other machines of a "
    "cluster are not counted. A generation is its tournament and the games of the champion with earlier champions. The "
    "first generation is not counted, because it also prepares the openings. The public code was measured on one core, "
    "at 1 ply. For 6 plies the public code says 200 generations in about 20 hours on 128 cores, without the number of "
    "play-outs."
)
GROWTH_NOTE = (
    "Growth is the mean result of a champion, 1, 0 or -1 a game, in six games with each of the five champions before "
    "it. A rising sum says that champions beat those just before them; the matches show how far the last is ahead of "
    "the first. A champion that survives plays itself and similar players, which gives no growth: good elitism makes "
    "small sums."
)
CPU_NOTE = "The time of a generation changes with the players: better players play longer games."
ORIGINS_NOTE = (
    "The share of champions, after generation 0, that came into their generation by each method, of the share of the "
    "fifteen places that the method fills; then the number of champions that each method created. A method whose share "
    "of champions is larger than its share of places works better than the others."
)
DEPTH_NOTE = (
    "The score of the last champion against the material player at the same depth, with late-move reductions; in "
    "percent, with 95% intervals over the seeds. At 50 the network is as good as the count of pieces."
)
DEPTH_OURS_NOTE = (
    "The same champions against the champion of ours, trained at depth 2 with the same seed, at each depth."
)
MEANS_CAPTION = "The mean over the seeds; the band, with three seeds or more, is its 95% interval."
METHODS = ("elite", "crossover", "mutation")


def ablation_note(last: int, half: int) -> str:
    """The text before the table of the inheritance methods."""
    return (
        f"The champion of generation {last} against that of generation {half}, that of generation 0, an untrained "
        "network, and the last champion of ours with the same seed. The text's players search by MCTS-EPT, all others "
        "by alpha-beta at 2 plies: the score of the text against ours depends on the search too."
    )


def speed(runs: Cells, public: Mapping[str, float]) -> Table:
    """The time of a generation, beside that of the public code."""
    rows = []
    for cell, seeds in runs.items():
        timed = [line for lines in seeds for line in lines[1:] if line["cpu"] is not None]
        if not timed:
            continue
        cpu = sum(line["cpu"] for line in timed) / len(timed)
        games = sum(map(_games, timed)) / len(timed)
        theirs = public.get(cell)
        compared = (f"{theirs:,.0f}", f"{theirs / cpu:,.0f}") if theirs else ("", "")
        rows.append((cell, f"{cpu:.2f}", f"{games:.0f}", f"{games / cpu:,.0f}", *compared))
    return Table(("evolved", "s a generation", "games", "games/s", "public code, s", "times faster"), tuple(rows))


def growth(cells: Cells) -> Table:
    """The sum of growth at the end, and how many champions were better or worse than those before them."""
    rows = []
    for cell, seeds in cells.items():
        if not seeds:
            continue
        known = [line["growth"] for lines in seeds for line in lines if line["growth"] is not None]
        better, worse = sum(value > 0 for value in known), sum(value < 0 for value in known)
        rows.append(
            (
                cell,
                *trainings.mean_cells([lines[-1]["sum"] for lines in seeds], ANY, _two_digits),
                f"{better}",
                f"{worse}",
                f"{len(known)}",
            )
        )
    return Table(("evolved", "sum of growth", "95% over seeds", "better", "worse", "champions"), tuple(rows))


def growth_curves(cells: Cells) -> Figure:
    """The running sum of growth."""
    level = (Reference(0.0, "no better"),)
    chart = _curves(cells, lambda line: line["sum"], "Running sum of growth", "growth, summed up", level)
    return Figure(chart, MEANS_CAPTION)


def lengths(cells: Cells) -> Table:
    """The length of games and the share of draws in the first and in the last generation."""
    rows = []
    for cell, seeds in cells.items():
        if not seeds:
            continue
        ends = [[lines[place]["plies"] for lines in seeds] for place in (0, -1)]
        drawn = [
            100 * sum(lines[place]["draws"] for lines in seeds) / sum(lines[place]["games"] for lines in seeds)
            for place in (0, -1)
        ]
        first, last = map(summary, ends)
        rows.append((cell, *(decimal(each.mean) for each in (first, last)), *(decimal(each) for each in drawn)))
    return Table(("evolved", "plies at first", "at last", "draws at first, %", "at last, %"), tuple(rows))


def length_curves(cells: Cells) -> Figure:
    """The length of games by generation."""
    chart = _curves(cells, lambda line: line["plies"], "Plies of a game", "plies")
    caption = "The mean of a tournament's games, over the seeds; a game of 200 plies (100 for the text) is a draw."
    return Figure(chart, caption)


def cpu(cells: Cells) -> Table:
    """The time of a generation in the first and last tenth of a run, and of a whole run."""
    rows = []
    for cell, seeds in cells.items():
        taken = [[line["cpu"] for line in lines[1:] if line["cpu"] is not None] for lines in seeds]
        known = [each for each in taken if each]
        if not known:
            continue
        tenth = max(1, max(map(len, known)) // 10)
        first = summary([value for each in known for value in each[:tenth]])
        last = summary([value for each in known for value in each[-tenth:]])
        whole = [sum(each) for each, lines in zip(taken, seeds, strict=True) if len(each) == len(lines) - 1]
        run = f"{summary(whole).mean:.1f}" if whole else "-"
        rows.append((cell, f"{first.mean:.3f}", f"{last.mean:.3f}", run))
    return Table(("evolved", "s a generation, first tenth", "last tenth", "s a run"), tuple(rows))


def cpu_curves(cells: Cells) -> Figure:
    """The time of a generation by generation."""

    def seconds(line: Record) -> float | None:
        return line["cpu"] if line["generation"] else None

    chart = _curves(cells, seconds, "Seconds of a processor a generation", "seconds")
    return Figure(chart, MEANS_CAPTION)


def origins(cells: Cells) -> Table:
    """How champions came into their generations, and how they were created."""
    rows = []
    for cell, seeds in cells.items():
        came: Counter[str] = Counter(line["origins"][0] for lines in seeds for line in lines[1:])
        places: Counter[str] = Counter(origin for lines in seeds for line in lines[1:2] for origin in line["origins"])
        born: Counter[str] = Counter()
        for lines in seeds:
            known = births(lines)
            born.update(known[number].origin for number in {line["champion"] for line in lines[1:]})
        if came:
            shares = (f"{_share(came, method)} of {_share(places, method)}" for method in METHODS)
            rows.append((cell, *shares, *(str(born[method]) for method in (*METHODS[1:], "random"))))
    titles = (*(f"{method}, %" for method in METHODS), "born by crossover", "by mutation", "at random")
    return Table(("evolved", *titles), tuple(rows))


def score_table(
    title: str,
    rows: Iterable[str],
    opponents: Iterable[str],
    scores: Mapping[Pair, BySeed],
    named: Mapping[str, str] | None = None,
) -> Table:
    """Scores in percent with their intervals over the seeds; a dash where no match is finished. `named` titles rows."""
    columns = list(opponents)

    def cell(values: BySeed | None) -> str:
        mean, interval = trainings.mean_cells((values or {}).values(), PERCENT)
        return mean if interval == "-" else f"{mean} {interval}"

    cells = tuple(((named or {}).get(row, row), *(cell(scores.get((row, other))) for other in columns)) for row in rows)
    return Table((title, *columns), cells, broad=True)


def material(rows: Mapping[str, BySeed], seeds: Sequence[int]) -> tuple[Table, Figure]:
    """Champions against the material player at their own depth."""
    return (
        trainings.table("against material, points in %", rows, seeds),
        trainings.chart("Points against material at their own depth", rows, caption="50 is even."),
    )


def end_matches(runs: Mapping[str, Mapping[int, Lines]], seeds: Sequence[int]) -> tuple[Part, ...]:
    """The matches that a training itself plays at its end; a table for each opponent. Older records have none."""
    found: dict[str, dict[str, dict[int, float]]] = {}
    for cell, by_seed in runs.items():
        for seed, lines in by_seed.items():
            for opponent, result in (lines[-1].get("end") or {}).items():
                found.setdefault(opponent, {}).setdefault(cell, {})[seed] = 100 * float(result["score"])
    tables: tuple[Part, ...] = tuple(
        trainings.table(f"against {opponent}, %", rows, seeds) for opponent, rows in found.items()
    )
    return tables or ("The records of these runs have none.",)


def time_note(games: int, seconds: float, depth: int) -> str:
    """The text before the table of equal times."""
    return (
        f"The last champion plays itself with another search, {games} games a seed: MCTS-EPT and alpha-beta "
        f"with {1000 * seconds:g} ms a move each; and MCTS-EPT with as much time as minimax takes for {depth} plies, "
        "which a short match measures first. Times are by the clock: other work on the machine disturbs them, and the "
        "games cannot be repeated move by move. The table has the time that a move really took."
    )


def equal_time(found: Mapping[Pair, Mapping[int, Timed]], seeds: Sequence[int]) -> tuple[Table, Figure]:
    """The score of MCTS-EPT against another search with the same network and time."""
    rows = {
        f"{cell}, against {other}": {seed: each.score for seed, each in by_seed.items()}
        for (cell, other), by_seed in found.items()
    }
    times = {
        f"{cell}, against {other}": f"{fmean(each.own_ms for each in by_seed.values()):.2f} / "
        f"{fmean(each.other_ms for each in by_seed.values()):.2f}"
        for (cell, other), by_seed in found.items()
    }
    return (
        trainings.table("points of MCTS-EPT, %", rows, seeds, others=times, other_title="ms a move, EPT / other"),
        trainings.chart("Points of MCTS-EPT with the same network and time", rows, caption="50 is even."),
    )


def run_seconds(runs: Mapping[str, Mapping[int, Lines]]) -> dict[str, dict[int, float]]:
    """The processor seconds of every run whose times are all known."""
    found: dict[str, dict[int, float]] = {}
    for cell, by_seed in runs.items():
        for seed, lines in by_seed.items():
            taken = [line["cpu"] for line in lines]
            if None not in taken:
                found.setdefault(cell, {})[seed] = sum(taken)
    return found


def every_training(scores: Mapping[Pair, BySeed], seeds: Sequence[int]) -> tuple[Table, ...]:
    """The scores of all matches, a column for each training."""
    rows = {f"{row} v {other}": values for (row, other), values in scores.items()}
    return (trainings.table("points of the first, %", rows, seeds),)


def _games(line: Record) -> int:
    """The games of the tournament, and of the champion with earlier champions."""
    return int(line["games"]) + GAMES_EACH * min(PREDECESSORS, int(line["generation"]))


def _two_digits(value: float) -> str:
    return decimal(value, 2)


def _share(counts: Counter[str], name: str) -> str:
    return f"{100 * counts[name] / counts.total():.0f}"


def _curves(
    cells: Cells,
    value_of: Callable[[Record], float | None],
    title: str,
    y_title: str,
    references: tuple[Reference, ...] = (),
) -> str:
    """The mean over the seeds of a value of every generation, with a band for its interval."""
    series = []
    for cell, seeds in cells.items():
        points: dict[int, Summary] = {}
        for line in zip(*seeds, strict=True):
            values = [value for each in line if (value := value_of(each)) is not None]
            if values:
                points[line[0]["generation"]] = summary(values)
        if points:
            # The interval of two values is so wide that nothing else could be seen.
            ends = [point.interval if point.size > 2 else (point.mean, point.mean) for point in points.values()]
            band = ([low for low, _ in ends], [high for _, high in ends])
            means = [point.mean for point in points.values()]
            series.append(Series(cell, list(points), means, bands=(band,)))
    return charts.lines(series, title=title, x_title="generation", y_title=y_title, references=references)
