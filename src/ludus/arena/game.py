"""One game of a match as a pure task: who plays whom from where, and what came of it."""

import hashlib
import threading
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ludus import games
from ludus._core import side_seed
from ludus.arena.engines import Engine, EngineFailure, Patience
from ludus.games import Color, DrawRules, Outcome, Reason
from ludus.games.record import Record
from ludus.players import ActivePlayer, Player
from ludus.players.searches import AlphaBeta, Budget


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a game that could go on is a draw; 0 turns a rule off. The defaults are the official ones."""

    repetitions: int = 3  # the same position with the same side to move, this many times
    quiet_plies: int = 80  # plies since the last capture or man's move
    plies: int = 0  # plies of the whole game

    def core(self) -> DrawRules:
        """The same for the core."""
        return DrawRules(repetitions=self.repetitions, quiet_plies=self.quiet_plies, plies=self.plies)


class EnginePlayer(Struct, frozen=True, kw_only=True):
    """An outside engine at the board: a program that plays draughts for us, as arena.engines runs it."""

    name: str  # engine:COMMAND
    budget: Budget = Budget(seconds=1.0)
    patience: Patience = Patience()
    game: Literal["draughts"] = "draughts"


Contestant = Player | EnginePlayer


class Task(Struct, frozen=True, kw_only=True):
    """A game to be played. Equal tasks of our own players give equal games, whoever plays them and wherever."""

    index: int
    players: tuple[Contestant, Contestant]  # the side that moves first, then the other
    digests: tuple[str, str]  # of the players
    opening: tuple[str, ...]
    rules: Rules
    seed: int
    start: str | None = None  # a position; the game's own start if not given
    streams: tuple[int, int] = (0, 1)  # which of the seed's streams each side draws from


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


def digest(player: Contestant) -> str:
    """A name for all that a player is: the same for the same player, another for another."""
    if isinstance(player, EnginePlayer):
        return hashlib.sha256(msgspec.json.encode(player)).hexdigest()
    header = msgspec.json.encode(msgspec.structs.replace(player, theta=None))
    weights = b"" if player.theta is None else player.theta.tobytes()
    return hashlib.sha256(header + weights).hexdigest()


def play(task: Task) -> Played:
    """Plays the game."""
    if any(isinstance(player, EnginePlayer) for player in task.players):
        return _play_with_outsiders(task)
    game = task.players[0].game
    first, second = (_mind(player, key) for player, key in zip(task.players, task.digests, strict=True))
    core, start = games.core(game), _start(task)
    sides = (
        core.MatchSide(mind.search, mind.budget, seed=side_seed(task.seed, stream))
        for mind, stream in zip((first, second), task.streams, strict=True)
    )
    played = core.play_game(*sides, start=start, opening=_opening(task), rules=task.rules.core())
    return Played(
        index=task.index,
        moves=played.moves,
        values=played.values,
        depths=played.depths,
        nodes=played.nodes,
        seconds=played.seconds,
        chosen=played.chosen,
        last=played.last.text,
        **_ending(played.outcome, start.turn),
    )


def _play_with_outsiders(task: Task) -> Played:
    """The same when a side is an outside engine, which loses the game when it fails, with the reason in the note."""
    game = games.named("draughts")
    start = _start(task)
    history, moves, texts, note = game.History(start, task.rules.core()), [], [], ""

    def make(move: Any) -> None:
        texts.append(history.position.write(move))
        moves.append(move)
        history.play(move)

    for move in _opening(task):
        make(move)
    values: list[float] = []
    depths: list[int] = []
    nodes, seconds, chosen = [0, 0], [0.0, 0.0], [0, 0]
    minds = [_mind(player, key) for player, key in zip(task.players, task.digests, strict=True)]
    ended: Outcome | None = None
    side = 0
    try:
        for side in (0, 1):
            if isinstance(minds[side], Engine):
                minds[side].start()
        while not (ended := history.outcome()):
            side = int(history.position.turn != start.turn)
            mind = minds[side]
            if isinstance(mind, Engine):
                reply = mind.choose(start, moves)
                found = (reply.value or 0.0, reply.depth or 0, reply.nodes or 0, reply.seconds, reply.move)
            else:
                thought = mind.think(history, seed=task.seed)
                found = (thought.value, thought.depth, thought.nodes, thought.seconds, thought.variation[0])
            values.append(found[0])
            depths.append(found[1])
            nodes[side] += found[2]
            seconds[side] += found[3]
            chosen[side] += 1
            make(found[4])
    except EngineFailure as failure:
        ended = Outcome((~start.turn, start.turn)[side], Reason.FORFEIT)
        note = f"{task.players[side].name} {failure.reason}"
    return Played(
        index=task.index,
        moves=" ".join(texts),
        values=values,
        depths=depths,
        nodes=(nodes[0], nodes[1]),
        seconds=(seconds[0], seconds[1]),
        chosen=(chosen[0], chosen[1]),
        last=history.position.text,
        note=note,
        **_ending(ended, start.turn),
    )


def _start(task: Task) -> Any:
    game = games.named(task.players[0].game)
    return game.START if task.start is None else game.Position(task.start)


def _opening(task: Task) -> list[Any]:
    position, moves = _start(task), []
    for text in task.opening:
        moves.append(position.move(text))
        position = position.play(moves[-1])
    return moves


def _ending(outcome: Outcome, first: Color) -> dict[str, Any]:
    return {"winner": None if outcome.winner is None else int(outcome.winner != first), "reason": outcome.reason.name}


def outcome(played: Played, game: str) -> Outcome:
    """How it ended, in the game's own colours; for a game from the usual start."""
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
_ROOM = 64  # megabytes of minds a thread keeps


def _mind(player: Contestant, key: str) -> Any:
    """A thinker or an engine of this thread's own, kept for the next game: both take long to make.

    The ones used least recently give way, so that a population of players with small tables stays as a whole.
    """
    minds: dict[str, tuple[ActivePlayer | Engine, int]] = _local.__dict__.setdefault("minds", {})
    if key in minds:
        minds[key] = minds.pop(key)
        return minds[key][0]
    room = _room(player)
    while minds and room + sum(size for _, size in minds.values()) > _ROOM:
        minds.pop(next(iter(minds)))
    if isinstance(player, EnginePlayer):
        minds[key] = Engine(player.name, player.budget, player.patience), room
    else:
        minds[key] = ActivePlayer(player), room
    return minds[key][0]


def _room(player: Contestant) -> int:
    """The megabytes it takes, about; an engine's are its own affair, but few of them should run."""
    if isinstance(player, EnginePlayer):
        return 16
    return player.search.table_megabytes if isinstance(player.search, AlphaBeta) else 1
