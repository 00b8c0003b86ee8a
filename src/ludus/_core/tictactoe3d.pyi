"""Tic-Tac-Toe 3D, 4x4x4 with gravity."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray

import ludus._core
import ludus._core.draughts


class Move:
    """A move; prints as people write it."""

    def __init__(self, text: str) -> None:
        """A stone in this column, a1 to d4. Raises IllegalMove if it is none."""

    def __str__(self) -> str: ...

    @property
    def id(self) -> int:
        """
        Its number as its mover sees the board, from 0 and below ACTIONS; `Position.move` finds the move again.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    @property
    def column(self) -> int:
        """The column 0 to 15: letter + 4 * (digit - 1)."""

    def __reduce__(self) -> tuple[type[Move], tuple[str]]: ...

    @staticmethod
    def from_id(id: int) -> Move:
        """The move with this id. Raises IllegalMove."""

class Position:
    """An immutable position; see the text of its module."""

    def __init__(self, text: str) -> None:
        """Reads a position from its text. Raises BadPosition with the reason."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[type[Position], tuple[str]]: ...

    @property
    def text(self) -> str:
        """The position as one line of text, which Position() reads back."""

    @property
    def turn(self) -> ludus._core.Color:
        """The side to move."""

    def moves(self) -> list[Move]:
        """The legal moves."""

    def move(self, text: int | str) -> Move:
        """
        The legal move that people write so, or that has this id. Raises IllegalMove or AmbiguousMove with the reason.
        """

    def write(self, move: Move) -> str:
        """The shortest text that tells this move from the other legal ones."""

    def play(self, move: Move | str) -> Position:
        """
        The position after a legal move, which may be written as text. Raises IllegalMove or AmbiguousMove.
        """

    def outcome(self) -> ludus._core.Outcome | None:
        """How the game ended here; None while it goes on."""

    def perft(self, depth: int, *, plain: bool = False) -> int:
        """
        The number of games of `depth` plies. `plain` makes every last move instead of counting it.
        """

    def symmetric(self, symmetry: int) -> Position:
        """The image under symmetry 0 (none) to 7 of the square."""

    def cells(self) -> str:
        """The 64 cells, level by level, row by row: w, b or '.'."""

    @property
    def id(self) -> int:
        """
        A number that only this position has. Bits 0 to 63 are White's stones in the order of `cells`, the next 64 Black's.
        """

    @staticmethod
    def from_id(id: int) -> Position:
        """The position with this id. Raises BadPosition."""

class History:
    """
    A game under way, with what the draw rules need to know of it. Its `repr` pastes back.
    """

    def __init__(self, start: Position = ..., rules: ludus._core.DrawRules = ..., moves: str = '') -> None:
        """
        A game from `start`; `moves` are played first, written with spaces between them. Raises IllegalMove or AmbiguousMove.
        """

    @property
    def start(self) -> Position:
        """The position it began with."""

    @property
    def position(self) -> Position:
        """The present position."""

    @property
    def rules(self) -> ludus._core.DrawRules:
        """The draw rules."""

    @property
    def plies(self) -> int:
        """The number of moves played."""

    @property
    def moves(self) -> list[Move]:
        """The moves played, as a new list."""

    @property
    def quiet_plies(self) -> int:
        """Plies since the last capture or man's move."""

    @property
    def repetitions(self) -> int:
        """How often the present position has stood, this time included."""

    def play(self, move: Move | str) -> None:
        """
        Plays a legal move, which may be written as text. Raises IllegalMove or AmbiguousMove.
        """

    def undo(self) -> Move:
        """
        Takes the last move back and returns it. Raises IllegalMove if there is none.
        """

    def outcome(self) -> ludus._core.Outcome | None:
        """How the game ended, draws included; None while it goes on."""

    def copy(self) -> History:
        """
        Another history of the same game: a move in one does not change the other.
        """

    def __copy__(self) -> History: ...

    def __deepcopy__(self, memo: object) -> History: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[type[History], tuple[Position, ludus._core.DrawRules, str]]: ...

START: Position = ...

def random_game(seed: int, index: int) -> tuple[list[Move], ludus._core.Outcome]:
    """The moves and the outcome of game `index` of uniformly random play."""

def random_games(seed: int, first: int, count: int) -> tuple[int, int, int, int]:
    """
    Wins of the first mover, draws, its losses, and plies over `count` games of random_game.
    """

def lines() -> list[list[int]]:
    """The cells, 0 to 63, of each of the 76 lines."""

def encode_cells(afterstate: Position) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    cells64: own stone 1, the opponent's -1, for the side that has just moved.
    """

def cells(positions: Sequence[Position]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
    """
    A row of 64 numbers for each position: own stone 1, the opponent's -1. Seen by the side to move.
    """

def encode_patterns(afterstate: Position, symmetric: bool) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    How often each pattern of the lines is there, for the side that has just moved.
    """

