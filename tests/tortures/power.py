"""A power cut: what was not synced is gone, or there in part; then the same command must go on.

The preloaded library notes what each sync has made sure of: the content of a file, the names in a folder. After the
cut chance decides for each file and folder what is found: what was synced, what was written last, or something between.
"""

import os
import random
import shutil
from pathlib import Path

from tortures.jobs import Bench, Failure

SLACK = 3.0  # seconds: a journal is synced with the first game that ends a second after the last sync


def power(bench: Bench, chance: random.Random) -> int:
    """One job during which the power fails up to three times."""
    count = 0
    with bench.drawn(chance) as (job, folder):
        for _ in range(chance.randint(1, 3)):
            log = bench.folder / "synced"
            shutil.rmtree(log, ignore_errors=True)
            log.mkdir()
            _note(folder.parent, log)
            at = str(chance.randint(1, bench.changes[job]))
            environment = bench.faults(folder.parent, "power", FAULT_LOG=str(log), FAULT_AT=at)
            if not environment:
                return 0
            done = bench.run(job, folder, **environment)
            if done.returncode == 0:
                break
            if done.returncode == 2 and "ludus mend" in done.stderr:
                _mend(bench, folder)
                continue
            if done.returncode != -9 or "Traceback" in done.stderr:
                raise Failure(f"{job}: status {done.returncode}: {done.stderr[-500:]}")
            count += 1
            _check(job, folder, log)
            _cut(folder.parent, log, chance)
        again = bench.run(job, folder)
        if again.returncode == 2 and "ludus mend" in again.stderr:
            _mend(bench, folder)
        bench.finish(job, folder)
    return count


def _mend(bench: Bench, folder: Path) -> None:
    done = bench.forks.run(["mend", str(folder)])
    if done.returncode:
        raise Failure(f"it cannot be mended: {done.stderr[-500:]}")


def _note(folder: Path, log: Path) -> None:
    """Notes everything that is there as synced: it has survived a cut, or is the beginning."""
    inode, entries = folder.stat().st_ino, sorted(folder.iterdir())
    (log / f"names-{inode}").write_text("".join(f"{each.stat().st_ino} {each.name}\n" for each in entries))
    for each in entries:
        if each.is_dir():
            _note(each, log)
        else:
            os.link(each, log / f"held-{each.stat().st_ino}")
            shutil.copyfile(each, log / f"content-{each.stat().st_ino}")


def _check(job: str, folder: Path, log: Path) -> None:
    """Whether no more is lost than docs/reliability.md says. Raises Failure."""
    for path in folder.rglob("*.jsonl"):
        kept = log / f"content-{path.stat().st_ino}"
        if kept.exists() and _lines(kept) > 1 and not _is_named(path, folder, log):  # the first line is a header
            raise Failure(f"{job}: {path.name} was synced, and its name was not")
        if path.name == "journal.jsonl" and kept.exists() and path.stat().st_mtime - kept.stat().st_mtime > SLACK:
            raise Failure(f"{job}: {path.name} was not synced for more than {SLACK} s")
        if path.name == "trials.jsonl" and _lines(path) - (_lines(kept) if kept.exists() else 0) > 1:
            raise Failure(f"{job}: more than one trial is lost")
    for path in folder.rglob("checkpoints"):
        if (log / f"names-{path.stat().st_ino}").exists() and not _is_named(path, folder, log):
            raise Failure(f"{job}: {path.name} was synced, and its name was not")
        names, now = log / f"names-{path.stat().st_ino}", _newest(each.name for each in path.iterdir())
        synced = names.read_text().split() if names.exists() else []
        if now - _newest(synced[1::2]) > 1:
            raise Failure(f"{job}: more than one checkpoint is lost")


def _is_named(path: Path, folder: Path, log: Path) -> bool:
    """Whether the name of a file was synced, and those of all folders from `folder` on that it is in."""
    while path != folder.parent:
        names = log / f"names-{path.parent.stat().st_ino}"
        if not names.exists() or f"{path.stat().st_ino} {path.name}" not in names.read_text().splitlines():
            return False
        path = path.parent
    return True


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def _newest(names) -> int:
    return max((int(name[:8]) for name in names if name[:8].isdigit()), default=0)


def _cut(folder: Path, log: Path, chance: random.Random) -> None:
    """Leaves of a folder what a power cut may leave of it."""
    names = log / f"names-{folder.stat().st_ino}"
    now = {each.name: each.stat().st_ino for each in folder.iterdir()}
    synced = dict(reversed(line.split(" ", 1)) for line in names.read_text().splitlines()) if names.exists() else {}
    for name in sorted({*now, *synced}):
        path = folder / name
        if path.is_dir():
            if name not in synced and chance.random() < 0.5:
                shutil.rmtree(path)
            else:
                _cut(path, log, chance)
            continue
        # A name that was not synced is that of before or of now.
        inode = chance.choice([now.get(name), int(synced[name]) if name in synced else None])
        if inode is None:
            path.unlink(missing_ok=True)
            continue
        held, content = log / f"held-{inode}", log / f"content-{inode}"
        if not held.exists() and not path.exists():
            continue
        written = (held if held.exists() else path).read_bytes()
        left = _left(content.read_bytes() if content.exists() else b"", written, chance)
        path.unlink(missing_ok=True)
        path.write_bytes(left)


def _left(synced: bytes, written: bytes, chance: random.Random) -> bytes:
    """What is found of a file: what was synced, what was written last, a part of what was added, or zeros for it."""
    if not written.startswith(synced):
        return chance.choice([synced, written])
    end = chance.randint(len(synced), len(written))
    return chance.choice([synced, written, written[:end], written[:end] + bytes(len(written) - end)])
