"""The champion: its network against a plain reference, its files, and that it learns."""

import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest

from kills import killed_and_resumed
from ludus import games, players, reports
from ludus._core import Budget, Color, draughts, tictactoe3d
from ludus.arena import matches
from ludus.arena.matches import MatchConfig
from ludus.arena.play import play
from ludus.learning import generation_matches, given_positions, position_files, registry
from ludus.learning.champion import Champion
from ludus.learning.position_files import BadPositions, PositionWriter, read
from ludus.players.evaluators import PhaseNetwork
from ludus.reports.champion import minutes_of
from ludus.runs import Run, session
from ludus.workers import Workers

TINY = Champion(
    generations=2, random_games=3000, games=200, nodes=50, width=16, epochs=2, match_games=4, match_nodes=50
)
MAIN = "from ludus.cli import main; main()"


def rounded(x, limit, bits):
    return np.rint(np.clip(x.astype(np.float32), -np.float32(limit), np.float32(limit)) * np.float32(2**bits)).astype(
        np.int64
    )


def plain_net(theta, width, views, phase, count, most):
    """The definition at the top of core/evaluation/phase_network.hpp."""
    bits = 9 if most <= 24 else 8
    limit = np.float32((32767 >> bits) - 4) / np.float32(most)
    rows, bias, rest = np.split(theta, [count * width, count * width + width])
    rows = rounded(rows, limit, bits).reshape(count, width)
    first = np.concatenate([np.clip(rounded(bias, 4, bits) + rows[view].sum(axis=0), 0, 2**bits) for view in views])
    squares = (first**2 + 2 ** (bits - 1)) >> bits
    upper = rest.reshape(4, -1)[phase]
    second = rounded(upper[: 32 * width], 8, 18 - bits).reshape(16, 2 * width)
    sums = rounded(upper[32 * width : 32 * width + 16], 64, 18) + second @ squares
    output = rounded(upper[-17:-1], np.float32(15.9), 9)
    return int(rounded(upper[-1:], 64, 22)[0] + (np.clip(sums >> 5, 0, 8192) * output).sum())