def pattern_inputs(symmetric: bool) -> int:
    """
    The number of different patterns of the lines, or of their classes under the board's symmetries.
    """

class RootMove:
    """What a search thinks of one of the moves."""

    @property
    def move(self) -> Move: ...

    @property
    def value(self) -> float:
        """For the side to move, in [-1, 1]."""

    @property
    def end_in(self) -> int | None:
        """
        Plies to a forced win, negative to a forced loss; None when neither is seen.
        """

    @property
    def exact(self) -> bool:
        """
        Else the move is worth at most its value, or there was no time for it and nothing is known.
        """

    @property
    def visits(self) -> int:
        """MCTS: the play-outs that began with it."""

class Analysis:
    """What a search found."""

    @property
    def depth(self) -> int:
        """Plies looked ahead."""

    @property
    def value(self) -> float:
        """For the side to move, in [-1, 1]."""

    @property
    def end_in(self) -> int | None:
        """
        Plies to a forced win, negative to a forced loss; None when neither is seen.
        """

    @property
    def nodes(self) -> int:
        """Positions, or play-outs, so far."""

    @property
    def seconds(self) -> float: ...

    @property
    def variation(self) -> list[Move]:
        """The moves that both sides would play, as far as they are known."""

    @property
    def moves(self) -> list[RootMove]:
        """All moves, the best first."""

class Evaluator:
    """Values afterstates in [-1, 1]."""

    @staticmethod
    def phases(theta: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, width: int) -> Evaluator:
        """
        A network with a sparse first layer of `width` nodes, in whole numbers, whose upper layers depend on the phase of the game.
        """

    @staticmethod
    def function(function: Callable[[list[Position]], numpy.typing.NDArray[numpy.float32]]) -> Evaluator:
        """
        Asks a function: it is given a list of positions, and returns an array of their values for the side to move.
        """

    def value(self, afterstate: Position) -> float:
        """
        The value of a position for the side that has just moved. A team evaluates as if the game began here.
        """

    @staticmethod
    def material() -> Evaluator:
        """Counts stones on lines that are still open."""

    @staticmethod
    def cells(network: ludus._core.Network) -> Evaluator:
        """A network on the 64 cells."""

    @staticmethod
    def patterns(network: ludus._core.Network, *, symmetric: bool) -> Evaluator:
        """A network on the patterns of the 76 lines."""

class Search:
    """Chooses a move under a budget. One thread at a time may use it."""

    @staticmethod
    def random() -> Search:
        """Any legal move; it needs no budget."""

    @staticmethod
    def minimax(evaluator: Evaluator, *, avoid_loss: bool = False, pruned: bool = False) -> Search:
        """
        Every line to a fixed depth; the budget must name a depth. At depth 1 it is the greedy choice, which `avoid_loss` keeps from moves after which the opponent wins at once. If `pruned` it finds the same move and value sooner, and only bounds for the others.
        """

    @staticmethod
    def alphabeta(evaluator: Evaluator, *, table: bool = True, deeper: bool = True, ordering: bool = True, quiescence: bool = True, reductions: bool = True, repetition: bool = True, exact_root: bool = False, megabytes: int = 16, tables: ludus._core.draughts.EndgameTables | None = None) -> Search:
        """
        Iterative deepening with a transposition table; see core/search/alphabeta.hpp for what each switch does. With endgame `tables`, which only draughts has, it plays as they say in the positions that they cover, and looks for a way to them from the others.
        """

    @staticmethod
    def pvs(evaluator: Evaluator, *, keep_table: bool = True, unfinished: bool = True, aspiration: bool = True, killers: bool = True, reductions: bool = True, probcut: bool = True, futility: bool = True, razoring: bool = True, internal: bool = True, extensions: bool = True, singular: bool = True, draw_rule: bool = True, exact_root: bool = False, megabytes: int = 16, threads: int = 1, tables: ludus._core.draughts.EndgameTables | None = None) -> Search:
        """
        Principal variation search; see core/search/pvs.hpp for what each switch does. What it finds depends on the game so far unless `keep_table` is off, and on the machine's timing with several `threads`.
        """

    @staticmethod
    def uct(*, exploration: float = 1.4142135623730951, skewed: bool = False, by_value: bool = False) -> Search:
        """
        Monte-Carlo tree search with random play-outs; `skewed` ones avoid some moves that let the opponent capture. It chooses the move with the most visits, or, `by_value`, with the best mean result.
        """

    @staticmethod
    def ept(evaluator: Evaluator, *, plies: int = 6, exploration: float = 1.4142135623730951, skewed: bool = False, by_value: bool = False) -> Search:
        """
        Monte-Carlo tree search whose play-outs end after `plies` plies and are scored by the evaluator.
        """

    def search(self, history: History, *, depth: int = 0, nodes: int = 0, seconds: float = 0.0, usual_seconds: float = 0.0, seed: int = 0, report: Callable[[Analysis], bool] | None = None) -> Analysis:
        """
        Searches the present position of a game under way. `nodes` counts play-outs for MCTS. Under a clock `usual_seconds` are those of a usual move and `seconds` the most; only principal variation search knows the difference. `report` sees every iteration, or every 10,000 play-outs, and says whether to go on.
        """

    def new_game(self) -> None:
        """Forgets what it remembers of the game before."""

    def stop(self) -> None:
        """Ends a search that runs in another thread."""

    @staticmethod
    def rule_player(order: Order = Order.MOVE) -> Search:
        """
        The rule player of the literature: wins, blocks, and gives nothing away; it needs no budget.
        """

