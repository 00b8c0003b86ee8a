"""The committed types of the core are those of the compiled module."""

import subprocess
import sys
from pathlib import Path

import ludus

COMMITTED = Path(ludus.__file__).parent / "_core"


def test_the_stubs_are_what_the_module_says(tmp_path):
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "ludus._core", "-O", tmp_path]
    subprocess.run(command, check=True)
    for generated in (tmp_path / "_core").iterdir():
        assert (COMMITTED / generated.name).read_text() == generated.read_text(), "run `make stubs`"
