"""How well a run does, in a sentence: by the intervals of its newest results."""

import pytest

from ludus.reports.verdicts import verdict

TD = {"game": "tictactoe3d", "test_against": None}


def test_line(wins, draws=0):
    return {"games": 10, "tests": 100, "wins": wins, "draws": draws, "losses": 100 - wins - draws}


test_line.__test__ = False


@pytest.mark.parametrize(
    ("wins", "words"),
    [
        (80, "stronger than benchmark: scores 80.0% in its last test, 80.0% in its best"),
        (50, "about as strong as benchmark: scores 50.0% in its last test, 60.0% in its best"),
        (10, "weaker than benchmark: scores 10.0% in its last test, 60.0% in its best"),
    ],
)
def test_td_is_compared_with_the_opponent_of_its_tests(wins, words):
    assert verdict("td", TD, [test_line(60), test_line(wins)]) == words


def test_td_names_the_opponent_that_was_given():
    assert verdict("td", {**TD, "test_against": "random"}, [test_line(90)]).startswith("stronger than random")


def test_matches_name_the_weakest_and_the_strongest_opponents():
    results = {
        name: {"score": score, "interval": [score - 0.1, score + 0.1]}
        for name, score in (("a", 0.9), ("b", 0.8), ("c", 0.55), ("d", 0.2))
    }
    found = verdict("genetic", {}, [{"generation": 3, "growth": 0.5, "end": results}])
    assert found == "stronger than a (90%), about as strong as c (55%), weaker than d (20%); generation 3"


def test_what_was_not_kept_is_passed_over():
    def line(generation, score, kept):
        pool = {"random": {"score": score, "interval": [score - 0.1, score + 0.1]}}
        return {"generation": generation, "pool": pool, "kept": kept}

    found = verdict("champion", {}, [line(1, 0.9, True), line(2, 0.2, False)])
    assert found == "stronger than random (90%); generation 1"


def test_other_runs_say_what_their_last_line_says():
    assert verdict("genetic", {}, [{"generation": 2, "growth": -0.03}]) == (
        "generation 2 is below its last champions: -0.03 a game, from -1 to 1"
    )
    line = {"test_interval": [0.4, 0.6], "test_score": 0.52}
    assert verdict("samuel", {}, [line]) == "about as strong as its clone (52%) in its last test"
    assert verdict("my_module:Climber", {}, [{"step": 1}], "3 changes are kept") == "3 changes are kept"
    assert verdict("td", TD, []) == "no result yet"
