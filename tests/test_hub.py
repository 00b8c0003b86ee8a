"""Hub: its text, what `ludus hub` answers word for word, and that nothing makes it fall over."""

import io
import random
import re
import sys
import time
from importlib.metadata import version

import pytest

from ludus import players
from ludus.games import AmbiguousMove, IllegalMove
from ludus.games.draughts import START, Position, random_game
from ludus.players import Player
from ludus.players.evaluators import Material
from ludus.players.searches import AlphaBeta, Budget, Ept, Greedy, Minimax, Pvs, Random, Uct
from ludus.protocols import hub, hub_engine
from ludus.protocols.background_search import Limits, supported
from ludus.protocols.clocks import most, share
from ludus.protocols.hub import BadLine, Line
from ludus.protocols.hub_engine import HubEngine, read_level
from ludus.protocols.process import EngineFailure, Process

HUB_START = "B" + 12 * "b" + 8 * "e" + 12 * "w"
ONE_CAPTURE_WINS = "B" + 13 * "e" + "b" + 3 * "e" + "w" + 14 * "e"  # B:W18:B14
LOOPS = Position("W:WK6:B5,10,11,19,20,27,K18,K26")
WORDS = {"id", "param", "wait", "ready", "info", "done", "pong", "error"}

SEARCHES = [Random(), Greedy(), Minimax(), AlphaBeta(), Pvs(), Uct(), Ept()]


def player(search, budget=None):
    return Player(name="tested", game="draughts", search=search, evaluator=Material(), budget=budget)


# The text.


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ping", Line("ping", {})),
        ("  go   think \r\n", Line("go", {"think": ""})),
        ('level moves=9  time = 291.5 inc="0.1"', Line("level", {"moves": "9", "time": "291.5", "inc": "0.1"})),
        ('pos pos=We moves="38-15 5-41"', Line("pos", {"pos": "We", "moves": "38-15 5-41"})),
        ('set-param name=book value=""', Line("set-param", {"name": "book", "value": ""})),
        ("level depth=3 depth=4", Line("level", {"depth": "4"})),
        (" \t ", None),
    ],
)
def test_a_line_is_a_command_and_arguments(text, line):
    assert hub.read(text) == line


@pytest.mark.parametrize("text", ["=", '"ping"', "level depth=", 'pos moves="11-15', "level =3", "\0", "go \x01"])
def test_what_is_no_line_is_refused(text):
    with pytest.raises(BadLine):
        hub.read(text)


def test_a_value_is_quoted_where_it_must_be():
    line = Line("info", {"depth": "7", "pv": "11-15 22-18", "empty": ""})
    assert str(line) == 'info depth=7 pv="11-15 22-18" empty=""'
    assert hub.read(str(line)) == line
    assert str(hub.error('a "quoted"\nthing\0')) == "error message=\"a 'quoted' thing?\""


def test_positions_and_moves_of_games_are_read_back():
    assert hub.write_position(START) == HUB_START
    for index in range(100):
        position = START
        for move in random_game(1, index)[0]:
            assert hub.read_position(hub.write_position(position)) == position
            # Routes that take the same pieces are one move in Hub.
            read = hub.read_move(position, hub.write_move(move))
            assert position.play(read) == position.play(move)
            assert hub.read_move(position, str(move)) == move
            position = position.play(move)


