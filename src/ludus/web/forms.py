"""The forms of the learners, from their configs: the options, words, ranges and defaults of the command line."""

import inspect
import os
from typing import Any, Literal

from ludus.learning import Learner, registry
from ludus.learning.options import Option, options
from ludus.web.folders import Folders
from ludus.web.messages.school import FormField, FormPreset, LearnerForm, Typed

_LARGEST = 2**53  # whole numbers beyond are not exact in a browser; the learner checks larger limits


def kinds() -> list[LearnerForm]:
    """The forms of all learners, in the order of the command line."""
    return [form(kind) for kind in registry.kinds()]


def form(kind: str) -> LearnerForm:
    """The form of a kind of learner. Raises BadConfig."""
    learner = registry.named(kind)
    title, _, words = inspect.cleandoc(learner.__doc__ or kind).partition("\n")
    fields = options(learner)
    return LearnerForm(
        kind=kind,
        title=title.strip(),
        words=" ".join(words.split()),
        unit=learner.unit,
        presets=[_preset(name, values, fields) for name, values in _presets(kind).items()],
        fields=[_field(option) for option in fields],
    )


def learner(kind: str, preset: str | None, typed: dict[str, Typed], folders: Folders) -> Learner:
    """The learner of a filled form. Players of runs are named by ids. Raises ValueError with one sentence."""
    if kind not in registry.kinds():  # `module:class` would import what the page names
        raise ValueError(f"there is no learner {kind[:100]!r}")
    by_name = {option.field: option for option in options(registry.named(kind))}
    if preset is not None and preset not in _presets(kind):
        raise ValueError(f"{kind} has no preset {preset[:100]!r}")
    values = dict(_presets(kind)[preset]) if preset is not None else {}
    for name, value in typed.items():
        if name not in by_name:
            raise ValueError(f"{kind} has no option {name[:100]!r}")
        values[name] = _read(by_name[name], value, folders)
    return registry.make(kind, values)


def _presets(kind: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = getattr(registry.named(kind), "presets", {})
    return found


def _preset(name: str, values: dict[str, Any], fields: list[Option]) -> FormPreset:
    by_name = {option.field: option for option in fields}
    return FormPreset(name=name, values={field: by_name[field].write(value) for field, value in values.items()})


def _field(option: Option) -> FormField:
    takes: Literal["yes or no", "whole number", "number", "choice", "text"] = "text"
    if option.choices:
        takes = "choice"
    elif option.takes is bool:
        takes = "yes or no"
    elif option.takes is int:
        takes = "whole number"
    elif option.takes is float:
        takes = "number"
    return FormField(
        field=option.field,
        label=option.flag[2:].replace("-", " "),
        takes=takes,
        help=option.help,
        default=option.default,
        choices=[str(choice) for choice in option.choices],
        least=option.least,
        most=None if option.most is None or option.most > _LARGEST else option.most,
    )


def _read(option: Option, value: Typed, folders: Folders) -> Any:
    label = option.flag[2:]
    if option.takes is bool or not isinstance(value, str):
        return value
    if option.choices and value not in map(str, option.choices):
        raise ValueError(f"{label} is one of {', '.join(map(str, option.choices))}, not {value[:100]!r}")
    known = folders.player(value)
    if known == value and (os.sep in value or value.startswith("engine:")):
        raise ValueError(f"{label}: write the name of a player or of a run, not a path or a command")
    return option.read(known)
