"""The config file of a run: which learner it has, with which options, and how it was begun."""

import hashlib
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from ludus import toml
from ludus.learning import Options
from ludus.runs.folder import BadRun


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a config file.

    Examples:
        >>> print(Config(kind="td", command="ludus train td", options={"games": 200}).toml())
        kind = "td"
        command = "ludus train td"
        date = ""
        <BLANKLINE>
        [options]
        games = 200
        <BLANKLINE>
    """

    kind: str  # of the learner
    command: str = ""  # the command that began the run
    date: str = ""
    options: Options = {}

    @classmethod
    def read(cls, path: Path) -> "Config":
        """Reads a config file. Raises BadRun."""
        try:
            return msgspec.convert(tomllib.loads(path.read_text("utf-8")), type=cls)
        except OSError as error:
            raise BadRun(f"{path} cannot be read: {error.strerror}") from error
        except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadRun(f"{path} is no config of a run, or a broken one: {error}") from error

    def toml(self) -> str:
        """The text of the file."""
        return toml.dumps(msgspec.to_builtins(self))

    def digest(self) -> str:
        """A digest of the values; the layout of the file does not matter."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()
