"""The study of evolution: its cells, a small one from end to end, and tables worked by hand."""

import re

import msgspec
import pytest

from ludus.arena.matches import MatchConfig
from ludus.learning.genetic import Genetic
from ludus.players.searches import Budget, Ept, Minimax
from ludus.reports import write_study
from ludus.runs import Run
from ludus.studies import BadStudy, evolution, evolution_tables
from ludus.studies.evolution import BLONDIE, INHERITANCE, OURS, SCALES, TEXT, Scale, Study
from ludus.studies.steps import MatchPlayer, MatchStep, TrainingStep
from ludus.workers import Workers

TINY = Scale(
    trials=2, generations=2, rounds=1, games=2, playouts=2, blondie_generations=2, seconds=0.0005, timed_games=2
)
FAST = {
    "hidden": "2",
    "pairing": "random",
    "rounds": 1,
    "max_plies": 12,
    "playouts": 3,
    "openings": "random:3",
    "depth": 1,
}


@pytest.fixture(scope="module")
def small():
    """The study with cells that take no time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evolution, "INHERITANCE", {cell: given | FAST for cell, given in INHERITANCE.items()})
        patch.setattr(evolution, "TRAINED", {1: OURS, 2: "trained at depth 2"})
        patch.setattr(evolution, "PLAYED", (1, 2))
        patch.setattr(evolution, "SPEED", {"the text at 1 ply": FAST | {"search": "ept", "playout_plies": 1}})
        others = {"depth": 1, "pairing": "random", "rounds": 1, "max_plies": 12}
        patch.setattr(evolution, "OTHERS", {BLONDIE: others})
        patch.setattr(evolution, "DEPTH", 2)
        deeper = FAST | {"depth": 2}
        made = Study(TINY, seed=3)
        made.cells["trained at depth 2"] |= deeper
        yield made


@pytest.fixture(scope="module")
def done(small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    assert filled(small, folder) == len(small.steps())
    return folder


def filled(study, folder):
    """Does what is missing; how much it was."""
    with Workers.open(2) as workers:
        return sum(1 for _ in study.store(folder).fill(study.steps(), workers))


def options_of(cell, scale="full"):
    study = Study(SCALES[scale], seed=1)
    (found,) = [step for step in study.steps() if isinstance(step, TrainingStep) and step.name == f"{cell}-1"]
    return found.options


def test_every_cell_differs_from_ours_in_one_thing():
    ours = options_of("ours")
    changes = {
        "without-crossover": {"crossover": False},
        "without-elitism": {"elitism": False},
        "without-mutation": {"mutation": "none"},
        "safe-mutation": {"mutation": "safe"},
        "without-recombination": {"recombination": "none"},
        "without-the-piece-difference": {"piece_difference": False},
        "trained-at-depth-1": {"depth": 1},
        "trained-at-depth-3": {"depth": 3},
    }
    for cell, change in changes.items():
        assert options_of(cell) == ours | change and ours | change != ours
    faithful = Genetic(**Genetic.presets["faithful"], generations=100, seed=1)
    text = Genetic(**options_of("the-text"))
    assert text == faithful and text.search == "ept" and text.playout_plies == 6


def test_the_full_scale_has_five_seeds_or_more_and_a_champion_half_way():
    full = SCALES["full"]
    assert full.trials >= 5 and full.generations == 100 and all(scale.generations % 2 == 0 for scale in SCALES.values())
    steps = Study(full, seed=1).steps()
    names = [step.name for step in steps]
    assert len(set(names)) == len(names)
    matches = [step.name for step in steps if isinstance(step, MatchStep)]
    for other in ("ours-1-0050", "ours-1-0000", "ours-untrained-1"):
        assert f"ours-1-0100-x-{other}-1" in matches
    assert "ours-untrained-1-x-uct-playouts300-1" in matches and "ours-1-0100-x-random-1" in matches
    assert "blondie24-1-0060-x-material-depth4-1" in matches and "ours-1-0100-x-material-depth2-1" in matches
    assert 1 < sum(step.seconds for step in steps) / 3600 < 24  # hours of processor time


def test_the_untrained_are_random_members_of_the_first_generation(small, done):
    for seed in (3, 4):
        run = Run.open(done / "runs" / f"ours-untrained-{seed}")
        (line,) = run.record()
        assert line["draws"] == line["games"] and set(line["points"]) == {0.0} and line["origins"][0] == "random"
        first = Run.open(done / "runs" / f"ours-{seed}").record()[0]
        assert sorted(line["members"]) == sorted(first["members"])


def test_the_chapter_has_all_its_headings_and_figures(small, done):
    text, page = write_study(done, small.title, small.sections(small.store(done)), "ludus study evolution", 3, 2)
    for heading in (
        "Against the piece count",
        "Speed",
        "Learning rate",
        "MCTS-EPT against minimax and alpha-beta",
        "Every training",
        "Performance",
        "Number of moves",
        "CPU times",
        "Influence of the inheritance methods",
        "Depth in training and in play",
    ):
        assert f"\n{heading}\n" in text
    rows = [line.split("  ")[0] for line in text.splitlines()]
    for cell in INHERITANCE:
        assert rows.count(cell) >= 7, cell
    for row in (*small.rows(OURS), *small.rows(TEXT)):
        assert rows.count(row) == 1
    assert "these results are from a shorter training" in text and "[" in text
    for row in ("blondie24, generation 2", "the text, against minimax", "blondie24, against alpha-beta"):
        assert rows.count(row) == 1
    assert page.read_text().count("<svg") == 5


def test_what_is_done_is_not_done_again_and_seeds_can_be_added(small, done):
    assert filled(small, done) == 0
    journal = next((done / "matches").glob("ours-3-0002-x-random-3/journal.jsonl"))
    journal.unlink()
    assert filled(small, done) == 1 and journal.exists()


def test_the_scores_are_those_of_the_matches(small, done):
    kept = small.store(done)
    for pair in small.pairs:
        for score in small._scores(pair, kept).values():
            assert score in (0, 25, 50, 75, 100)
    one = kept.player(small._match(("ours", "depth 2"), 3).one)
    assert one.name == "ours-3@0002@depth=2" and one.budget.depth == 2


def line(generation, **figures):
    usual = {
        "generation": generation,
        "growth": None,
        "sum": 0.0,
        "games": 10,
        "plies": 50.0,
        "draws": 5,
        "cpu": 2.0,
        "champion": generation,
        "members": [generation],
        "origins": ["random" if generation == 0 else "mutation"],
        "parents": [[] if generation == 0 else [generation - 1]],
    }
    return usual | figures


def test_speed_counts_the_games_of_the_champion_and_not_the_first_generation():
    runs = {"a": [[line(0, cpu=99.0), line(1), line(2, cpu=4.0)], [line(0), line(1, cpu=None)]]}
    (row,) = evolution_tables.speed(runs, {"a": 900.0}).rows
    # generation 1 has 10 + 6 games in 2 s, generation 2 has 10 + 12 in 4 s
    assert row == ("a", "3.00", "19", "6", "900", "300")


def test_growth_is_a_mean_over_seeds_with_its_interval():
    runs = {"a": [[line(0), line(1, growth=0.5, sum=0.5)], [line(0), line(1, growth=-0.1, sum=-0.1)]]}
    (row,) = evolution_tables.growth(runs).rows
    # Student's t for one degree of freedom is 12.706: 0.2 -+ 12.706 * 0.3
    assert row == ("a", "0.20", "[-3.61, 4.01]", "1", "1", "2")


def test_origins_stand_beside_the_places_they_fill():
    elite = {"members": [1, 5, 0], "origins": ["elite", "mutation", "elite"], "parents": [[1], [1], [0]], "champion": 1}
    child = {"members": [1, 0, 2], "origins": ["crossover", "elite", "mutation"], "parents": [[0, 2], [0], [0]]}
    lines = [line(0), line(1, **child, champion=1), line(2, **elite)]
    (row,) = evolution_tables.origins({"a": [lines]}).rows
    assert row == ("a", "50 of 33", "50 of 33", "0 of 33", "1", "0", "0")


def test_lengths_and_cpu_are_of_the_first_and_last():
    lines = [line(0, plies=60.0, draws=1), line(1), line(2, plies=70.0, draws=9, cpu=5.0)]
    assert evolution_tables.lengths({"a": [lines]}).rows == (("a", "60.0", "70.0", "10.0", "90.0"),)
    assert evolution_tables.cpu({"a": [lines], "b": []}).rows == (("a", "2.000", "5.000", "7.0"),)


def test_a_score_is_kept_within_what_is_possible_and_what_is_not_played_is_a_dash():
    table = evolution_tables.score_table(
        "who", ["a"], ["x", "y", "z"], {("a", "x"): {1: 90.0, 2: 100.0}, ("a", "y"): {1: 70.0}}
    )
    assert table.rows == (("a", "95.0 [31.5, 100.0]", "70.0", "-"),)


def test_the_matches_at_the_end_are_those_of_the_records():
    end = {"random": {"score": 0.9, "games": 2, "interval": [0, 1]}}
    (table,) = evolution_tables.end_matches({"a": {1: [line(0), line(1, end=end)], 2: [line(0)]}}, (1, 2))
    assert table.columns[0] == "against random, %" and table.rows == (("a", "90.0", "-", "90.0", "-"),)
    assert evolution_tables.end_matches({"a": {2: [line(0)]}}, (2,)) == ("The records of these runs have none.",)


def test_times_stand_beside_the_score_of_ept():
    found = {
        ("ours", "minimax"): {1: evolution_tables.Timed(60.0, 2.0, 1.0), 2: evolution_tables.Timed(40.0, 4.0, 3.0)}
    }
    table, _ = evolution_tables.equal_time(found, (1, 2))
    assert table.rows == (("ours, against minimax", "50.0", "[0.0, 100.0]", "3.00 / 2.00", "60.0", "40.0"),)


def test_the_time_of_a_run_is_known_only_if_that_of_all_its_lines_is():
    runs = {"a": {1: [line(0), line(1)], 2: [line(0), line(1, cpu=None)]}}
    assert evolution_tables.run_seconds(runs) == {"a": {1: 4.0}}


def test_searches_have_the_same_network_and_minimax_gives_the_time(small, done):
    kept = small.store(done)
    timed = small._timed(OURS, 3)
    first, second = (kept.player(step) for step in (timed["minimax"].one, timed["alpha-beta"].other))
    assert (first.search, first.budget) == (Minimax(), Budget(depth=2))
    assert isinstance(second.search, Ept) and second.budget == Budget(seconds=0.0005)
    assert (first.theta == second.theta).all() and first.evaluator == second.evaluator
    text = kept.player(small._timed(TEXT, 3)["alpha-beta"].other)
    assert text.search == kept.player(MatchPlayer("the-text-3")).search  # its own, with its options
    journal = (done / "matches" / timed["minimax"].name / "journal.jsonl").read_text()
    assert len(journal.splitlines()) == 3
    unplayed = msgspec.structs.replace(timed["minimax"].timed_by, config=MatchConfig(games=2, seed=99))
    waiting = msgspec.structs.replace(timed["minimax"], timed_by=unplayed, config=MatchConfig(games=2, seed=99))
    with pytest.raises(BadStudy, match="another match needs its times"):
        next(kept.fill([waiting], Workers()))


def test_the_command_fills_the_chapter(run, small, done, monkeypatch, tmp_path):
    monkeypatch.setattr(evolution, "Study", lambda scale, seed: small)
    monkeypatch.setitem(SCALES, "quick", TINY)
    status, out, err = run("study", "evolution", "--seed", 3, "--out", done)
    assert status == 0, err
    assert f"the report: {done}/report.html" in out and re.search(r"ours, champion of generation 2\s+\d", out)


def test_a_report_that_a_kill_prevented_is_written(small, done):
    (training,) = [step for step in small.steps() if isinstance(step, TrainingStep)][:1]
    folder = done / "runs" / training.name
    (folder / "report.html").rename(folder / ".report.html.0123abcd")
    assert filled(small, done) == 0
    assert (folder / "report.html").is_file() and not (folder / ".report.html.0123abcd").exists()
