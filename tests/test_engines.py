"""Outside engines: the good ones play, the bad ones forfeit with a reason, and none of them stays behind."""

import fcntl
import shlex
import sys
import time
from pathlib import Path

import pytest

import ludus
from ludus.games import Outcome, Reason
from ludus.games.draughts import START, History, Position
from ludus.players.searches import Budget
from ludus.protocols.engine import Engine, EngineFailure, Patience, names_engine

FAKES = Path(__file__).parent / "fake_engines"
QUICK = Budget(seconds=0.1)
# A loaded machine may take its time; only what must fail by waiting fails soon.
PATIENCE = Patience(hello=60, ready=60, grace=60, work=60, farewell=0.2)


def ludus_hub(*arguments: str) -> str:
    return "engine:" + shlex.join([sys.executable, "-c", "from ludus.cli import main; main()", "hub", *arguments])


class Lock:
    """A file that every fake engine has a lock on as long as it, or a child of it, lives."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    def is_free(self) -> bool:
        with self.path.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    def is_soon_free(self) -> bool:
        deadline = time.monotonic() + 10  # a killed child of a child is nobody's to wait for
        while not self.is_free() and time.monotonic() < deadline:
            time.sleep(0.01)
        return self.is_free()


@pytest.fixture
def lock(tmp_path):
    lock = Lock(tmp_path / "lock")
    yield lock
    assert lock.is_soon_free(), "a process was left behind"


def fake(name: str, lock: Lock, *arguments: str, prefix: str = "engine+hub") -> str:
    return f"{prefix}:" + shlex.join([sys.executable, str(FAKES / f"{name}.py"), str(lock.path), *arguments])


def failure(engine: Engine, most_moves: int = 1) -> tuple[str, int]:
    """The reason for which an engine fails that plays against itself, and how many moves it made before."""
    engine.start()
    moves = []
    with pytest.raises(EngineFailure) as failed:
        for _ in range(most_moves):
            moves.append(engine.choose(START, moves).move)
    assert engine.pid is None
    return failed.value.reason, len(moves)


def test_a_crash_is_reported_with_status_and_error_output(lock):
    reason, moves = failure(Engine(fake("crashes_on_move_10", lock), QUICK, PATIENCE), 20)
    assert (reason, moves) == ("crashed: exit status 3; its error output: out of ideas", 9)


def test_an_engine_that_never_answers_did_not_move_in_time(lock):
    patience = Patience(hello=60, ready=60, grace=0.5, work=60, farewell=0.2)
    assert failure(Engine(fake("never_answers", lock), QUICK, patience)) == ("did not move within 0.6 s", 0)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("floods_nonsense", "wrote 1001 lines of nonsense, the last: la la la"),
        ("closes_its_output", "closed its output"),
    ],
)
def test_a_bad_engine_fails_for_the_right_reason(lock, name, reason):
    assert failure(Engine(fake(name, lock), QUICK, PATIENCE)) == (reason, 0)


def test_an_illegal_move_is_reported_with_the_error_of_the_engine(lock):
    reason, _ = failure(Engine(fake("plays_illegal_moves", lock), QUICK, PATIENCE))
    assert reason.startswith("played an illegal move: '1-32' is not legal in B:W21,22")
    assert reason.endswith("; its error: I do not know this game")


@pytest.mark.parametrize("name", ["prints_binary", "never_ends_its_line"])
def test_bytes_without_sense_are_nonsense_in_bounded_memory(lock, name):
    engine = Engine(fake(name, lock), Budget(depth=1), PATIENCE)
    reason, _ = failure(engine)
    assert reason.startswith("wrote 1001 lines of nonsense")
    assert engine.nonsense == 1001
    assert reason.isprintable()


def test_an_engine_that_ignores_quit_is_ended_with_its_children(lock):
    engine = Engine(fake("ignores_quit", lock), QUICK, PATIENCE)
    engine.start()
    assert str(engine.choose(START, []).move) == str(START.moves()[0])
    assert not lock.is_free()
    engine.close()
    assert engine.pid is None
    engine.close()


def test_an_engine_may_talk_to_itself_without_end(lock):
    with Engine(fake("writes_errors", lock), Budget(depth=1), PATIENCE) as engine:
        engine.start()
        for _ in range(3):
            assert engine.choose(START, []).move in START.moves()


def test_an_engine_that_is_forgotten_ends(lock):
    engine = Engine(fake("ignores_quit", lock), QUICK, PATIENCE)
    engine.start()
    del engine


def test_a_silent_engine_is_no_hub_engine(lock):
    engine = Engine(fake("is_mute", lock), QUICK, Patience(hello=0.2))
    with pytest.raises(EngineFailure, match=r"did not answer hub with wait within 0\.2 s"):
        engine.start()


def test_an_engine_for_another_board_is_refused(lock):
    engine = Engine(fake("plays_another_variant", lock), QUICK, PATIENCE)
    with pytest.raises(EngineFailure, match="does not play the variant english, only normal frisian"):
        engine.start()


def test_a_program_that_does_not_exist_cannot_start():
    with pytest.raises(EngineFailure, match="cannot start /no/such/engine: No such file or directory"):
        Engine("engine:/no/such/engine hub", QUICK).start()


def test_a_killed_program_is_reported_with_the_signal():
    engine = Engine("engine:sh -c 'kill -SEGV $$'", QUICK, PATIENCE)
    with pytest.raises(EngineFailure, match="crashed: killed by SIGSEGV"):
        engine.start()


def test_after_a_failure_the_next_game_can_be_played(lock):
    with Engine(fake("crashes_on_move_10", lock), QUICK, PATIENCE) as engine:
        for _ in range(2):
            assert failure(engine, 20)[1] == 9
        with pytest.raises(EngineFailure, match="is not running"):
            engine.choose(START, [])
        engine.start()
        assert engine.choose(START, []).move in START.moves()


def test_the_line_protocol_word_for_word(lock, tmp_path):
    told = tmp_path / "told"
    engine = Engine(fake("speaks_lines", lock, str(told), prefix="engine+line"), Budget(seconds=0.5), PATIENCE)
    start = Position("W:WK6:B5,10,11,19,20,27,K18,K26")
    engine.start()
    reply = engine.choose(start, [])
    assert reply[:4] == (start.moves()[0], 0.25, 7, 1234)
    answer = start.play(reply.move).moves()[0]
    engine.choose(start, [reply.move, answer])
    engine.start()
    engine.choose(START, [])
    engine.close()
    assert engine.nonsense == 3  # "hm" is none of the protocol
    assert told.read_text().splitlines() == [
        "new",
        "fen W:WK6:B5,10,11,19,20,27,K18,K26",
        "go time 0.5",
        "fen W:WK6:B5,10,11,19,20,27,K18,K26",
        f"moves {reply.move} {answer}",
        "go time 0.5",
        "new",
        "fen B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "go time 0.5",
        "quit",
    ]


def test_an_engine_that_does_not_know_hub_is_spoken_to_in_lines(lock, tmp_path):
    told = tmp_path / "told"
    name = fake("speaks_lines", lock, str(told), prefix="engine")
    with Engine(name, Budget(nodes=1000), Patience(hello=0.2)) as engine:
        for _ in range(2):  # it is not asked again
            engine.start()
            engine.choose(START, [])
    lines = told.read_text().splitlines()
    assert lines[:2] == ["hub", "new"]
    assert lines.count("hub") == 1
    assert "go nodes 1000" in lines


def test_two_hub_engines_play_a_legal_game_to_its_end():
    budget = Budget(nodes=2000)
    with (
        Engine(ludus_hub("-w", "material"), budget, PATIENCE) as first,
        Engine(ludus_hub("-w", "random"), budget, PATIENCE) as second,
    ):
        for engine in (first, second):
            engine.start()
        assert first.title == f"Ludus material {ludus.__version__}"
        history = History()
        moves = []
        while not (outcome := history.outcome()):
            engine = (first, second)[len(moves) % 2]
            reply = engine.choose(START, moves)
            if engine is first:
                assert reply.depth > 0
                assert 0 < reply.nodes <= 2000
                assert -1 <= reply.value <= 1
            history.play(reply.move)
            moves.append(reply.move)
        assert outcome == Outcome(START.turn, Reason.NO_MOVES)
        assert first.nonsense == second.nonsense == 0


def test_a_line_engine_is_found_by_a_question_and_remembered(lock, tmp_path, monkeypatch):
    monkeypatch.setattr("ludus.protocols.engine.PROBE", 0.1)
    told = tmp_path / "told"
    name = fake("speaks_lines", lock, str(told), prefix="engine")
    for questions in (2, 1):  # the second engine of the process is not asked again
        with Engine(name, Budget(nodes=1000), PATIENCE) as engine:
            engine.start()
            assert engine.choose(START, []).depth == 7
        lines = told.read_text().splitlines()
        assert len([line for line in lines if line.startswith("go ")]) == questions
        assert ("hub" in lines) == (questions == 2)


def test_a_hub_engine_that_is_slow_to_begin_is_started_again(lock, monkeypatch):
    monkeypatch.setattr("ludus.protocols.engine.PROBE", 0.0)
    with Engine(fake("ignores_quit", lock, prefix="engine"), QUICK, PATIENCE) as engine:
        engine.start()
        assert engine.title == "A fake"
        assert engine.choose(START, []).move in START.moves()


@pytest.mark.parametrize("name", ["engine:", "engine:  ", "engine:'", "engine+line:''", "engine", "material"])
def test_a_name_that_names_no_program_is_refused(name):
    with pytest.raises(ValueError, match=r"names no program|not a command|does not name an engine"):
        Engine(name, QUICK)


def test_play_outs_are_no_budget_for_an_engine():
    with pytest.raises(ValueError, match="not playouts"):
        Engine("engine:x", Budget(playouts=5))


def test_players_are_not_taken_for_engines():
    assert names_engine("engine:x")
    assert names_engine("engine+line:x y")
    assert not names_engine("engines/mine.safetensors")
    assert not names_engine("engine")
