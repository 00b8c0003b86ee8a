"""Many people at once: opens sockets that all play, and prints how fast the server answers and what memory it takes.

    python tests/web/load.py                                  200 sockets at level 3 for a minute
    python tests/web/load.py --sockets 20 --seconds 10 --level 9

It starts a server of its own, in a process of its own. Half of the sockets play draughts, half Tic-Tac-Toe 3D. Each
plays random moves against the strongest player, asks for its answer, and thinks for `--pause` seconds on average.
"""

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import connect

from process import port_of, started, token_of

PLAYERS = {"draughts": "champion", "tictactoe3d": "champion3d"}


class Figures:
    """What all sockets saw."""

    def __init__(self):
        self.milliseconds = []
        self.asked = self.games = self.errors = 0


async def person(port, token, number, args, figures, end):
    """Plays games until the end; every request is answered before the next."""
    lot = random.Random(number)
    game = "draughts" if number % 2 else "tictactoe3d"
    async with connect(f"ws://127.0.0.1:{port}/socket") as socket:

        async def ask(kind, **fields):
            await socket.send(json.dumps({"type": kind, "id": 1, **fields}))
            while True:
                answer = json.loads(await socket.recv())
                if answer["final"]:
                    return answer

        await socket.send(json.dumps({"type": "hello", "token": token}))
        await socket.recv()
        await asyncio.sleep(lot.random() * args.pause)
        while time.monotonic() < end:
            moves, over = [], False
            seed = lot.randrange(2**31)
            board = await ask("look", line={"game": game, "start": None, "moves": []})
            while not over and time.monotonic() < end:
                moves.append(lot.choice(board["moves"])["text"])
                line = {"game": game, "start": None, "moves": moves}
                board = await ask("look", line=line)
                if not board["outcome"]:
                    figures.asked += 1
                    begin = time.perf_counter()
                    answer = await ask("play", line=line, player=PLAYERS[game], level=args.level, seed=seed)
                    figures.milliseconds.append(1000 * (time.perf_counter() - begin))
                    if answer["type"] != "moved":
                        figures.errors += 1
                        print(answer)
                        return
                    moves.append(answer["move"])
                    board = answer["board"]
                over = bool(board["outcome"])
                await asyncio.sleep(2 * args.pause * lot.random())
            figures.games += over


def resident(pid):
    """The memory of a process, in megabytes."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


async def watch(pid, seconds, sizes):
    """Notes the memory of the server ten times."""
    for _ in range(10):
        await asyncio.sleep(seconds / 10)
        sizes.append(resident(pid))


def percentile(values, share):
    """The value below which this share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def latencies(found):
    """The milliseconds of answers as text."""
    p50, p95 = percentile(found, 0.5), percentile(found, 0.95)
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms, most {max(found):.1f} ms, n={len(found):,}"


async def run(pid, port, token, args):
    """All sockets at once; prints the figures."""
    figures, sizes = Figures(), [resident(pid)]
    end = time.monotonic() + args.seconds
    people = [person(port, token, number, args, figures, end) for number in range(args.sockets)]
    await asyncio.gather(*people, watch(pid, args.seconds, sizes))
    found = figures.milliseconds
    print(f"{args.sockets} sockets at level {args.level} for {args.seconds} s, {args.pause} s between moves:")
    answered = f"{len(found):,} of {figures.asked:,} moves answered"
    print(f"  {answered}, {figures.errors} errors, {figures.games:,} games")
    print(f"  answers: {latencies(found)}")
    print(f"  memory in MB, ten times: {', '.join(f'{size:.0f}' for size in sizes)}")
    return 0 if len(found) == figures.asked and not figures.errors else 1


def main():
    """Starts the server, runs the sockets, stops the server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--pause", type=float, default=1.0, help="mean seconds that a person thinks")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page"
        page.mkdir()
        (page / "index.html").write_text("<head></head>")
        with started(page, "--runs", folder) as (process, lines):
            port = port_of(lines)
            return asyncio.run(run(process.pid, port, token_of(port), args))


if __name__ == "__main__":
    sys.exit(main())
