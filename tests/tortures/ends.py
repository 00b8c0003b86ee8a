"""Jobs that are ended, or whose writes fail: each must then go on to the result of an undisturbed run."""

import random
import signal
import subprocess

from tortures.jobs import JOBS, Bench, Failure


def kills(bench: Bench, chance: random.Random) -> int:
    """One job killed a few times at instants that chance chooses; how many kills there were."""
    job = chance.choice(JOBS)
    bench.undisturbed(job)
    count = 0
    with bench.place() as folder:
        for _ in range(chance.randint(1, 6)):
            process = subprocess.Popen(bench.command(job, folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                process.wait(chance.uniform(0.3, 1.1) * bench.seconds[job])
            except subprocess.TimeoutExpired:
                process.kill()
                count += 1
            said = process.communicate()[1].decode(errors="replace")
            if "Traceback" in said:
                raise Failure(f"{job}: {said[-500:]}")
            if process.returncode == 0:
                break
        bench.finish(job, folder)
    return count


def _fault(bench: Bench, chance: random.Random, kind: str) -> int:
    job = chance.choice(JOBS)
    bench.undisturbed(job)
    with bench.place() as folder:
        environment = bench.faults(folder, kind, FAULT_AT=str(chance.randint(1, bench.changes[job])))
        if not environment:
            return 0
        done = bench.run(job, folder, **environment)
        if "Traceback" in done.stderr or (kind != "kill" and done.returncode not in (0, 1, 2)):
            raise Failure(f"{job}: status {done.returncode}: {done.stderr[-700:]}")
        bench.finish(job, folder)
    return 1 if kind != "kill" or done.returncode == -signal.SIGKILL else 0


def changes(bench: Bench, chance: random.Random) -> int:
    """One job killed at one change of a file."""
    return _fault(bench, chance, "kill")


def full(bench: Bench, chance: random.Random) -> int:
    """One job whose one change of a file fails."""
    return _fault(bench, chance, chance.choice(["ENOSPC", "EIO"]))
