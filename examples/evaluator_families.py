"""Two families of evaluators, fitted to the same positions of a champion's run and tested on other games.

    python examples/evaluator_families.py RUN [--positions N] [--test N] [--games N --depth D]

patterns   tables of overlapping regions of 8 squares, with the men of both sides in three states, and a table of kings
           by square; the sum is the logit of winning. There is a set of tables for each phase of the game.
network    the champion's: man and king squares, a sparse first layer, and upper layers for each phase.

The run is one of draughts. Its newest file of positions is the test; the files before it are learned from. The loss is
the cross-entropy of the game's result; a smaller one is better. With --games the best patterns also play the network of
64 nodes, at equal depth: the patterns are a function of Python here, so equal time would say nothing.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus import arena, games
from ludus.games import draughts
from ludus.learning import position_files
from ludus.players import Player
from ludus.players.evaluators import PhaseNetwork
from ludus.players.searches import AlphaBeta, Budget

RECORD = np.dtype(
    [("own", "<u4"), ("other", "<u4"), ("kings", "<u4"), ("value", "<i2"), ("result", "i1"), ("white", "u1")]
)
PHASES, UPPER = 4, 16
SHARE = 0.5  # of the result in the target; the rest is the search's value
Floats = NDArray[np.float32]
Pieces = NDArray[np.bool_]  # a row of 128 for each position


def ring(square: int) -> int:
    """The bit of square 1..32: see core/games/draughts.hpp."""
    row, column = divmod(square - 1, 4)
    return (10 + 6 * column + 8 * (row // 2) + row % 2) % 32


# Four rows and two squares of each, which begin at every other row and at each of three squares.
REGIONS = [
    [ring(4 * row + column + 1) for row in range(top, top + 4) for column in (left, left + 1)]
    for top in (0, 2, 4)
    for left in range(3)
]
TABLE = 3**8


def pieces_of(positions: NDArray[np.void]) -> Pieces:
    """Own men, own kings, other men, other kings: 32 columns each."""
    own, other, kings = (positions[name][:, None] >> np.arange(32, dtype=np.uint32) & 1 for name in RECORD.names[:3])
    return np.concatenate([own & ~kings, own & kings, other & ~kings, other & kings], axis=1).astype(bool)


def pieces_on(boards: Sequence[draughts.Position]) -> Pieces:
    """The same of positions that are played; the planes have the side to move at the bottom, the records at the top."""
    rows = np.arange(32) // 4
    planes = draughts.encode(boards)[:, :4, rows, 2 * (np.arange(32) % 4) + 1 - rows % 2]
    found = np.zeros(planes.shape, bool)
    found[:, :, [ring(32 - place) for place in range(32)]] = planes > 0
    return found.reshape(len(boards), 128)


def phases_of(pieces: Pieces) -> NDArray[np.int64]:
    """The phase of each position: core/evaluation/sparse_inputs.hpp has the same bounds."""
    return np.searchsorted([7, 11, 17], pieces.sum(axis=1), side="right")


def targets_of(positions: NDArray[np.void], share: float) -> Floats:
    """What the output is to be: a share of the result, and the rest of the search's value where there is one."""
    result = 0.5 + 0.5 * positions["result"].astype(np.float32)
    value = 0.5 + 0.5 / 32767 * positions["value"].astype(np.float32)
    return np.where(positions["value"] == -32768, result, share * result + (1 - share) * value).astype(np.float32)


def loss_of(logits: Floats, positions: NDArray[np.void]) -> float:
    """The mean cross-entropy of the result."""
    wanted = targets_of(positions, 1)
    return float(np.mean(np.logaddexp(0, logits) - wanted * logits))


class Patterns:
    """Tables that are summed. They are fitted by Adagrad."""

    def __init__(self) -> None:
        self.size = len(REGIONS) * TABLE + 64
        self.theta = np.zeros(PHASES * self.size, np.float32)

    def entries(self, pieces: Pieces) -> NDArray[np.int64]:
        """The places in theta of each position's regions."""
        states = pieces[:, 0:32].astype(np.int64) + 2 * pieces[:, 64:96]
        places = np.array([3**digit for digit in range(8)])
        found = [states[:, region] @ places + number * TABLE for number, region in enumerate(REGIONS)]
        return np.stack(found, axis=1) + (phases_of(pieces) * self.size)[:, None]

    def kings(self, pieces: Pieces) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows and the places in theta of all kings."""
        rows, columns = np.nonzero(np.concatenate([pieces[:, 32:64], pieces[:, 96:128]], axis=1))
        return rows, columns + len(REGIONS) * TABLE + phases_of(pieces)[rows] * self.size

    def logits(self, pieces: Pieces) -> Floats:
        """The logit of winning for the side to move."""
        rows, places = self.kings(pieces)
        sums = self.theta[self.entries(pieces)].sum(axis=1)
        return sums + np.bincount(rows, self.theta[places], len(pieces)).astype(np.float32)

    def fit(self, positions: NDArray[np.void], epochs: int, rate: float, seed: int) -> None:
        """Learns from all positions so many times."""
        squares = np.full(self.theta.size, 1e-8, np.float32)
        for batch in batches(len(positions), 8192, epochs, seed):
            some = positions[batch]
            pieces = pieces_of(some)
            entries, (rows, places) = self.entries(pieces), self.kings(pieces)
            logits = self.theta[entries].sum(axis=1) + np.bincount(rows, self.theta[places], len(some))
            error = 1 / (1 + np.exp(-logits)) - targets_of(some, SHARE)
            gradient = np.bincount(entries.ravel(), np.repeat(error, entries.shape[1]), self.theta.size)
            gradient += np.bincount(places, error[rows], self.theta.size)
            gradient = gradient.astype(np.float32)
            squares += gradient * gradient
            self.theta -= rate * gradient / np.sqrt(squares)


def batches(count: int, size: int, epochs: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """The places of the positions of each batch, in a new order every epoch."""
    for epoch in range(epochs):
        order = np.random.default_rng([seed, epoch]).permutation(count)
        yield from (order[first : first + size] for first in range(0, count, size))


def network_logits(theta: Floats, width: int, pieces: Pieces) -> Floats:
    """The champion's network in plain arithmetic: see core/evaluation/phase_network.hpp for the order of theta."""
    rows, bias = theta[: 128 * width].reshape(128, width), theta[128 * width : 129 * width]
    turned = pieces.reshape(-1, 2, 2, 32)[:, ::-1, :, ::-1].reshape(-1, 128)  # as the other side sees the board
    hidden = np.concatenate([np.clip(view.astype(np.float32) @ rows + bias, 0, 1) ** 2 for view in (pieces, turned)], 1)
    found = np.zeros(len(pieces), np.float32)
    for phase in range(PHASES):
        where = phases_of(pieces) == phase
        part = theta[129 * width :].reshape(PHASES, -1)[phase]
        second, rest = part[: 2 * UPPER * width].reshape(UPPER, 2 * width), part[2 * UPPER * width :]
        nodes = np.clip(hidden[where] @ second.T + rest[:UPPER], 0, 1)
        found[where] = nodes @ rest[UPPER : 2 * UPPER] + rest[2 * UPPER]
    return found


