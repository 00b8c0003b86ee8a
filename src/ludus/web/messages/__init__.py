"""The messages between the page and the server, as tagged Structs: `PARTS` lists the modules that have them."""

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from ludus.web.messages import analyse, arena, play, school
from ludus.web.messages.base import Answer, Cancel, Error, Hello, Id, Request, Welcome

__all__ = [
    "ANSWERS",
    "PARTS",
    "REQUESTS",
    "Answer",
    "Cancel",
    "Error",
    "Hello",
    "Request",
    "Welcome",
    "decode",
    "id_of",
]

PARTS = (play, analyse, school, arena)

REQUESTS: tuple[type, ...] = (Hello, Cancel, *(each for part in PARTS for each in part.REQUESTS))
ANSWERS: tuple[type, ...] = (Welcome, Error, *(each for part in PARTS for each in part.ANSWERS))

_ANY: Any = reduce(or_, REQUESTS)
_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_ANY)


class _Numbered(msgspec.Struct):
    """The one thing that is needed of a bad message."""

    id: Id = 0


_NUMBERED = msgspec.json.Decoder(_Numbered)


def id_of(content: bytes | str) -> int:
    """The id of a message that is no request; 0 if it has none."""
    try:
        return _NUMBERED.decode(content).id
    except (msgspec.MsgspecError, UnicodeError):
        return 0


def decode(content: bytes | str) -> Request | Hello:
    """The request that a message holds. Raises ValueError with the reason."""
    found: Request | Hello = _DECODER.decode(content)
    return found
