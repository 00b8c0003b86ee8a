"""What Python holds of the core, as Protocols: positions, moves, histories, evaluators, searches and what they find.

The core has these types once a game, under the same names: `ludus._core.draughts.Position` is one. Code that works for
every game is written with the Protocols below. Where a method takes a move, a position or a history, it must be one of
the same game. A Protocol cannot say this, so these parameters are `Any`; the core raises TypeError for another game's.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ludus._core import Budget, Color, DrawRules, LearnerSide, Outcome, TestResult, TrainingOptions, TrainingResult
from ludus.games.batch import CoreBatch


class Move(Protocol):
    """A legal move of one position. Moves are hashable and comparable; `str` is the usual notation.

    Examples:
        >>> from ludus.games import draughts
        >>> move = draughts.START.move("11-15")
        >>> str(move), move in draughts.START.moves()
        ('11-15', True)
    """

    @property
    def id(self) -> int:
        """Its number as its mover sees the board, from 0 and below the game's ACTIONS. It never changes."""
        ...

    def __str__(self) -> str: ...

    def __hash__(self) -> int: ...


class Position(Protocol):
    """An immutable position. Positions are hashable and comparable; `str` draws the board, `repr` pastes back.

    Examples:
        >>> from ludus.games import tictactoe3d
        >>> position = tictactoe3d.START.play("a1").play("b1")
        >>> position.turn, len(position.moves()), position.outcome()
        (Color.WHITE, 16, None)
        >>> tictactoe3d.Position(position.text) == position
        True
    """

    @property
    def text(self) -> str:
        """The position as one line of text, which the game's `position` reads back."""
        ...

    @property
    def id(self) -> int:
        """A number that only this position of its game has, below 2**128. The type's `from_id` reads it back."""
        ...

    @property
    def turn(self) -> Color:
        """The side to move."""
        ...

    def moves(self) -> Sequence[Move]:
        """The legal moves."""
        ...

    def move(self, text: Any, /) -> Move:
        """The legal move that is written so, or that has this id. Raises IllegalMove or AmbiguousMove."""
        ...

    def write(self, move: Any, /) -> str:
        """The shortest text that tells this move from the other legal ones."""
        ...

    def play(self, move: Any, /) -> Self:
        """The position after a legal move, given as a Move or as text. Raises IllegalMove."""
        ...

    def outcome(self) -> Outcome | None:
        """How the game ended here; None while it goes on."""
        ...

    def perft(self, depth: int, *, plain: bool = False) -> int:
        """The number of games of `depth` plies. `plain` makes every last move instead of counting it."""
        ...


class History(Protocol):
    """A game under way: a start position and the moves since. It changes when a move is played or taken back.

    It copies, pickles as its text, and compares; its `repr` pastes back.

    Examples:
        >>> from ludus.games import draughts
        >>> history = draughts.History(draughts.START)
        >>> history.play("11-15")
        >>> history.plies, history.position == draughts.START.play("11-15")
        (1, True)
    """

    @property
    def start(self) -> Position:
        """The position it began with."""
        ...

    @property
    def position(self) -> Position:
        """The present position."""
        ...

    @property
    def rules(self) -> DrawRules:
        """The draw rules."""
        ...

    @property
    def plies(self) -> int:
        """The number of moves played."""
        ...

    @property
    def moves(self) -> Sequence[Move]:
        """The moves played, as a new list."""
        ...

    @property
    def quiet_plies(self) -> int:
        """Plies since the last capture or man's move."""
        ...

    @property
    def repetitions(self) -> int:
        """How often the present position has stood, this time included."""
        ...

    def play(self, move: Any, /) -> None:
        """Plays a legal move, given as a Move or as text. Raises IllegalMove."""
        ...

    def undo(self) -> Move:
        """Takes the last move back and returns it. Raises IllegalMove if there is none."""
        ...

    def copy(self) -> Self:
        """Another history of the same game: a move in one does not change the other."""
        ...

    def outcome(self) -> Outcome | None:
        """How the game ended, draws included; None while it goes on."""
        ...


class Valued(Protocol):
    """The value that a search found for a move or a position."""

    @property
    def value(self) -> float:
        """For the side to move, from -1 to 1."""
        ...

    @property
    def end_in(self) -> int | None:
        """Plies to a forced win, negative to a forced loss; None when neither is seen."""
        ...


class RootMove(Valued, Protocol):
    """What a search found about one of the moves."""

    @property
    def move(self) -> Move:
        """The move."""
        ...

    @property
    def exact(self) -> bool:
        """False when the value is only an upper bound, or the move was not searched."""
        ...

    @property
    def visits(self) -> int:
        """MCTS: the play-outs that began with this move."""
        ...


