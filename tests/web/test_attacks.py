"""Broken, huge and random messages: an error each, never a traceback, and the server lives."""

import json
import random
import time

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from client import Tab, get, line, running
from ludus.web.messages import REQUESTS

RANDOM = 10_000  # messages
SECONDS = 120.0  # at most for all of them


@pytest.mark.parametrize(
    "message",
    [
        "",
        "x",
        "null",
        "[]",
        "{}",
        "1e999",
        '"' * 1000,
        "[" * 100_000,
        '{"type":"look"}',
        '{"type":"look","id":1}',
        '{"type":"look","id":-1,"line":{"game":"draughts","start":null,"moves":[]}}',
        '{"type":"look","id":1.5,"line":{"game":"draughts","start":null,"moves":[]}}',
        '{"type":"look","id":"1","line":{"game":"draughts","start":null,"moves":[]}}',
        '{"type":"look","id":1,"line":{"game":"chess","start":null,"moves":[]}}',
        '{"type":"look","id":1,"line":{"game":"draughts","start":null,"moves":["x"],"more":1}}',
        '{"type":"nothing","id":1}',
        b"\xff\xfe\x00",
        b"\x00" * 1000,
        '{"type":"look","id":1,"line":{"game":"draughts","start":"\\ud800","moves":[]}}',
    ],
)
def test_broken_messages_get_an_error(tab, message):
    tab.send(message)
    answer = tab.receive()
    assert answer["type"] == "error"
    assert "Traceback" not in answer["message"] and len(answer["message"]) < 600
    assert tab.ask("look", line=line())["type"] == "board"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("look", {"line": line(*["11-15"] * 3000)}),
        ("look", {"line": line("x" * 10_000)}),
        ("look", {"line": line(start="W:" + "9" * 2000)}),
        ("play", {"line": line(), "player": "champion", "level": 0}),
        ("play", {"line": line(), "player": "champion", "level": 10}),
        ("play", {"line": line(), "player": "champion", "seed": -1}),
        ("play", {"line": line(), "player": "champion", "seed": 2**60}),
        ("play", {"line": line(), "player": "champion", "clock": {"left_ms": -1}}),
        ("play", {"line": line(), "player": ""}),
        ("play", {"line": line(), "player": "p" * 1000}),
        ("play", {"line": line(), "player": "engine:/bin/sh"}),
        ("play", {"line": line(), "player": "champion@nodes=999999999999"}),
        ("play", {"line": line(), "player": "a\0b"}),
        ("play", {"line": line(), "player": "..:..:etc"}),
        ("analyse", {"line": line(), "lines": 0}),
        ("analyse", {"line": line(), "threads": 1000}),
        ("analyse", {"line": line(), "player": "engine:/bin/sh"}),
        ("setup", {"game": "draughts", "pieces": [{"square": 64, "side": "white", "king": False}], "turn": "white"}),
        ("setup", {"game": "draughts", "pieces": [{"square": 0, "side": "white", "king": False}], "turn": "white"}),
        ("write", {"line": line(), "tags": {"a b": "x"}}),
        ("save", {"line": line(), "name": "../../evil"}),
        ("read", {"text": "[" * 100_000}),
    ],
)
def test_bad_values_get_an_error(tab, kind, fields):
    answer = tab.ask(kind, **fields)
    assert answer["type"] == "error", answer
    assert len(answer["message"]) < 600


def test_markup_comes_back_as_the_text_it_is(tab):
    name = "<img src=x onerror=alert(1)>"
    assert name in tab.ask("play", line=line(), player=name)["message"]
    text = tab.ask("write", line=line("11-15"), tags={"White": name})["text"]
    assert tab.ask("read", text=text)["games"][0]["tags"]["White"] == name


def test_a_message_beyond_the_cap_closes_only_its_socket(server):
    port, settings = server
    with connect(f"ws://127.0.0.1:{port}/socket") as sock:
        sock.send(json.dumps({"type": "hello", "token": settings.token}))
        sock.recv()
        with pytest.raises(ConnectionClosed):
            sock.send("x" * (5 << 20))
            sock.recv(10)
    assert get(port, "/")[0] == 200


def test_too_many_requests_at_once_are_refused(tab):
    for number in range(1, 41):
        tab.send({"type": "analyse", "id": number, "line": line()})
    refused = 0
    while refused < 20:
        answer = tab.receive()
        refused += answer["type"] == "error" and "at the same time" in answer["message"]
    for number in range(1, 41):
        tab.cancel(number)


