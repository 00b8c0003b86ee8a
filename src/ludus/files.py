"""Files that are either whole or not there."""

import fcntl
import os
import secrets
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Writes under a temporary name, makes sure it is on the disk, and only then gives it its name. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error  # not the temporary name
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)  # the name as well
    finally:
        os.close(directory)


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
    except OSError:
        return False