def ring(square):
    row, column = divmod(square - 1, 4)
    return (10 + 6 * column + 8 * (row // 2) + row % 2) % 32


def view_of(position, side):
    """The inputs that are on as one side sees the board."""
    inputs = []
    for square, piece in position.pieces().items():
        own = (piece in "wW") == (side == Color.WHITE)
        place = ring(square) if side == Color.BLACK else 31 - ring(square)
        inputs.append(64 * (not own) + 32 * piece.isupper() + place)
    return inputs


def draughts_inputs(position):
    other = Color.BLACK if position.turn == Color.WHITE else Color.WHITE
    views = [view_of(position, position.turn), view_of(position, other)]
    count = len(views[0])
    return views, 0 if count <= 6 else 1 if count <= 10 else 2 if count <= 16 else 3


def positions_of(name, count):
    game = games.find(name)
    for index in range(count):
        position = game.start
        for move in game.random_game(11, index)[0]:
            yield position
            position = position.play(move)


@pytest.mark.parametrize("spread", [0.3, 30])
def test_whole_numbers_are_those_of_a_plain_reference(spread):
    theta = (np.random.default_rng(1).uniform(-spread, spread, draughts.phase_weights(32))).astype(np.float32)
    evaluator = draughts.Evaluator.phases(theta, width=32)
    for position in positions_of("draughts", 10):
        views, phase = draughts_inputs(position)
        net = plain_net(theta, 32, views, phase, 128, 24)
        assert draughts.phase_net(theta, 32, position) == net
        assert evaluator.value(position) == pytest.approx(-np.tanh(net / 2**23), abs=2e-6)


def test_weights_that_do_not_fit_are_a_sentence():
    with pytest.raises(ValueError, match="this network has 16580 weights, not 3"):
        PhaseNetwork(width=64).build(draughts, np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="made by an earlier version"):
        PhaseNetwork(width=64).build(draughts, np.zeros(12484, np.float32))
    with pytest.raises(ValueError, match="a network needs its weights"):
        PhaseNetwork().build(draughts, None)
    with pytest.raises(ValueError, match="16, 32, 64, 128 or 256 nodes"):
        draughts.phase_weights(48)


def records(found):
    kind = [("own", "<u4"), ("other", "<u4"), ("kings", "<u4"), ("value", "<i2"), ("result", "i1"), ("flags", "u1")]
    return np.frombuffer(found.positions, kind)


@pytest.mark.parametrize("kind", [draughts.Search.alphabeta, draughts.Search.pvs])
def test_games_have_numbers_of_their_own(kind):
    search = kind(draughts.Evaluator.material(), megabytes=1)
    play = lambda first, count: draughts.self_play(search, Budget(nodes=50), first=first, games=count, seed=3)  # noqa: E731
    assert play(0, 6).positions == play(0, 2).positions + play(2, 4).positions
    assert set(records(play(0, 6))["result"]) <= {-1, 0, 1}
    assert (records(play(0, 6))["value"] > -32768).all()
    random = draughts.self_play(None, Budget(), first=0, games=6, seed=3)
    assert (records(random)["value"] == -32768).all() and random.wins + random.draws + random.losses == 6


def test_most_openings_that_are_not_even_are_replaced():
    search = draughts.Search.pvs(draughts.Evaluator.material(), megabytes=1)

    def uneven(limit):
        """Of 300 games, those that begin with one side ahead."""
        games = [
            draughts.self_play(search, Budget(nodes=50), first=game, games=1, seed=3, later=0, even=limit)
            for game in range(300)
        ]
        return sum(int(records(each)["value"][0]) != 0 for each in games if each.positions)

    assert uneven(1) > 100
    assert 10 < uneven(0) < 50


def test_endgame_tables_end_games_and_set_their_results():
    tables = players.searches.load_tables(4)
    with_tables = draughts.self_play(None, Budget(), first=0, games=200, seed=1, tables=tables.core)
    assert 20 < with_tables.by_table < 200
    found = records(with_tables)
    pieces = [bin(own | other).count("1") for own, other in zip(found["own"], found["other"], strict=True)]
    assert min(pieces) > 4
    assert draughts.self_play(None, Budget(), first=0, games=200, seed=1).by_table == 0


def test_a_fit_refuses_what_cannot_be():
    theta = draughts.initial_phase_theta(16, 1)
    fit = lambda data: draughts.PhaseFit.of(  # noqa: E731
        theta, width=16, positions=[data], epochs=1, rate=0.001, result_share=0.7, seed=0
    )
    with pytest.raises(ValueError, match="fewer positions than a batch"):
        fit(bytes(16))
    with pytest.raises(ValueError, match="16 bytes each"):
        fit(bytes(17))
    with pytest.raises(ValueError, match="a position that cannot be"):
        fit(b"\1" * 16 * 600)


def test_a_fit_leaves_out_a_share_of_the_endings():
    played = draughts.self_play(None, Budget(), first=0, games=200, seed=1)
    found = records(played)
    pieces = np.array([bin(own | other).count("1") for own, other in zip(found["own"], found["other"], strict=True)])
    many, few = int((pieces > 10).sum()), int((pieces <= 10).sum())

    def batches(share):
        return draughts.PhaseFit.of(
            draughts.initial_phase_theta(16, 1),
            width=16,
            positions=[played.positions],
            epochs=1,
            rate=0.001,
            result_share=1,
            ending_share=share,
            seed=5,
        ).total

    assert few > 2000 < many
    assert batches(1) == (many + few) // 512
    assert batches(0) == many // 512
    assert abs(batches(0.25) - (many + few / 4) / 512) < 1.5


def written(path, blocks=3):
    writer = PositionWriter(path, "draughts", 16, 7)
    for number in range(blocks):
        writer.append(bytes([number]) * 32)
    writer.sync()
    writer.close()
    return writer.size


def blocks_of(path, size):
    return [bytes(block) for block in read(path, "draughts", 16, 7, size)]


def test_a_file_of_positions_gives_back_what_was_written(tmp_path):
    path = tmp_path / "a.positions"
    size = written(path)
    assert blocks_of(path, size) == [bytes([number]) * 32 for number in range(3)]
    assert size == path.stat().st_size


def test_what_was_appended_after_the_state_is_cut_off(tmp_path):
    path = tmp_path / "a.positions"
    size = written(path)
    path.write_bytes(path.read_bytes() + b"half a block")
    assert len(blocks_of(path, size)) == 3
    writer = PositionWriter(path, "draughts", 16, 7, size)
    writer.append(bytes(16))
    writer.close()
    assert blocks_of(path, writer.size)[3] == bytes(16)
    assert writer.size == path.stat().st_size


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda b: b[:-1], "has been cut short"),
        (lambda b: b[:-1] + b"x", "block 3 is not what was written"),
        (lambda b: b[:60] + b"x" + b[61:], "block 1 is not what was written"),
        (lambda b: b"X" + b[1:], "is no file of positions"),
        (lambda b: b[:20] + b"x" + b[21:], "is no file of positions"),
        (lambda b: b"", "is no file of positions"),
    ],
)
def test_a_broken_file_of_positions_is_a_sentence(tmp_path, spoil, reason):
    path = tmp_path / "a.positions"
    size = written(path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(BadPositions, match=reason):
        blocks_of(path, size)


def test_a_missing_or_foreign_file_of_positions_is_a_sentence(tmp_path):
    path = tmp_path / "a.positions"
    with pytest.raises(BadPositions, match="cannot be read: No such file"):
        blocks_of(path, 10)
    with pytest.raises(BadPositions, match="cannot be written: No such file"):
        PositionWriter(path, "draughts", 16, 7, 10)
    size = written(path)
    with pytest.raises(BadPositions, match="generation 7 of draughts, not 7 of tictactoe3d"):
        read(path, "tictactoe3d", 20, 7, size)


def train(folder, learner, threads=1, stop=None):
    run = Run.create(folder, learner, "") if not folder.exists() else Run.open(folder)
    with Workers.open(threads) as workers:
        training = run.train(workers)
        for number, _ in enumerate(training):
            if number == stop:
                training.close()
                break
    return run


def result(folder):
    paths = [folder / "progress.jsonl", folder / "player.safetensors", *(folder / "players").iterdir()]
    paths += (folder / "data").iterdir()
    return {path.relative_to(folder): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(tmp_path_factory.mktemp("champion") / "run", TINY).folder


def test_the_result_does_not_depend_on_workers(trained, tmp_path):
    assert result(train(tmp_path / "r", TINY, threads=3).folder) == result(trained)


@pytest.mark.parametrize("stop", [0, 2, 4, 6])
def test_a_run_that_is_stopped_ends_the_same(trained, tmp_path, stop):
    folder = tmp_path / "r"
    train(folder, TINY, stop=stop)
    train(folder, TINY)
    assert result(folder) == result(trained)


def test_killed_at_ten_instants_it_ends_the_same(trained, tmp_path):
    arguments = ["champion", "--generations", "2", "--random-games", "3000", "--games", "200", "--nodes", "50"]
    arguments += ["--width", "16", "--epochs", "2", "--match-games", "4", "--match-nodes", "50", "--concurrency", "1"]
    assert killed_and_resumed(MAIN, arguments, tmp_path / "killed", seed=1, within=0.05) >= 2
    assert result(tmp_path / "killed") == result(trained)


def test_what_a_killed_process_was_writing_is_swept(trained, tmp_path):
    folder = tmp_path / "r"
    train(folder, TINY, stop=2)
    (folder / "data" / ".0001.positions.0123abcd").write_bytes(b"half a header")
    train(folder, TINY)
    assert result(folder) == result(trained)


def test_a_run_whose_positions_are_spoilt_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "CHECKPOINT_SECONDS", 0.0)
    folder = tmp_path / "r"
    train(folder, TINY, stop=5)
    (path,) = (folder / "data").glob("0001.positions")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(BadPositions, match=r"0001.positions has been cut short"):
        train(folder, TINY)
    shutil.rmtree(folder / "data")
    with pytest.raises(BadPositions, match=r"0001.positions cannot be"):
        train(folder, TINY)


@pytest.fixture
def further(trained):
    """One generation more, of another width, after the one that `trained` ended with."""
    return msgspec.structs.replace(TINY, start=str(trained), width=32, generations=1)


def test_a_training_can_start_with_a_champion(trained, further, tmp_path):
    run = train(tmp_path / "r", further)
    (line,) = run.record()
    assert (line["generation"], line["games"], line["learned"]) == (1, 200, [1, 1])
    assert sum(line["pool"]["the generation before"][each] for each in ("wins", "draws", "losses")) == 4
    assert players.find(str(run.folder)).evaluator == PhaseNetwork(width=32)
    # The games are those of the champion it started with: another one plays others.
    other = train(tmp_path / "o", msgspec.structs.replace(further, start=f"{trained}@1"))
    name = "data/0001.positions"
    assert (run.folder / name).read_bytes() != (other.folder / name).read_bytes()


def test_a_generation_that_is_surely_worse_is_not_kept(further, tmp_path):
    start = players.find("champion")
    learner = msgspec.structs.replace(further, start="champion", games=20, match_games=20, generations=2)
    run = train(tmp_path / "r", learner)
    for line in run.record():
        before = line["pool"]["the generation before"]
        assert before["interval"][1] < 0.5 and (line["kept"], line["gained"]) == (False, 0)
    assert np.array_equal(players.find(str(run.folder)).theta, start.theta)
    *_, last = learner.learn(None, Workers())
    assert last.player.name == "champion 0000"
    assert players.find(f"{run.folder}@2").evaluator == PhaseNetwork(width=32)  # it can be played all the same
    assert generation_matches.note(2, {}, False) == "generation 2; not kept"
    assert "2, not kept" in reports.write(run.folder).read_text()


def test_the_curve_has_the_strongest_reference_player():
    pool = {name: {"score": score} for name, score in [("material", 1.0), ("visiondraughts", 0.5)]}
    pool[generation_matches.BEFORE] = {"score": 0.2}
    line = generation_matches.curve(3, 110_070, pool)
    assert line == f"generation   3     110,070 games   50.0% against visiondraughts  {15 * '#'}"
    assert generation_matches.curve(3, 110_070, {}) == ""


def test_started_with_a_champion_that_is_gone_a_stopped_run_ends_the_same(trained, further, tmp_path):
    shutil.copytree(trained, tmp_path / "start")
    learner = msgspec.structs.replace(further, start=str(tmp_path / "start"))
    whole = train(tmp_path / "whole", learner).folder
    train(tmp_path / "r", learner, stop=1)
    shutil.rmtree(tmp_path / "start")
    assert result(train(tmp_path / "r", learner).folder) == result(whole)


def test_a_training_learns_from_the_games_of_other_runs(trained, further, tmp_path):
    shutil.copytree(trained, tmp_path / "other")
    learner = msgspec.structs.replace(further, other_runs=(str(tmp_path / "other"),))
    whole = train(tmp_path / "whole", learner).folder
    alone = train(tmp_path / "alone", further).folder
    name = "data/0001.positions"
    assert (whole / name).read_bytes() == (alone / name).read_bytes()  # the same games of its own
    assert result(whole) != result(alone)
    # It is known from the beginning which positions those are.
    for name in ("r", "gone"):
        train(tmp_path / name, learner, stop=1)
    (tmp_path / "other" / "data" / "0003.positions").write_bytes(b"not there when it began")
    assert result(train(tmp_path / "r", learner).folder) == result(whole)
    (tmp_path / "other" / "data" / "0002.positions").unlink()
    with pytest.raises(BadPositions, match=r"0002.positions cannot be read"):
        train(tmp_path / "gone", learner)


def test_the_last_generations_of_other_runs_count_as_those_before_generation_1(trained):
    def generations(window):
        files = given_positions.find([str(trained)], window, "draughts", 16)
        return [(Path(file.path).stem, file.age) for file in files]

    assert generations(2) == [("0002", 1)]
    assert generations(5) == [("0002", 1), ("0001", 2)]  # without the random games of generation 0
    files = given_positions.find([str(trained)], 5, "draughts", 16)
    sizes = [sum(map(len, given_positions.read(files, most, "draughts", 16))) for most in range(4)]
    assert sizes[0] == 0 < sizes[1] < sizes[2] == sizes[3]


def test_what_another_run_has_not_finished_does_not_count(trained, tmp_path):
    shutil.copytree(trained, tmp_path / "other")
    data = tmp_path / "other" / "data"
    whole = given_positions.find([str(tmp_path / "other")], 3, "draughts", 16)
    newest = data / "0002.positions"
    newest.write_bytes(newest.read_bytes() + b"half a block")
    PositionWriter(data / "0003.positions", "draughts", 16, 3).close()  # no game has ended yet
    assert given_positions.find([str(tmp_path / "other")], 3, "draughts", 16) == whole


def test_other_runs_that_cannot_be_learned_from_are_a_sentence_at_once(trained, tmp_path):
    with pytest.raises(BadPositions, match="a window of 1 does not reach them"):
        given_positions.find([str(trained)], 1, "draughts", 16)
    with pytest.raises(BadPositions, match="of draughts, not 2 of tictactoe3d"):
        given_positions.find([str(trained)], 3, "tictactoe3d", 20)
    shutil.copytree(trained, tmp_path / "other")
    spoilt = tmp_path / "other" / "data" / "0002.positions"
    spoilt.write_bytes(spoilt.read_bytes()[:-1] + b"x")
    with pytest.raises(BadPositions, match=r"0002.positions is broken: block \d+ is not what was written"):
        given_positions.find([str(tmp_path / "other")], 3, "draughts", 16)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"start": "material"}, "cannot start with material, which is no champion"),
        ({"start": "missing-player"}, "missing-player"),
        ({"start": "champion", "game": "tictactoe3d"}, "draughts"),
        ({"other_runs": ("missing-run",)}, "missing-run has no positions of games"),
    ],
)
def test_what_is_no_champion_cannot_be_the_start(options, reason):
    with pytest.raises(ValueError, match=reason):
        next(iter(msgspec.structs.replace(TINY, **options).learn(None, Workers())))


