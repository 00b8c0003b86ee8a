"""The study of LS-Draughts: what it trains and plays at full scale, and what it prints."""

from pathlib import Path

from typer.testing import CliRunner

from ludus.cli import app
from ludus.studies import ls_draughts
from ludus.studies.ls_draughts import Scale, Study
from ludus.studies.steps import ExamStep, MatchStep, TrainingStep

TINY = Scale(trials=1, sets=1, games=4, match_games=2, tests=1, population=2, generations=1, exam_games=1)


def test_the_full_study_has_the_size_of_the_paper_and_the_same_matches_with_every_seed():
    steps = Study(ls_draughts.SCALES["full"], 1).steps()
    trainings = {step.name: step.options for step in steps if isinstance(step, TrainingStep)}
    chosen = trainings["ls-draughts-faithful-5"]
    assert (chosen["population"], chosen["generations"], chosen["seed"]) == (50, 30, 5)
    assert chosen["finalist_sets"] * chosen["finalist_games"] == 2500
    neuro = trainings["neurodraughts-faithful-5"]
    assert neuro["sets"] * neuro["games"] == 2500
    met = {(str(step.one), str(step.other), step.config.seed) for step in steps if isinstance(step, MatchStep)}
    for seed in range(1, 6):
        for mark in ("", "-faithful"):
            one, other = f"ls-draughts{mark}-{seed}", f"neurodraughts{mark}-{seed}"
            assert (one, other, seed) in met
            assert (f"{one}@search=alphabeta,depth=4", f"{other}@search=alphabeta,depth=4", seed) in met
    exams = {str(step.player) for step in steps if isinstance(step, ExamStep)}
    assert exams >= {"ls-draughts-faithful-5", "ls-draughts-1", "neurodraughts-3", "material@depth=4"}


def test_the_study_is_made_once_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setitem(ls_draughts.SCALES, "quick", TINY)
    monkeypatch.chdir(tmp_path)
    first = CliRunner().invoke(app, ["study", "ls-draughts", "--concurrency", "2"])
    assert first.exit_code == 0, first.output
    written = Path("studies/ls-draughts-quick/tables.md").read_text()
    for heading in ("The features that were found", "By alpha-beta", "Thrown wins", "The exam of endings"):
        assert f"### {heading}\n" in written
    for row in ("+2 =5 -0", "PieceAdvantage", "ls-draughts, faithful v material@depth=4", "prove nothing"):
        assert row in written
    again = CliRunner().invoke(app, ["study", "ls-draughts", "--concurrency", "1"])
    assert again.stdout == first.stdout
    assert "steps;" not in again.stderr
