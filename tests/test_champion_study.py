"""The study of the champion: a small one from end to end, and tables worked by hand."""

import re

import pytest

from ludus.arena.score import Score
from ludus.learning.champion import Champion
from ludus.players.searches import Pvs
from ludus.reports import write_study
from ludus.studies import champion, champion_tables
from ludus.studies.champion import HALF, OURS, SCALES, Scale, Study
from ludus.studies.champion_tables import BOUNDS, FIRST, Run
from ludus.studies.steps import TrainingStep
from ludus.workers import Workers

TINY = Scale(trials=2, generations=1, random_games=300, games=100, reference_games=2, match_games=6, nodes=20)


@pytest.fixture(scope="module")
def small():
    return Study(TINY, seed=3)


@pytest.fixture(scope="module")
def done(small, tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(champion, "SHIPPED", champion.SHIPPED | {"width": 16, "nodes": 20, "match_nodes": 20})
        assert filled(small, folder) == len(small.steps())
        assert filled(small, folder) == 0
        text, page = write_study(folder, small.title, small.sections(small.store(folder)), "ludus study champion", 3, 2)
    return text, page


def filled(study, folder):
    """Does what is missing; how much it was."""
    with Workers.open(2) as workers:
        return sum(1 for _ in study.store(folder).fill(study.steps(), workers))


def test_every_part_of_the_search_can_be_left_out():
    switches = {name for name in Pvs.__struct_fields__ if getattr(Pvs(), name) is True}
    assert set(champion.PARTS) == switches | {"endgames"}


def test_half_the_games_differ_in_nothing_else():
    steps = [step for step in Study(SCALES["full"], seed=1).steps() if isinstance(step, TrainingStep)]
    assert [step.name for step in steps] == [
        f"{cell.replace(' ', '-')}-{n}" for cell in (OURS, HALF) for n in (1, 2, 3)
    ]
    ours, half = (Champion(**steps[place].options) for place in (0, 3))
    for generation in range(10):
        assert half.games_of(generation) == pytest.approx(ours.games_of(generation) / 2, abs=1)
        assert half.nodes_of(generation) == ours.nodes_of(generation)


def test_the_report_has_every_table(done):
    text, page = done
    for heading in (
        "From nothing",
        "Minutes to pass",
        "Every generation",
        "The last generation",
        "What more games bring",
        "Half the games",
        "The parts of the search",
        "Processor time",
    ):
        assert f"\n{heading}\n" in text
    rows = [line.split("  ")[0] for line in text.splitlines()]
    assert {*champion.FIXED, "champion", "half the games"} <= {*rows} and "prove nothing" in text
    # Two players over minutes and games; three tables of Elo, of which one may have only matches that were all won.
    growth = text.split("\nWhat more games bring\n")[1].split("\nHalf the games\n")[0]
    has_elo = re.search(r"^generation 1 .*[+-]\d", growth, re.MULTILINE) is not None
    assert page.read_text().count("<svg") == 4 + 2 + has_elo


def recorded(games, low, name="material"):
    found = {"wins": 1, "draws": 0, "losses": 1, "interval": [low, 1.0], "elo": 0.0, "elo_low": -9.0, "elo_high": 9.0}
    return {"generation": games, "games": games, "pool": {name: found, "the generation before": found}}


def test_a_player_is_passed_when_the_interval_excludes_a_half():
    times = [{"done": games, "cpu": 60.0 * games, "seconds": 0.0} for games in (1, 2, 3)]
    better = Run([recorded(1, 0.4), recorded(2, 0.51), recorded(3, 0.3)], times)
    never = Run([recorded(1, 0.4), recorded(2, 0.5), recorded(3, 0.3)], times)
    won, even = Score(pairs=(0, 0, 0, 0, 0, 9)), Score(pairs=(0, 0, 9, 0, 0, 0))
    table = champion_tables.minutes_to_pass({1: better, 2: never}, {(FIRST, "random"): {1: won, 2: even}}, (1, 2))
    assert table.rows == (("random", "1.0", "-", "1.0", "-"), ("material", "2.0", "-", "2.0", "-"))
    (part,) = champion_tables.generations({1: better}, (1, 2))
    assert part.rows[0] == ("1", "1", "+1 =0 -1, +0 [-9, +9]", "-")


def test_elo_is_averaged_over_trainings():
    # 3 of 4 points are 191 Elo; a match without a loss has no Elo and is left out
    three, all_won = Score(pairs=(0, 0, 0, 0, 2, 0)), Score(pairs=(0, 0, 0, 0, 0, 2))
    table, figure = champion_tables.elos(BOUNDS, "trained with", {(BOUNDS, HALF): {1: three, 2: all_won}}, (1, 2))
    assert table.rows == ((HALF, "+190.8", "-", "+190.8", "-"),) and "0 is equal" in figure.caption


def test_a_match_that_is_still_to_come_has_no_picture():
    assert len(champion_tables.elos(BOUNDS, "trained with", {(BOUNDS, HALF): {}}, [1])) == 1
