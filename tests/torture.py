"""Kills, breaks and starves everything that keeps files: python tests/torture.py [KIND ...] --seconds 60 --seed 1

Each try ends with the result of an undisturbed run, or with a refusal in one sentence; never with a traceback, another
result or something left behind. It prints tries and failures by kind. `--only N` repeats one try of one kind.

kills       kill -9 at an instant that chance chooses, of learners, a match, a ladder, studies and a build of tables
changes     kill -9 at one change of a file (a write in half, a sync, a rename), chosen by chance
full        ENOSPC or EIO at one change of a file, then the same command again
power       a power cut at one change of a file: what was not synced is gone, or there in part
corruption  bits, digits, cuts and swaps in players, checkpoints, records, times, journals, trials, tables, configs, PDN
engines     engines that misbehave, and kill -9 of a match with an engine: nothing stays behind
web         kill -9 of the server of the page, with a training and a game under way
cluster     a Dask worker or the scheduler is killed in the middle of a match
"""

import argparse
import contextlib
import random
import sys
import tempfile
import time
from pathlib import Path

from tortures.corruption import corruption
from tortures.ends import changes, full, kills
from tortures.jobs import Bench, Failure
from tortures.power import power
from tortures.programs import cluster, engines
from tortures.server import web

KINDS = {each.__name__: each for each in (kills, changes, full, power, corruption, engines, web, cluster)}
USUAL = ("kills", "changes", "full", "power", "corruption", "engines", "web")  # a cluster takes long to start


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
    with (
        tempfile.TemporaryDirectory(prefix="ludus-torture-") as folder,
        contextlib.closing(Bench(Path(folder))) as bench,
    ):
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