def network(positions: NDArray[np.void], width: int, epochs: int, seed: int) -> Floats:
    """The weights of the champion's network after a fit."""
    core = games.find("draughts").core
    theta = core.initial_phase_theta(width, seed)
    fit = core.PhaseFit.of(
        theta, width=width, positions=[positions.tobytes()], epochs=epochs, rate=0.002, result_share=SHARE, seed=seed
    )
    while fit.done < fit.total:
        fit.step(1000, 1)
    return fit.theta


def read(path: Path, most: int) -> NDArray[np.void]:
    """The first positions of a file, at most so many."""
    size = path.stat().st_size
    blocks = position_files.read(path, "draughts", RECORD.itemsize, int(path.stem), size)
    return np.frombuffer(b"".join(blocks), RECORD)[:most]


def main() -> None:
    """Fits both families and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--positions", type=int, default=4_000_000, help="to learn from")
    parser.add_argument("--test", type=int, default=1_000_000, help="to test on")
    parser.add_argument("--games", type=int, default=0, help="of a match of the two families")
    parser.add_argument("--depth", type=int, default=4, help="of its searches")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = sorted(path for path in (options.run / "data").glob("*.positions") if int(path.stem))  # no random games
    if len(found) < 2:
        parser.error(f"{options.run} has not the positions of two generations: train it with --keep-positions")
    *before, last = found
    learned = np.concatenate([read(path, options.positions // len(before)) for path in before])
    test = read(last, options.test)
    print(f"{len(learned):,} positions of generations {before[0].stem} to {before[-1].stem} are learned from,")
    print(f"{len(test):,} positions of generation {last.stem} are the test. The loss on the test, 95% intervals:\n")
    share = np.mean(targets_of(test, 1))
    always = -share * np.log(share) - (1 - share) * np.log(1 - share)
    print(f"{'always the mean':<34}{always:.4f}")
    fitted: dict[float, Patterns] = {}
    for rate in (0.1, 0.3, 1.0):
        began, patterns = time.process_time(), Patterns()
        patterns.fit(learned, 8, rate, options.seed)
        losses = losses_of(patterns.logits, test)
        fitted[float(np.mean(losses))] = patterns
        print(f"{f'patterns, rate {rate}':<34}{mean_text(losses)}  {time.process_time() - began:.0f} s")
    thetas: dict[int, Floats] = {}
    for width in (16, 64, 128):
        began = time.process_time()
        thetas[width] = network(learned, width, 4, options.seed)
        losses = losses_of(partial(network_logits, thetas[width], width), test)
        print(f"{f'network, {width} nodes':<34}{mean_text(losses)}  {time.process_time() - began:.0f} s")
    if options.games:
        play(fitted[min(fitted)], thetas[64], 64, options.games, options.depth, options.seed)


def losses_of(logits: Callable[[Pieces], Floats], test: NDArray[np.void]) -> list[float]:
    """The loss on each of the parts of the test; they fit the memory."""
    return [loss_of(logits(pieces_of(part)), part) for part in np.array_split(test, max(1, len(test) // 50_000))]


def mean_text(losses: list[float]) -> str:
    """The mean loss and its 95% interval."""
    return f"{np.mean(losses):.4f} ± {1.96 * np.std(losses) / len(losses) ** 0.5:.4f}"


def play(patterns: Patterns, theta: Floats, width: int, games: int, depth: int, seed: int) -> None:
    """A match of the two families from the three-move ballots, with the same search."""

    def value(boards: Sequence[draughts.Position]) -> Floats:
        return np.tanh(patterns.logits(pieces_on(boards)) / 2)

    budget = f"depth={depth}"
    one = Player.from_function(value, name="patterns", search=AlphaBeta(), budget=budget)
    other = Player(
        name="network", game="draughts", search=AlphaBeta(), evaluator=PhaseNetwork(width=width), theta=theta
    ).with_budget(Budget.parse(budget))
    print()
    print(arena.match(one, other, games=games, seed=seed))


if __name__ == "__main__":
    main()
