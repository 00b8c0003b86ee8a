"""A run that is made longer ends with the files of a run that was longer from the start; a stopped run can play."""

import pytest

from ludus import players, reports
from ludus.learning import length_field, registry
from ludus.players import BadPlayer
from ludus.runs import BadRun, Run, RunState, folder, session
from ludus.workers import Workers

CLONING = {"games": 10, "test_boards": 2, "final_boards": 2, "reference_games": 0, "budget": "depth=1", "seed": 3}
EVOLUTION = {"end_games": 2, "seed": 3}
# The kind, the options, and the lengths: of the short run, and of the long one.
TRAININGS = {
    "td": ("td", {"test_every": 100, "test_games": 4, "seed": 3}, 300, 700),
    "td, not at a test": ("td", {"test_every": 100, "test_games": 4, "lambda_": 0.5}, 150, 320),
    "td, before its first test": ("td", {"test_every": 1000, "test_games": 4}, 50, 70),
    "td, in the middle of its chunks": ("td", {"test_every": 5000, "test_games": 4}, 1500, 2600),
    "td, against a player": ("td", {"test_every": 40, "test_games": 2, "against": "random"}, 50, 90),
    "samuel": ("samuel", CLONING, 2, 4),
    "neurodraughts": ("neurodraughts", CLONING, 2, 3),
    "visiondraughts": ("visiondraughts", {**CLONING, "batch": 5}, 1, 3),
    "ls-draughts": (
        "ls-draughts",
        {**CLONING, "population": 3, "match_boards": 1, "finalists": 2, "finalist_sets": 1, "finalist_games": 5}
        | {"finalist_boards": 1, "sets": 1},
        1,
        3,
    ),
    "genetic": ("genetic", {**EVOLUTION, "population": 4, "elite": 2, "rounds": 1, "depth": 1}, 2, 3),
    "genetic, twice as long": ("genetic", {**EVOLUTION, "population": 4, "elite": 2, "rounds": 1, "depth": 1}, 1, 4),
    "blondie24": ("blondie24", {**EVOLUTION, "parents": 2, "rounds": 1, "depth": 1}, 2, 3),
    "evolution-strategy": ("evolution-strategy", {**EVOLUTION, "pairs": 2, "pair_games": 2, "depth": 1}, 2, 3),
    "champion": (
        "champion",
        {"random_games": 60, "games": 20, "nodes": 20, "match_games": 2, "match_nodes": 10, "width": 16, "seed": 3},
        1,
        2,
    ),
}


def begin(path, kind, options, length):
    field = length_field(registry.named(kind))
    return Run.create(path, registry.make(kind, {**options, field: length}), "ludus train")


def train(run, steps=None):
    with Workers.open(1) as workers:
        training = run.train(workers)
        for step, _ in enumerate(training, 1):
            if step == steps:
                training.close()
                break


def files(path):
    kept = {f"players/{file.name}": file for file in (path / "players").glob("*")}
    named = {name: path / name for name in ("progress.jsonl", "player.safetensors")}
    return {name: file.read_bytes() for name, file in (named | kept).items()}


def test_every_learner_is_here():
    assert {kind for kind, *_ in TRAININGS.values()} == set(registry.KINDS) - {"mp-draughts"}  # see below


@pytest.mark.parametrize("case", TRAININGS)
def test_a_finished_run_that_is_made_longer_is_the_longer_run(tmp_path, case):
    kind, options, short, long = TRAININGS[case]
    field = length_field(registry.named(kind))
    whole = begin(tmp_path / "whole", kind, options, long)
    train(whole)
    run = begin(tmp_path / "run", kind, options, short)
    train(run)
    assert run.status().state == RunState.FINISHED
    longer = Run.open(run.folder).lengthen(field, long)
    assert Run.open(run.folder).status().state == RunState.STOPPED
    assert players.load(longer.player).game  # the result of the short run, until the long one has its own
    train(Run.open(run.folder))
    assert files(run.folder) == files(whole.folder)
    assert Run.open(run.folder).status() == whole.status()


@pytest.mark.parametrize("case", ["td", "neurodraughts", "ls-draughts", "genetic", "champion"])
def test_a_stopped_run_can_be_made_longer_and_stopped_again(tmp_path, monkeypatch, case):
    monkeypatch.setattr(session, "CHECKPOINT_SECONDS", 0.0)
    kind, options, short, long = TRAININGS[case]
    whole = begin(tmp_path / "whole", kind, options, long)
    train(whole)
    run = begin(tmp_path / "run", kind, options, short)
    train(run, 1)
    run = run.lengthen(length_field(run.learner), long)
    while Run.open(run.folder).status().state != RunState.FINISHED:
        train(Run.open(run.folder), 2)
    assert files(run.folder) == files(whole.folder)


