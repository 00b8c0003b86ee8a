"""What tests in many files ask for."""

import signal
import sys

import pytest

from ludus import cli

# A shell that runs the tests in the background makes them ignore Ctrl-C, and so would every program that they start and
# stop with it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs a command here: its status, its output and what it says on stderr."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["ludus", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        return stop.value.code or 0, *capsys.readouterr()

    return run
