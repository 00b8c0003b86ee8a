"""Matches and ladders that are kept in folders, read while they are played or later.

A journal knows its players by their digests; the description beside it has their names.
"""

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ludus.arena import matches
from ludus.arena.description import DESCRIPTION, Description
from ludus.arena.journal import JOURNAL, BadJournal, read_file
from ludus.arena.ladder import CLAIM, Ladder
from ludus.arena.matches import MatchConfig, Standing
from ludus.files import is_locked
from ludus.game_names import DEFAULT_GAME, GameName


class KeptMatch(Struct, frozen=True, kw_only=True):
    """A match in a folder, as far as it has been played."""

    players: tuple[str, str]
    game: GameName
    config: MatchConfig
    standing: Standing
    running: bool  # a process plays its games


class KeptLadder(Struct, frozen=True, kw_only=True):
    """A ladder in a folder: its matches by the names of their folders."""

    game: GameName
    matches: dict[str, KeptMatch]

    def ladder(self) -> Ladder:
        """The ratings of all players that have played. Raises ValueError if no chain of games connects two players."""
        standings = {each.players: each.standing for each in self.matches.values() if each.standing.played}
        return Ladder.of_matches(standings)


def read_match(folder: Path) -> KeptMatch:
    """The match in a folder. Raises BadJournal."""
    path = folder / JOURNAL
    try:
        header, played = read_file(path)
        found = _description(folder, header)
        identity = {**header["config"], "games": found.games, "thrown_wins": found.thrown_wins}
        config = msgspec.convert(identity, type=MatchConfig)
    except OSError as error:
        raise BadJournal(f"{path} cannot be read: {error.strerror}") from error
    except (IndexError, KeyError, TypeError, ValueError) as error:  # msgspec's errors are ValueErrors too
        raise BadJournal(f"{path} is not a journal of games, or a broken one: {error}") from error
    config = msgspec.structs.replace(config, sprt=found.sprt)
    return KeptMatch(
        players=found.players,
        game=found.game,
        config=config,
        standing=matches.standing(played, config),
        running=is_locked(path),
    )


def read_ladder(folder: Path) -> KeptLadder:
    """The ladder in a folder; broken journals are left out. Raises ValueError if there is no ladder."""
    path = folder / CLAIM
    try:
        game = json.loads(path.read_bytes())["game"]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not the description of a ladder, or a broken one") from error
    matches = {}
    for journal in sorted(folder.glob(f"matches/*/{JOURNAL}")):
        with contextlib.suppress(BadJournal):
            matches[journal.parent.name] = read_match(journal.parent)
    return KeptLadder(game=game, matches=matches)


def _description(folder: Path, header: dict[str, Any]) -> Description:
    """The description of a match. Versions before it wrote names and game only at the end, to result.json."""
    try:
        return msgspec.json.decode((folder / DESCRIPTION).read_bytes(), type=Description)
    except FileNotFoundError:
        pass
    one, other = (f"player {digest[:8]}" for digest in header["players"])
    game: GameName = DEFAULT_GAME
    games = max(2, (folder / JOURNAL).read_bytes().count(b"\n") - 1)
    with contextlib.suppress(OSError, ValueError, KeyError):
        game = json.loads((folder.parent.parent / CLAIM).read_bytes())["game"]
    with contextlib.suppress(OSError, ValueError, KeyError):
        result = json.loads((folder / "result.json").read_bytes())
        one, other = result["players"]
        game, games = result["game"], result["games"]
    return Description(players=(one, other), game=game, games=games)
