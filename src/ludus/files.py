"""Files: written whole or not at all, and only where a person may want them.

`output_file` and `output_folder` decide about every file and folder that a person names for output.
"""

import contextlib
import fcntl
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

_UNFINISHED = re.compile(r"\.(.+)\.[0-9a-f]{8}")  # a file that write_atomically leaves if the process is killed
_ABANDONED = 60.0  # seconds after which such a file is surely no longer being written


class BadOutput(ValueError):
    """A file or folder that a person named and that must not be written. The message says why."""


def write_atomically(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Writes under a temporary name, makes sure it is on the disk, and only then gives it its name. Raises OSError.

    A symbolic link is followed: the file behind it is replaced, with the permissions that it has.
    """
    path = followed(path)
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            with contextlib.suppress(FileNotFoundError):
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
            file.writelines([content] if isinstance(content, bytes) else content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error  # not the temporary name
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Makes a folder, with those above it, and returns when the new names are on the disk. Raises OSError."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in reversed(new):
        sync_folder(each.parent)


def sync_folder(folder: Path) -> None:
    """Returns when the names in a folder are on the disk. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_unfinished(folder: Path, names: Collection[str] | None = None, seconds: float = 0.0) -> None:
    """Deletes what killed processes were writing in a folder: files of these names, of any name without them.

    Nothing younger than so many seconds is deleted: another process may be writing it. Raises OSError.
    """
    for path in folder.glob(".*"):
        found = _UNFINISHED.fullmatch(path.name)
        if not found or (names is not None and found[1] not in names) or path.is_symlink() or not path.is_file():
            continue
        if not seconds or time.time() - path.stat().st_mtime > seconds:
            path.unlink(missing_ok=True)


def write_whole(descriptor: int, content: bytes) -> None:
    """Writes all of it where the descriptor stands; one call of the system may write less."""
    while content:
        content = content[os.write(descriptor, content) :]


def is_locked(path: Path) -> bool:
    """Whether a process has locked the file, as those that write a journal or a record do."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)


def is_file(name: str) -> bool:
    """Is there a file of this name? What cannot name one, because it is too long for instance, names none."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def followed(path: Path) -> Path:
    """The path behind a symbolic link, which may not exist yet; any other path as it is. Raises OSError."""
    if not path.is_symlink():
        return path
    try:
        return path.resolve()
    except RuntimeError as error:  # before Python 3.13
        raise OSError(40, "Too many levels of symbolic links", os.fspath(path)) from error


def output_file(path: Path, kind: str, is_kind: Callable[[Path], bool]) -> Path:
    """The file to write when a person names `path` for a file of this kind: "a page of Ludus", for example.

    Symbolic links are followed. A file that is there may be replaced if `is_kind` says that it is of the same kind, or
    if it is empty. No folder is made. Raises BadOutput.
    """
    try:
        found = followed(path.expanduser())
        if found.name == "" or found.is_dir():
            raise BadOutput(f"{path} is a folder: name a file")
        if not found.parent.is_dir():
            raise BadOutput(f"there is no folder {found.parent}: make it first, or choose another")
        remove_unfinished(found.parent, (found.name,), _ABANDONED)
        if not found.exists():
            return found
        if not found.is_file():
            raise BadOutput(f"{path} is no file but a device, a pipe or a socket; nothing was written")
        if found.stat().st_size and not is_kind(found):
            raise BadOutput(f"{path} exists and is not {kind}; nothing was changed")
    except OSError as error:
        raise BadOutput(f"{path}: {error.strerror}") from error
    except RuntimeError as error:  # the home of an unknown user
        raise BadOutput(f"{path}: {error}") from error
    return found


def output_folder(folder: Path, what: str, marks: Collection[str], writes: Collection[str]) -> None:
    """Checks a folder that a person names for "a match", for example. It is not made. Raises BadOutput.

    A folder that has one of the `marks` holds such a thing already. In any other folder nothing of what is written
    later may exist: it would be another person's file. A device, a pipe or a socket is refused in both.
    """
    try:
        if not folder.exists() and not folder.is_symlink():
            return
        if not folder.is_dir():
            raise BadOutput(f"{folder} is no folder: {what} needs one")
        for path in (folder / name for name in (*marks, *writes)):
            if path.exists() and not path.is_file() and not path.is_dir():
                raise BadOutput(f"{path} is no file but a device, a pipe or a socket; nothing was written")
        if any((folder / mark).exists() for mark in marks):
            return
        for name in writes:
            if (folder / name).exists() or (folder / name).is_symlink():
                raise BadOutput(f"{folder} holds no {what.partition(' ')[2]}, but a {name} that it would replace")
    except OSError as error:
        raise BadOutput(f"{folder}: {error.strerror}") from error