class Analysis(Valued, Protocol):
    """What a search found."""

    @property
    def depth(self) -> int:
        """Plies looked ahead."""
        ...

    @property
    def nodes(self) -> int:
        """Positions, or play-outs, so far."""
        ...

    @property
    def seconds(self) -> float:
        """Time spent so far."""
        ...

    @property
    def variation(self) -> Sequence[Move]:
        """The moves that both sides would play, as far as they are known; the first is the best move."""
        ...

    @property
    def moves(self) -> Sequence[RootMove]:
        """All moves, the best first."""
        ...


class Evaluator(Protocol):
    """Values positions. `ludus.players.evaluators` describes the kinds and builds them."""

    def value(self, afterstate: Any, /) -> float:
        """The value of a position for the side that has just moved, from -1 to 1."""
        ...


class Search(Protocol):
    """Chooses a move. One thread at a time may use it. `ludus.players.searches` describes the kinds and builds them."""

    def search(
        self,
        history: Any,
        *,
        depth: int = 0,
        nodes: int = 0,
        seconds: float = 0.0,
        usual_seconds: float = 0.0,
        seed: int = 0,
        report: Callable[[Analysis], bool] | None = None,
    ) -> Analysis:
        """Searches the present position. `report` is given each iteration's Analysis and returns whether to go on."""
        ...

    def new_game(self) -> None:
        """Forgets what it remembers of the game before."""
        ...

    def stop(self) -> None:
        """Ends a search that runs in another thread."""
        ...


class MatchSide(Protocol):
    """One side of a game: a search, its budget and its seed. Python only passes it on."""


class MatchGame(Protocol):
    """A game that was played. In pairs the side that moved first comes first."""

    @property
    def moves(self) -> str:
        """The whole game as text, with its opening."""
        ...

    @property
    def values(self) -> list[float]:
        """Of the moves after the opening, for their mover."""
        ...

    @property
    def depths(self) -> list[int]:
        """Of the moves after the opening."""
        ...

    @property
    def nodes(self) -> tuple[int, int]:
        """Of each side."""
        ...

    @property
    def seconds(self) -> tuple[float, float]:
        """Of each side."""
        ...

    @property
    def chosen(self) -> tuple[int, int]:
        """How many moves each side chose."""
        ...

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        ...

    @property
    def last(self) -> Position:
        """The position at the end."""
        ...


class TrainableNetwork(Protocol):
    """A network in training that chooses its own moves. One thread at a time may use it."""

    @property
    def theta(self) -> NDArray[np.float32]:
        """A copy of the weights so far."""
        ...

    def train(
        self,
        first: int,
        games: int,
        *,
        seed: int,
        options: TrainingOptions,
        rate: float,
        rate_change: float = 0.0,
        side: LearnerSide = LearnerSide.BOTH,
        opponent: Any = None,
    ) -> TrainingResult:
        """Plays games number `first` and on and learns from each move. Without an opponent it plays itself."""
        ...

    def test(
        self, games: int, opponent: Any, *, options: TrainingOptions, side: LearnerSide = LearnerSide.BOTH
    ) -> TestResult:
        """Plays games by the best value alone, without learning."""
        ...


class SelfPlay(Protocol):
    """Games of a player against itself, counted for the side that moved first, and their positions."""

    @property
    def positions(self) -> bytes:
        """One after another, POSITION_BYTES each."""
        ...

    @property
    def wins(self) -> int:
        """Games won."""
        ...

    @property
    def draws(self) -> int:
        """Games drawn."""
        ...

    @property
    def losses(self) -> int:
        """Games lost."""
        ...

    @property
    def plies(self) -> int:
        """Of all games."""
        ...

    @property
    def by_table(self) -> int:
        """Games that endgame tables ended."""
        ...


class PhaseFit(Protocol):
    """A network that is fitted to positions. One thread at a time may use it; it has threads of its own."""

    @property
    def theta(self) -> NDArray[np.float32]:
        """A copy of the weights so far."""
        ...

    @property
    def done(self) -> int:
        """Batches so far."""
        ...

    @property
    def total(self) -> int:
        """Batches in all."""
        ...

    def step(self, batches: int, threads: int) -> float:
        """Learns from so many batches more, fewer at the end; returns the mean loss."""
        ...


class PhaseFits(Protocol):
    """Makes fits."""

    def of(
        self,
        theta: NDArray[np.float32],
        *,
        width: int,
        positions: Sequence[bytes | memoryview],
        epochs: int,
        rate: float,
        result_share: float,
        ending_share: float = 1.0,
        seed: int,
    ) -> PhaseFit:
        """A fit that begins with these weights. Raises ValueError for positions that cannot be."""
        ...


# Core has members of these names.
_Position = Position
_History = History
_Evaluator = Evaluator
_Search = Search
_MatchSide = MatchSide
_PhaseFits = PhaseFits


class Evaluators(Protocol):
    """The evaluators that every game has. Others, such as networks on its board, are the game's own."""

    def material(self) -> _Evaluator:
        """Counts what is on the board."""
        ...

    def phases(self, theta: NDArray[np.float32], *, width: int) -> _Evaluator:
        """A network with a sparse first layer, and upper layers for each phase of the game."""
        ...

    def function(self, function: Callable[[list[Any]], NDArray[np.float32]], /) -> _Evaluator:
        """Asks a function, which values a list of positions for the side to move."""
        ...