@pytest.mark.parametrize(
    "text",
    ["", "B", HUB_START[1:], HUB_START + "e", "X" + HUB_START[1:], HUB_START.replace("e", "."), "Bw" + 31 * "e"],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(BadLine):
        hub.read_position(text)


def test_captured_squares_come_after_the_ends_in_any_order():
    around = LOOPS.move("6x15x24x31x22x15x8")
    assert hub.write_move(around) == "6x8x10x19x27x26x18x11"
    assert LOOPS.play(hub.read_move(LOOPS, "6x8x11x10x18x19x26x27")) == LOOPS.play(around)
    assert hub.read_move(LOOPS, "6x8x10x11") == LOOPS.move("6x15x8")
    with pytest.raises(AmbiguousMove):
        hub.read_move(LOOPS, "6x8")
    with pytest.raises(IllegalMove):
        hub.read_move(LOOPS, "6x8x10x12")


@pytest.mark.parametrize(
    ("value", "end_in", "men"),
    [(0.0, None, "0.00"), (-1e-9, None, "0.00"), (1 / 18, None, "1.00"), (1.0, 1, "99.99"), (-1.0, -20, "-99.80")],
)
def test_scores_are_in_men(value, end_in, men):
    assert hub.score(value, end_in) == men
    assert hub.value(float(men)) == pytest.approx(value, abs=1e-3)


def test_the_clock_is_shared_out():
    assert share(300, 30, 0) == 10
    assert share(300, 1, 0) == 299.95
    assert share(30, 30, 10) == pytest.approx(320 / 30)
    assert share(1, 30, 10) == 0.95  # what is not on the clock yet cannot be spent
    assert share(0, 30, 0) == 0.001
    assert most(300, 30, 0) == 40
    assert most(300, 2, 0) == 150  # half of the clock is left for the moves after it
    assert most(300, 1, 0) == 299.95
    assert most(0, 30, 0) == 0.001
    assert read_level({"time": "30"}) == Limits(seconds=4, usual_seconds=1)
    assert read_level({"depth": "5", "move-time": "2", "time": "30"}) == Limits(depth=5, seconds=2, usual_seconds=1)
    assert read_level({"move-time": "0.5", "time": "30"}) == Limits(seconds=0.5, usual_seconds=0.5)
    assert read_level({"infinite": ""}) == Limits()


# The engine in its own process.

DIALOGUES = {
    "hello": f"""
        > hub
        id name="Ludus material" version={version("ludus")} author="The Ludus authors"
        param name=variant value=english type=enum values=english
        wait
        > set-param name=variant value=english
        > init
        ready
        > ping
        pong
        > set-param name=variant value=frisian
        error message="the variant 'frisian' is not played here, only english"
        > set-param name=book value=false
        error message="there is no parameter 'book', only variant"
    """,
    "search": f"""
        > new-game
        > pos pos={ONE_CAPTURE_WINS}
        > level depth=5
        > go think
        info depth=1 score=99.99 nodes=N time=T nps=S pv=14x23x18
        done move=14x23x18
        > level move-time=100 unknown=argument
        > go analyze
        info depth=1 score=99.99 nodes=N time=T nps=S pv=14x23x18
        done move=14x23x18
        > stop
        > ponder-hit
        > ping
        pong
        > pos pos={ONE_CAPTURE_WINS} moves="14x23x18"
        > go think
        error message="the game is over: there is nothing to search"
        done
    """,
    "mistakes": """
        > frobnicate the=board
        error message="there is no command frobnicate"
        >
        > level depth
        error message="depth is a whole number from 1, not ''"
        > level move-time=nan
        error message="move-time is a number of seconds, not 'nan'"
        > level
        error message="a level is one of depth, nodes, move-time, time and infinite"
        > level inc=3
        error message="moves and inc say how to share out the time: it is missing"
        > pos pos=Weee
        error message="'Weee' is not a position: it is B or W, and 32 letters of w, b, W, B and e"
        > go think
        error message="there is no position: there is nothing to search"
        done
        > pos start moves="11-15 1-5"
        error message="'1-5' is not legal in W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15; legal: 21-17, 22-17, 22-18, 23-18, 23-19, 24-19, 24-20"
        > say "what"
        error message="arguments are written name=value, not ''what''"
    """,  # noqa: E501
}


@pytest.fixture
def ludus_hub():
    process = Process([sys.executable, "-c", "from ludus.cli import main; main()", "hub", "--with", "material"])
    yield process
    process.end()


def heard(process):
    line = process.receive(time.monotonic() + 60)
    return re.sub(r"nodes=\d+ time=[\d.]+ nps=[\d.]+", "nodes=N time=T nps=S", line)


def legal_order_does_not_matter(line):
    """The order in which the rules list the legal moves is not ours to pin."""
    head, found, moves = line.partition("legal: ")
    return head + found + ", ".join(sorted(moves.rstrip('"').split(", "))) if found else line


@pytest.mark.parametrize("dialogue", DIALOGUES.values(), ids=DIALOGUES)
def test_a_dialogue_word_for_word(ludus_hub, dialogue):
    for line in map(str.strip, dialogue.strip().splitlines()):
        if line.startswith(">"):
            ludus_hub.send(line[1:].strip())
        else:
            assert legal_order_does_not_matter(heard(ludus_hub)) == legal_order_does_not_matter(line)
    ludus_hub.send("quit")
    with pytest.raises(EngineFailure, match="ended by itself: exit status 0"):
        heard(ludus_hub)


def test_a_ping_is_answered_while_the_search_goes_on_until_it_is_stopped(ludus_hub):
    ludus_hub.send("go analyze")
    while not heard(ludus_hub).startswith("info depth=3"):
        pass
    for _ in range(3):
        ludus_hub.send("ping")
        while (line := heard(ludus_hub)) != "pong":
            assert line.startswith("info depth=")
    ludus_hub.send("level depth=3")
    while (line := heard(ludus_hub)).startswith("info "):
        pass
    assert line == 'error message="a search is under way: level has to wait until it is done"'
    ludus_hub.send("stop")
    while (line := heard(ludus_hub)).startswith("info "):
        pass
    done = hub.read(line)
    assert done.command == "done"
    after = START.play(hub.read_move(START, done.arguments["move"]))
    hub.read_move(after, done.arguments["ponder"])
    ludus_hub.send("ping")
    assert heard(ludus_hub) == "pong"


def test_the_end_of_input_ends_it_in_the_middle_of_a_search(ludus_hub):
    ludus_hub.send("go analyze")
    heard(ludus_hub)
    ludus_hub.end(patience=60)
    assert ludus_hub._popen.returncode == 0


# The engine in this process.


class Listener:
    """An engine, and what it has written."""

    def __init__(self, player, seed=0):
        self.lines = []
        self.engine = HubEngine(player, lambda line: self.lines.append(hub.read(line)), seed)

    def tell(self, *texts):
        for text in texts:
            assert self.engine.receive(text)

    def wait(self):
        """What has been written until the search is done."""
        if self.engine._search is not None:
            self.engine._search.wait()
        lines, self.lines = self.lines, []
        return lines

    def said(self, *texts):
        self.tell(*texts)
        return self.wait()


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: type(search).__name__)
@pytest.mark.parametrize(
    "level", ["depth=3", "nodes=500", "move-time=0.02", "moves=5 time=0.2", "time=0.6 inc=0.01", "depth=2 nodes=90"]
)
def test_every_player_moves_at_every_level(search, level):
    listener = Listener(player(search))
    *infos, done = listener.said(f"pos pos={HUB_START}", f"level {level}", "go think")
    if level == "depth=3" and isinstance(search, Uct | Ept):
        assert infos.pop(0).command == "error"
    assert {line.command for line in infos} == {"info"}
    assert done.command == "done"
    assert hub.read_move(START, done.arguments["move"]) in START.moves()
    limit = dict(item.split("=") for item in level.split())
    last = infos[-1].arguments
    if isinstance(search, AlphaBeta | Pvs | Minimax) and "depth" in limit:
        assert int(last["depth"]) <= int(limit["depth"])
    if isinstance(search, AlphaBeta | Pvs | Minimax | Uct | Ept) and "nodes" in limit:
        assert int(last["nodes"]) <= int(limit["nodes"])
    if isinstance(search, AlphaBeta | Pvs | Minimax) and "depth" in limit and "nodes" not in limit:
        assert [int(info.arguments["depth"]) for info in infos] == [1, 2, 3]


