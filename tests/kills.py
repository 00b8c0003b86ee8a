"""Killing a run at instants that chance chooses, and letting it go on."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from ludus.runs import folder as run_folder

# Checkpoints come quickly, so that kills come between them, upon them and after them.
_QUICK = "import ludus.runs.session; ludus.runs.session.CHECKPOINT_SECONDS = 0.02\n"


def killed_and_resumed(main: str, arguments: list[str], folder: Path, *, seed: int, within: float) -> int:
    """Runs `ludus train` with these arguments, kills it ten times, each soon after it has got further, and lets it end.

    `main` is the program that calls the command line. Gives how many kills found it still at work.
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", _QUICK + main, "train"]
    resume = ["--resume", str(folder)]
    chance, kills = random.Random(seed), 0
    for _ in range(10):
        process = subprocess.Popen(
            [*command, *(resume if folder.exists() else [*arguments, "--out", str(folder)])],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and not (folder / run_folder.RECORD).exists():
            time.sleep(0.002)
        size = run_folder.record_size(folder)
        while process.poll() is None and run_folder.record_size(folder) <= size:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, within))
        process.kill()
        kills += process.wait() == -9
    subprocess.run([*command, *resume], env=environment, check=True, capture_output=True)
    return kills
