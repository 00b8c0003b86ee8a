"""A server in a process of its own, with a page of its own instead of the built one."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

START = """
import sys
from pathlib import Path
from ludus.web import settings
settings.PAGE = Path(sys.argv.pop(1))
from ludus.__main__ import main
main()
"""


@contextmanager
def started(page, *arguments, browser=False, **environment):
    """A process of the command. Gives it and its first lines."""
    command = [
        sys.executable,
        "-c",
        START,
        str(page),
        "web",
        "--browser" if browser else "--no-browser",
        "--port",
        "0",
        *map(str, arguments),
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    try:
        lines = []
        while not lines or not lines[-1].startswith("Ctrl-C"):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            lines.append(line.rstrip())
        yield process, lines
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def port_of(lines):
    return int(re.search(r":(\d+)/$", lines[-2])[1])


def token_of(port):
    """The token that the server gives its own page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/token") as answer:
        return json.load(answer)["token"]
