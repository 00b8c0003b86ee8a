"""What networks on features can know: fitted to the positions of a champion's run, and asked about others.

    python examples/feature_fits.py RUN [--positions N] [--save FOLDER]

A network of VisionDraughts' shape sees 12 features or all 28. It is fitted by Adam to the quiet positions of the newest
generations, half to the game's result and half to the value of the search. Positions that were held back are asked: the
figure is the mean squared error. For endgames (at most 12 pieces) one network for the whole game is compared with one
for all endgames, and with four, each for some numbers of pieces. What a training of such a network lacks beside these
figures is the fault of the training, not of the features.

With --save the two networks for the whole game are written as players, which can play matches.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from evaluator_families import RECORD, Floats, batches, read, ring
from numpy.typing import NDArray

from ludus import players
from ludus.games import draughts
from ludus.players import Player, networks
from ludus.players.evaluators import FEATUREMAP12, FEATURES, FeatureNetwork
from ludus.players.searches import AlphaBeta, Budget

NODES, EPOCHS, BATCH, RATE = 20, 12, 512, 0.005
MOMENTUM, SQUARES = 0.9, 0.999  # of Adam
FILES = 4  # the newest, whose games are the best
ENDGAMES = ((0, 6), (7, 8), (9, 10), (11, 12))  # pieces
RINGS = [ring(square) for square in range(1, 33)]
ENCODERS = {"featuremap12": FEATUREMAP12, "featuremap28": FEATURES}


class Fitted(NamedTuple):
    """Weights and biases of two layers."""

    first: Floats
    first_biases: Floats
    second: Floats
    second_bias: Floats

    def values(self, inputs: Floats) -> Floats:
        """Of several positions, from -1 to 1."""
        return np.tanh((np.tanh(inputs @ self.first.T + self.first_biases) @ self.second.T + self.second_bias)[:, 0])

    def error(self, inputs: Floats, targets: Floats) -> float:
        """The mean squared error."""
        return float(np.mean((self.values(inputs) - targets) ** 2))

    @property
    def theta(self) -> Floats:
        """In the order of a player's file: the weights of each node, then its bias."""
        layers = ((self.first, self.first_biases), (self.second, self.second_bias))
        return np.concatenate([np.column_stack(layer).ravel() for layer in layers]).astype(np.float32)


def fit(inputs: Floats, targets: Floats, seed: int) -> Fitted:
    """A network fitted by Adam, with a rate that falls to 0."""
    rng = np.random.default_rng(seed)
    sizes = ((NODES, inputs.shape[1]), (NODES,), (1, NODES), (1,))
    fitted = Fitted(
        *(
            rng.normal(0, 0.1, size).astype(np.float32) if len(size) > 1 else np.zeros(size, np.float32)
            for size in sizes
        )
    )
    means = [np.zeros_like(part) for part in fitted]
    squares = [np.zeros_like(part) for part in fitted]
    total = EPOCHS * -(-len(inputs) // BATCH)
    for step, batch in enumerate(batches(len(inputs), BATCH, EPOCHS, seed), 1):
        x = inputs[batch]
        nodes = np.tanh(x @ fitted.first.T + fitted.first_biases)
        values = np.tanh((nodes @ fitted.second.T + fitted.second_bias)[:, 0])
        # Of the cross-entropy of winning, whose derivative by the output's net input is just the difference.
        above = ((values - targets[batch]) / len(batch))[:, None].astype(np.float32)
        below = (above @ fitted.second) * (1 - nodes * nodes)
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / total))
        gradients = (below.T @ x, below.sum(axis=0), above.T @ nodes, above.sum(axis=0))
        for part, gradient, mean, square in zip(fitted, gradients, means, squares, strict=True):
            mean += (1 - MOMENTUM) * (gradient - mean)
            square += (1 - SQUARES) * (gradient * gradient - square)
            part -= rate * (mean / (1 - MOMENTUM**step)) / (np.sqrt(square / (1 - SQUARES**step)) + 1e-8)
    return fitted


def position_of(record: np.void) -> draughts.Position:
    """The position of a record, with Black to move."""
    own, other, kings = (int(record[name]) for name in RECORD.names[:3])

    def squares(board: int) -> str:
        here = [square for square, place in enumerate(RINGS, 1) if board >> place & 1]
        return ",".join(("K" if kings >> RINGS[square - 1] & 1 else "") + str(square) for square in here)

    return draughts.Position(f"B:W{squares(other)}:B{squares(own)}")


def targets_of(records: NDArray[np.void]) -> Floats:
    """Half the result and half the search's value where there is one, for the side that has just moved."""
    result = records["result"].astype(np.float32)
    value = records["value"].astype(np.float32) / 32767
    return -np.where(records["value"] == -32768, result, 0.5 * result + 0.5 * value)


def main() -> None:
    """Fits all networks and prints their errors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--positions", type=int, default=400_000, help="a tenth of them is held back")
    parser.add_argument("--save", type=Path, help="a folder for the players")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    files = sorted((options.run / "data").glob("*.positions"))[-FILES:]
    if not files:
        parser.error(f"{options.run} has no positions: it must be a run of a champion with --keep-positions")
    found = np.concatenate([read(path, path.stat().st_size) for path in files])
    records = np.random.default_rng(options.seed).permutation(found)[: options.positions]
    positions, targets = list(map(position_of, records)), targets_of(records)
    pieces = np.bitwise_count(records["own"] | records["other"])
    learned = np.arange(len(records)) >= len(records) // 10
    ends = pieces <= ENDGAMES[-1][1]
    counts = [int(np.sum(some)) for some in (learned, ~learned, ends & ~learned)]
    print("{:,} positions are learned from, {:,} are asked, {:,} of them endgames".format(*counts))
    print(f"always the mean: {np.var(targets[~learned]):.4f}; in endgames {np.var(targets[ends & ~learned]):.4f}")
    for encoder, features in ENCODERS.items():
        inputs = draughts.encode(positions, encoder, afterstates=True)

        def network(which: NDArray[np.bool_], inputs: Floats = inputs) -> Fitted:
            return fit(inputs[which & learned], targets[which & learned], options.seed)

        def error(fitted: Fitted, which: NDArray[np.bool_], inputs: Floats = inputs) -> float:
            return fitted.error(inputs[which & ~learned], targets[which & ~learned])

        whole = network(np.ones(len(records), bool))
        print(f"{encoder}: all positions            {error(whole, np.ones(len(records), bool)):.4f}")
        print(f"{encoder}: endgames, one network    {error(whole, ends):.4f}", flush=True)
        print(f"{encoder}: endgames, its own        {error(network(ends), ends):.4f}", flush=True)
        parts = [(pieces >= least) & (pieces <= most) for least, most in ENDGAMES]
        errors = [error(network(part), part) for part in parts]
        shares = [float(np.sum(part & ~learned)) for part in parts]
        print(f"{encoder}: endgames, four networks  {np.average(errors, weights=shares):.4f}", flush=True)
        if options.save:
            options.save.mkdir(parents=True, exist_ok=True)
            evaluator = FeatureNetwork(layers=networks.dense(inputs.shape[1], NODES, 1), features=features)
            player = Player(
                name=f"fitted to {encoder}",
                game="draughts",
                search=AlphaBeta(),
                evaluator=evaluator,
                budget=Budget(depth=4),
                theta=whole.theta,
            )
            path = options.save / f"{encoder}.safetensors"
            players.save(player, path)
            print(f"the player: {path}")


if __name__ == "__main__":
    main()
