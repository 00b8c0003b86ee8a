"""Input that is too deep, too large or too many is refused with a sentence; what can be streamed is streamed."""

import json
import resource

import pytest

from ludus import players
from ludus.arena import matches as match
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig
from ludus.learning import registry
from ludus.players.networks import Layer
from ludus.runs import BadRun, Config
from ludus.workers import Workers


def test_a_match_of_very_many_games_begins_at_once():
    contestants = players.find("random", "tictactoe3d"), players.find("random", "tictactoe3d")
    config = MatchConfig(games=10**12, openings="random:4", thrown_wins=0)
    standings = match.play(contestants, config, Workers(), Journal(None, {}, keep=False))
    for _, standing in zip(range(5), standings, strict=False):
        assert not standing.finished
    assert standing.score.games == 4
    assert len(match.tasks(contestants, config)) == 10**12
    with pytest.raises(ValueError, match="at most"):
        match.tasks(contestants, MatchConfig(games=10**30, openings="none"))


def test_the_memory_of_a_match_does_not_grow_with_its_games(tmp_path):
    contestants = players.find("random", "tictactoe3d"), players.find("random", "tictactoe3d")
    config = MatchConfig(games=4000, openings="random:4", thrown_wins=0)

    def play(folder):
        with Workers.open(1) as workers:
            for number, _ in enumerate(match.play(contestants, config, workers, Journal(folder, {}, keep=False))):
                if number == 500:
                    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # kilobytes

    assert play(None) < 3500  # less than a kilobyte a game; each was kept in about six
    assert play(tmp_path) < 3500


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("match", "random", "random", "--concurrency", "20000"), "--concurrency"),
        (("match", "random", "random", "--games", str(10**30)), "at most"),
        (("train", "genetic", "--rounds", str(10**9)), "rounds: at most 10,000"),
        (("train", "blondie24", "--rounds", str(10**9)), "rounds: at most 10,000"),
        (("train", "genetic", "--hidden", "8192-8192"), "a layer has at most 4,000,000 weights"),
        (("train", "genetic", "--hidden", "2000-2000-2000-2000-2000-2000", "--population", "10000"), "GB of memory"),
        (("train", "neurodraughts", "--sets", str(10**12)), "sets: at most 1,000,000,000"),
        (("train", "champion", "--games", str(10**12)), "games: at most 1,000,000,000"),
        (("exam", "endgames", "--with", "random", "--games", str(10**9)), "--games"),
        (("match", "uct@playouts=" + "9" * 30, "random"), "at most"),
    ],
)
def test_numbers_that_no_machine_can_work_off_are_refused(run, tmp_path, monkeypatch, command, reason):
    monkeypatch.chdir(tmp_path)
    status, _, errors = run(*command)
    assert status == 2 and reason in errors
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_every_whole_number_of_a_learner_has_a_bound():
    for kind in registry.KINDS:
        learner = registry.make(kind, {})
        for field, value in registry.values(learner).items():
            if isinstance(value, int) and not isinstance(value, bool) and field != "seed":
                with pytest.raises(ValueError):
                    registry.make(kind, {field: 10**12})


def test_a_layer_is_bounded():
    with pytest.raises(ValueError, match="at most 4,000,000 weights"):
        Layer(inputs=8192, outputs=8192)


DEEP = "[" * 100_000 + "]" * 100_000


def with_header(path, header):
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    return path


@pytest.mark.parametrize("inner", [DEEP, '{"name":' + DEEP + "}", '{"a":' * 100_000 + "1" + "}" * 100_000])
def test_metadata_that_is_nested_deeply_is_a_sentence(run, tmp_path, inner):
    header = json.dumps({"__metadata__": {"ludus-player-1": inner}}).encode()
    status, _, errors = run("show", with_header(tmp_path / "p.safetensors", header))
    assert status == 2 and "p.safetensors" in errors
    status, _, errors = run("show", with_header(tmp_path / "q.safetensors", inner.encode()))
    assert status == 2 and "q.safetensors" in errors


def test_very_many_tensors_are_a_sentence(run, tmp_path):
    entry = '"t%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}'
    for count in (1000, 200_000):
        header = ("{" + ",".join(entry % index for index in range(count)) + "}").encode()
        status, _, errors = run("show", with_header(tmp_path / "p.safetensors", header))
        assert status == 2 and "is no player" in errors


@pytest.mark.parametrize(
    "content", ["a = " + DEEP, "a." * 100_000 + "a = 1", "[" + "a." * 100_000 + "a]", "x" * 2_000_000]
)
def test_a_config_that_is_deep_or_huge_is_a_sentence(tmp_path, content):
    path = tmp_path / "config.toml"
    path.write_text(content)
    with pytest.raises(BadRun, match=r"config\.toml is no config of a run"):
        Config.read(path)


def test_a_deep_line_is_a_sentence(run, tmp_path):
    (tmp_path / "journal.jsonl").write_text(DEEP + "\n")
    status, _, errors = run("match", "random", "random", "--games", 2, "--out", tmp_path)
    assert status == 2 and "is not a journal of games" in errors
