"""Learners, evaluators, networks, players and studies of other people: as modules, and as installed packages."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from ludus import players, plugins
from ludus.learning import registry
from ludus.learning.registry import BadConfig
from ludus.players import BadPlayer, functions, named_networks
from ludus.players.evaluators import Material
from ludus.runs import Run
from ludus.workers import Workers

EXAMPLES = Path(__file__).parent.parent / "examples"
ENTRY_POINTS = """
[ludus.learners]
climber = my_school:Climber
broken-learner = my_school:missing
no-learner = my_school:value

[ludus.networks]
three-layers = my_school:THREE_LAYERS

[ludus.evaluators]
middle = my_school:lines

[ludus.players]
blockers = my_school:blockers

[ludus.studies]
tiny = my_study
"""
STUDY = """
from typing import NamedTuple
from ludus.learning.td import Td
from ludus.reports.page import Section
from ludus.studies.trials import Trial, TrialStore

class Scale(NamedTuple):
    trials: int

SCALES = {"quick": Scale(1), "full": Scale(2)}

class Study:
    title, unit, store = "A tiny study", "trainings", TrialStore

    def __init__(self, scale, seed):
        self.scale, self.seed = scale, seed

    def steps(self):
        return [Trial.of("a", Td(games=20, test_every=20, test_games=2, seed=s)) for s in range(self.scale.trials)]

    def sections(self, store):
        done = [step for step in self.steps() if step in store]
        return [Section("Trainings", tuple(f"{step.cell}: {len(store[step])} line" for step in done))]
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder to work in; what a test imports and what packages offer is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(functions, "_registered", {})
    monkeypatch.setattr(players.catalogue, "_added", {})
    plugins._entry_points.cache_clear()
    yield
    plugins._entry_points.cache_clear()
    for name in ("my_school", "my_study", "broken_module"):
        sys.modules.pop(name, None)


