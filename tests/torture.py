"""Kills, breaks and starves everything that keeps files: python tests/torture.py [KIND ...] --seconds 60 --seed 1

Each try ends with the result of an undisturbed run, or with a refusal in one sentence; never with a traceback, another
result or something left behind. It prints tries and failures by kind. `--only N` repeats one try of one kind.

kills       kill -9 at an instant that chance chooses, of learners, a match, a ladder and a build of tables
changes     kill -9 at one change of a file (a write in half, a sync, a rename), chosen by chance
full        ENOSPC or EIO at one change of a file, then the same command again
corruption  bits, digits, cuts and swaps in players, checkpoints, records, times, journals, trials, tables, configs, PDN
engines     engines that misbehave, and kill -9 of a match with an engine: nothing stays behind
cluster     a Dask worker is killed in the middle of a match
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
PYTHON = sys.executable
MAIN = "import ludus.runs.session; ludus.runs.session.CHECKPOINT_SECONDS = 0.02\nfrom ludus.cli import main; main()"
TINY = (
    "--sets",
    "2",
    "--games",
    "4",
    "--budget",
    "depth=1",
    "--test-boards",
    "2",
    "--final-boards",
    "2",
    "--reference-games",
    "2",
)

# What is tortured: a command, and the files that must be the same after any number of kills.
RUN = ("progress.jsonl", "player.safetensors")
FEW = ("--pool-games", "2", "--end-games", "2")
JOBS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    name: (tuple(words.split()), files)
    for name, words, files in (
        ("td", "train td --games 4000 --test-every 1000 --test-games 20", RUN),
        ("genetic", "train genetic --generations 3 --population 4 --rounds 1 --depth 1 " + " ".join(FEW), RUN),
        ("blondie24", "train blondie24 --generations 2 --parents 2 --rounds 1 --depth 1 " + " ".join(FEW), RUN),
        ("evolution-strategy", "train evolution-strategy --generations 3 --pairs 2 " + " ".join(FEW), RUN),
        ("champion", "train champion --generations 1 --random-games 300 --games 40 --match-games 2", RUN),
        ("neurodraughts", "train neurodraughts " + " ".join(TINY), RUN),
        ("samuel", "train samuel " + " ".join(TINY), RUN),
        ("visiondraughts", "train visiondraughts " + " ".join(TINY), RUN),
        ("match", "match material@nodes=300 random --games 60", ("games.pdn", "result.json")),
        ("ladder", "ladder material@nodes=100 random uct@playouts=20 --games 6 --game draughts", ("ladder.txt",)),
        ("tables", "endgame build --pieces 3", ("2.results", "2.distances", "3.results", "3.distances")),
    )
}


class Failure(Exception):
    """What went wrong in a try."""


class Bench:
    """A folder for everything, and the results of undisturbed runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results: dict[str, dict[str, bytes]] = {}
        self.seconds: dict[str, float] = {}
        self.library = folder / "faults.so"

    def command(self, job: str, folder: Path) -> list[str]:
        words, _ = JOBS[job]
        resume = words[0] == "train" and (folder / "config.toml").exists()
        options = ["train", "--resume", str(folder)] if resume else [*words, "--out", str(folder)]
        return [PYTHON, "-c", MAIN, *options]

    def result(self, job: str, folder: Path) -> dict[str, bytes]:
        return {name: (folder / name).read_bytes() for name in JOBS[job][1]}

    def undisturbed(self, job: str) -> dict[str, bytes]:
        if job not in self.results:
            folder, begin = self.folder / f"undisturbed-{job}", time.monotonic()
            done = subprocess.run(self.command(job, folder), capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(f"{job} does not run: {done.stderr}")
            self.seconds[job] = time.monotonic() - begin
            self.results[job] = self.result(job, folder)
        return self.results[job]

    def faults(self) -> Path | None:
        """The library that breaks single changes of files; None where it cannot be made."""
        if not self.library.exists():
            compiler = shutil.which("cc") or shutil.which("gcc")
            if compiler is None or sys.platform != "linux":
                return None
            source = str(HERE / "faults.c")
            subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)
        return self.library

    def finish(self, job: str, folder: Path) -> None:
        """Lets a disturbed job end, and compares. Raises Failure."""
        done = subprocess.run(self.command(job, folder), capture_output=True, text=True, check=False)
        if done.returncode or "Traceback" in done.stderr:
            raise Failure(f"{job}: it did not go on: {done.stderr[-500:]}")
        if self.result(job, folder) != self.undisturbed(job):
            raise Failure(f"{job}: the result is another one")
        # A build of tables that is finished before it looks has nothing to do, and a run that is finished too.
        left = [str(path) for path in folder.rglob(".*") if path.is_file()]
        if left:
            raise Failure(f"{job}: left behind: {left}")