class Order(enum.Enum):
    """How the rule player draws the order in which it looks at its moves."""

    MOVE = 0
    """All orders alike, at every move."""

    GAME = 1
    """Once for the whole game."""

    BIASED = 2
    """At every move, by sorting with a coin for a comparator."""

class MatchSide:
    """
    One side of a game: a search, what it may spend on a move, and the seed of its searches.
    """

    def __init__(self, search: Search, budget: ludus._core.Budget = ..., *, seed: int = 0) -> None: ...

class MatchGame:
    """
    A game that was played. In pairs the side that moved first comes first.
    """

    @property
    def moves(self) -> str:
        """The whole game as text, its opening included."""

    @property
    def values(self) -> list[float]:
        """Of the moves after the opening, for their mover."""

    @property
    def depths(self) -> list[int]:
        """Of the moves after the opening."""

    @property
    def nodes(self) -> tuple[int, int]: ...

    @property
    def seconds(self) -> tuple[float, float]: ...

    @property
    def chosen(self) -> tuple[int, int]:
        """How many moves each side chose."""

    @property
    def outcome(self) -> ludus._core.Outcome: ...

    @property
    def last(self) -> Position:
        """The position at the end."""

def play_game(first: MatchSide, second: MatchSide, *, start: Position = ..., opening: Sequence[Move] = [], rules: ludus._core.DrawRules = ..., adjudicate: ludus._core.draughts.EndgameTables | None = None) -> MatchGame:
    """
    Plays a game from `start`, the moves of `opening` first; `first` has the side that is to move at the start. The endgame tables `adjudicate`, if there are any, end the game when they have a position without a compulsory capture. Raises IllegalMove if a move of the opening is not legal.
    """

