"""Programs beside the one that is tortured: engines that misbehave, and a cluster that dies."""

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

from tortures.jobs import MAIN, PYTHON, TESTS, Bench, Failure

ENGINES = sorted(path.stem for path in (TESTS / "fake_engines").glob("*.py") if path.stem != "talk")


def engines(bench: Bench, chance: random.Random) -> int:
    """A match with an engine that misbehaves, or that is left alone by a killed match."""
    token = f"torture-{chance.randrange(1 << 40)}"
    name = f"engine:{PYTHON} {TESTS / 'fake_engines' / (chance.choice(ENGINES) + '.py')} {token}"
    words = ["match", name, "random", "--games", "2", "--budget", "seconds=0.05", "--game", "draughts"]
    process = subprocess.Popen([PYTHON, "-c", MAIN, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    ending = chance.choice([signal.SIGKILL, signal.SIGTERM, None])
    try:
        process.wait(chance.uniform(0.5, 3.0) if ending else 60)
    except subprocess.TimeoutExpired:
        process.send_signal(ending or signal.SIGTERM)
    said = process.communicate()[1].decode(errors="replace")
    if "Traceback" in said:
        raise Failure(f"{name}: {said[-500:]}")
    check_ended(token, 2.0)
    return 1


def check_ended(token: str, seconds: float) -> None:
    """Whether all processes whose command has this word end within so many seconds. Raises Failure."""
    until = time.monotonic() + seconds
    while left := running(token):
        if time.monotonic() > until:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            raise Failure(f"{token}: still running: {left}")
        time.sleep(0.05)


def running(token: str) -> list[int]:
    """The processes whose command has this word."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes()
        except OSError:
            continue
        if token.encode() in words and int(each.parent.name) != os.getpid():
            found.append(int(each.parent.name))
    return found


_SCHEDULER = """
from distributed import Scheduler
import asyncio
async def serve():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(serve())
"""
_WORKER = """
from distributed import Nanny
import asyncio, sys
async def serve():
    async with Nanny(sys.argv[1], nthreads=1, death_timeout=5) as nanny:
        await nanny.finished()
if __name__ == "__main__":
    asyncio.run(serve())
"""


def cluster(bench: Bench, chance: random.Random) -> int:
    """A match on a cluster of which a worker or the scheduler is killed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        return 0
    bench.undisturbed("match")
    worker = bench.folder / "worker.py"
    worker.write_text(_WORKER)
    quiet = {"stderr": subprocess.DEVNULL, "text": True}
    with bench.place() as folder:
        scheduler = subprocess.Popen([PYTHON, "-c", _SCHEDULER], stdout=subprocess.PIPE, **quiet)
        address = scheduler.stdout.readline().strip()
        workers = [subprocess.Popen([PYTHON, worker, address], **quiet) for _ in range(2)]
        try:
            _wait_for_workers(address)
            command = [PYTHON, "-c", MAIN, *bench.words("match", folder), "--cluster", address]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            journal, until = folder / "journal.jsonl", time.monotonic() + 60
            games = chance.randint(0, 20)  # that are over when it happens
            while _lines(journal) <= games and process.poll() is None and time.monotonic() < until:
                time.sleep(0.005)
            dies = chance.choice(["scheduler", "worker"])
            if dies == "scheduler":
                scheduler.kill()
            else:
                os.kill(chance.choice(_children(workers[0].pid) or [workers[0].pid]), signal.SIGKILL)
            said = process.communicate(timeout=120)[1]
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise Failure(f"cluster: it hangs after the {dies} was killed") from error
        finally:
            for each in (scheduler, *workers):
                each.terminate() if each is not scheduler else each.kill()
            for each in (scheduler, *workers):
                each.wait(30)
        is_sentence = re.fullmatch(r"ludus: [^\n]+\n", said) is not None
        if process.returncode and not (process.returncode == 2 and is_sentence):
            raise Failure(f"cluster: the {dies} was killed; status {process.returncode}: {said[-700:]}")
        bench.finish("match", folder)
    return 1


def _wait_for_workers(address: str) -> None:
    from distributed import Client

    with Client(address, timeout=30) as client:
        client.wait_for_workers(2, timeout=60)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in path.read_text().split()] if path.exists() else []
