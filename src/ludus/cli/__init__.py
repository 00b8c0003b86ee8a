"""The command line. Commands load what they need when they run, so that `ludus --help` answers at once."""

import os
import sys

from ludus import signals
from ludus.cli import (
    arena,
    bench,
    endgame,
    engines,
    exam,
    export,
    games,
    mend,
    pdn,
    play,
    report,
    review,
    runs,
    show,
    study,
    train,
    web,
)
from ludus.cli.common import app

__all__ = [
    "app",
    "arena",
    "bench",
    "endgame",
    "engines",
    "exam",
    "export",
    "games",
    "main",
    "mend",
    "pdn",
    "play",
    "report",
    "review",
    "runs",
    "show",
    "study",
    "train",
    "web",
]


def main() -> None:
    """Run the command line. What the operating system refuses, a full disk for one, is a sentence and not a bug."""
    try:
        signals.install()
        try:
            app()
        except SystemExit as stop:
            if stop.code != signals.INTERRUPTED:
                raise
            signals.exit_stopped()  # Typer makes this status of Ctrl-C and SIGTERM, without a sentence
        finally:
            signals.remove()
            if sys.stdout is not None:  # it is when the shell has closed it
                sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left must not fail again at exit
        if not isinstance(error, BrokenPipeError):  # there whoever reads us has seen enough
            print(f"ludus: {f'{error.filename}: ' if error.filename else ''}{error.strerror}", file=sys.stderr)
        sys.exit(1)
    except MemoryError:
        print("ludus: there is not enough memory", file=sys.stderr)
        sys.exit(1)
