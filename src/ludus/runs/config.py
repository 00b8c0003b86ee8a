"""The config file of a run: which learner it has, with which options, and how it was begun."""

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ludus import toml
from ludus.learning import Options
from ludus.runs.folder import BadRun

LARGEST = 1 << 20  # bytes of a config file
# A key of twenty parts and more. The standard library takes quadratic time for them.
_DEEP = re.compile(rb"""(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){20}""")


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
    lengths: dict[str, tuple[int, ...]] = {}  # the values that the option of its length had before it was made longer

    @classmethod
    def read(cls, path: Path) -> "Config":
        """Reads a config file. Raises BadRun."""
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
            if len(content) > LARGEST:
                raise BadRun(f"{path} is no config of a run: it has more than {LARGEST:,} bytes")
            if _DEEP.search(content):
                raise BadRun(f"{path} is no config of a run: it is nested too deeply")
            return msgspec.convert(tomllib.loads(content.decode("utf-8")), type=cls)
        except OSError as error:
            raise BadRun(f"{path} cannot be read: {error.strerror}") from error
        except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadRun(f"{path} is no config of a run, or a broken one: {error}") from error
        except RecursionError as error:
            raise BadRun(f"{path} is no config of a run: it is nested too deeply") from error

    def toml(self) -> str:
        """The text of the file."""
        return toml.dumps(self._values())

    def digest(self) -> str:
        """A digest of the values; the layout of the file does not matter."""
        values = {
            name: msgspec.Raw(msgspec.json.encode(value, order="deterministic"))
            for name, value in self._values().items()
        }
        return hashlib.sha256(msgspec.json.encode(values)).hexdigest()

    def longer(self, option: str, value: int) -> "Config":
        """The config of the same run with another length, which is that option."""
        lengths = {option: (*self.lengths.get(option, ()), self.options[option])}
        return msgspec.structs.replace(self, options={**self.options, option: value}, lengths=lengths)

    def shorter(self) -> "list[Config]":
        """The configs that the run had before it was made longer."""
        return [
            msgspec.structs.replace(
                self,
                options={**self.options, option: value},
                lengths={option: values[:index]} if index else {},
            )
            for option, values in self.lengths.items()
            for index, value in enumerate(values)
        ]

    def _values(self) -> dict[str, Any]:
        """Without `lengths` if there are none: the digest of a run of an earlier version stays the same."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        if not self.lengths:
            del values["lengths"]
        return values
