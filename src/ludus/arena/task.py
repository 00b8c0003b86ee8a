"""A task: one game to be played. It says who plays, from which opening, under which rules and with which seed."""

import hashlib

import msgspec
from msgspec import Struct

from ludus.endgames import Tables
from ludus.games import DrawRules, GameName
from ludus.players import Player, searches
from ludus.players.searches import Budget
from ludus.protocols.engine import Patience


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a game that could go on is a draw; 0 turns a rule off. The defaults are the official ones.

    Examples:
        >>> Rules(plies=100).core().quiet_plies
        80
    """

    repetitions: int = 3  # the same position with the same side to move, this many times
    quiet_plies: int = 80  # plies since the last capture or man's move
    plies: int = 0  # plies of the whole game
    blocked: bool = False  # a side that has pieces and no move draws, not loses

    def core(self) -> DrawRules:
        """The rules as the core takes them."""
        return DrawRules(
            repetitions=self.repetitions, quiet_plies=self.quiet_plies, plies=self.plies, blocked=self.blocked
        )

    def identity(self) -> dict[str, object]:
        """The rules as journals keep them, which have no `blocked` where the official rule holds."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if name != "blocked" or value}


class EnginePlayer(Struct, frozen=True, kw_only=True):
    """An outside engine as a player; `ludus.protocols.engine` runs the program.

    Examples:
        >>> EnginePlayer(name="engine:./my-engine", budget=Budget(seconds=0.1)).game
        'draughts'
    """

    name: str  # engine:COMMAND
    budget: Budget = Budget(seconds=1.0)
    patience: Patience = Patience()
    game: GameName = "draughts"


Contestant = Player | EnginePlayer


class Task(Struct, frozen=True, kw_only=True):
    """A game to be played. Equal tasks of Ludus players give equal games, on every worker."""

    index: int
    players: tuple[Contestant, Contestant]  # the side that moves first, then the other
    digests: tuple[str, str]  # of the players
    opening: tuple[str, ...]
    rules: Rules
    seed: int
    start: str | None = None  # a position; the game's own start if not given
    streams: tuple[int, int] = (0, 1)  # which of the seed's streams each side draws from
    adjudicate: int = 0  # end the game by the endgame tables of up to so many pieces; 0: play it out
    thrown_wins: int = 0  # count thrown wins by the tables of up to so many pieces; 0: do not count


def tables_used(player: Contestant) -> Tables | None:
    """The endgame tables that a player uses, None if it uses none. Raises NoTable or BadTable."""
    return None if isinstance(player, EnginePlayer) else searches.endgame_tables(player.search)


def digest(player: Contestant) -> str:
    """A hash of all that a player is: equal players have equal digests, different players different ones."""
    if isinstance(player, EnginePlayer):
        return hashlib.sha256(msgspec.json.encode(player)).hexdigest()
    header = msgspec.json.encode(msgspec.structs.replace(player, theta=None))
    weights = b"" if player.theta is None else player.theta.tobytes()
    return hashlib.sha256(header + weights).hexdigest()