@pytest.fixture
def module(tmp_path):
    """The example as a module in the present folder."""
    (tmp_path / "my_school.py").write_text((EXAMPLES / "my_school.py").read_text())


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The example as an installed package: a folder with its metadata."""
    site = tmp_path / "site"
    info = site / "my_school-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-school\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (site / "my_school.py").write_text((EXAMPLES / "my_school.py").read_text())
    (site / "my_study.py").write_text(STUDY)
    monkeypatch.syspath_prepend(site)
    plugins._entry_points.cache_clear()


SHORT = ["--steps", "3", "--games", "2", "--seed", "1"]


def test_a_learner_of_a_module_is_a_command(module, run):
    status, out, _ = run("train", "my_school:Climber", "--help")
    assert status == 0 and "Changes to try. [default: 20]" in out and "runs/climber-NAME" in out
    status, out, _ = run("train", "my_school:Climber", *SHORT)
    assert status == 0 and "the player: runs/climber-1/player.safetensors" in out
    learned = Run.open(Path("runs/climber-1"))
    assert (learned.config.kind, learned.learner.steps) == ("my_school:Climber", 3)
    assert players.load(learned.player).made.command.startswith("ludus train my_school:Climber --steps 3")


def test_its_run_is_resumed_made_longer_listed_and_reported_by_another_process(module, run, tmp_path):
    ludus = [sys.executable, "-m", "ludus"]

    def do(*arguments):
        done = subprocess.run([*ludus, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    do("train", "my_school:Climber", *SHORT, "--out", "a")
    do("train", "my_school:Climber", "--steps", "5", *SHORT[2:], "--out", "b")
    do("train", "--resume", "a", "--steps", "5")
    for name in ("progress.jsonl", "player.safetensors"):
        assert Path("a", name).read_bytes() == Path("b", name).read_bytes()
    listed = do("runs", ".").splitlines()[1].split("\t")
    assert listed[:5] == ["a", "my_school:Climber", "finished", "5", "5"] and "changes are kept" in listed[6]
    assert "report.html" in do("--import", "my_school", "report", "a")
    assert "a against random" in do("--import", "my_school", "match", "a", "random", "--games", "2")


def test_a_run_of_a_module_is_listed_without_importing_it(module, run):
    run("train", "my_school:Climber", *SHORT, "--out", "a")
    del sys.modules["my_school"]
    Path("my_school.py").write_text("raise SystemExit('this must not run')")
    status, out, _ = run("runs", ".")
    assert status == 0 and out.splitlines()[1].split("\t")[2:5] == ["finished", "3", "3"]


def test_a_network_and_a_player_of_a_module(module, run):
    short = ["--games", "40", "--test-every", "20", "--test-games", "2"]
    status, out, err = run("train", "td", "--network", "my_school:THREE_LAYERS", *short, "--out", "r")
    assert status == 0, err
    assert "64-64-32-16-1" in run("show", "r")[1]
    assert run("train", "--resume", "r", "--games", "60")[0] == 0
    status, out, err = run("match", "my_school:blockers@depth=1", "my_school:blockers", "--games", "2")
    assert status == 0 and out.startswith("my_school:blockers@depth=1 against my_school:blockers"), err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("train", "no_module:Climber"), "no_module cannot be imported: ModuleNotFoundError"),
        (("train", "my_school:Nobody"), "the module my_school has no Nobody"),
        (("train", "my_school:value"), "my_school:value is no learner: a learner is a class that inherits from"),
        (("train", "my_school:Scale"), "my_school:Scale is no learner: it has no kind and no unit and no name"),
        (("train", "td", "--network", "my_school:value"), "my_school:value is no network"),
        (("match", "my_school:value", "random"), "my_school:value makes no player: TypeError: value() missing"),
        (("match", "my_school:MIDDLE", "random"), "my_school:MIDDLE is no player"),
        (("match", "my_school:nobody", "random"), "the module my_school has no nobody"),
        (("--import", "broken_module", "runs"), "broken_module cannot be imported: ZeroDivisionError"),
        (("study", "my_school:value"), "my_school:value is no study: it has no SCALES or no Study"),
        (("study", "nothing"), "there are tictactoe3d, mp-draughts, ls-draughts, evolution, specialists, champion"),
    ],
)
def test_what_cannot_be_loaded_is_a_sentence(module, run, arguments, reason):
    Path("broken_module.py").write_text("1 / 0")
    with Path("my_school.py").open("a") as file:
        file.write("\n\nclass Scale(Struct):\n    seed: int = 0\n\n    def learn(self):\n        pass\n")
    status, _, err = run(*arguments)
    assert status == 2 and reason in err.splitlines()[-1] and "Traceback" not in err


def test_an_installed_package_offers_parts_under_their_own_names(package, run):
    assert "climber" in run("train", "--help")[1]
    assert run("train", "climber", *SHORT)[0] == 0
    learned = Run.open(Path("runs/climber-1"))
    assert learned.config.kind == "climber"
    listed = run("runs")[1].splitlines()[1].split("\t")
    assert listed[1:6] == ["climber", "finished", "3", "3", "steps"]
    assert run("train", "--resume", "runs/climber-1", "--steps", "4")[0] == 0
    assert "three-layers" in named_networks.names("tictactoe3d")
    assert named_networks.find("three-layers", "tictactoe3d").initial_range == 0.5
    assert "three-layers" in run("train", "td", "--network", "nothing")[2]
    assert players.find("blockers").name == "blockers" and "blockers" in run("show", "--players")[1]
    assert functions.find("middle") is sys.modules["my_school"].lines
    assert players.is_named("blockers@depth=2")


def test_a_player_with_an_installed_evaluator_is_a_file(package, tmp_path):
    named = functions.Function("middle")
    player = players.find("blockers")
    saved = msgspec.structs.replace(player, evaluator=named)
    players.save(saved, tmp_path / "p.safetensors")
    assert players.load(tmp_path / "p.safetensors").evaluator == named


def test_what_a_package_offers_and_cannot_be_loaded_is_a_sentence(package, run):
    status, _, err = run("train", "broken-learner")
    assert status == 2 and "broken-learner of the group ludus.learners cannot be loaded: AttributeError" in err
    assert run("train", "no-learner")[0] == 2
    assert run("train", "--help")[0] == 0  # the others are still there
    with pytest.raises(BadConfig, match="there is no learner 'nothing'; there are td"):
        registry.named("nothing")


def test_an_installed_study_runs(package, run):
    status, out, err = run("study", "tiny", "--out", "s")
    assert status == 0 and "a: 1 line" in out, err
    assert run("study", "my_study:Study")[0] == 2


def test_a_name_in_a_file_imports_nothing(module, tmp_path):
    with pytest.raises(ValueError, match="a function of Python that is not here"):
        functions.find("my_school:value")
    with pytest.raises(BadConfig, match="the learner my_school:Climber is not loaded"):
        registry.named("my_school:Climber")
    with pytest.raises(ValueError, match="has no network my_school:THREE_LAYERS"):
        named_networks.find("my_school:THREE_LAYERS", "tictactoe3d")
    assert "my_school" not in sys.modules


def test_a_player_is_added_under_its_name():
    player = players.Player(name="mine", game="draughts", search=players.find("material").search, evaluator=Material())
    players.add(player)
    assert players.find("mine") is player and player in players.named_players()
    with pytest.raises(BadPlayer, match="there is a player material already"):
        players.add(players.find("material"))


def test_the_present_folder_hides_no_installed_module(tmp_path):
    (tmp_path / "msgspec.py").write_text("raise SystemExit")
    plugins.load_module("msgspec")
    assert sys.path[-1] == os.fspath(tmp_path)


def test_the_page_knows_added_players_and_runs_as_they_stand(tmp_path, run):
    roster = pytest.importorskip("ludus.web.roster")
    mine = players.Player.from_function(lambda positions: [0.0] * len(positions), name="mine", budget="depth=1")
    players.add(mine)
    learner = registry.make("td", {"games": 40, "test_every": 20, "test_games": 2})
    half = Run.create(tmp_path / "runs" / "half", learner, "ludus train td")
    with Workers.open(1) as workers:
        next(training := half.train(workers))
        training.close()
    known = roster.Roster(roster.Folders(tmp_path / "runs"))
    assert mine in known.named("draughts") and known.find("mine", "draughts") is mine
    assert [name for name, _ in known.of_runs("tictactoe3d")] == ["half@now"]
    assert known.find("half@now", "tictactoe3d").theta is not None
