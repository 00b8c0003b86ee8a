"""Jobs that are ended, or whose writes fail: each must then go on to the result of an undisturbed run."""

import random
import signal
from pathlib import Path

from tortures.forks import Ended
from tortures.jobs import Bench, Failure


def kills(bench: Bench, chance: random.Random) -> int:
    """One job killed a few times at instants that chance chooses; how many kills there were."""
    count = 0
    with bench.drawn(chance) as (job, folder):
        for _ in range(chance.randint(2, 12)):
            done = bench.run(job, folder, chance.uniform(0.0, 1.1) * bench.seconds[job])
            if done.returncode == 0:
                break
            if done.returncode != -signal.SIGKILL or "Traceback" in done.stderr:
                raise Failure(f"{job}: status {done.returncode}: {done.stderr[-700:]}")
            count += 1
        bench.finish(job, folder)
    return count


def changes(bench: Bench, chance: random.Random) -> int:
    """One job killed a few times, each time at one change of a file; how many kills there were."""
    count = 0
    with bench.drawn(chance) as (job, folder):
        for _ in range(chance.randint(2, 12)):
            done = _disturbed(bench, chance, job, folder, "kill")
            if done is None or done.returncode == 0:
                break
            if done.returncode != -signal.SIGKILL or "Traceback" in done.stderr:
                raise Failure(f"{job}: status {done.returncode}: {done.stderr[-700:]}")
            count += 1
        bench.finish(job, folder)
    return count


def full(bench: Bench, chance: random.Random) -> int:
    """One job whose one change of a file fails."""
    with bench.drawn(chance) as (job, folder):
        done = _disturbed(bench, chance, job, folder, chance.choice(["ENOSPC", "EIO"]))
        if done is None:
            return 0
        if "Traceback" in done.stderr or done.returncode not in (0, 1, 2):
            raise Failure(f"{job}: status {done.returncode}: {done.stderr[-700:]}")
        bench.finish(job, folder)
    return 1


def _disturbed(bench: Bench, chance: random.Random, job: str, folder: Path, kind: str) -> Ended | None:
    """Runs a job with a fault at one change of a file; None where that cannot be done."""
    environment = bench.faults(folder, kind, FAULT_AT=str(chance.randint(1, bench.changes[job])))
    return bench.run(job, folder, **environment) if environment else None
