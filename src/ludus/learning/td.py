"""TD(lambda) on afterstates: a network plays itself or a fixed opponent, and learns at every move."""

from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import games, players
from ludus._core import Derivative, LearnerSide, TrainingOptions
from ludus.learning import fields
from ludus.learning.learner import Options, Progress, State
from ludus.players import ActivePlayer, Player, named_networks, networks, searches
from ludus.players.networks import Theta
from ludus.players.searches import Benchmark, Greedy, Order
from ludus.workers import Workers

_CHUNK = 1000  # games in one call of the core, so that Ctrl-C takes effect soon
_SLOW_CHUNK = 20  # the same against an opponent that searches
_TESTS = 2**32  # added to the seed of a test: no training game has such a seed

_NETWORKS = "; ".join(
    f"for {game.title} {', '.join(named_networks.names(game.name))}" for game in reversed(games.GAMES)
)

Side = Literal["first", "second", "both"]


class _Totals(NamedTuple):
    """Totals of the training games since the last test."""

    games: int = 0
    plies: int = 0
    steps: int = 0
    error: float = 0.0  # the sum of squared TD errors


class Td(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """TD(lambda) on afterstates, mostly by self-play.

    TD(lambda) on afterstates, in self-play or against a fixed opponent (van de Steeg and others 2015).
    """

    kind: ClassVar[str] = "td"
    unit: ClassVar[str] = "games"
    presets: ClassVar[dict[str, Options]] = {
        "paper": {},
        "literal": {"rule_win": False, "train_terminal": False, "bias": False},
    }

    game: fields.GameName = "tictactoe3d"
    network: Annotated[
        str | None,
        Meta(
            description=f"Network: {_NETWORKS}; or module:network, one of your own. If not given: deep-structured, or "
            "featuremap12 for draughts."
        ),
    ] = None
    games: Annotated[int, Meta(description="Training games.", ge=1, le=10**9)] = 1_000_000
    seed: fields.Seed = 0
    against: Annotated[
        str | None,
        Meta(
            description="Fixed opponent in training, a player (ludus show --players lists them). If not given, the "
            "network plays itself."
        ),
    ] = None
    seat: Annotated[
        Side, Meta(description="Whether the learner moves first or second against a fixed opponent, or both in turn.")
    ] = "both"
    rate: Annotated[float, Meta(description="Learning rate.", ge=0, le=100)] = 0.005
    final_rate: Annotated[
        Annotated[float, Meta(ge=0, le=100)] | None,
        Meta(description="Learning rate after the last game; it changes linearly. If not given, it is constant."),
    ] = None
    gamma: fields.Gamma = 1.0
    lambda_: fields.GammaLambda = 0.0
    epsilon: fields.Epsilon = 0.1
    rule_win: Annotated[
        bool, Meta(description="Give a move that wins at once the value 1, whatever the network's value is.")
    ] = True
    train_terminal: Annotated[
        bool, Meta(description="Train the value of the last afterstate too; its target is the reward.")
    ] = True
    avoid_loss: Annotated[
        bool, Meta(description="Avoid moves after which the opponent can win at once, if there are others.")
    ] = False
    bias: Annotated[bool, Meta(description="Give the nodes of the network biases.")] = True
    derivative: Annotated[
        Literal["exact", "doubled"],
        Meta(description="Derivative of tanh(x/2) in backpropagation: the exact one, or the doubled one 1 - y*y."),
    ] = "exact"
    initial_range: Annotated[
        Annotated[float, Meta(gt=0, le=100)] | None,
        Meta(description="Initial weights are drawn uniformly from -X to X. If not given, X depends on the network."),
    ] = None
    order: Annotated[
        Order,
        Meta(description="Benchmark player: shuffle its moves at each move, once a game, or with a biased shuffle."),
    ] = "move"
    test_every: Annotated[int, Meta(description="Training games between two tests.", ge=1)] = 10_000
    test_games: Annotated[int, Meta(description="Games in a test.", ge=1, le=10**6)] = 1000
    test_against: Annotated[
        str | None,
        Meta(
            description="Opponent in tests, a player (ludus show --players lists them). If not given: benchmark, or "
            "random for draughts."
        ),
    ] = None
    test_seat: Annotated[
        Side, Meta(description="Whether the learner moves first or second in the tests, or both in turn.")
    ] = "both"

    @property
    def name(self) -> str:
        """The game, the network, the opponent if there is one, and the seed."""
        against = "" if self.against is None else f"-against-{self.against.replace('/', '-')}"
        return f"{self.game}-{self.network_name}{against}-{self.seed}"

    @property
    def network_name(self) -> str:
        """The name of the network: the option, or the usual one of the game."""
        return self.network or games.find(self.game).usual_network

    def player(self, theta: Theta) -> Player:
        """The player with these weights. It chooses the move with the best value, without search."""
        evaluator = named_networks.find(self.network_name, self.game).make(self.bias)
        search = Greedy(avoid_loss=self.avoid_loss)
        return Player(name=self.network_name, game=self.game, search=search, evaluator=evaluator, theta=theta)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """Trains one game after the other in this thread; `workers` are not used."""
        named = named_networks.find(self.network_name, self.game)
        evaluator = named.make(self.bias)
        if state is None:
            limit = named.initial_range if self.initial_range is None else self.initial_range
            theta = networks.random_theta(evaluator.layers, np.random.default_rng(self.seed), -limit, limit)
            done, best, since = 0, -1.0, _Totals()
        else:
            theta, done, best = state.arrays["theta"], state.facts["done"], state.facts["best"]
            since = _Totals(*state.facts["since"])
        core = games.find(self.game).core
        trainable = evaluator.trainable(core, theta, Derivative[self.derivative.upper()])
        opponent = self._opponent(self.against) if self.against is not None else None
        tester = self._opponent(self.test_against or games.find(self.game).usual_opponent)
        exploring, testing = self._options(self.epsilon), self._options(0.0)
        change = 0.0 if self.final_rate is None else (self.final_rate - self.rate) / self.games
        chunk = _CHUNK if opponent is None or isinstance(opponent.player.search, Benchmark) else _SLOW_CHUNK
        while done < self.games:
            upto = min(self.games, done - done % self.test_every + self.test_every)
            count = min(chunk, upto - done)
            more = trainable.train(
                done,
                count,
                seed=self.seed,
                options=exploring,
                rate=self.rate,
                rate_change=change,
                side=LearnerSide[self.seat.upper()],
                opponent=opponent and core.MatchSide(opponent.search, opponent.budget, seed=self.seed),
            )
            done += count
            since = _Totals(
                since.games + count,
                since.plies + more.plies,
                since.steps + more.steps,
                since.error + more.squared_error,
            )
            line, note, theta = None, "", trainable.theta
            if done == upto:
                tested = trainable.test(
                    self.test_games,
                    core.MatchSide(tester.search, tester.budget, seed=_TESTS + self.seed + done),
                    options=testing,
                    side=LearnerSide[self.test_seat.upper()],
                )
                score = (tested.wins + tested.draws / 2) / self.test_games
                best = max(best, score)
                line = {
                    "games": done,
                    "tests": self.test_games,
                    "wins": tested.wins,
                    "draws": tested.draws,
                    "losses": tested.losses,
                    "rate": self.rate + done * change,
                    "plies": since.plies / since.games,
                    "error": since.error / since.steps,
                }
                note = f"scores {100 * score:.1f}% in the last test, {100 * best:.1f}% in the best"
                since = _Totals()
            yield Progress(
                done=done,
                total=self.games,
                state=State(arrays={"theta": theta}, facts={"done": done, "best": best, "since": list(since)}),
                line=line,
                note=note,
                player=self.player(theta) if done == self.games else None,
                now=self.player(theta),
                open=done < self.games or done % self.test_every == 0,
            )

    def adapted(self, state: State, kept: Callable[[str], Player]) -> State:
        """The state itself, unless the learning rate depends on the number of games."""
        if self.final_rate is not None:
            raise ValueError(
                "with --final-rate the learning rate depends on the number of games: a run that is longer has other "
                "rates from its first game on"
            )
        return state

    def _options(self, epsilon: float) -> TrainingOptions:
        return TrainingOptions(
            gamma=self.gamma,
            trace_decay=float(np.float32(self.gamma) * np.float32(self.lambda_)),
            epsilon=epsilon,
            rule_win=self.rule_win,
            train_terminal=self.train_terminal,
            avoid_loss=self.avoid_loss,
        )

    def _opponent(self, name: str) -> ActivePlayer:
        player = players.find(name, self.game)
        if isinstance(player.search, Benchmark):
            player = msgspec.structs.replace(player, search=Benchmark(order=self.order))
        searches.reproducible(player.budget)
        return ActivePlayer(player)
