"""The study of MP-Draughts: what it plays, what it counts, and that it goes on where it was stopped."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from ludus.arena.matches import MatchConfig, Standing
from ludus.arena.record import PlayedGame
from ludus.arena.score import Score
from ludus.cli import app
from ludus.learning import State, feature_masks, map_features
from ludus.learning import mp_draughts as learner
from ludus.learning.mp_draughts import MpDraughts
from ludus.players import BadPlayer
from ludus.studies import BadStudy, mp_draughts
from ludus.studies import mp_draughts_tables as tables
from ludus.studies.mp_draughts import MP, NEURO, PAPER, VISION, Scale, Study
from ludus.studies.mp_draughts_tables import Loops
from ludus.studies.steps import ExamStep, MatchPlayer, MatchStep, StepStore, TrainingStep
from ludus.workers import Workers

TINY = Scale(
    trials=1,
    sets=1,
    games=4,
    boards=10,
    match_games=2,
    tests=1,
    exam_games=1,
    held_boards=10,
)


@pytest.fixture
def small(monkeypatch):
    """Few rows, so that it takes seconds."""
    monkeypatch.setattr(mp_draughts, "UNITS", 2)
    monkeypatch.setattr(mp_draughts, "TIMES", 3)
    team = mp_draughts.FAITHFUL[MP] | {"units": 2, "budget": "depth=2"}
    monkeypatch.setitem(mp_draughts.FAITHFUL, MP, team)
    monkeypatch.setitem(mp_draughts.FAITHFUL, VISION, mp_draughts.FAITHFUL[VISION] | {"budget": "depth=2"})
    monkeypatch.setitem(mp_draughts.SCALES, "quick", TINY)


def played(index, reason="REPETITION", last="B:WK1:BK10,K15", winner=None):
    return PlayedGame(
        index=index,
        moves="",
        values=[],
        depths=[],
        nodes=(0, 0),
        seconds=(0.0, 0.0),
        chosen=(0, 0),
        winner=winner,
        reason=reason,
        last=last,
    )


def standing_of(*games):
    return Standing(score=Score(singles=(0, 1, 2)), played=games, finished=True)


def test_loops_are_counted_for_the_player_who_was_ahead():
    # Black moves first and is ahead in each loop: in even games the first player is Black, in odd ones the second.
    games = [played(0), played(1), played(2), played(3, "NO_MOVES", winner=0)]
    even = played(4, last="B:WK1:BK10")
    many = played(5, last="B:W21,22,23,24,25,26,27,28:B1,2,3,4,5")
    standing = standing_of(*games, even, many)
    assert Loops.of(standing) == (4, 2, 1)  # the last one has 13 pieces, the fourth ended otherwise
    assert Loops.of(standing, 2) == (2, 1, 1)
    assert Loops.of(standing).share(standing) == pytest.approx(100 * 4 / 6)


def test_every_training_has_a_row_and_the_interval_is_over_trainings():
    pair = (VISION, NEURO)
    good = Standing(score=Score(pairs=(0, 0, 0, 0, 0, 2)), played=(played(0), played(1, "NO_MOVES", winner=0)))
    even = Standing(score=Score(pairs=(0, 0, 2, 0, 0, 0)), played=(played(0), played(1)))
    found = {pair: {3: good, 4: even}}
    table, figure = tables.first_table({pair: PAPER[pair]}, found)
    assert [row[:5] for row in table.rows] == [
        ("visiondraughts v neurodraughts", "seed 3", "+4 =0 -0", "100.0", ""),
        ("", "seed 4", "+0 =4 -0", "50.0", ""),
        ("", "mean of 2", "", "75.0", "[0.0, 100.0]"),
        ("", "paper", "+10 =9 -1", "72.5", ""),
    ]
    assert [row[5] for row in table.rows] == ["1", "2", "1.5", "5"]
    assert "paper" in figure.caption
    shares, _ = tables.loops({pair: PAPER[pair]}, found, (3, 4))
    assert shares.rows == (("visiondraughts v neurodraughts", "75.0", "[0.0, 100.0]", "25 (5 of 20)", "50.0", "100.0"),)


def test_the_full_study_has_all_that_was_asked_for():
    study = Study(mp_draughts.SCALES["full"], 1)
    steps = study.steps()
    trainings = {step.name: step for step in steps if isinstance(step, TrainingStep)}
    matches = [step for step in steps if isinstance(step, MatchStep)]
    exams = [step for step in steps if isinstance(step, ExamStep)]
    assert len(trainings) + len(matches) + len(exams) == len(steps)
    assert {str(step.player) for step in exams} >= {"mp-draughts-faithful-5", "mp-draughts-1", "material@depth=4"}
    assert len({step.name for step in matches}) == len(matches)
    met = {(str(step.one), str(step.other)) for step in matches}
    seeds = range(1, 6)
    for pair in ((VISION, NEURO), (MP, NEURO), (MP, VISION)):
        for mark in ("", "-faithful"):
            assert all((f"{pair[0]}{mark}-{seed}", f"{pair[1]}{mark}-{seed}") in met for seed in seeds)
    team = trainings["mp-draughts-1"].options
    own = trainings["mp-draughts-faithful-1"]
    assert own.options.items() >= {"dynamics": "DI", "sets": 10, "games": 250, "boards": 1000}.items()
    assert own.generalist == "visiondraughts-faithful-1"
    assert trainings["mp-draughts-1"].generalist == "visiondraughts-1"
    assert 2 < sum(step.seconds for step in steps) / 3600 < 60  # hours of processor time
    # All specialists of a team together learn from as many games as the paper's.
    assert 4 * team["specialist_games"] == 25 * 2500 and team["sets"] * team["games"] == 2500
    assert trainings["visiondraughts-26-times-the-games-1"].options["games"] == 26 * 250
    assert all(step.config.games == 140 and step.config.openings == "ballots3" for step in matches)
    order = [step.name for step in steps]
    assert all(order.index(step.generalist) < order.index(step.name) for step in trainings.values() if step.generalist)


def test_the_study_is_made_once_and_read_again(small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    first = runner.invoke(app, ["study", "mp-draughts", "--concurrency", "2"])
    assert first.exit_code == 0, first.output
    folder = Path("studies/mp-draughts-quick")
    written = (folder / "tables.md").read_text()
    for words in ("10-1-9 (5 loops)", "14-3-3 (0 loops)", "10-6-4 (2 loops)", "prove nothing"):
        assert words in written
    for heading in ("Loops", "Specialists", "Thrown wins", "The exam of endings", "Processor time"):
        assert f"### {heading}\n" in written
    for row in ("mp-draughts, faithful v material@depth=4", "| mp-draughts, faithful | seed 0 |", "25 (5 of 20)"):
        assert row in written
    assert "of processor time" in first.stderr
    assert "<svg" in (folder / "report.html").read_text()
    assert "steps; training mp-draughts-0" in first.stderr
    again = runner.invoke(app, ["study", "mp-draughts", "--concurrency", "1"])
    assert again.exit_code == 0
    assert "steps;" not in again.stderr
    assert again.stdout == first.stdout
    other = runner.invoke(app, ["study", "mp-draughts", "--scale", "full", "--out", str(folder)])
    assert other.exit_code == 2
    assert "holds another study" in other.stderr


def test_steps_go_on_where_they_were_stopped(small, tmp_path):
    study = Study(TINY, 1)
    steps = [step for step in study.steps() if step.name in ("neurodraughts-1", "neurodraughts-1-x-random-1")]
    assert len(steps) == 2

    def standing(folder, count):
        with Workers.open(2) as workers:
            for _ in range(count):  # each time another program
                next(StepStore(folder).fill(steps, workers), None)
        kept = StepStore(folder)
        assert [step in kept for step in steps] == [place < count for place in range(2)]
        found = kept.standing(steps[1])
        return found and [msgspec.structs.replace(game, seconds=(0.0, 0.0)) for game in found.played]

    assert standing(tmp_path / "a", 1) is None
    assert standing(tmp_path / "a", 2) == standing(tmp_path / "b", 2)
    kept = StepStore(tmp_path / "a")
    assert kept.done(steps[0]) == 4
    longer = msgspec.structs.replace(steps[0], options={**steps[0].options, "games": 5})
    with pytest.raises(BadStudy, match="holds another study"):
        assert longer in kept
    with pytest.raises(BadPlayer, match="no player visiondraughts-1"):
        kept.player(MatchPlayer("visiondraughts-1"))
    assert kept.player(MatchPlayer("neurodraughts-1")).name == "neurodraughts-1"
    assert MatchStep(one=MatchPlayer("a"), other=MatchPlayer("b", "DI"), config=MatchConfig()).label == "a x b-DI"


# The genetic algorithm over the map's features.

TEAM = {
    "sets": 1,
    "games": 4,
    "budget": "depth=2",
    "boards": 12,
    "units": 3,
    "test_boards": 1,
    "final_boards": 1,
    "specialist_test_boards": 1,
    "reference_games": 0,
    "attributes": ("PieceAdvantage", "PieceDisadvantage", "TotalMobility"),
    "selection_generations": 3,
    "selection_population": 2,
    "selection_games": 2,
}


def learned(config, state=None):
    with Workers.open(2) as workers:
        return list(config.learn(state, workers))


def test_the_map_has_the_attributes_that_were_selected():
    config = MpDraughts(**TEAM)
    whole = learned(config)
    selections = [progress for progress in whole if progress.stage == "features"]
    assert [progress.line["generation"] for progress in selections] == [0, 1, 2, 3]
    fitness = [progress.line["fitness"] for progress in selections]
    assert fitness == sorted(fitness)  # the best stays
    chosen = selections[-1].line["features"]
    player = whole[-1].player
    assert list(player.evaluator.attributes) == chosen
    assert set(chosen) <= set(TEAM["attributes"])
    for place in [whole.index(progress) for progress in selections]:
        state = State(
            arrays=whole[place].state.arrays, facts=msgspec.json.decode(msgspec.json.encode(whole[place].state.facts))
        )
        again = learned(config, state)
        assert [progress.line for progress in again] == [progress.line for progress in whole[place + 1 :]]
        np.testing.assert_array_equal(again[-1].player.theta, player.theta)


def test_specialists_that_learn_nothing_have_half_of_the_points(monkeypatch):
    tried = []

    def noted(task):
        tried.append(task.mask)
        return fitness(task)

    fitness = map_features.fitness
    monkeypatch.setattr(map_features, "fitness", noted)
    monkeypatch.setattr(learner, "_SELECTION_RATE", 0.0)
    whole = learned(MpDraughts(**TEAM))
    lines = [progress.line for progress in whole if progress.stage == "features"]
    assert {line["fitness"] for line in lines} == {0.5}
    assert len(tried) == len(set(tried)) == lines[-1]["tried"]  # a mask is tried once


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"clusters": "random"}, "nothing to select"),
        ({"selection_population": 8}, "fewer sets than 8"),
        ({"boards": 4}, "5 boards or more"),
    ],
)
def test_what_cannot_be_selected(changed, words):
    with pytest.raises(ValueError, match=words):
        MpDraughts(**{**TEAM, **changed})


def test_masks():
    rng = np.random.default_rng(1)
    masks = feature_masks.random_masks(7, 3, rng)
    assert sorted(masks) == [1, 2, 3, 4, 5, 6, 7]
    assert set(feature_masks.offspring([5], 3, 20, 0.0, rng)) == {5}
    assert set(feature_masks.offspring([4, 1], 3, 200, 0.0, rng)) == {1, 4, 5}  # none is empty
    assert feature_masks.features_of(0b101, ("a", "b", "c")) == ("a", "c")
