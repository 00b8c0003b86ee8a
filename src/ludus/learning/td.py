"""Temporal differences on afterstates: a network plays itself or a fixed opponent, and learns at every move."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta, Struct

from ludus import games, players
from ludus._core import Derivative, LearnerSide, TrainingOptions
from ludus.learning import Progress, State
from ludus.players import ActivePlayer, Player, named_networks, networks, searches
from ludus.players.networks import Theta
from ludus.players.searches import Benchmark, Greedy, Order
from ludus.workers import Workers

_CHUNK = 1000  # games in one call of the core, so that Ctrl-C is heard soon;
_SLOW_CHUNK = 20  # fewer against an opponent that searches
_TESTS = 2**32  # tests draw from streams beyond those of any training game

Side = Literal["first", "second", "both"]


class _Since(NamedTuple):
    """What training came to since the last test."""

    games: int = 0
    plies: int = 0
    steps: int = 0
    error: float = 0.0  # squared, summed up


class Td(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Learn by temporal differences on afterstates, from self-play or against a fixed opponent."""

    kind: ClassVar[str] = "td"
    unit: ClassVar[str] = "games"
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "paper": {},
        "literal": {"rule_win": False, "train_terminal": False, "bias": False},
    }

    game: Annotated[Literal["draughts", "tictactoe3d"], Meta(description="The game.")] = "tictactoe3d"
    network: Annotated[
        str | None,
        Meta(description="The network, by name; deep-structured, or featuremap12 in draughts, if not given."),
    ] = None
    games: Annotated[int, Meta(description="Training games.", ge=1, le=10**9)] = 1_000_000
    seed: Annotated[int, Meta(description="For whatever is chosen by chance.", ge=0, le=2**63 - 1)] = 1
    against: Annotated[str | None, Meta(description="A fixed opponent, any player; self-play otherwise.")] = None
    seat: Annotated[Side, Meta(description="The learner's side against a fixed opponent, by who moves first.")] = "both"
    rate: Annotated[float, Meta(description="The learning rate.", ge=0, le=100)] = 0.005
    final_rate: Annotated[
        Annotated[float, Meta(ge=0, le=100)] | None, Meta(description="The rate falls to this in a straight line.")
    ] = None
    gamma: Annotated[float, Meta(description="What a later value counts.", ge=0, le=1)] = 1.0
    lambda_: Annotated[float, Meta(description="How slowly a trace fades; 0 has no trace.", ge=0, le=1)] = 0.0
    epsilon: Annotated[float, Meta(description="How often chance chooses the move.", ge=0, le=1)] = 0.1
    rule_win: Annotated[bool, Meta(description="A move that wins at once is worth 1 by rule.")] = True
    train_terminal: Annotated[bool, Meta(description="The last afterstate itself learns the reward.")] = True
    avoid_loss: Annotated[bool, Meta(description="No move after which the opponent wins at once.")] = False
    bias: Annotated[bool, Meta(description="Nodes have biases.")] = True
    derivative: Annotated[
        Literal["exact", "doubled"], Meta(description="Of tanh(x/2): its own, or 1 - y*y as many programs have it.")
    ] = "exact"
    start: Annotated[
        Annotated[float, Meta(gt=0, le=100)] | None,
        Meta(description="Weights begin in [-start, start); the network's own if not given."),
    ] = None
    order: Annotated[Order, Meta(description="How the benchmark player draws the order of its moves.")] = "move"
    test_every: Annotated[int, Meta(description="Training games from test to test.", ge=1)] = 10_000
    test_games: Annotated[int, Meta(description="Games of a test.", ge=1, le=10**6)] = 1000
    test_against: Annotated[
        str | None, Meta(description="Any player; the benchmark player, or random in draughts.")
    ] = None
    test_seat: Annotated[Side, Meta(description="The learner's side in the tests.")] = "both"

    @property
    def name(self) -> str:
        """What distinguishes this run from others of its kind."""
        against = "" if self.against is None else f"-against-{self.against.replace('/', '-')}"
        return f"{self.game}-{self.network_name}{against}-{self.seed}"

    @property
    def network_name(self) -> str:
        """The network's, given or not."""
        return self.network or named_networks.USUAL[self.game]

    def player(self, theta: Theta) -> Player:
        """The player with these weights: it takes the best value of a move, and looks no further."""
        evaluator = named_networks.named(self.network_name, self.game).make(self.bias)
        search = Greedy(avoid_loss=self.avoid_loss)
        return Player(name=self.network_name, game=self.game, search=search, evaluator=evaluator, theta=theta)

    def learn(self, state: State | None, workers: Workers) -> Iterator[Progress]:
        """One game after another, each from the weights that the one before has left; `where` has nothing to do."""
        architecture = named_networks.named(self.network_name, self.game)
        evaluator = architecture.make(self.bias)
        if state is None:
            start = architecture.start if self.start is None else self.start
            theta = networks.random_theta(evaluator.layers, np.random.default_rng(self.seed), -start, start)
            done, best, since = 0, -1.0, _Since()
        else:
            theta, done, best = state.arrays["theta"], state.facts["done"], state.facts["best"]
            since = _Since(*state.facts["since"])
        core = games.core(self.game)
        network = evaluator.trainable(core, theta, Derivative[self.derivative.upper()])
        opponent = self._opponent(self.against) if self.against is not None else None
        tester = self._opponent(self.test_against or ("benchmark" if self.game == "tictactoe3d" else "random"))
        exploring, testing = self._options(self.epsilon), self._options(0.0)
        change = 0.0 if self.final_rate is None else (self.final_rate - self.rate) / self.games
        chunk = _CHUNK if opponent is None or isinstance(opponent.player.search, Benchmark) else _SLOW_CHUNK
        while done < self.games:
            upto = min(self.games, done - done % self.test_every + self.test_every)
            count = min(chunk, upto - done)
            more = network.train(
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
            since = _Since(
                since.games + count,
                since.plies + more.plies,
                since.steps + more.steps,
                since.error + more.squared_error,
            )
            line, note, theta = None, "", network.theta
            if done == upto:
                tested = network.test(
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
                since = _Since()
            yield Progress(
                done=done,
                total=self.games,
                state=State(arrays={"theta": theta}, facts={"done": done, "best": best, "since": list(since)}),
                line=line,
                note=note,
                player=self.player(theta) if done == self.games else None,
            )

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
