"""A network learns Tic-Tac-Toe 3D from its own games, with NumPy and BatchGames alone; the result is a player's file.

    python examples/self_play.py --games 20000 --out self-play.safetensors
    ludus match self-play.safetensors random --game tictactoe3d

At each move the network values every afterstate: the position after each legal move as the mover sees it. A move is
drawn, better ones more often. When a game ends, every afterstate of the winner learns 1 and every afterstate of the
loser -1, in all eight images of the board under the symmetries of the square.
"""

import argparse
from pathlib import Path

import numpy as np

from ludus import players
from ludus.envs import BatchGames
from ludus.players import networks
from ludus.players.evaluators import CellNetwork
from ludus.players.searches import Greedy

PLACES = 128  # games side by side
HIDDEN = 40
RATE = 0.1  # at the beginning; it falls to a tenth
TEMPERATURE = 0.3  # of the draw in training; 0 takes the best move


class Network:
    """64 cells, a hidden layer and one value from -1 to 1."""

    def __init__(self, rng):
        self.layers = [rng.normal(0, 0.1, (65, HIDDEN)), rng.normal(0, 0.1, (HIDDEN + 1, 1))]  # the last row: biases

    def values(self, cells):
        """The value of each row, and what learning needs to know of it."""
        first = np.column_stack([cells, np.ones(len(cells))])
        second = np.column_stack([np.tanh(first @ self.layers[0]), np.ones(len(cells))])
        return np.tanh(second @ self.layers[1])[:, 0], first, second

    def learn(self, cells, targets, rate):
        """One step of gradient descent on the mean squared error."""
        values, first, second = self.values(cells)
        above = ((targets - values) * (1 - values**2))[:, None]
        below = above @ self.layers[1][:-1].T * (1 - second[:, :-1] ** 2)
        self.layers[1] += rate * second.T @ above / len(cells)
        self.layers[0] += rate * first.T @ below / len(cells)

    def player(self):
        """A player of this package with this network. Its weights are node by node, the bias of each node last."""
        theta = np.concatenate([layer.T.ravel() for layer in self.layers]).astype(np.float32)
        evaluator = CellNetwork(layers=networks.dense(64, HIDDEN, 1))
        return players.Player(name="self-play", game="tictactoe3d", search=Greedy(), evaluator=evaluator, theta=theta)


def cells(planes):
    """Own stones as 1, the opponent's as -1: the planes of one side less those of the other."""
    return (planes[:, :4] - planes[:, 4:]).reshape(len(planes), 64)


def images(seen):
    """The eight images of each board: turned by quarters, mirrored or not."""
    board = seen.reshape(-1, 4, 4, 4)
    turned = [np.rot90(one, quarters, (2, 3)) for one in (board, board[..., ::-1]) for quarters in range(4)]
    return np.concatenate(turned).reshape(-1, 64)


def choose(network, batch, rng, temperature):
    """An action for each game, and the afterstates that it leads to."""
    places, actions, planes = batch.afterstates()
    seen = cells(planes)
    values = network.values(seen)[0]
    if temperature:  # adding such noise and taking the largest draws by the softmax of the values
        values = values / temperature + rng.gumbel(size=len(values))
    order = np.lexsort((values, places))
    best = order[np.flatnonzero(np.diff(places[order], append=PLACES))]  # the last of each place
    return actions[best], seen[best]


def train(network, games, seed, rate=RATE):
    """Plays so many games and learns from each."""
    rng = np.random.default_rng(seed)
    batch = BatchGames("tictactoe3d", PLACES, seed=seed)
    batch.reset()
    played = [[] for _ in range(PLACES)]
    done = 0
    while done < games:
        actions, afterstates = choose(network, batch, rng, TEMPERATURE)
        step = batch.step(actions)
        for place in range(PLACES):
            played[place].append(afterstates[place])
        learned = []
        for place in np.flatnonzero(step.ended):
            moves = len(played[place])
            signs = (-1.0) ** np.arange(moves)[::-1]  # the last move is that of the side that has the reward
            learned.append((np.array(played[place]), step.rewards[place] * signs))
            played[place] = []
            done += 1
        if learned:
            seen, targets = (np.concatenate(part) for part in zip(*learned, strict=True))
            network.learn(images(seen), np.tile(targets, 8), rate)


def score(network, seed=0):
    """The share of points against random moves, in a game of each place, half of them as the first side."""
    rng = np.random.default_rng(seed)
    batch = BatchGames("tictactoe3d", PLACES, seed=seed)
    batch.reset()
    ours = np.arange(PLACES) % 2  # our side at each place
    points = np.full(PLACES, np.nan)
    while np.isnan(points).any():
        mine = batch.sides == ours
        actions = np.where(mine, choose(network, batch, rng, 0)[0], batch.random_actions())
        step = batch.step(actions)
        first = step.ended & np.isnan(points)
        points[first] = np.where(mine, 1 + step.rewards, 1 - step.rewards)[first] / 2
    return points.mean()


def main(arguments=None):
    """Trains, prints the score now and then, and writes the player."""
    parser = argparse.ArgumentParser(description="Train a network of Tic-Tac-Toe 3D by self-play.")
    parser.add_argument("--games", type=int, default=20_000, help="10 or more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    if options.games < 10 or options.seed < 0:
        parser.error("--games is 10 or more, and --seed 0 or more")
    if options.out and (options.out.is_dir() or not options.out.absolute().parent.is_dir()):
        parser.error(f"--out is a file in a folder that exists, not {options.out}")
    network = Network(np.random.default_rng(options.seed))
    parts = 10
    print(f"     0 games: {score(network):.1%} against random moves")
    for part in range(1, parts + 1):
        rate = RATE * (1 - 0.9 * part / parts)
        train(network, options.games // parts, options.seed * parts + part, rate)
        print(f"{options.games // parts * part:6d} games: {score(network):.1%} against random moves", flush=True)
    if options.out:
        players.save(network.player(), options.out)
    return network


if __name__ == "__main__":
    main()