def test_a_state_of_an_earlier_version_is_a_sentence(tmp_path):
    with Workers.open(1) as workers:
        state = next(iter(TINY.learn_in(tmp_path / "one", None, workers))).state
        earlier = msgspec.structs.replace(state, facts={k: v for k, v in state.facts.items() if k != "method"})
        with pytest.raises(ValueError, match="begun by an earlier version"):
            next(iter(TINY.learn_in(tmp_path / "one", earlier, workers)))


def test_every_generation_is_kept_and_measured(trained):
    lines = Run.open(trained).record()
    assert [line["generation"] for line in lines] == [0, 1, 2]
    assert lines[0]["endgames"] == 4 and lines[0]["new"]["by_table"] > 0
    assert set(lines[2]["pool"]) == {"material", "visiondraughts", "the generation before"}
    assert lines[2]["games"] == TINY.total == 3000 + 200 + 280
    for generation in range(3):
        assert players.find(f"{trained}@{generation}").evaluator == PhaseNetwork(width=16)
    assert players.find(str(trained)).made.command.startswith("ludus train champion --generations 2")


def test_the_report_has_the_curve(trained):
    page = reports.write(trained).read_text()
    assert "Elo above each reference player over minutes" in page and "visiondraughts" in page
    assert minutes_of([{"games": 5}, {"games": 9}], [{"done": 5, "seconds": 60}, {"done": 5, "seconds": 120}])[0] == 2.0