def test_a_run_can_be_made_longer_twice(tmp_path):
    kind, options, short, long = TRAININGS["td"]
    whole = begin(tmp_path / "whole", kind, options, long)
    train(whole)
    run = begin(tmp_path / "run", kind, options, short)
    for length in (short + 50, long):
        train(run)
        run = run.lengthen("games", length)
    train(run)
    assert files(run.folder) == files(whole.folder)
    assert Run.open(run.folder).config.lengths == {"games": (short, short + 50)}


def test_a_run_whose_schedule_depends_on_its_length_is_refused(tmp_path):
    run = begin(tmp_path / "run", "td", {"test_every": 50, "test_games": 2, "final_rate": 0.001}, 100)
    train(run)
    with pytest.raises(BadRun, match="the learning rate depends on the number of games"):
        run.lengthen("games", 200)
    assert Run.open(run.folder).status().state == RunState.FINISHED


def test_a_team_cannot_be_made_longer_after_its_generalist(tmp_path):
    options = {**CLONING, "boards": 6, "held_boards": 4, "units": 1, "specialist_games": 5, "specialist_sets": 1}
    run = begin(tmp_path / "run", "mp-draughts", options, 1)
    train(run)
    with pytest.raises(BadRun, match="come from the finished generalist"):
        run.lengthen("sets", 2)


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("games", 300, "has --games 300 already"),
        ("seed", 5, "--seed cannot be changed: the length of a run of td is its --games"),
        ("games", 10**10, "games: expected int <= 1000000000"),
    ],
)
def test_another_length_that_does_not_fit_is_a_sentence(tmp_path, option, value, reason):
    kind, options, short, _ = TRAININGS["td"]
    run = begin(tmp_path / "run", kind, options, short)
    with pytest.raises(BadRun, match=reason):
        run.lengthen(option, value)
    assert Run.open(run.folder).learner == run.learner


def test_a_run_that_an_earlier_version_finished_is_refused(tmp_path):
    run = begin(tmp_path / "run", *TRAININGS["td"][:3])
    train(run)
    (run.folder / folder.CHECKPOINTS / folder.LONGER).unlink()
    with pytest.raises(BadRun, match="kept no state to go on from; begin a longer one: ludus train td --config"):
        run.lengthen("games", 500)


def test_the_command_makes_a_run_longer(tmp_path, run):
    short = ["train", "td", "--games", "200", "--test-every", "100", "--test-games", "2", "--out", tmp_path / "r"]
    assert run(*short)[0] == 0
    status, _, err = run("train", "--resume", tmp_path / "r")
    assert status == 0
    assert f"it is finished; to make it longer: ludus train --resume {tmp_path / 'r'} --games N" in err
    assert run("train", "--resume", tmp_path / "r", "--games", "300")[1].startswith(f"{tmp_path / 'r'}: 300 games")
    assert run("train", "--games=1_000", "--resume", tmp_path / "r")[0] == 0
    assert Run.open(tmp_path / "r").status().done == 1000
    for typed in (["--games", "many"], ["--games"], ["--games="], ["--games", "-5"]):
        status, _, err = run("train", "--resume", tmp_path / "r", *typed)
        assert status == 2 and err.startswith("ludus: --games is the length of a run, a whole number, not '")
    assert run("train", "--resume", tmp_path / "r", "--games", "300")[0] == 2


@pytest.mark.parametrize("case", [case for case in TRAININGS if "," not in case])
def test_a_stopped_run_plays_as_it_stands(tmp_path, monkeypatch, case):
    monkeypatch.setattr(session, "CHECKPOINT_SECONDS", 0.0)
    kind, options, short, _ = TRAININGS[case]
    run = begin(tmp_path / "run", kind, options, short)
    found = None
    for steps in range(1, 30):  # more and more, because some steps are done again after a stop
        train(Run.open(run.folder), steps)
        try:
            found = players.find(str(run.folder))
            break
        except BadPlayer as error:
            assert "has no player yet" in str(error)
    assert Run.open(run.folder).status().state == RunState.STOPPED
    assert found is not None and found.name == "run@now" and found.made.command
    assert players.find(f"{run.folder}@now").name == "run@now"
    assert reports.write(run.folder).read_text().count("was stopped before its end") == 1
    train(Run.open(run.folder))
    assert players.find(str(run.folder)).name == "run"
    assert not (run.folder / players.NOW).exists()
