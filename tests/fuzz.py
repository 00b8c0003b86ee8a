"""Throws broken text at the parsers: python tests/fuzz.py [PARSER ...] --seconds 60 --seed 1

A parser either returns a value that prints back, or raises its own error; anything else is a finding, and the exit
status is 1. The same seed tries the same texts in the same order. `make fuzz` does it with the sanitizers, which end
the process at once; the text that did it is then in the file named at the start.
"""

import argparse
import atexit
import functools
import io
import json
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

import fuzz_web
from ludus import lines, players
from ludus.arena.journal import BadJournal, Journal
from ludus.games import AmbiguousMove, BadPosition, IllegalMove, draughts, pdn, tictactoe3d
from ludus.games.record import Record
from ludus.games.results import BadResult
from ludus.learning import registry
from ludus.players import BadPlayer
from ludus.protocols import hub
from ludus.protocols.clients import HubClient
from ludus.runs import BadRun, Config

SCRATCH = Path(tempfile.mkdtemp(prefix="ludus-fuzz-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
JOURNAL_HEAD = lines.sealed(b"{}") + b"\n"
GAME = (
    b'{"index":0,"moves":"11-15","values":[],"depths":[],"nodes":[1,2],"seconds":[0.5,0.25],"chosen":[1,0],'
    b'"winner":null,"reason":"AGREEMENT","last":"x","note":""}'
)

PDN = r"""[Event "A \"test\" \\ of everything"]
[Site "?"]
[Black "Ann"]
[White "Bob"]
[Result "1-0"]
[Winner "Black"]
[Reason "resignation"]
[GameType "21"]

{Before} 1. 11-15! 23-19 $1 2. 8-11 (2. 9-14 {no )} 22-17 (2... 27-23) 3. 11-16) 22-17 ; the rest
% not for us
3. 4-8 {two
lines} 17-13?! 4. 15-18 1-0

[SetUp "1"]
[FEN "W:WK5,30:BK22,1"]
[Result "*"]
1... 5-9 2. 22-26 30x23 *

1. 12-16 24-20 2. 8-12 1/2-1/2
[Event "No result"] 1.9-13 24-19 2.11-16 0-0
"""


def _positions(game: object, plies: Sequence[int]) -> list:
    """A few positions of random games, among them many with captures."""
    found = []
    for index, ply in enumerate(plies):
        moves, _ = game.random_game(7, index)
        found.append(list(Record(game.START, tuple(moves[:ply])).positions())[-1])
    return found


DRAUGHTS = [
    *_positions(draughts, range(0, 60, 2)),
    draughts.Position("W:WK1,K32:B6,7,14,15,22,23,24,10"),  # captures that go round
    draughts.Position("B:WK5:BK1"),
    draughts.Position("B:W5:B"),
]
TICTACTOE3D = _positions(tictactoe3d, range(0, 40, 2))


def check_fen(text: str) -> bool:
    """Draughts positions. Like all checks: True when it was read, False when it was refused, else it raises."""
    try:
        position = draughts.Position(text)
    except BadPosition:
        return False
    assert draughts.Position(position.text) == position
    assert str(position)
    for move in position.moves():
        assert position.move(position.write(move)) == move == position.move(str(move))
        after = position.play(move)
        assert draughts.Position(after.text) == after
    return True


def check_move(text: str) -> bool:
    """Moves of both games, in positions that the text itself picks."""
    number = zlib.crc32(text.encode("utf-8", "surrogatepass"))
    read = False
    for position in (DRAUGHTS[number % len(DRAUGHTS)], TICTACTOE3D[number % len(TICTACTOE3D)]):
        try:
            move = position.move(text)
        except (IllegalMove, AmbiguousMove):
            continue
        assert move in position.moves()
        assert position.move(position.write(move)) == move
        read = True
    return read


def check_pdn(text: str) -> bool:
    """Files of draughts games."""
    errors: list[pdn.BadPdn] = []
    records = list(pdn.read(io.StringIO(text), on_error=errors.append))
    lines = text.count("\n") + 1
    assert all(1 <= error.line <= lines and error.reason for error in errors)
    written = "".join(map(pdn.write, records))
    assert list(pdn.read(io.StringIO(written))) == records
    return bool(records)


def check_position3d(text: str) -> bool:
    """Tic-Tac-Toe 3D positions."""
    try:
        position = tictactoe3d.Position(text)
    except BadPosition:
        return False
    assert tictactoe3d.Position(position.text) == position
    assert str(position)
    for move in position.moves():
        assert position.move(str(move)) == move
        position.play(move).outcome()
    return True


def check_game3d(text: str) -> bool:
    """Lines of Tic-Tac-Toe 3D games."""
    try:
        record = tictactoe3d.read_game(text)
    except (BadPosition, IllegalMove, BadResult):
        return False
    assert tictactoe3d.read_game(tictactoe3d.write_game(record)) == record
    return True


def check_player(text: str) -> bool:
    """The metadata of player files; the weights are those of no network."""
    header = json.dumps({"__metadata__": {"ludus-player-1": text}}).encode("utf-8", "surrogatepass")
    path = SCRATCH / "p.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    try:
        found = players.load(path)
    except BadPlayer as error:
        assert str(error)
        return False
    assert found.describe()
    return True


def check_config(text: str) -> bool:
    """Config files of runs."""
    path = SCRATCH / "config.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        config = Config.read(path)
        registry.make(config.kind, config.options)
    except (BadRun, registry.BadConfig) as error:
        assert str(error)
        return False
    return True


def check_journal(text: str) -> bool:
    """Journals of matches, after their first line."""
    (SCRATCH / "journal.jsonl").write_bytes(JOURNAL_HEAD + text.encode("utf-8", "surrogatepass"))
    try:
        journal = Journal(SCRATCH, {})
    except BadJournal as error:
        assert "journal.jsonl" in str(error)
        return False
    assert all(isinstance(each.index, int) for each in journal)
    journal.close()
    return True


def check_hub(text: str) -> bool:
    """Lines of the Hub protocol, as our engine and our client read them."""
    HubClient().receive(text)
    try:
        parsed = hub.read(text)
    except hub.BadLine as error:
        assert str(error)
        return False
    assert parsed is None or hub.read(str(parsed)) == parsed
    return True


def check_web(text: str) -> bool:
    """Messages of the page, with the answers of the server."""
    return _server().check(text)


@functools.cache
def _server() -> "fuzz_web.Server":
    server = fuzz_web.Server(SCRATCH)
    atexit.register(server.close)
    return server


def _game3d(index: int, plies: int) -> str:
    moves, outcome = tictactoe3d.random_game(3, index)
    whole = plies >= len(moves)
    return tictactoe3d.write_game(Record(tictactoe3d.START, tuple(moves[:plies]), outcome if whole else None))


@dataclass(frozen=True)
class Target:
    """A parser: its check, valid texts to begin with, and the pieces its grammar is made of."""

    check: Callable[[str], bool]
    seeds: Sequence[str]
    pieces: Sequence[str]


_NUMBERS = [str(n) for n in (0, 1, 4, 5, 9, 12, 13, 28, 29, 32, 33, 99, 4294967297)]
_COLUMNS = [letter + digit for letter in "abcd" for digit in "1234"]

_PDN_PIECES = [
    *_NUMBERS,
    *'[]{}()"\\;%*$!?.-x:\n\r \ufeff',
    *["1-0", "0-1", "1/2-1/2", "2-0", "0-0", "1.", "1...", "11-15", "22-18", "15x22", "%7D", "%25"],
    *('[FEN "', '[Winner "White"]', '[Result "0-1"]', '[GameType "20"]', '[Reason "forfeit"]', '[Reason "no_moves"]'),
    *('\\"', "\n%", "\n\n"),
]

TARGETS = {
    "fen": Target(
        check_fen,
        [p.text for p in DRAUGHTS] + ["B:W21-32:B1-12.", "W:BK1-4,9:WK29,30:H0:F1", " B : W 18 , K 24 : B 1 - 3 "],
        [*_NUMBERS, "B", "W", "K", "b", "w", "k", ":", ",", "-", ".", " ", "H", "F", "\0"],
    ),
    "move": Target(
        check_move,
        [text for p in DRAUGHTS for m in p.moves() for text in (str(m), p.write(m))] + _COLUMNS,
        [*_NUMBERS, *_COLUMNS, "-", "x", "X", ":", " ", "A", "e5", "\0"],
    ),
    "pdn": Target(
        check_pdn,
        [PDN, *PDN.split("\n\n"), pdn.write(Record(draughts.START, tuple(draughts.random_game(5, 5)[0])))],
        _PDN_PIECES,
    ),
    "position3d": Target(
        check_position3d,
        [p.text for p in TICTACTOE3D],
        ["w", "b", "-", ",", "/", " ", "wb", "W", "\0"],
    ),
    "player": Target(
        check_player,
        [msgspec.json.encode(msgspec.structs.replace(each, theta=None)).decode() for each in players.named_players()],
        [*_NUMBERS, *'{}[]":,.-', "null", "true", "1e999", "depth", "search", "budget", "made", "evaluator"],
    ),
    "config": Target(
        check_config,
        [Config(kind=kind, options=registry.values(registry.make(kind, {}))).toml() for kind in registry.KINDS],
        [*_NUMBERS, *'=[]{}"\n.,#', "kind", "options", "true", "1e999", "games", "-1", "inf", "nan"],
    ),
    "journal": Target(
        check_journal,
        [(lines.sealed(GAME) + b"\n").decode(), (GAME + b"\n").decode(), 2 * (lines.sealed(GAME) + b"\n").decode()],
        [*_NUMBERS, *'{}[]":,\n', "null", "crc32", "index", "1e999"],
    ),
    "hub": Target(
        check_hub,
        [
            *("hub", "id name=a version=1.0", "done move=11-15", "wait", "ready", "go think"),
            'info depth=3 score=0.5 pv="11-15 22-18"',
            'param name=variant value=english type=enum values="english normal"',
            'pos pos=Bbbb moves="1-5"',
        ],
        [*_NUMBERS, *'="\\ -', "name", "value", "info", "done", "move", "score", "\0", "\x1b[2J"],
    ),
    "web": Target(
        check_web,
        fuzz_web.SEEDS,
        [*_NUMBERS, *'{}[]":,', *(f'"type":"{tag}"' for tag in fuzz_web.TAGS), "null", "1e999", "moves", '"\\ud800"'],
    ),
    "game3d": Target(
        check_game3d,
        [_game3d(i, 8 * i) for i in range(9)] + [f"{p.text} *" for p in TICTACTOE3D[:4]],
        [*_COLUMNS, " ", "1-0", "0-1", "1/2-1/2", "*", "forfeit", "full_board", ",", "/", "w", "b", "-", "\t", "\0"],
    ),
}


def mutated(text: str, target: Target, others: Sequence[str], rng: random.Random) -> str:
    """A text near `text`: a few pieces of it cut, doubled, moved, replaced, or taken from another."""
    for _ in range(1 + min(int(rng.expovariate(0.6)), 8)):
        begin = rng.randint(0, len(text))
        end = min(len(text), begin + 1 + int(rng.expovariate(0.25)))
        match rng.randrange(7):
            case 0:
                middle = ""
            case 1:
                middle = text[begin:end] * 2
            case 2:
                middle = rng.choice(target.pieces)
            case 3:
                middle = rng.choice(target.pieces) + text[begin:end]
            case 4:
                other = rng.choice(others)
                at = rng.randint(0, len(other))
                middle = other[at : at + rng.randint(0, 40)]
            case 5:
                middle = chr(rng.choice([rng.randrange(128), rng.randrange(0xD800, 0xE000), rng.randrange(0x110000)]))
            case _:
                middle = text[begin:end][::-1]
        text = text[:begin] + middle + text[end:]
    return text[:4000]


def fuzz(name: str, seconds: float, seed: int, last: int) -> int:
    """Tries one parser and prints what came of it; the number of findings. The file `last` has each text in turn."""
    target, rng = TARGETS[name], random.Random(f"{name} {seed}")
    pool = list(target.seeds)
    executions = read = findings = 0
    stop = time.monotonic() + seconds
    while time.monotonic() < stop and findings < 10:
        text = pool[executions] if executions < len(target.seeds) else mutated(rng.choice(pool), target, pool, rng)
        executions += 1
        data = text.encode("utf-8", "surrogatepass")
        os.pwrite(last, data, 0)
        os.ftruncate(last, len(data))
        try:
            accepted = target.check(text)
        except Exception:
            findings += 1
            print(f"{name}: finding in {text!r}\n{traceback.format_exc()}")
            continue
        read += accepted
        if accepted and executions > len(target.seeds):  # what is still valid is a good place to go on from
            if len(pool) < 2000:
                pool.append(text)
            else:
                pool[rng.randrange(len(target.seeds), len(pool))] = text
    print(f"{name}: {executions} executions, {read} read, {executions - read} refused, {findings} findings", flush=True)
    return findings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parsers", nargs="*", default=list(TARGETS), help="default: all of them", metavar="parser")
    parser.add_argument("--seconds", type=float, default=60, help="for each parser")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if unknown := set(options.parsers) - set(TARGETS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    descriptor, path = tempfile.mkstemp(prefix="ludus-fuzz-")
    print(f"seed {options.seed}; the text being tried is in {path}", flush=True)
    findings = sum(fuzz(name, options.seconds, options.seed, descriptor) for name in options.parsers)
    os.close(descriptor)
    Path(path).unlink()
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