def test_an_id_that_is_in_use_is_refused(tab):
    tab.send({"type": "analyse", "id": 5, "line": line()})
    tab.send({"type": "look", "id": 5, "line": line()})
    while (answer := tab.receive())["type"] != "error":
        pass
    assert "still being answered" in answer["message"]
    tab.cancel(5)


def _random_value(lot, depth=0):
    kind = lot.randrange(9 if depth < 3 else 6)
    match kind:
        case 0:
            return None
        case 1:
            return lot.choice([True, False])
        case 2:
            return lot.choice([0, 1, -1, 2**31, 2**53, 2**70, lot.randrange(100)])
        case 3:
            return lot.choice(
                ["", "draughts", "tictactoe3d", "champion", "11-15", "a1", "W:W18:B15", "<b>", "\0", "é" * 50]
            )
        case 4:
            return lot.random() * 10 ** lot.randrange(-5, 20)
        case 5:
            return line(
                *lot.choices(["11-15", "22-18", "15x22", "a1", "b2"], k=lot.randrange(4)),
                game=lot.choice(["draughts", "tictactoe3d", "x"]),
            )
        case 6:
            return [_random_value(lot, depth + 1) for _ in range(lot.randrange(4))]
        case _:
            return {lot.choice(FIELDS): _random_value(lot, depth + 1) for _ in range(lot.randrange(4))}


TYPES = [each.__struct_config__.tag for each in REQUESTS] + ["nothing"]
# What costs no search, and starts no work that would go on; analyses are cancelled at once.
FIELDS = sorted({field for each in REQUESTS for field in each.__struct_encode_fields__})
PLAIN = {
    "look": lambda lot: {"line": line(*lot.choices(["11-15", "22-18", "9-14"], k=lot.randrange(3)))},
    "play": lambda lot: {
        "line": line(),
        "player": lot.choice(["champion", "random", "x"]),
        "level": lot.choice([1, 2, None, 99]),
    },
    "read": lambda lot: {"text": "".join(lot.choices('11-15 22-18 [A "b"] {x} 1. *:/,W', k=lot.randrange(80)))},
    "write": lambda lot: {"line": line("11-15"), "tags": {lot.choice(FIELDS): lot.choice(["<b>", '"', "\n"])}},
    "cancel": lambda lot: {},
    "analyse": lambda lot: {"line": line(), "lines": lot.randrange(7)},
}


def _random_message(lot, number):
    match lot.randrange(6):
        case 0:
            return bytes(lot.randrange(256) for _ in range(lot.randrange(60)))
        case 1:
            return "".join(
                chr(lot.choice([lot.randrange(32, 127), lot.randrange(0x2000)])) for _ in range(lot.randrange(60))
            )
        case 2:
            return json.dumps(_random_value(lot))
        case 3:
            kind = lot.choice(list(PLAIN))
            text = json.dumps({"type": kind, "id": number, **PLAIN[kind](lot)})
            at = lot.randrange(len(text))
            return text[:at] + lot.choice(["", "x", "}", '"', "0"]) + text[at + lot.randrange(3) :]
        case 4:
            kind = lot.choice(list(PLAIN))
            return json.dumps({"type": kind, "id": number, **PLAIN[kind](lot)})
        case _:
            fields = {name: _random_value(lot) for name in lot.sample(FIELDS, min(len(FIELDS), 5))}
            return json.dumps({"id": number, **fields, "type": lot.choice(TYPES)})


def test_ten_thousand_random_messages_leave_the_server_alive(tmp_path, caplog):
    lot = random.Random(17)
    end = time.monotonic() + SECONDS
    sent = 0
    with running(tmp_path, threads=2) as (port, settings):
        while sent < RANDOM and time.monotonic() < end:
            with Tab(port, settings.token) as tab:
                try:
                    for number in range(1, 251):
                        tab.send(_random_message(lot, number))
                        sent += 1
                        if number % 10 == 0:
                            for earlier in range(number - 10, number):
                                tab.cancel(earlier)
                    for _ in range(20):
                        tab.receive(30)
                except ConnectionClosed:
                    pass  # too many bad ones: the next socket goes on
        assert get(port, "/")[0] == 200
        with Tab(port, settings.token) as tab:
            assert tab.ask("play", line=line(), player="champion", level=3)["type"] == "moved"
    assert sent == RANDOM
    assert not [record for record in caplog.records if record.name == "ludus.web"], "the server failed on a message"