class Searches(Protocol):
    """The searches that every game has."""

    def random(self) -> _Search:
        """Any legal move."""
        ...

    def minimax(self, evaluator: Any, *, avoid_loss: bool = False, pruned: bool = False) -> _Search:
        """Every line to a fixed depth."""
        ...

    def alphabeta(
        self,
        evaluator: Any,
        *,
        quiescence: bool = True,
        reductions: bool = True,
        repetition: bool = True,
        exact_root: bool = False,
        megabytes: int = 16,
        tables: Any = None,
    ) -> _Search:
        """Iterative deepening with a transposition table."""
        ...

    def pvs(
        self,
        evaluator: Any,
        *,
        keep_table: bool = True,
        unfinished: bool = True,
        aspiration: bool = True,
        killers: bool = True,
        reductions: bool = True,
        probcut: bool = True,
        futility: bool = True,
        razoring: bool = True,
        internal: bool = True,
        extensions: bool = True,
        singular: bool = True,
        draw_rule: bool = True,
        exact_root: bool = False,
        megabytes: int = 16,
        threads: int = 1,
        tables: Any = None,
    ) -> _Search:
        """Principal variation search, the search of the champion."""
        ...

    def uct(self, *, exploration: float, skewed: bool = False, by_value: bool = False) -> _Search:
        """Monte-Carlo tree search with random play-outs."""
        ...

    def ept(
        self, evaluator: Any, *, plies: int, exploration: float, skewed: bool = False, by_value: bool = False
    ) -> _Search:
        """Monte-Carlo tree search whose play-outs are cut and scored by the evaluator."""
        ...


class Core(Protocol):
    """The part of the core that belongs to one game: a module such as `ludus._core.draughts`."""

    @property
    def START(self) -> _Position:  # noqa: N802
        """Where games begin."""
        ...

    @property
    def Evaluator(self) -> Evaluators:  # noqa: N802
        """Makes evaluators."""
        ...

    @property
    def Search(self) -> Searches:  # noqa: N802
        """Makes searches."""
        ...

    def Position(self, text: str, /) -> _Position:  # noqa: N802
        """Reads a position. Raises BadPosition."""
        ...

    def History(self, start: Any = ..., rules: DrawRules = ...) -> _History:  # noqa: N802
        """A game from `start`, with these draw rules."""
        ...

    def random_game(self, seed: int, index: int) -> tuple[Sequence[Move], Outcome]:
        """The moves and the outcome of game `index` of uniformly random play."""
        ...

    @property
    def ACTIONS(self) -> int:  # noqa: N802
        """How many ids moves can have."""
        ...

    def encoders(self) -> dict[str, tuple[int, ...]]:
        """The encoders by name, with the shape of what they make of a position."""
        ...

    def encode(
        self, encoder: str, positions: Any, out: NDArray[np.float32], /, *, afterstates: bool, king: float
    ) -> None:
        """Writes a row of inputs for each position."""
        ...

    def observe(self, history: Any, out: NDArray[np.float32], /, *, afterstate: bool) -> None:
        """Writes the planes of a game under way, what the draw rules count included."""
        ...

    def BatchGames(  # noqa: N802
        self, slots: int, *, seed: int = 0, rules: DrawRules = ..., opening_plies: int = 0, threads: int = 1
    ) -> CoreBatch:
        """Many games that move on together."""
        ...

    def MatchSide(self, search: Any, budget: Budget = ..., *, seed: int = 0) -> _MatchSide:  # noqa: N802
        """One side of a game."""
        ...

    def play_game(
        self,
        first: Any,
        second: Any,
        *,
        start: Any = ...,
        opening: Sequence[Any] = ...,
        rules: DrawRules = ...,
        adjudicate: Any = None,
    ) -> MatchGame:
        """Plays a game between two sides, `opening` first. Endgame tables end it where they have its position."""
        ...

    @property
    def POSITION_BYTES(self) -> int:  # noqa: N802
        """The size of a training position."""
        ...

    @property
    def PhaseFit(self) -> _PhaseFits:  # noqa: N802
        """Makes fits of networks to positions."""
        ...

    def phase_weights(self, width: int) -> int:
        """The number of weights of a network by phases with so many nodes in its first layer."""
        ...

    def initial_phase_theta(self, width: int, seed: int) -> NDArray[np.float32]:
        """Random weights to begin a fit with."""
        ...

    def self_play(
        self,
        search: Any,
        budget: Budget,
        *,
        first: int,
        games: int,
        seed: int,
        even: float = 1,
        rules: DrawRules = ...,
        tables: Any = None,
    ) -> SelfPlay:
        """Plays games number `first` and on against itself; random ones without a search."""
        ...
