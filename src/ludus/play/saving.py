"""Files of games: read, listed, and saved to without destroying anything."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ludus import games
from ludus.files import BadOutput, output_file, write_atomically
from ludus.games import GAMES, Game, Move, Position
from ludus.games.pdn_mending import Mend
from ludus.games.pdn_mending import summary as mended_summary
from ludus.games.record import Record
from ludus.harmless import harmless

GameRecord = Record[Position, Move]


class BadFile(ValueError):
    """A file that games cannot be read from or saved in. The message says why."""


def read(
    path: Path, name: str | None = None, *, strict: bool = False, tell: Callable[[str], object] | None = None
) -> tuple[Game, list[GameRecord]]:
    """The games of a file, and of which game they are: `name`, or what the file's name or content says.

    What is written against the standard is mended where its meaning is clear, unless `strict`; `tell` gets a sentence
    about it. Raises BadFile when there are no games.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # no name for a file
        raise BadFile(f"{path} cannot be read: {error}") from error
    candidates = [games.find(name)] if name else sorted(GAMES, key=lambda game: path.suffix != f".{game.ending}")
    reason = ""
    for game in candidates:
        try:
            mends: list[Mend] = []
            records = _records(game, raw, strict=strict, on_mended=mends.append)
        except ValueError as error:
            reason = reason or str(error)
            continue
        if records:
            if mends and tell is not None:
                tell(f"{path}: {mended_summary(mends, len(records))}")
            return game, records
    raise BadFile(f"{path} is not a file of games: {reason or 'there is no game in it'}")


def is_games_file(text: str) -> bool:
    """Whether an argument names a file of games by its ending."""
    try:
        return Path(text).suffix.lower() in {f".{game.ending}" for game in GAMES} and Path(text).exists()
    except (OSError, ValueError):
        return False


def check(path: Path, game: Game) -> Path:
    """The file in which a game is saved when a person names `path`; links are followed.

    Raises BadFile if there is no folder for it, or if what is there does not hold games of this kind.
    """

    def holds_games(found: Path) -> bool:
        return _content(found, game) is not None

    try:
        return output_file(path, f"a file of games of {game.title}", holds_games)
    except BadOutput as error:
        raise BadFile(str(error)) from error


def save(path: Path, game: Game, record: GameRecord, before: GameRecord | None = None) -> str:
    """Adds a game to a file, or makes the file. Returns a sentence that says what was written.

    `before` is the same game as it was saved or read earlier: if the file has it and the game has only grown since, the
    longer one takes its place. Nothing else in the file changes. Raises BadFile.
    """
    file = check(path, game)
    try:
        text = game.write(record).encode()
        content = _content(file, game) if file.exists() else b""
        old = game.write(before).encode() if before is not None and _continues(record, before) else b""
        at = content.rfind(old) if old else -1
        if at >= 0:
            content = content[:at] + text + content[at + len(old) :]
            how = "brought up to date in"
        else:
            gap = b"" if not content else b"\n" * (2 - min(2, len(content) - len(content.rstrip(b"\n"))))
            how = "added to" if content else "saved in the new file"
            content = content + (gap if game.write(record).count("\n") > 1 else gap[:-1]) + text
        write_atomically(file, content)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}") from error
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(f"{path}: {error}") from error
    count = len(_records(game, content))
    holds = "which holds this game" if count == 1 else f"which now holds {count} games"
    return f"{title(record)} {how} {path}, {holds}."


def title(record: Record[Any, Any]) -> str:
    """A game in a few words: its players, its date and its length."""
    first, second = str(record.start.turn), str(~record.start.turn)
    names = [f"{record.tags[side]} ({side})" if side in record.tags else side for side in (first, second)]
    date = f", {record.tags['Date']}" if record.tags.get("Date", "?")[0] != "?" else ""
    moves = f"{len(record.moves)} {'move' if len(record.moves) == 1 else 'moves'}"
    return harmless(f"{names[0]} against {names[1]}{date}, {moves}".replace("\n", " "))


def listing(records: Sequence[GameRecord]) -> list[str]:
    """A line a game: its number, players, date, length and result."""
    width = len(str(len(records)))
    return [f"{number:>{width}}  {title(each)}: {_end(each)}" for number, each in enumerate(records, 1)]


def chosen(records: Sequence[GameRecord], number: int | None, path: Path) -> GameRecord:
    """The game of this number, counted from 1; without one the last. Raises BadFile."""
    if number is not None and not 1 <= number <= len(records):
        raise BadFile(f"{path} has {len(records)} {'game' if len(records) == 1 else 'games'}, not {number}")
    return records[-1 if number is None else number - 1]


def unfinished(records: Sequence[GameRecord], number: int | None, path: Path) -> GameRecord:
    """The game of this number; without one the last that is not finished. Raises BadFile if it cannot go on."""
    if number is None:
        going_on = [record for record in records if _can_go_on(record)]
        if not going_on:
            raise BadFile(f"every game of {path} is finished")
        return going_on[-1]
    record = chosen(records, number, path)
    if not _can_go_on(record):
        raise BadFile(f"game {number} of {path} is finished: {_end(record)}")
    return record


def up_to(record: GameRecord, after: int | None) -> tuple[Position, tuple[Move, ...]]:
    """The start and the first moves of a game, all without a number. Raises BadFile."""
    if after is not None and after > len(record.moves):
        raise BadFile(f"the game has {len(record.moves)} moves, not {after}")
    return record.start, record.moves[:after]


def _can_go_on(record: GameRecord) -> bool:
    *_, last = record.positions()
    return record.outcome is None and last.outcome() is None


def _end(record: GameRecord) -> str:
    return str(record.outcome) if record.outcome else "not finished"


def _continues(record: GameRecord, before: GameRecord) -> bool:
    grown = record.start == before.start and record.moves[: len(before.moves)] == before.moves
    return grown and (before.outcome is None or before.outcome == record.outcome)


def _content(path: Path, game: Game) -> bytes:
    """What is in a file to which a game may be added. Raises BadFile and OSError."""
    content = path.read_bytes()
    refusal = f"{path} exists and is not a file of games of {game.title}; nothing was changed"
    try:
        if content.strip() and not _records(game, content):
            raise BadFile(refusal)
    except BadFile:
        raise
    except ValueError as error:
        raise BadFile(f"{refusal} ({error})") from error
    return content


def _records(game: Game, content: bytes, **options: Any) -> list[GameRecord]:
    return list(game.read(content.decode(errors="surrogateescape").splitlines(keepends=True), **options))
