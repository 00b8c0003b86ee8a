"""Games as texts: what a person pastes is read, and games are written and saved."""

import asyncio
import re
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple, cast

from ludus import games
from ludus.files import make_folder
from ludus.games import Color, Game, Outcome, Reason, draughts, pdn
from ludus.games.record import Record
from ludus.play import saving
from ludus.play.saving import GameRecord
from ludus.web import boards
from ludus.web.context import Client, Handler
from ludus.web.messages.play import Games, Line, Read, ReadGame, Save, Saved, Write, Written
from ludus.web.play import game_of
from ludus.web.searches import Ticket

MOST_GAMES = 5000  # of a text
MOST_NOTES = 50
MOST_BYTES = 50 << 20  # of a file of saved games

_ENDINGS = {"resignation": Reason.RESIGNATION, "agreement": Reason.AGREEMENT, "forfeit": Reason.FORFEIT}
_NUMBERS = re.compile(r"\b\d+\s*\.+")  # of moves
_NAME = re.compile(r"\w[\w .()+-]*")


class Found(NamedTuple):
    """What a text holds, and what is wrong with the rest of it."""

    game: Game
    records: list[GameRecord]
    notes: list[str]


async def read(request: Read, client: Client) -> AsyncIterator[Games]:
    """What a text holds: a position, moves, or games."""

    def work(ticket: Ticket[Games]) -> None:
        found = records_in(request.text, None if request.game is None else games.find(request.game))
        shown = found.records[:MOST_GAMES]
        notes = found.notes[:MOST_NOTES]
        if len(found.notes) > MOST_NOTES:
            notes.append(f"{len(found.notes) - MOST_NOTES} other games could not be read either")
        if len(found.records) > MOST_GAMES:
            notes.append(f"the text has {len(found.records):,} games; the first {MOST_GAMES:,} are shown")
        ticket.put(Games(games=[_read_game(found.game, record) for record in shown], notes=notes))

    async for answer in client.context.searches.slow.submit(client, work):
        yield answer


def records_in(text: str, game: Game | None) -> Found:
    """Reads a text. Without a game both are tried. Raises ValueError if there is nothing in it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff").strip()
    if not text:
        raise ValueError("the text is empty: paste a position, moves or games")
    candidates = games.GAMES if game is None else (game,)
    if "\n" not in text and text.isprintable():
        for each in candidates:
            if each.position_mark in text and not text.startswith("["):
                try:
                    return Found(each, [Record(each.position(text))], [])
                except ValueError as error:
                    if game is not None or each is games.of_position(text):
                        raise ValueError(f"this is no position: {error}") from error
    found = [_games_in(each, text) for each in candidates]
    best = max(found, key=lambda each: (len(each.records), -len(each.notes)))
    if not best.records:
        # A text that is not of the other game at all says nothing about this one.
        reason = next((each.notes[0] for each in found if each.notes), "there is no game in it")
        raise ValueError(f"the text cannot be read: {reason}")
    return best


def _games_in(game: Game, text: str) -> Found:
    if game is not draughts.GAME:
        return _lines_in(game, text)
    read: dict[Color, Found] = {}
    for first in (Color.BLACK, Color.WHITE):
        notes: list[str] = []
        lines = (f"{line}\n" for line in text.split("\n"))
        records = pdn.read(lines, first_in_result=first, on_error=lambda error, notes=notes: notes.append(str(error)))  # type: ignore[misc]
        read[first] = Found(game, [cast(GameRecord, record) for record in records], notes)
        if not notes:
            break
    best = max(read, key=lambda first: len(read[first].records))
    if best == Color.WHITE:
        read[best].notes.append("1-0 is read as a win of White, because the games say so")
    return read[best]


def _lines_in(game: Game, text: str) -> Found:
    """A game a line; a text of moves on several lines is one game."""
    records: list[GameRecord] = []
    notes: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        plain = _NUMBERS.sub(" ", line).strip()
        if not plain:
            continue
        try:
            try:
                records += game.read([plain])
            except ValueError:
                records += game.read([f"{plain} *"])
        except ValueError as error:
            notes.append(f"line {number}: {error}")
    if notes and "\n" in text:
        whole = " ".join(_NUMBERS.sub(" ", text).split())
        try:
            return Found(game, list(game.read([f"{whole} *"])), [])
        except ValueError:
            pass
    return Found(game, records, notes)


def _read_game(game: Game, record: GameRecord) -> ReadGame:
    position, texts = record.start, []
    for move in record.moves:
        texts.append(position.write(move))
        position = position.play(move)
    start = None if record.start == game.start else record.start.text
    return ReadGame(
        tags=dict(record.tags),
        line=Line(game=game.name, start=start, moves=texts),
        result=_result(game, record.outcome),
        outcome=None if record.outcome is None else boards.end(record.outcome, position),
        title=saving.title(record),
    )


def _result(game: Game, outcome: Outcome | None) -> str:
    if outcome is None:
        return "*"
    if outcome.winner is None:
        return "0-0" if outcome.reason == Reason.FORFEIT else "1/2-1/2"
    return "1-0" if outcome.winner == game.first else "0-1"


async def record_of(request: Write | Save) -> tuple[Game, GameRecord]:
    """The game as a record. Raises ValueError for an ending that contradicts the board."""
    found = await game_of(request.line)
    outcome = found.history.outcome()
    if outcome is None and request.ending is not None:
        if request.ending != "forfeit" and (request.winner is None) == (request.ending == "resignation"):
            raise ValueError("a resignation has a winner, and an agreement has none")
        outcome = Outcome(None if request.winner is None else boards.color(request.winner), _ENDINGS[request.ending])
    tags = {name: _printable(value) for name, value in request.tags.items() if name not in pdn.OWN_TAGS}
    return found.game, Record(found.start, found.moves, outcome, tags)


def _printable(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


async def write(request: Write, client: Client) -> AsyncIterator[Written]:
    """The game as a text."""
    game, record = await record_of(request)
    yield Written(text=game.write(record))


async def save(request: Save, client: Client) -> AsyncIterator[Saved]:
    """Adds the game to a file of the server's folder of games."""
    game, record = await record_of(request)
    name = file_name(request.name, game)
    folder = client.context.settings.games
    async with client.context.saving:
        message = await asyncio.to_thread(_save, folder / name, game, record)
    yield Saved(name=name, message=message.replace(str(folder / name), name))


def _save(path: Path, game: Game, record: GameRecord) -> str:
    try:
        make_folder(path.parent)
        if path.is_symlink():
            raise saving.BadFile(f"{path} is a link: choose another name")
        if path.exists() and path.stat().st_size > MOST_BYTES:
            raise saving.BadFile(f"{path} is full: choose another name")
        return saving.save(path, game, record)
    except OSError as error:
        raise ValueError(f"{path.name} cannot be saved: {error.strerror}") from error
    except saving.BadFile as error:
        raise ValueError(str(error).replace(str(path), path.name)) from error


def file_name(name: str, game: Game) -> str:
    """The name of a file, with the ending of the game's files. Raises ValueError for what cannot name one."""
    name = unicodedata.normalize("NFC", name).strip().removesuffix(f".{game.ending}").strip()
    if not _NAME.fullmatch(name) or len(name.encode()) > 100:
        raise ValueError("a name is made of letters, digits, blanks and . _ + - ( ), and begins with a letter or digit")
    return f"{name}.{game.ending}"


HANDLERS: dict[type, Handler] = {Read: read, Write: write, Save: save}
