"""What is said where a library of an extra is not installed."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("library", "module", "advice"),
    [
        ("pettingzoo", "draughts_v0", "pettingzoo is not installed: pip install 'ludus[rl]'"),
        ("gymnasium", "tictactoe3d_v0", "gymnasium is not installed: pip install 'ludus[rl]'"),
        ("gymnasium", "gym", "gymnasium is not installed: pip install 'ludus[rl]'"),
        ("pyspiel", "openspiel", "pyspiel is not installed: pip install open_spiel"),
    ],
)
def test_a_missing_library_is_named_with_the_command_that_installs_it(library, module, advice):
    program = f"""
import sys
sys.modules[{library!r}] = None
from ludus.envs import BatchGames
BatchGames("draughts", 2).reset()
try:
    import ludus.envs.{module}
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == advice