class TrainableNetwork:
    """
    A network in training that chooses its own moves. One thread at a time may use it.
    """

    def train(self, first: int, games: int, *, seed: int, options: ludus._core.TrainingOptions, rate: float, rate_change: float = 0.0, side: ludus._core.LearnerSide = ludus._core.LearnerSide.BOTH, opponent: MatchSide | None = None) -> ludus._core.TrainingResult:
        """
        Plays games number `first` and on, and learns from each move. The rate of game n is rate + n * rate_change. Without an opponent it plays itself; with one it has `side` and learns from its own moves. The opponent's seed in game n is made from its own and n.
        """

    def test(self, games: int, opponent: MatchSide, *, options: ludus._core.TrainingOptions, side: ludus._core.LearnerSide = ludus._core.LearnerSide.BOTH) -> ludus._core.TestResult:
        """
        Plays games by the best value alone, without learning. The opponent's seed in game n is made from its own and n.
        """

    def values(self, position: Position) -> list[float]:
        """
        The value of each legal move for the side to move, as it is found in play.
        """

    def learn(self, afterstate: Position, target: float, rate: float) -> float:
        """One step towards a target; returns the error before it."""

    @property
    def theta(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """A copy of the weights so far."""

    @staticmethod
    def cells(network: ludus._core.Network, *, derivative: ludus._core.Derivative = ludus._core.Derivative.EXACT) -> TrainableNetwork:
        """A network on the 64 cells."""

    @staticmethod
    def patterns(network: ludus._core.Network, *, symmetric: bool, derivative: ludus._core.Derivative = ludus._core.Derivative.EXACT) -> TrainableNetwork:
        """A network on the patterns of the 76 lines."""

class SelfPlay:
    """
    Games of a player against itself, counted for the side that moved first, and their positions.
    """

    @property
    def positions(self) -> bytes:
        """One after another, as core/learning/training_position.hpp has them."""

    @property
    def wins(self) -> int: ...

    @property
    def draws(self) -> int: ...

    @property
    def losses(self) -> int: ...

    @property
    def plies(self) -> int: ...

    @property
    def by_table(self) -> int:
        """Games that endgame tables ended."""

POSITION_BYTES: int = 20

def self_play(search: Search | None, budget: ludus._core.Budget, *, first: int, games: int, seed: int, opening_least: int = 3, opening_most: int = 12, later: float = 0.30000001192092896, even: float = 1.0, rules: ludus._core.DrawRules = ..., tables: ludus._core.draughts.EndgameTables | None = None) -> SelfPlay:
    """
    Plays games number `first` and on; each has random numbers of its own. Without a search all moves are random. A game begins with `opening_least` to `opening_most` random plies; a share `later` of the games has one more random move later. An opening whose value is beyond `even`, for either side, is drawn anew three times in four. Endgame `tables` end games.
    """

def phase_weights(width: int) -> int:
    """
    The number of weights of a network with this many nodes in its first layer.
    """

def phase_net(theta: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, position: Position) -> int:
    """
    What a network adds up to for the side to move, in whole numbers: the logit of winning, of which 2^22 is 1.
    """

def initial_phase_theta(width: int, seed: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """Random weights to begin a fit with."""

class PhaseFit:
    """
    A network that is fitted to positions. One thread at a time may use it; it has threads of its own.
    """

    @staticmethod
    def of(theta: numpy.typing.NDArray[numpy.float32], *, width: int, positions: Sequence[bytes | memoryview], epochs: int, rate: float, result_share: float, ending_share: float = 1.0, seed: int) -> PhaseFit:
        """
        Begins with these weights. The target of a position is `result_share` of its game's result and the rest of the search's value. Of the positions of endings it learns from a share: in draughts those of up to 10 pieces, in Tic-Tac-Toe 3D those of more than 36 stones. Raises ValueError for positions that cannot be.
        """

    def step(self, batches: int, threads: int) -> float:
        """
        Learns from so many batches of 512 positions more, fewer at the end; returns the mean loss. The weights do not depend on `threads`.
        """

    @property
    def theta(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """A copy of the weights so far."""

    @property
    def done(self) -> int:
        """Batches so far."""

    @property
    def total(self) -> int:
        """Batches in all."""

ACTIONS: int = 16

class BatchGames:
    """
    Many games that move on together; ludus.envs.BatchGames is its public face. One thread at a time may use it.
    """

    def __init__(self, slots: int, *, seed: int = 0, rules: ludus._core.DrawRules = ..., opening_plies: int = 0, threads: int = 1) -> None: ...

    def reset(self, seed: int, observations: numpy.typing.NDArray[numpy.float32] | None, masks: numpy.typing.NDArray[numpy.bool_] | None) -> None:
        """Begins again with the first games of a seed."""

    def step(self, actions: numpy.typing.NDArray[numpy.int32], observations: numpy.typing.NDArray[numpy.float32] | None, masks: numpy.typing.NDArray[numpy.bool_] | None) -> None:
        """
        Plays an action in each game. Raises IllegalMove before anything has changed.
        """

    def random_actions(self, actions: numpy.typing.NDArray[numpy.int32]) -> None:
        """Writes a random legal action for each game."""

    def legal_actions(self) -> int:
        """The number of legal actions of all games together."""

    def afterstates(self, slots: numpy.typing.NDArray[numpy.int32], actions: numpy.typing.NDArray[numpy.int32], observations: numpy.typing.NDArray[numpy.float32]) -> None:
        """
        Writes all legal actions, game by game, and the planes after each of them, seen by the side that made the move.
        """

    def position(self, slot: int) -> Position:
        """The present position of a game."""

    @property
    def rewards(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def ended(self) -> numpy.typing.NDArray[numpy.uint8]: ...

    @property
    def reasons(self) -> numpy.typing.NDArray[numpy.int8]: ...

    @property
    def sides(self) -> numpy.typing.NDArray[numpy.uint8]: ...

    @property
    def numbers(self) -> numpy.typing.NDArray[numpy.int64]: ...

def encoders() -> dict[str, tuple[int, ...]]:
    """The encoders by name, with the shape of what they make of a position."""

def encode(encoder: str, positions: Sequence[Position], out: numpy.typing.NDArray[numpy.float32], *, afterstates: bool, king: float) -> None:
    """
    Writes a row of inputs for each position, seen by the side to move, or by the side that has just moved.
    """

def observe(history: History, out: numpy.typing.NDArray[numpy.float32], *, afterstate: bool) -> None:
    """
    Writes the planes of a game under way, what the draw rules count included, seen by the side to move or by the side that has just moved.
    """
