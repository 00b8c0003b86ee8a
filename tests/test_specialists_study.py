"""The study of the specialists: what it trains, what it compares, and that it goes on where it was stopped."""

from pathlib import Path

from typer.testing import CliRunner

from ludus.cli import app
from ludus.studies import specialist_tables, specialists
from ludus.studies.specialists import CHANGES, ONCE, SCALES, TEAM, Study
from ludus.studies.steps import MatchStep, TrainingStep


def checked(wins, draws, losses, **more):
    return {"stage": "team", "check": {"all": {"wins": wins, "draws": draws, "losses": losses}, **more}}


def test_a_changed_team_is_compared_training_by_training():
    records = {
        TEAM: {1: [checked(1, 2, 1)], 2: [checked(2, 2, 1)]},
        "x": {1: [checked(2, 2, 0)], 2: [checked(1, 1, 1)], 3: []},
    }
    found, differ, figure = specialist_tables.on_boards(records, TEAM, (1, 2, 3))
    assert [row[0] for row in found.rows] == [TEAM, "x"]
    # 75 - 50 and 50 - 60. Student's t for one degree of freedom is 12.706: 7.5 -+ 12.706 * 17.5
    assert differ.rows == (("x", "+7.5", "[-214.9, 229.9]", "+25.0", "-10.0", "-"),)
    assert "as good as the team" in figure.caption


def test_the_specialists_of_every_training_are_counted():
    def line(score, **more):
        return {"stage": "specialists", "score": score, **more}

    runs = {1: [line(0.5, accepted=False), line(0.7, accepted=True)], 2: [line(0.4, accepted=False)], 3: []}
    rows = specialist_tables.specialists({TEAM: runs, "old": {1: [line(0.5)]}}).rows
    assert rows[0] == (TEAM, "seed 1", "2", "1", "60.0", "", "70.0")
    assert rows[1] == ("", "seed 2", "1", "0", "40.0", "", "-")
    assert rows[2][:5] == ("", "mean of 2", "", "", "50.0")
    assert rows[3] == ("old", "seed 1", "1", "all", "50.0", "", "50.0")


def test_the_check_of_a_team_is_that_of_its_record():
    team = {"stage": "team", "check": {"accepted": {"wins": 3, "draws": 2, "losses": 1, "interval": [0, 1]}}}
    rows = specialist_tables.checked_teams({TEAM: {1: [team], 2: []}, "old": {1: [{"stage": "team"}]}}, (1, 2)).rows
    assert rows == ((TEAM, "66.7", "-", "66.7", "-"),)


def test_only_one_option_differs_and_all_teams_of_a_seed_have_the_same_generalist():
    steps = Study(SCALES["full"], 1).steps()
    trainings = {step.name: step for step in steps if isinstance(step, TrainingStep)}
    assert len(trainings) == 5 * (2 + len(CHANGES))
    usual = trainings["team-3"]
    for row, changed in CHANGES.items():
        team = trainings[specialists.run_name(row, 3)]
        assert team.generalist == usual.generalist == "generalist-3"
        differing = {name for name, value in team.options.items() if usual.options.get(name) != value}
        assert differing == {*changed} | ({"specialist_games"} if row == "one specialist" else set())
    games = {
        step.options["specialist_games"] * step.options.get("units", 4)
        for step in trainings.values()
        if step.generalist
    }
    assert games == {8_000}
    met = {(str(step.one), str(step.other)) for step in steps if isinstance(step, MatchStep)}
    assert {("team-5", "generalist-5"), ("12-features-1", "team-1"), ("team-1-DI", "team-1")} <= met
    order = [step.name for step in steps]
    assert all(order.index(step.generalist) < order.index(step.name) for step in trainings.values() if step.generalist)


def test_the_study_is_made_once_and_read_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(specialists, "CHANGES", {"one specialist": CHANGES["one specialist"]})
    monkeypatch.setitem(
        SCALES, "quick", SCALES["quick"]._replace(sets=1, games=4, specialist_games=8, boards=10, held_boards=10)
    )
    runner = CliRunner()
    first = runner.invoke(app, ["study", "specialists", "--concurrency", "2"])
    assert first.exit_code == 0, first.output
    written = Path("studies/specialists-quick/tables.md").read_text()
    for heading in ("On boards held back", "Specialists", "Whole games", "Processor time"):
        assert f"### {heading}\n" in written
    assert ONCE in written and "prove nothing" in written
    again = runner.invoke(app, ["study", "specialists"])
    assert again.exit_code == 0 and again.stdout == first.stdout and "steps;" not in again.stderr
