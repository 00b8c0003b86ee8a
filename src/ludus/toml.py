"""Writes plain values as TOML, which the standard library can only read."""

import json
import re
from typing import Any


def dumps(table: dict[str, Any]) -> str:
    """The text of a table of plain values, lists and tables; a table in it becomes a section."""
    sections = {key: value for key, value in table.items() if isinstance(value, dict)}
    lines = [f"{_key(key)} = {value(item)}" for key, item in table.items() if key not in sections]
    for key, section in sections.items():
        lines += ["", f"[{_key(key)}]", *(f"{_key(name)} = {value(item)}" for name, item in section.items())]
    return "\n".join(lines) + "\n"


def value(item: Any) -> str:
    """A value on one line."""
    match item:
        case bool():
            return "true" if item else "false"
        case int() | float():
            return repr(item)
        case str():
            # JSON's strings are TOML's, but for one control character that JSON does not escape.
            return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list() | tuple():
            return f"[{', '.join(value(each) for each in item)}]"
        case dict():
            pairs = ", ".join(f"{_key(name)} = {value(each)}" for name, each in item.items() if each is not None)
            return f"{{ {pairs} }}" if pairs else "{}"
    raise TypeError(f"TOML cannot hold {item!r}")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else value(key)
