"""The reference for core/td.hpp: the same games of training, plainly, over the core's rules, encoders and gradients."""

from dataclasses import dataclass, field

import numpy as np

from ludus import games
from ludus._core import draughts, tictactoe3d
from ludus.players import evaluators, named_networks, networks

_WORD = 2**64 - 1


def mix(x):
    """The finaliser of SplitMix64, as in core/random.hpp."""
    x = (x + 0x9E3779B97F4A7C15) & _WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _WORD
    return x ^ x >> 31


class Rng:
    """xoshiro256++, one stream for each seed and index, as in core/random.hpp."""

    def __init__(self, seed, stream):
        word = mix(mix(seed) ^ stream)
        self.state = [word := mix(word) for _ in range(4)]

    def next(self):
        def left(x, by):
            return (x << by | x >> 64 - by) & _WORD

        s = self.state
        result = (left((s[0] + s[3]) & _WORD, 23) + s[0]) & _WORD
        carried = s[1] << 17 & _WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= carried
        s[3] = left(s[3], 45)
        return result

    def below(self, n):
        return (self.next() >> 32) * n >> 32

    def uniform(self):
        return (self.next() >> 40) * 2.0**-24


def inputs(evaluator, afterstate):
    """What the network of an evaluator is given: its inputs, and what goes past all layers."""
    match evaluator:
        case evaluators.CellNetwork():
            return tictactoe3d.encode_cells(afterstate), 0.0
        case evaluators.PatternNetwork():
            return tictactoe3d.encode_patterns(afterstate, evaluator.symmetric), 0.0
        case evaluators.FeatureNetwork():
            mask = sum(1 << i for i, name in enumerate(evaluators.FEATURES) if name in evaluator.features)
            coded = draughts.encode_features(afterstate, mask, faithful=evaluator.coding == "faithful")
            return np.array(coded, np.float32), 0.0
        case evaluators.BoardNetwork():
            encode = draughts.encode_squares if evaluator.encoder == "squares32" else draughts.encode_subsquares
            difference = draughts.piece_difference(afterstate, evaluator.king) if evaluator.piece_difference else 0.0
            return encode(afterstate, evaluator.king), difference
    raise AssertionError(evaluator)


@dataclass
class Options:
    """The readings of the algorithm, by the names of TrainingOptions, but for lambda."""

    gamma: float = 1.0
    lambda_: float = 0.0
    epsilon: float = 0.1
    rule_win: bool = True
    train_terminal: bool = True
    avoid_loss: bool = False


@dataclass
class Reference:
    """A network in training. `steps` are the steps made: the afterstate, its target and the error."""

    evaluator: object
    theta: np.ndarray
    options: Options
    steps: list = field(default_factory=list)

    @classmethod
    def of(cls, network, game="tictactoe3d", *, bias=True, seed=1, **options):
        """A network by name, at its start."""
        named = named_networks.find(network, game)
        evaluator = named.make(bias)
        rng = np.random.default_rng(seed)
        theta = networks.random_theta(evaluator.layers, rng, -named.initial_range, named.initial_range)
        return cls(evaluator, theta, Options(**options))

    @property
    def network(self):
        return networks.build(self.evaluator.layers, self.theta)

    def learn(self, afterstate, target, rate, trace):
        value, gradient = self.network.gradient(*inputs(self.evaluator, afterstate))
        trace *= self.options.gamma * self.options.lambda_
        trace += gradient
        self.theta = (self.theta + rate * (target - value) * trace).astype(np.float32)
        self.steps.append((afterstate, target, target - value))

    def choose(self, position, explore, rng):
        moves = position.moves()
        if self.options.avoid_loss:
            moves = [move for move in moves if wins(position, move) or not can_win(position.play(move))] or moves
        if explore:
            moves = [moves[rng.below(len(moves))]]
        if self.options.rule_win:
            for move in moves:
                if wins(position, move):
                    return move, 1.0
        network = self.network
        values = [network.value(*inputs(self.evaluator, position.play(move))) for move in moves]
        best = int(np.argmax(values))
        return moves[best], values[best]

    def play(self, game, seed, index, rate, learner=None, opponent=None):
        """Game number `index`; against an opponent only the side `learner` learns. Gives the moves."""
        core = games.find(game).core
        rng, options = Rng(seed, index), self.options
        traces = {color: np.zeros_like(self.theta) for color in games.Color}
        last, moves = {}, []
        history = core.History()
        while not history.outcome():
            position = history.position
            color = position.turn
            value, learns = None, learner in (None, color)
            if learns:
                explore = options.epsilon > 0 and rng.uniform() < np.float32(options.epsilon)
                move, value = self.choose(position, explore, rng)
            else:
                move = opponent.search(history, seed=mix((mix(seed) + index) & _WORD)).variation[0]
            moves.append(move)
            history.play(move)
            ended, afterstate = history.outcome(), history.position
            if learns:
                if color in last:
                    by_reward = ended and not options.train_terminal
                    target = reward(ended, color) if by_reward else options.gamma * value
                    self.learn(last[color], target, rate, traces[color])
                if ended and options.train_terminal:
                    self.learn(afterstate, reward(ended, color), rate, traces[color])
                last[color] = afterstate
            if ended and ~color in last:
                self.learn(last[~color], reward(ended, ~color), rate, traces[~color])
        return moves


def reward(outcome, color):
    return 0.0 if outcome.winner is None else 1.0 if outcome.winner == color else -1.0


def wins(position, move):
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner == position.turn


def can_win(position):
    return position.outcome() is None and any(wins(position, move) for move in position.moves())