def kills(bench: Bench, chance: random.Random) -> int:
    """One job killed a few times; how many kills there were."""
    job = chance.choice(list(JOBS))
    bench.undisturbed(job)
    folder = Path(tempfile.mkdtemp(dir=bench.folder)) / "job"
    count = 0
    for _ in range(chance.randint(1, 4)):
        process = subprocess.Popen(bench.command(job, folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(chance.uniform(0.2, 1.1) * bench.seconds[job])
        except subprocess.TimeoutExpired:
            process.kill()
            count += 1
        said = process.communicate()[1].decode(errors="replace")
        if "Traceback" in said:
            raise Failure(f"{job}: {said[-500:]}")
        if count == 0:
            break
    bench.finish(job, folder)
    shutil.rmtree(folder.parent)
    return max(count, 1)


def _fault(bench: Bench, chance: random.Random, kind: str) -> int:
    library = bench.faults()
    if library is None:
        return 0
    job = chance.choice(list(JOBS))
    bench.undisturbed(job)
    folder = Path(tempfile.mkdtemp(dir=bench.folder)) / "job"
    environment = {"LD_PRELOAD": str(library), "FAULT_ROOT": str(folder), "FAULT_AT": str(chance.randint(1, 60))}
    done = subprocess.run(
        bench.command(job, folder),
        env={**os.environ, **environment, "FAULT_KIND": kind},
        capture_output=True,
        text=True,
        check=False,
    )
    if "Traceback" in done.stderr or (kind != "kill" and done.returncode not in (0, 1, 2)):
        raise Failure(f"{job}: status {done.returncode}: {done.stderr[-700:]}")
    bench.finish(job, folder)
    shutil.rmtree(folder.parent)
    return 1


def changes(bench: Bench, chance: random.Random) -> int:
    """One job killed at one change of a file."""
    return _fault(bench, chance, "kill")


def full(bench: Bench, chance: random.Random) -> int:
    """One job whose one change of a file fails."""
    return _fault(bench, chance, chance.choice(["ENOSPC", "EIO"]))


def _broken(content: bytes, others: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    match chance.randrange(6):
        case 0:
            return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]
        case 1:
            return content[:at]
        case 2:
            digits = [place for place, byte in enumerate(content) if 48 <= byte < 58] or [at]
            at = chance.choice(digits)
            return content[:at] + bytes([48 + (content[at] - 47) % 10]) + content[at + 1 :]
        case 3:
            end = min(len(content), at + chance.randint(1, 200))
            return content[:at] + bytes(end - at) + content[end:]
        case 4:
            other = chance.randrange(len(content))
            at, other = sorted((at, other))
            size = chance.randint(1, 100)
            return content[:at] + content[other : other + size] + content[at + size : other] + content[at : at + size]
        case _:
            place = chance.randrange(max(1, len(others)))
            return content[:at] + others[place : place + chance.randint(1, 300)] + content[at:]


def _readers() -> dict[str, tuple[str, Callable[[Path], object]]]:
    from ludus import players
    from ludus.arena.journal import read_file
    from ludus.endgames.files import read as read_table
    from ludus.games import pdn
    from ludus.learning import registry
    from ludus.runs import Config, checkpoint, folder

    def table(path: Path) -> object:
        found = read_table(path)
        found.check_digest()
        return bytes(found.content)

    def config(path: Path) -> object:
        found = Config.read(path)
        registry.make(found.kind, found.options)
        return None  # its digest is in every checkpoint: a change is found there

    def games(path: Path) -> object:
        list(pdn.read(path.read_text(errors="replace").splitlines(keepends=True), on_error=lambda _: None))

    def player(path: Path) -> object:
        found = players.load(path)
        return found.describe(), None if found.theta is None else found.theta.tobytes()

    def state(path: Path) -> object:
        found = checkpoint.load(path)
        return str(found.state.facts), [array.tobytes() for array in found.state.arrays.values()]

    return {
        "player": ("undisturbed-td/player.safetensors", player),
        "checkpoint": ("undisturbed-td/checkpoints", state),
        "record": ("undisturbed-td/progress.jsonl", folder.read_lines),
        "times": ("undisturbed-td/times.jsonl", folder.read_lines),
        "config": ("undisturbed-td/config.toml", config),
        "journal": ("undisturbed-match/journal.jsonl", read_file),
        "games": ("undisturbed-match/games.pdn", games),
        "table": ("undisturbed-tables/3.results", table),
    }


def corruption(bench: Bench, chance: random.Random) -> int:
    """One kind of file broken and read a hundred times."""
    for job in ("td", "match", "tables"):
        bench.undisturbed(job)
    name, (place, read) = chance.choice(list(_readers().items()))
    source = bench.folder / place
    source = max(source.iterdir()) if source.is_dir() else source
    content, path = source.read_bytes(), bench.folder / f"broken{source.suffix}"
    whole = read(source)
    others = (HERE / "torture.py").read_bytes()
    for _ in range(100):
        broken = _broken(content, others, chance)
        path.write_bytes(broken)
        try:
            found = read(path)
        except (ValueError, OSError) as error:
            if not str(error).strip():
                raise Failure(f"{name}: refused without a reason") from error
            continue
        except Exception as error:
            raise Failure(f"{name}: {type(error).__name__}: {error}") from error
        is_prefix = name in ("journal", "record", "times") and _is_torn(broken, content)
        if found != whole and not is_prefix:
            (bench.folder / f"accepted-{name}").write_bytes(broken)
            raise Failure(f"{name}: accepted with another content")
    path.unlink(missing_ok=True)
    return 100


def _is_torn(broken: bytes, content: bytes) -> bool:
    """Whether the whole lines are those that were written, as after a kill: a last line that is torn is dropped."""
    kept = broken[: broken.rfind(b"\n") + 1]
    return content.startswith(kept)


ENGINES = sorted(path.stem for path in (HERE / "fake_engines").glob("*.py") if path.stem != "talk")


def engines(bench: Bench, chance: random.Random) -> int:
    """A match with an engine that misbehaves, or that is left alone by a killed match."""
    token = f"torture-{chance.randrange(1 << 40)}"
    name = f"engine:{PYTHON} {HERE / 'fake_engines' / (chance.choice(ENGINES) + '.py')} {token}"
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
    for _ in range(40):
        left = _running(token)
        if not left:
            return 1
        time.sleep(0.05)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    raise Failure(f"{name}: still running: {left}")


def _running(token: str) -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes()
        except OSError:
            continue
        if token.encode() in words and int(each.parent.name) != os.getpid():
            found.append(int(each.parent.name))
    return found


def cluster(bench: Bench, chance: random.Random) -> int:
    """A match on a cluster of which a worker is killed."""
    try:
        from distributed import LocalCluster
    except ImportError:
        return 0
    bench.undisturbed("match")
    folder = Path(tempfile.mkdtemp(dir=bench.folder)) / "job"
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local:
        command = [*bench.command("match", folder), "--cluster", local.scheduler_address]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(1.0, 4.0))
        victim = chance.choice(list(local.workers.values()))
        os.kill(victim.pid, signal.SIGKILL)
        said = process.communicate(timeout=120)[1].decode(errors="replace")
    if process.returncode not in (0, 2) or "Traceback" in said:
        raise Failure(f"cluster: status {process.returncode}: {said[-500:]}")
    bench.finish("match", folder)
    return 1


# The server of the page has a place here as soon as it keeps files of its own.
KINDS = {each.__name__: each for each in (kills, changes, full, corruption, engines, cluster)}
USUAL = ("kills", "changes", "full", "corruption", "engines")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=list(USUAL), metavar="KIND")
    parser.add_argument("--seconds", type=float, default=60, help="for all kinds together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="repeat this try of one kind")
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(KINDS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="ludus-torture-") as folder:
        bench = Bench(Path(folder))
        print(f"seed {options.seed}", flush=True)
        for name in options.kinds:
            stop = time.monotonic() + options.seconds / len(options.kinds)
            number, tries, failed = (0 if options.only is None else options.only), 0, 0
            while True:
                try:
                    tries += KINDS[name](bench, random.Random(f"{options.seed} {name} {number}"))
                except Failure as failure:
                    tries, failed = tries + 1, failed + 1
                    print(f"{name}, try {number} of seed {options.seed}: {failure}", flush=True)
                number += 1
                if options.only is not None or time.monotonic() >= stop or failed >= 20:
                    break
            failures += failed
            print(f"{name}: {tries:,} tries, {failed} failures", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
