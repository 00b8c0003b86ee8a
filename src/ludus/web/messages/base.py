"""What all messages of the socket share.

A request has a type and an id that the page chose; the answers to it have the same id. The last answer is final, and
so is an error. `messages/NAME.py` has the requests and answers of one part of the page; `python -m
ludus.web.typescript` writes them as TypeScript.
"""

from typing import Annotated

from msgspec import Meta, Struct

Id = Annotated[int, Meta(ge=0, le=2**53)]
Name = Annotated[str, Meta(min_length=1, max_length=300)]  # of a player, a run, a match
Text = Annotated[str, Meta(max_length=2_000_000)]  # what a person pastes


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What the page asks."""

    id: Id


class Answer(Struct, frozen=True, kw_only=True, tag_field="type"):
    """What the server answers. The socket sets the id."""

    id: int = 0
    final: bool = True


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a message."""


class Hello(Struct, frozen=True, kw_only=True, tag="hello", tag_field="type"):
    """The first message of the page: the token of its index.html."""

    token: Annotated[str, Meta(max_length=200)]
    id: Id = 0


class Welcome(Answer, frozen=True, tag="welcome"):
    """The token was right."""

    version: str


class Cancel(Request, frozen=True, tag="cancel"):
    """Stops the request of this id."""


class Error(Answer, frozen=True, tag="error"):
    """What was wrong with a request, one sentence. With the id 0 it is about a message that could not be read."""

    message: str
