"""The command `ludus web`: how it starts, what it says, and how it stops."""

import json
import re
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from client import INDEX, Tab, get, line
from ludus.web import server, typescript
from ludus.web.settings import Settings
from process import START, port_of, started, token_of

LUDUS = Path(sysconfig.get_path("scripts")) / "ludus"
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def page(tmp_path):
    """A page of one line, for a machine on which it is not built. The command takes it instead of the package's own."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text(INDEX)
    return folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_stops_cleanly(tmp_path, page, number):
    with started(page, "--runs", tmp_path) as (process, lines):
        assert re.fullmatch(r"Ludus is at http://127.0.0.1:\d+/", lines[0])
        port = port_of(lines)
        token = token_of(port)
        with Tab(port, token) as tab:
            tab.begin("analyse", line=line())  # it stops while a search runs
            tab.receive()
            process.send_signal(number)
            out, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, "")
        assert out == "The server has stopped.\n"


def test_it_opens_the_browser(tmp_path, page):
    opened = tmp_path / "opened"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    script.chmod(0o755)
    with started(page, browser=True, BROWSER=f"{script} %s") as (_, lines):
        for _ in range(200):
            if opened.exists():
                break
            time.sleep(0.1)
        assert opened.read_text() == f"http://127.0.0.1:{port_of(lines)}/\n"


def test_a_tab_survives_a_restart(tmp_path, page):
    moves = ["11-15"]
    with started(page, "--runs", tmp_path) as (process, lines):
        port = port_of(lines)
        token = token_of(port)
        with Tab(port, token) as tab:
            moves.append(tab.ask("play", line=line(*moves), player="champion", level=3, seed=1)["move"])
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    with started(page, "--runs", tmp_path) as (_, lines):
        port = port_of(lines)
        with pytest.raises(Exception):  # noqa: B017 (the old token: the socket is closed)
            Tab(port, token)
        token = token_of(port)
        with Tab(port, token) as tab:
            assert tab.ask("look", line=line(*moves))["history"] == moves


def test_other_machines_need_a_password_that_is_made(tmp_path, page):
    with started(page, "--host", "0.0.0.0", "--runs", tmp_path) as (_, lines):
        password = re.fullmatch(r"The password is (\S+)", lines[0])[1]
        port = port_of(lines)
        assert get(port, "/")[0] == 303
        assert get(port, "/login", "POST", f"password={password}")[0] == 303


def test_a_password_from_a_file_is_not_printed(tmp_path, page):
    (tmp_path / "password").write_text("open sesame\nmore\n")
    with started(page, "--host", "0.0.0.0", "--password-file", tmp_path / "password") as (_, lines):
        assert len(lines) == 2
        _, headers, _ = get(port_of(lines), "/login", "POST", "password=open+sesame")
        session = headers["set-cookie"].partition(";")[0]
        assert json.loads(get(port_of(lines), "/api/about", Cookie=session)[2])["training"] is False


def test_trainings_for_other_machines_are_allowed_on_demand(tmp_path, page):
    with started(page, "--host", "0.0.0.0", "--allow-training", LUDUS_PASSWORD="x") as (_, lines):
        _, headers, _ = get(port_of(lines), "/login", "POST", "password=x")
        session = headers["set-cookie"].partition(";")[0]
        assert json.loads(get(port_of(lines), "/api/about", Cookie=session)[2])["training"] is True


def failed(*arguments, page=None):
    command = [sys.executable, "-c", START, str(page)] if page else [str(LUDUS)]
    done = subprocess.run(
        [*command, "web", "--no-browser", *map(str, arguments)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_is_missing_is_said_in_a_sentence(tmp_path, page):
    assert "the page is not built" in failed(page=tmp_path / "none")
    assert "cannot listen at 203.0.113.7" in failed("--host", "203.0.113.7", page=page)
    assert "cannot listen at no such host" in failed("--host", "no such host", page=page)
    assert "password cannot be read" in failed("--password-file", tmp_path / "none", page=page)
    (tmp_path / "empty").write_text("\n")
    assert "is empty" in failed("--password-file", tmp_path / "empty", page=page)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "cannot listen" in failed("--port", taken.getsockname()[1], page=page)


def test_without_the_extra_the_command_says_what_to_install(tmp_path):
    hidden = "import sys; sys.modules['starlette'] = None; sys.argv = ['ludus', 'web']"
    done = subprocess.run(
        [sys.executable, "-c", f"{hidden}; from ludus.__main__ import main; main()"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr == "ludus: the page needs more packages: pip install 'ludus[web]'\n"


def test_the_address_that_is_shown_and_the_one_that_is_opened():
    with server.bound("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert server.address(listener, "127.0.0.1") == f"http://127.0.0.1:{port}/"
        assert server.address(listener, "::1") == f"http://[::1]:{port}/"
        assert server.address(listener, "0.0.0.0") == f"http://{socket.gethostname()}:{port}/"
        assert server.address(listener, "0.0.0.0", on_this_machine=True) == f"http://127.0.0.1:{port}/"


def test_the_next_port_is_taken_if_the_usual_one_is_in_use():
    with server.bound("127.0.0.1", None) as one, server.bound("127.0.0.1", None) as other:
        assert one.getsockname()[1] < other.getsockname()[1] < server.PORT + server.TRIES


@pytest.mark.parametrize(
    ("host", "is_own"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("board", False)]
)
def test_only_loopback_needs_no_password(host, is_own):
    settings, made = server.settings_of(host, Path("runs"))
    assert (settings.password is None) == is_own == (made is None)
    assert settings.allow_training == is_own
    assert isinstance(settings, Settings)


@pytest.mark.skipif(not (ROOT / "web" / "src").is_dir(), reason="a distribution has no sources of the page")
def test_the_messages_of_the_page_are_those_of_the_server():
    assert (ROOT / "web" / "src" / "messages.ts").read_text() == typescript.written()
