"""Writes the messages as TypeScript: `python -m ludus.web.typescript > web/src/messages.ts`."""

import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct

from ludus.web.messages import ANSWERS, REQUESTS

_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}


def written(requests: tuple[type, ...] = REQUESTS, answers: tuple[type, ...] = ANSWERS) -> str:
    """The whole file."""
    shown: dict[type, str] = {}
    names: dict[str, type] = {}
    for each in (*requests, *answers):
        _add(each, each in requests, shown, names)
    unions = [
        f"export type {name} =\n{''.join(f'  | {each.__name__}{chr(10)}' for each in members)}".rstrip() + ";"
        for name, members in (("Request", requests), ("Answer", answers))
    ]
    head = "// Written by `python -m ludus.web.typescript` from src/ludus/web/messages; do not edit."
    return "\n\n".join([head, *shown.values(), *unions]) + "\n"


def _add(struct: type, is_request: bool, shown: dict[type, str], names: dict[str, type]) -> None:
    """Adds an interface, after those of its parts. Raises ValueError if two have the same name."""
    if struct in shown:
        return
    if names.setdefault(struct.__name__, struct) is not struct:
        raise ValueError(f"two messages are called {struct.__name__}")
    hints = get_type_hints(struct, include_extras=False)
    for part in {part: None for hint in hints.values() for part in _structs(hint)}:
        _add(part, is_request, shown, names)
    config = struct.__struct_config__  # type: ignore[attr-defined]
    lines = [] if config.tag is None else [f'  {config.tag_field}: "{config.tag}";']
    for field in msgspec.structs.fields(struct):
        has_default = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
        # An answer always has all of its fields; a request may leave out what has a default.
        mark = "?" if has_default and is_request else ""
        lines.append(f"  {field.encode_name}{mark}: {_type(hints[field.name])};")
    doc = " ".join((struct.__doc__ or "").split())
    shown[struct] = "\n".join([f"/** {doc} */", f"export interface {struct.__name__} {{", *lines, "}"])


def _structs(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for argument in get_args(hint):
        if get_origin(hint) is not Literal:
            yield from _structs(argument)


def _type(hint: Any) -> str:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Struct):
        return hint.__name__
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return " | ".join(msgspec.json.encode(each).decode() for each in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(_type(each) for each in arguments)
    if origin is list or (origin is tuple and arguments[-1:] == (Ellipsis,)):
        inner = _type(arguments[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type, arguments))}]"
    if origin is dict:
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    raise TypeError(f"{hint} has no type in TypeScript")


if __name__ == "__main__":
    print(written(), end="")
