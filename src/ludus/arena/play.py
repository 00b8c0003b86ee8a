"""Plays a task. Each thread keeps the active players and engines of its last games, because they take long to make."""

import threading
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ludus import games
from ludus.arena.endings import adjudicated
from ludus.arena.record import PlayedGame
from ludus.arena.task import Contestant, EnginePlayer, Task
from ludus.endgames import load as load_tables
from ludus.games import Color, Game, Move, Outcome, Position, Reason, side_seed
from ludus.players import ActivePlayer
from ludus.players.searches import AlphaBeta, Pvs
from ludus.protocols.engine import Engine, EngineFailure, Reply

Active = ActivePlayer | Engine

_local = threading.local()
_ROOM = 64  # megabytes of active players that a thread keeps
_PROBER = 16  # megabytes that a search keeps of endgame tables


def play(task: Task) -> PlayedGame:
    """Plays the game."""
    game = games.find(task.players[0].game)
    played = _play(task, game)
    if task.thrown_wins:
        played = played.checked(game, _start(task, game), task.rules, load_tables(task.thrown_wins))
    return played


def _play(task: Task, game: Game) -> PlayedGame:
    first, second = (active(player, key) for player, key in zip(task.players, task.digests, strict=True))
    if isinstance(first, Engine) or isinstance(second, Engine):
        return play_sides(task, game, (first, second))
    start = _start(task, game)
    one, other = (
        game.core.MatchSide(side.search, side.budget, seed=side_seed(task.seed, stream))
        for side, stream in zip((first, second), task.streams, strict=True)
    )
    opening = game.moves(task.opening, start)
    tables = load_tables(task.adjudicate).core if task.adjudicate else None
    played = game.core.play_game(one, other, start=start, opening=opening, rules=task.rules.core(), adjudicate=tables)
    return PlayedGame(
        index=task.index,
        moves=played.moves,
        values=played.values,
        depths=played.depths,
        nodes=played.nodes,
        seconds=played.seconds,
        chosen=played.chosen,
        winner=_winner(played.outcome, start.turn),
        reason=played.outcome.reason.name,
        last=played.last.text,
    )


class _Choice(NamedTuple):
    """A chosen move and what was said of it."""

    move: Move
    value: float
    depth: int
    nodes: int
    seconds: float


class Side(Protocol):
    """Chooses moves in a game that is given by its first position and its moves: an outside engine is one."""

    def choose(self, start: Position, moves: Sequence[Move]) -> Reply:
        """Its move. Raises EngineFailure."""
        ...


def play_sides(task: Task, game: Game, sides: tuple[ActivePlayer | Side, ActivePlayer | Side]) -> PlayedGame:
    """The same with sides that are not searches of the core. An engine that fails loses; the note has the reason."""
    start = _start(task, game)
    history = game.history(start, task.rules.core())
    moves: list[Move] = []
    texts: list[str] = []

    def make(move: Move) -> None:
        texts.append(history.position.write(move))
        moves.append(move)
        history.play(move)

    def choose(side: ActivePlayer | Side) -> _Choice:
        if isinstance(side, ActivePlayer):
            found = side.think(history, seed=task.seed)
            return _Choice(found.variation[0], found.value, found.depth, found.nodes, found.seconds)
        reply = side.choose(start, moves)
        return _Choice(reply.move, reply.value or 0.0, reply.depth or 0, reply.nodes or 0, reply.seconds)

    for move in game.moves(task.opening, start):
        make(move)
    choices: tuple[list[_Choice], list[_Choice]] = ([], [])
    in_order: list[_Choice] = []
    note, at = "", 0
    try:
        for at in (0, 1):
            if isinstance(side := sides[at], Engine):
                side.start()
            elif isinstance(side, ActivePlayer):
                side.search.new_game()
        while not (ended := history.outcome() or adjudicated(history.position, task.adjudicate)):
            at = int(history.position.turn != start.turn)
            choice = choose(sides[at])
            in_order.append(choice)
            choices[at].append(choice)
            make(choice.move)
    except EngineFailure as failure:
        ended = Outcome((~start.turn, start.turn)[at], Reason.FORFEIT)
        note = f"{task.players[at].name} {failure.reason}"
    one, other = choices
    return PlayedGame(
        index=task.index,
        moves=" ".join(texts),
        values=[choice.value for choice in in_order],
        depths=[choice.depth for choice in in_order],
        nodes=(sum(choice.nodes for choice in one), sum(choice.nodes for choice in other)),
        seconds=(sum((choice.seconds for choice in one), 0.0), sum((choice.seconds for choice in other), 0.0)),
        chosen=(len(one), len(other)),
        winner=_winner(ended, start.turn),
        reason=ended.reason.name,
        last=history.position.text,
        note=note,
    )


def _start(task: Task, game: Game) -> Position:
    return game.start if task.start is None else game.position(task.start)


def _winner(outcome: Outcome, first: Color) -> int | None:
    return None if outcome.winner is None else int(outcome.winner != first)


def active(player: Contestant, key: str) -> Active:
    """The active player or engine of this thread for a player with this digest.

    The least recently used ones are dropped when there is no room, so that a population with small tables stays whole.
    """
    kept: dict[str, tuple[Active, int]] = _local.__dict__.setdefault("kept", {})
    if key in kept:
        kept[key] = kept.pop(key)
        return kept[key][0]
    room = _room(player)
    while kept and room + sum(size for _, size in kept.values()) > _ROOM:
        kept.pop(next(iter(kept)))
    if isinstance(player, EnginePlayer):
        kept[key] = Engine(player.name, player.budget, player.patience, game=player.game), room
    else:
        kept[key] = ActivePlayer(player), room
    return kept[key][0]


def _room(player: Contestant) -> int:
    """The megabytes a player takes, about. Engines have memory of their own, but few of them should run."""
    if isinstance(player, EnginePlayer):
        return 16
    if not isinstance(player.search, AlphaBeta | Pvs):
        return 1
    return player.search.table_megabytes + (_PROBER if player.search.endgames else 0)