@pytest.mark.parametrize(
    "search", [Minimax(), AlphaBeta(), Pvs(), Uct(), Ept()], ids=lambda search: type(search).__name__
)
@pytest.mark.parametrize("go", ["go analyze", "go ponder", "go think"])
def test_every_search_can_be_stopped_at_once(search, go):
    listener = Listener(player(search))
    for _ in range(5):
        *_, done = listener.said("level infinite", go, "stop")
        assert done.command == "done"
        assert hub.read_move(START, done.arguments["move"]) in START.moves()


def test_while_pondering_the_clock_stands_still_until_the_opponent_moves():
    listener = Listener(player(AlphaBeta()))
    listener.tell("level move-time=0.001", "go ponder")
    assert not listener.engine._search._over.wait(0.1)
    listener.tell("ponder-hit")
    assert listener.wait()[-1].command == "done"


def test_only_a_search_that_paces_itself_is_given_more_than_its_share():
    clock = read_level({"time": "30"})
    assert supported(players.find("champion"), clock) == clock
    assert supported(players.find("material", "draughts"), clock) == Limits(seconds=1)


def test_a_champion_on_a_clock_keeps_its_table_until_a_new_game():
    def search(listener, position, level):
        said = listener.said(f"pos pos={hub.write_position(position)}", f"level {level}", "go think")
        return int(said[-2].arguments["nodes"])

    after = START.play("9-13").play("22-18")
    going_on, next_game = (Listener(players.find("champion")) for _ in range(2))
    new = Listener(players.find("champion"), seed=1)  # every search has the next seed
    for listener in (going_on, next_game):
        search(listener, START, "nodes=20000")
    next_game.said("new-game", "ping")
    assert search(next_game, after, "depth=9") == search(new, after, "depth=9") != search(going_on, after, "depth=9")


def test_a_forced_move_needs_no_time():
    listener = Listener(players.find("champion"))
    position = hub.write_position(Position("W:W18,30:B15,1"))
    *_, done = listener.said(f"pos pos={position}", "level time=3000 moves=2", "go think")
    assert done.command == "done"


