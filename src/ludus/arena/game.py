"""One game of a match as a pure task: who plays whom from where, and what came of it."""

import hashlib
import threading
from typing import Any

import msgspec
from msgspec import Struct

from ludus import games
from ludus.games import Color, DrawRules, Outcome, Reason
from ludus.games.record import Record
from ludus.players import Player, Thinker


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a game that could go on is a draw; 0 turns a rule off. The defaults are the official ones."""

    repetitions: int = 3  # the same position with the same side to move, this many times
    quiet_plies: int = 80  # plies since the last capture or man's move
    plies: int = 0  # plies of the whole game

    def core(self) -> DrawRules:
        """The same for the core."""
        return DrawRules(repetitions=self.repetitions, quiet_plies=self.quiet_plies, plies=self.plies)


class Task(Struct, frozen=True, kw_only=True):
    """A game to be played. Equal tasks give equal games, whoever plays them and wherever."""

    index: int
    players: tuple[Player, Player]  # the side that moves first, then the other
    digests: tuple[str, str]  # of the players
    opening: tuple[str, ...]
    rules: Rules
    seed: int


class Played(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that was played. In pairs the side that moved first comes first."""

    index: int
    moves: str  # with the opening's
    values: list[float]  # of the moves after the opening, for their mover
    depths: list[int]
    nodes: tuple[int, int]
    seconds: tuple[float, float]
    chosen: tuple[int, int]  # how many moves each side chose
    winner: int | None  # 0, 1, or nobody
    reason: str
    last: str  # the position at the end
    note: str = ""  # what a forfeit was for

    @property
    def points(self) -> float:
        """Of the side that moved first: 1, a half or 0."""
        return 0.5 if self.winner is None else 1.0 - self.winner


def digest(player: Player) -> str:
    """A name for all that a player is: the same for the same player, another for another."""
    header = msgspec.json.encode(msgspec.structs.replace(player, theta=None))
    weights = b"" if player.theta is None else player.theta.tobytes()
    return hashlib.sha256(header + weights).hexdigest()


def play(task: Task) -> Played:
    """Plays the game."""
    game = games.named(task.players[0].game)
    opening, position = [], game.START
    for text in task.opening:
        opening.append(position.move(text))
        position = position.play(opening[-1])
    first, second = (_thinker(player, key) for player, key in zip(task.players, task.digests, strict=True))
    moves, values, depths, nodes, seconds, chosen, outcome, last = games.core(task.players[0].game).play_game(
        first.search, second.search, first.limits, second.limits, opening, task.rules.core(), task.seed
    )
    return Played(
        index=task.index,
        moves=moves,
        values=values,
        depths=depths,
        nodes=nodes,
        seconds=seconds,
        chosen=chosen,
        winner=None if outcome.winner is None else int(outcome.winner != game.START.turn),
        reason=outcome.reason.name,
        last=last.text,
    )


def outcome(played: Played, game: str) -> Outcome:
    """How it ended, in the game's own colours."""
    first = games.named(game).START.turn
    winner = None if played.winner is None else (first, ~first)[played.winner]
    return Outcome(winner, Reason[played.reason])


def record(played: Played, game: str, tags: dict[str, str]) -> Record[Any, Any]:
    """The game with the value and depth of each move as its comment."""
    rules = games.named(game)
    position, moves = rules.START, []
    for text in played.moves.split():
        moves.append(position.move(text))
        position = position.play(moves[-1])
    opening = len(moves) - len(played.values)
    comments = {
        opening + ply + 1: f"{value:+.4f}/{depth}"
        for ply, (value, depth) in enumerate(zip(played.values, played.depths, strict=True))
    }
    return Record(rules.START, tuple(moves), outcome(played, game), tags, comments)


def is_loop(played: Played, game: str) -> bool:
    """A draw by repetition with twelve pieces or fewer: the old complaint about endgames of learned players."""
    if game != "draughts" or played.reason != Reason.REPETITION.name:
        return False
    return len(games.named(game).Position(played.last).pieces()) <= 12


def ahead(played: Played) -> int | None:
    """The side with more material at the end of a game of draughts, 2 a man and 3 a king; nobody when it is even."""
    from ludus.games import draughts

    worth = {"b": 2, "B": 3, "w": -2, "W": -3}
    balance = sum(worth[piece] for piece in draughts.Position(played.last).pieces().values())
    if balance == 0:
        return None
    return int((Color.BLACK if balance > 0 else Color.WHITE) != draughts.START.turn)


_local = threading.local()


def _thinker(player: Player, key: str) -> Thinker:
    """A thinker of this thread's own, kept for the next game: its table is large, and a search leaves no trace."""
    thinkers: dict[str, Thinker] = _local.__dict__.setdefault("thinkers", {})
    if key not in thinkers:
        if len(thinkers) >= 4:
            thinkers.pop(next(iter(thinkers)))
        thinkers[key] = Thinker(player)
    return thinkers[key]
