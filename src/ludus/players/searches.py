"""Descriptions of searches, as they are in a player's file, and of the budget for a move. They build the core's."""

from typing import Any, ClassVar, Literal, get_args

import msgspec
from msgspec import Struct

from ludus import games
from ludus._core import Budget as CoreBudget
from ludus._core import tictactoe3d as _tictactoe3d
from ludus.endgames import Tables
from ludus.endgames import load as load_tables
from ludus.endgames.folder import MOST_PIECES
from ludus.games import GameName
from ludus.games.core import Core
from ludus.games.core import Evaluator as CoreEvaluator
from ludus.games.core import Search as CoreSearch

# The largest budgets: more takes longer than a lifetime, and the core cannot count it.
_MOST = {"depth": 100, "nodes": 10**15, "playouts": 10**12, "seconds": 10**9}


class Budget(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much a search may spend on a move. Exactly one field is set."""

    depth: int | None = None  # plies looked ahead
    nodes: int | None = None  # positions looked at
    playouts: int | None = None  # MCTS
    seconds: float | None = None

    def __post_init__(self) -> None:
        if len(self._given()) != 1:
            raise ValueError("a budget is one of depth, nodes, playouts and seconds")
        if not self.amount > 0:
            raise ValueError(f"a budget of {self.unit} is more than 0, not {self.amount}")
        if self.amount > _MOST[self.unit]:
            raise ValueError(f"a budget of {self.unit} is at most {_MOST[self.unit]:,}")

    def _given(self) -> dict[str, float]:
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}

    @property
    def unit(self) -> str:
        """What is limited."""
        return next(iter(self._given()))

    @property
    def amount(self) -> float:
        """How much of it there is."""
        return next(iter(self._given().values()))

    def __str__(self) -> str:
        return f"{self.unit}={self.amount:g}" if self.unit == "seconds" else f"{self.unit}={self.amount}"

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """Reads `depth=8`, `nodes=100000`, `playouts=300` or `seconds=0.5`; raises ValueError with the reason."""
        unit, _, amount = text.partition("=")
        try:
            given: dict[str, Any] = {unit: float(amount) if unit == "seconds" else int(amount)}
        except ValueError:
            given = {}
        if unit not in _MOST or not given:
            raise ValueError(f"'{text}' is not a budget: write depth=8, nodes=100000, playouts=300 or seconds=0.5")
        return cls(**given)


class Random(Struct, frozen=True, tag="random", forbid_unknown_fields=True):
    """Any legal move."""


Order = Literal["move", "game", "biased"]


class Benchmark(Struct, frozen=True, tag="benchmark", kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rule player of Tic-Tac-Toe 3D: wins, blocks, and gives nothing away."""

    game: ClassVar[GameName] = "tictactoe3d"

    order: Order = "move"  # in which it looks at its moves: drawn at every move, once a game, or by a biased shuffle


class Greedy(Struct, frozen=True, tag="greedy", kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The move whose afterstate has the best value."""

    avoid_loss: bool = False  # of those after which the opponent does not win at once, if there are any


class Minimax(Struct, frozen=True, tag="minimax", kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Every line to a fixed depth."""

    pruned: bool = False  # leave out lines that cannot change the move or its value; training does so to save time


def _check_tables(megabytes: int, endgames: int) -> None:
    if not 1 <= megabytes <= 1024:
        raise ValueError(f"a table has 1 to 1024 megabytes, not {megabytes}")
    if endgames != 0 and not 2 <= endgames <= MOST_PIECES:
        raise ValueError(f"endgames is 0 or 2 to {MOST_PIECES} pieces, not {endgames}")


class AlphaBeta(Struct, frozen=True, tag="alphabeta", kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Iterative deepening with a transposition table."""

    quiescence: bool = True  # go on at the leaves while a capture is forced
    reductions: bool = True  # look less deeply at late moves
    repetition: bool = True  # a position that comes back is a draw
    table_megabytes: int = 16
    endgames: int = 0  # use endgame tables of up to so many pieces; 0 uses none

    def __post_init__(self) -> None:
        _check_tables(self.table_megabytes, self.endgames)


class Pvs(Struct, frozen=True, tag="pvs", kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Principal variation search, the search of the champion. `docs/search.md` says what each part is worth."""

    keep_table: bool = True  # use in a game what was found at earlier moves of it
    unfinished: bool = True  # take the best move of an iteration that there was no time to finish
    aspiration: bool = True  # expect about the value of the iteration before
    killers: bool = True  # try moves first that cut off at this ply, or as an answer to the same move
    reductions: bool = True  # look less deeply at late moves
    probcut: bool = True  # give up a line that a shallower search finds far too good
    futility: bool = True  # give up a line near the leaves whose value is far too good
    razoring: bool = True  # give up a line near the leaves whose value is far too bad
    internal: bool = True  # look less deeply where the table knows no move
    extensions: bool = True  # a forced reply costs no depth
    singular: bool = True  # look more deeply at a move that is far better than all others
    draw_rule: bool = True  # know the limit of quiet moves
    threads: int = 1  # more than one: what it finds depends on the machine's timing
    table_megabytes: int = 16
    endgames: int = 0  # use endgame tables of up to so many pieces; 0 uses none

    def __post_init__(self) -> None:
        _check_tables(self.table_megabytes, self.endgames)
        if not 1 <= self.threads <= 256:
            raise ValueError(f"a search has 1 to 256 threads, not {self.threads}")


class Uct(Struct, frozen=True, tag="uct", kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Monte-Carlo tree search with random play-outs to the end."""

    exploration: float = 2**0.5
    skewed: bool = False  # a random move that lets the opponent capture is drawn once more
    by_value: bool = False  # choose the move with the best mean result, not the one with the most visits


class Ept(Struct, frozen=True, tag="ept", kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Monte-Carlo tree search whose play-outs are cut short and scored by the evaluator."""

    plies: int = 6
    exploration: float = 0.3  # evaluators' values lie closer together than results of games do
    skewed: bool = False  # as for Uct
    by_value: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.plies <= 1000:
            raise ValueError(f"a play-out is cut after 0 to 1000 plies, not {self.plies}")


Search = Random | Benchmark | Greedy | Minimax | AlphaBeta | Pvs | Uct | Ept
Unit = Literal["depth", "nodes", "playouts", "seconds"]

# The units of the budgets that each search takes, the first of which is that of levels, and its usual budget.
_BUDGETS: dict[type, tuple[tuple[Unit, ...], Budget]] = {
    Minimax: (("depth",), Budget(depth=4)),
    AlphaBeta: (("nodes", "depth", "seconds"), Budget(nodes=100_000)),
    Pvs: (("nodes", "depth", "seconds"), Budget(nodes=100_000)),
    Uct: (("playouts", "seconds"), Budget(playouts=1000)),
    Ept: (("playouts", "seconds"), Budget(playouts=1000)),
}


_KINDS: dict[str, type[Search]] = {str(each.__struct_config__.tag): each for each in get_args(Search)}
# The names of all options of all searches.
OPTIONS = frozenset(name for each in _KINDS.values() for name in each.__struct_fields__)


def of_kind(name: str) -> Search:
    """The search of this kind with its usual options. Raises ValueError."""
    if name not in _KINDS:
        raise ValueError(f"there is no search {name}: write one of {', '.join(_KINDS)}")
    return _KINDS[name]()


def with_options(search: Search, options: dict[str, str]) -> Search:
    """The search with these options, which are given as text: on, off, a number or a word. Raises ValueError."""
    for name, text in options.items():
        if name not in search.__struct_fields__:
            raise ValueError(f"{kind(search)} has no option {name}")
        try:
            value = {"on": True, "off": False}.get(text, text)
            changed = {**msgspec.structs.asdict(search), name: value}
            search = msgspec.convert(changed, type(search), strict=False)
        except msgspec.ValidationError as error:
            raise ValueError(f"'{name}={text}' is not an option of {kind(search)}: {error}") from error
    return search


def changed_options(search: Search) -> dict[str, str]:
    """The options of the search that are not the usual ones, as `with_options` takes them."""
    usual = type(search)()
    values = {name: getattr(search, name) for name in search.__struct_fields__}
    return {
        name: {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
        for name, value in values.items()
        if value != getattr(usual, name)
    }


def takes(search: Search, budget: Budget) -> bool:
    """Whether the search can keep to this budget."""
    return takes_budget(search) and budget.unit in _BUDGETS[type(search)][0]


def kind(search: Search) -> str:
    """The name of a kind of search, as it stands in files."""
    return str(type(search).__struct_config__.tag)


def needs_evaluator(search: Search) -> bool:
    """Whether the search uses an evaluator."""
    return isinstance(search, Greedy | Minimax | AlphaBeta | Pvs | Ept)


def fits(search: Search, game: str) -> bool:
    """Whether the search can play this game."""
    if isinstance(search, AlphaBeta | Pvs) and search.endgames:
        return games.find(game).has_endgames
    return not isinstance(search, Benchmark) or search.game == game


def endgame_tables(search: Search) -> Tables | None:
    """The endgame tables that the search uses, None if it uses none. Raises NoTable or BadTable."""
    return load_tables(search.endgames) if isinstance(search, AlphaBeta | Pvs) and search.endgames else None


def takes_budget(search: Search) -> bool:
    """Whether the search has a budget; the others choose at once."""
    return type(search) in _BUDGETS


def checked_budget(search: Search, budget: Budget | None) -> Budget | None:
    """The budget the search will have, or None if it needs none. Raises ValueError if it cannot keep to this one."""
    if not takes_budget(search):
        if budget is not None:
            raise ValueError(f"{kind(search)} chooses at once: it takes no budget")
        return None
    units, usual = _BUDGETS[type(search)]
    if budget is not None and budget.unit not in units:
        raise ValueError(f"{kind(search)} takes a budget of {' or '.join(units)}, not {budget.unit}")
    return budget or usual


def reproducible(budget: Budget | None) -> None:
    """Raises ValueError for a budget of time, because its results cannot be reproduced."""
    if budget is not None and budget.unit == "seconds":
        raise ValueError("training must not depend on the clock: give depth, nodes or playouts, not seconds")


def build(
    search: Search,
    core: Core,
    evaluator: CoreEvaluator | None,
    *,
    exact: bool = False,
    tables: Tables | None = None,
) -> CoreSearch:
    """The core's search; `exact` asks alpha-beta for the exact value of every move, not only of the best.

    `tables` are used instead of the endgame tables that the search names. Raises NoTable or BadTable when those are not
    there or are broken.
    """
    tables = tables or endgame_tables(search)
    match search:
        case Random():
            return core.Search.random()
        case Benchmark():
            return _tictactoe3d.Search.rule_player(_tictactoe3d.Order[search.order.upper()])
        case Greedy():
            return core.Search.minimax(evaluator, avoid_loss=search.avoid_loss)
        case Minimax():
            return core.Search.minimax(evaluator, pruned=search.pruned)
        case AlphaBeta():
            return core.Search.alphabeta(
                evaluator,
                quiescence=search.quiescence,
                reductions=search.reductions,
                repetition=search.repetition,
                megabytes=search.table_megabytes,
                exact_root=exact,
                tables=None if tables is None else tables.core,
            )
        case Pvs():
            return core.Search.pvs(
                evaluator,
                keep_table=search.keep_table,
                unfinished=search.unfinished,
                aspiration=search.aspiration,
                killers=search.killers,
                reductions=search.reductions,
                probcut=search.probcut,
                futility=search.futility,
                razoring=search.razoring,
                internal=search.internal,
                extensions=search.extensions,
                singular=search.singular,
                draw_rule=search.draw_rule,
                exact_root=exact,
                megabytes=search.table_megabytes,
                threads=search.threads,
                tables=None if tables is None else tables.core,
            )
        case Uct():
            return core.Search.uct(exploration=search.exploration, skewed=search.skewed, by_value=search.by_value)
        case Ept():
            return core.Search.ept(
                evaluator,
                plies=search.plies,
                exploration=search.exploration,
                skewed=search.skewed,
                by_value=search.by_value,
            )


def core_budget(search: Search, budget: Budget | None) -> CoreBudget:
    """The budget as the core takes it."""
    if isinstance(search, Greedy):
        return CoreBudget(depth=1)
    if budget is None:
        return CoreBudget()
    return CoreBudget(
        depth=budget.depth or 0, nodes=budget.nodes or budget.playouts or 0, seconds=budget.seconds or 0.0
    )