def test_without_a_level_a_player_has_its_own_budget():
    listener = Listener(player(AlphaBeta(), Budget(depth=4)))
    *_, info, _done = listener.said("go think")
    assert info.arguments["depth"] == "4"
    # A level is for one search.
    assert listener.said("level depth=2", "go think")[-2].arguments["depth"] == "2"
    assert listener.said("go think")[-2].arguments["depth"] == "4"


def test_hub_plays_what_the_player_plays():
    listener = Listener(player(AlphaBeta(), Budget(nodes=3000)))
    active = players.ActivePlayer(listener.engine.player)
    position, moves = START, []
    for search in range(20):
        *_, done = listener.said(f'pos start moves="{hub.written_moves(moves)}"', "go think")
        history = hub_engine._history("", hub.written_moves(moves))
        move = hub.read_move(position, done.arguments["move"])
        assert move == active.choose(history, seed=search + 1)  # the seed grows by one a search
        position, moves = position.play(move), [*moves, move]


def test_players_of_chance_do_not_repeat_themselves_and_seeds_do():
    def answers(seed):
        listener = Listener(player(Random()), seed)
        return [listener.said("go think")[-1] for _ in range(30)]

    assert len({line.arguments["move"] for line in answers(1)}) > 1
    assert answers(1) == answers(1)


def test_overlong_lines_are_refused_and_the_next_line_is_answered():
    sink = io.BytesIO()
    source = io.BytesIO(b"ping " + b"x" * 200_000 + b"\nping\n" + b"\xff\xfe=\n" + b"quit\nping\n")
    hub_engine.serve(player(Random()), source, sink)
    assert sink.getvalue().decode().splitlines() == [
        'error message="a line has at most 65536 bytes"',
        "pong",
        "error message=\"arguments are written name=value, not '='\"",
    ]


# Broken lines.

SEEDS = [
    "hub",
    "init",
    "ping",
    "stop",
    "new-game",
    "ponder-hit",
    "set-param name=variant value=english",
    f"pos pos={HUB_START}",
    f'pos pos={HUB_START} moves="11-15 22-18 15x22x18 25x18x22"',
    f"pos pos={hub.write_position(LOOPS)}",
    'pos start moves="9-13"',
    f"pos pos={ONE_CAPTURE_WINS} moves=14x23x18",
    "level depth=3",
    "level nodes=200",
    "level move-time=0.001",
    "level moves=10 time=0.02 inc=0.001",
    "level infinite",
    "go think",
    "go analyze",
    "go ponder",
]
PIECES = [
    '"',
    "=",
    " ",
    "x",
    "-",
    "1",
    "99999999999999999999",
    "-1",
    "1e308",
    "nan",
    "\0",
    "\t",
    "é",
    "\udcff",
    "W",
    "e",
]


def mutated(rng, text):
    for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        match rng.randrange(5):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[min(to, at + 5) :]
            case 2:
                text = text[:at] + text[at:to] * 2 + text[to:]
            case 3:
                text = text[:at] + rng.choice(SEEDS)[: rng.randrange(40)] + text[to:]
            case 4:
                text = text[:at] + "".join(chr(rng.randrange(1, 300)) for _ in range(rng.randrange(9))) + text[at:]
    return text.replace("\n", " ")


@pytest.mark.filterwarnings("error")  # an exception in the thread of a search is one
@pytest.mark.parametrize("seed", range(4))
def test_broken_lines_get_silence_or_a_proper_answer(seed):
    rng = random.Random(seed)
    search = [AlphaBeta(table_megabytes=1), Minimax(), Uct(), Random()][seed]
    written = []
    engine = HubEngine(player(search), written.append)
    goes = 0
    for _ in range(3000):
        text = mutated(rng, rng.choice(SEEDS))
        command = text.split()[0] if text.split() else ""
        if command != "quit":
            assert engine.receive(text), text
        goes += command == "go"
        if rng.random() < 0.1:
            engine.receive("stop")
    engine.close()
    assert not engine.receive("quit")
    lines = [hub.read(line) for line in written]
    assert {line.command for line in lines} <= WORDS
    assert all("\n" not in line and line.isprintable() for line in written)
    dones = sum(line.command == "done" for line in lines)
    assert 100 < dones <= goes


@pytest.mark.filterwarnings("error")
def test_broken_bytes_are_survived_until_quit():
    rng = random.Random(5)
    noise = [rng.randbytes(rng.randrange(60)).replace(b"\n", b"") for _ in range(3000)]
    sink = io.BytesIO()
    hub_engine.serve(player(Random()), io.BytesIO(b"\n".join([*noise, b"ping", b"quit", b"ping"])), sink)
    answers = [hub.read(line) for line in sink.getvalue().decode().splitlines()]
    assert {line.command for line in answers} == {"error", "pong"}
    assert [line.command for line in answers].count("pong") == 1