def test_old_positions_are_removed_unless_they_are_to_be_kept(tmp_path):
    learner = msgspec.structs.replace(TINY, generations=5, games=20, growth=1.0, window=1, match_games=0)
    folder = train(tmp_path / "r", learner).folder
    assert sorted(path.name for path in (folder / "data").iterdir()) == [f"000{n}.positions" for n in (3, 4, 5)]
    kept = train(tmp_path / "k", msgspec.structs.replace(learner, keep_positions=True)).folder
    assert len(list((kept / "data").iterdir())) == 6
    assert (kept / "player.safetensors").exists()


def test_without_tables_games_are_played_out(tmp_path):
    learner = msgspec.structs.replace(TINY, generations=0, endgames=0, match_games=0)
    (line,) = train(tmp_path / "r", learner).record()
    assert (line["endgames"], line["new"]["by_table"], line["pool"]) == (0, 0, {})


def test_tictactoe3d_is_learned_too(tmp_path):
    learner = msgspec.structs.replace(TINY, game="tictactoe3d", generations=1, games=100)
    lines = train(tmp_path / "r", learner).record()
    assert set(lines[1]["pool"]) == {"benchmark", "material", "symmetric-patterns", "the generation before"}
    assert tictactoe3d.POSITION_BYTES == 20
    with pytest.raises(ValueError, match="no endgame tables of tictactoe3d"):
        list(msgspec.structs.replace(learner, endgames=4).learn(None, Workers()))


