"""How long a person waits: from a move to the answer of an opponent, and to the first depth of an analysis.

    python tests/web/latency.py --games 5

It starts a server of its own and is its only user. Over the socket, without a browser.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from client import INDEX, Tab, line
from load import PLAYERS, latencies
from process import port_of, started, token_of


def answers(tab, game, level, games):
    """Milliseconds of each answer in games against random moves."""
    found = []
    for seed in range(games):
        lot, moves = random.Random(seed), []
        board = tab.ask("look", line=line(game=game))
        while not board["outcome"]:
            moves.append(lot.choice(board["moves"])["text"])
            begin = time.perf_counter()
            answer = tab.ask("play", line=line(*moves, game=game), player=PLAYERS[game], level=level, seed=seed)
            if answer["type"] != "moved":  # the game was over
                break
            found.append(1000 * (time.perf_counter() - begin))
            board = answer["board"]
            moves.append(answer["move"])
    return found


def first_depths(tab, game, count):
    """Milliseconds to the first depth of analyses of positions of a random game."""
    found, moves = [], []
    lot = random.Random(1)
    while len(found) < count:
        board = tab.ask("look", line=line(*moves, game=game))
        if board["outcome"]:
            moves = []
            continue
        begin = time.perf_counter()
        number = tab.begin("analyse", line=line(*moves, game=game), lines=3)
        while tab.receive()["id"] != number:
            pass
        found.append(1000 * (time.perf_counter() - begin))
        tab.cancel(number)
        moves.append(lot.choice(board["moves"])["text"])
    return found


def main():
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5, help="games of each kind and level")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page"
        page.mkdir()
        (page / "index.html").write_text(INDEX)
        with started(page, "--runs", folder) as (_, lines), Tab(port_of(lines), token_of(port_of(lines))) as tab:
            for game in PLAYERS:
                for level in (3, 9):
                    found = answers(tab, game, level, args.games)
                    print(f"{game}, answer at level {level}: {latencies(found)}")
                print(f"{game}, first depth of an analysis: {latencies(first_depths(tab, game, 50))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
