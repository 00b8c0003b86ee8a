"""The fields of a learner's config as options of the command line, so that they are written only once."""

import shlex
import tomllib
from typing import Any

import msgspec
from msgspec import Struct, inspect

from ludus import toml
from ludus.learning import registry
from ludus.learning.learner import Learner

SEQUENCES = (inspect.ListType, inspect.VarTupleType, inspect.TupleType, inspect.SetType, inspect.FrozenSetType)


class Option(Struct, frozen=True, kw_only=True):
    """A field as an option of the command line."""

    field: str
    takes: type  # bool, int, float or str; str for all other types
    help: str
    default: str | None  # as it would be typed; None if there is no default, or the default is None
    choices: tuple[str | int, ...] = ()
    least: float | None = None
    most: float | None = None
    items: bool = False  # several values, separated by commas
    plain: bool = True  # the typed text is the value; otherwise it is read as TOML, or taken as text if it is none

    @property
    def flag(self) -> str:
        """The name of the option on the command line."""
        return f"--{self.field.strip('_').replace('_', '-')}"

    def read(self, typed: Any) -> Any:
        """The field's value for what was typed. It is not checked: the learner does that."""
        if self.choices:
            return next(choice for choice in self.choices if str(choice) == typed)
        if self.items and not typed.startswith("["):
            return [item if self.plain else _read_toml(item) for item in map(str.strip, typed.split(",")) if item]
        return typed if self.plain and not self.items else _read_toml(typed)

    def write(self, value: Any) -> str:
        """The value as it would be typed; the inverse of `read`."""
        if self.items and not any(isinstance(item, dict | list) for item in value):
            return ",".join(item if isinstance(item, str) else toml.value(item) for item in value)
        return value if isinstance(value, str) else toml.value(value)


def options(learner: type[Learner]) -> list[Option]:
    """The options of a kind of learner, in the order of its fields."""
    return [_option(field) for field in msgspec.structs.fields(learner)]  # type: ignore[arg-type]  # every learner is a Struct


def command(learner: Learner) -> str:
    """A command that makes such a learner: its kind, and the options that differ from their defaults."""
    return shlex.join(["ludus", *words(learner)])


def words(learner: Learner) -> list[str]:
    """The words of that command after `ludus`."""
    values, found = registry.values(learner), ["train", registry.kind_of(learner)]
    for option in options(type(learner)):
        typed = option.write(values[option.field]) if option.field in values else None
        if typed == option.default or typed is None:
            continue
        if option.takes is bool:
            found.append(option.flag if values[option.field] else f"--no-{option.flag[2:]}")
        else:
            found += [option.flag, typed]
    return found


def _option(field: msgspec.structs.FieldInfo) -> Option:
    described = inspect.type_info(field.type)
    schema: dict[str, Any] = {}
    if isinstance(described, inspect.Metadata):
        schema, described = described.extra_json_schema or {}, described.type
    if isinstance(described, inspect.UnionType):
        kinds = [kind for kind in described.types if not isinstance(kind, inspect.NoneType)]
        described = kinds[0] if len(kinds) == 1 else inspect.AnyType()
    option = Option(field=field.name, help=schema.get("description", ""), default=None, **_shape(described))
    if field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    elif field.default is not msgspec.NODEFAULT:
        default = field.default
    else:
        default = None
    if default is None:
        return option
    return msgspec.structs.replace(option, default=option.write(msgspec.to_builtins(default)))


def _shape(described: inspect.Type) -> dict[str, Any]:
    match described:
        case inspect.BoolType():
            return {"takes": bool}
        case inspect.IntType(gt=gt, ge=ge, lt=lt, le=le):
            least = gt + 1 if gt is not None else ge
            return {"takes": int, "least": least, "most": lt - 1 if lt is not None else le}
        case inspect.FloatType(ge=least, le=most):
            return {"takes": float, "least": least, "most": most}
        case inspect.StrType():
            return {"takes": str}
        case inspect.LiteralType(values=values):
            return {"takes": str, "choices": tuple(values)}
        case inspect.EnumType(cls=choices):
            return {"takes": str, "choices": tuple(choice.value for choice in choices)}
    if isinstance(described, SEQUENCES):
        item = getattr(described, "item_type", None)
        return {"takes": str, "items": True, "plain": isinstance(item, inspect.StrType | inspect.LiteralType)}
    return {"takes": str, "plain": False}


def _read_toml(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