def test_the_number_of_games_grows_to_a_limit():
    learner = Champion(random_games=10, games=100, growth=2.0, most_games=500)
    assert [learner.games_of(n) for n in range(6)] == [10, 100, 200, 400, 500, 500]
    assert Champion(growth=10.0).games_of(10**6) == Champion().most_games
    assert Champion(growth=1.0).games_of(10**6) == Champion().games


def test_the_nodes_of_a_move_grow_to_a_limit():
    learner = Champion(nodes=100, nodes_growth=2.0, most_nodes=300)
    assert [learner.nodes_of(n) for n in range(1, 5)] == [100, 200, 300, 300]
    assert Champion(nodes=300).nodes_of(50) == Champion(nodes=300, most_nodes=1).nodes_of(3) == 300


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"match_games": 3}, "3 is not an even number"),
        ({"start": "champion", "generations": 0}, "has one generation at least"),
        ({"other_runs": ("run",), "generations": 0}, "does not learn from other runs"),
        ({"width": 48}, "width"),
        ({"endgames": 9}, "endgames"),
        ({"result_share": 1.5}, "result_share"),
        ({"growth": 0.5}, "growth"),
    ],
)
def test_bad_options_are_a_sentence(options, reason):
    with pytest.raises(registry.BadConfig, match=reason):
        registry.make("champion", options)


def test_a_tiny_training_beats_material_at_its_own_depth(tmp_path):
    """Some seconds of training, then 60 games at depth 4: at least 60% of the points."""
    learner = Champion(generations=2, random_games=20_000, games=1000, nodes=100, width=32, match_games=0, seed=1)
    folder = train(tmp_path / "r", learner, threads=2).folder
    own, other = (players.find(f"{name}@depth=4", "draughts") for name in (str(folder), "material"))
    played = [play(task).points for task in matches.tasks((own, other), MatchConfig(games=60, seed=1, thrown_wins=0))]
    points = sum(1 - each if index % 2 else each for index, each in enumerate(played))
    assert points >= 0.6 * 60


def test_positions_have_their_generation_in_their_name(tmp_path):
    assert position_files.path_of(tmp_path, 3).name == "0003.positions"
