"""Control characters from files never reach the terminal, and HTML is escaped."""

import json
import os
import pty
import subprocess
import sys

import msgspec
import pytest

from ludus import players
from ludus.files import write_atomically
from ludus.harmless import harmless
from ludus.players.player import Provenance

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\r"


def is_harmless(text):
    return all(char.isprintable() or char in "\n\t" for char in text)


def test_what_is_not_printable_is_shown_as_an_escape():
    assert harmless("a\x1b[2Jb\x07\u202e") == r"a\x1b[2Jb\x07\u202e"
    assert harmless("plain é ♟\n\ttext") == "plain é ♟\n\ttext"
    assert harmless(ValueError("\x9b1m")) == r"\x9b1m"


def test_a_players_metadata_are_harmless(run, tmp_path):
    player = msgspec.structs.replace(
        players.find("champion3d"),
        made=Provenance(command=HOSTILE, date=HOSTILE, version=HOSTILE, instructions=HOSTILE),
    )
    players.save(player, tmp_path / "p.safetensors")
    status, out, _ = run("show", tmp_path / "p.safetensors")
    assert status == 0 and is_harmless(out) and r"\x1b]0;owned" in out


def test_names_of_fields_in_messages_are_harmless(run, tmp_path):
    header = json.dumps({"__metadata__": {"ludus-player-1": json.dumps({HOSTILE: 1})}}).encode()
    write_atomically(tmp_path / "p.safetensors", len(header).to_bytes(8, "little") + header)
    status, _, errors = run("show", tmp_path / "p.safetensors")
    assert status == 2 and is_harmless(errors)
    (tmp_path / "config.toml").write_text(
        f'kind = "td"\n"{HOSTILE.encode("unicode_escape").decode()}" = 1\n'.replace("\\x", "\\u00")
    )
    for command in (("runs", tmp_path), ("train", "--resume", tmp_path), ("report", tmp_path)):
        _, out, errors = run(*command)
        assert is_harmless(out + errors)


@pytest.mark.parametrize("command", ["show", "review"])
def test_tags_and_comments_of_games_are_harmless(run, tmp_path, command):
    path = tmp_path / "g.pdn"
    hostile = HOSTILE.replace("\r", "")
    path.write_text(f'[Black "{hostile}"]\n[White "{hostile}"]\n[Date "{hostile}"]\n1. 11-15 {{{hostile}}} *\n')
    more = ("--with", "material@depth=1") if command == "review" else ()
    status, out, errors = run(command, path, *more)
    assert status == 0 and is_harmless(out.replace("\x1b[", "", 0) + errors)


def test_games_that_are_written_to_a_terminal_are_harmless(run, tmp_path):
    path = tmp_path / "g.pdn"
    path.write_text('[Black "\x1b[2J"]\n1. 11-15 *\n')
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "ludus", "pdn", "filter", path]
    assert subprocess.run(command, stdin=subprocess.DEVNULL, stdout=theirs, check=False).returncode == 0
    os.close(theirs)
    assert b'[Black "\\x1b[2J"]' in os.read(ours, 1000)
    os.close(ours)
    assert "\x1b[2J" in run("pdn", "filter", path)[1]  # to a file or another program the games go as they are


def test_a_hostile_engine_is_harmless(run, tmp_path):
    engine = tmp_path / "engine.py"
    engine.write_text(f"import sys\nsys.stderr.write({HOSTILE!r})\nsys.exit(3)\n")
    status, out, errors = run("match", f"engine:python3 {engine}", "random", "--games", 2)
    assert status == 2 and is_harmless(out + errors)
