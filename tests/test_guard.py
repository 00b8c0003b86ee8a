"""Guards: the programs that a killed process has started end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludus.guard import Guard

# Starts a program that says which signal ends it, guards it, and waits.
PARENT = """
import subprocess, sys, time
from ludus.guard import Guard
guard = Guard(sys.argv[1])
script = 'trap "echo asked; exit" TERM; echo $$; while :; do sleep 0.1; done'
child = subprocess.Popen(["/bin/sh", "-c", script], start_new_session=True)
guard.watch(child.pid)
if sys.argv[2] == "dismissed":
    guard.dismiss()
time.sleep(60)
"""


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no list of processes here")
@pytest.mark.parametrize(("name", "last"), [("TERM", "asked\n"), ("KILL", "")])
def test_a_killed_process_takes_the_group_along(name, last):
    command = [sys.executable, "-c", PARENT, name, "watched"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        time.sleep(0.1)  # the guard has its number
        parent.kill()
        assert parent.stdout.read() == last  # to the end of the program that holds it too
    until = time.monotonic() + 30
    while is_running(child):  # a program that ends closes its files first
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no list of processes here")
def test_a_dismissed_guard_ends_nothing():
    command = [sys.executable, "-c", PARENT, "KILL", "dismissed"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        time.sleep(0.3)
        parent.kill()
        time.sleep(0.3)
        assert is_running(child)
        os.killpg(child, signal.SIGKILL)


def test_a_guard_of_nothing_is_dismissed():
    guard = Guard("KILL")
    guard.dismiss()
    guard.dismiss()
