"""A picture of the family tree of an evolved champion: a row for each ancestor, the champion first."""

from collections.abc import Sequence
from dataclasses import dataclass

from ludus.reports import colours
from ludus.reports.axes import legend
from ludus.reports.svg import circle, line, picture, shortened, text

_WIDTH, _ROW = 520, 26


@dataclass(frozen=True)
class Ancestor:
    """A member of the population in the line of a champion."""

    number: int
    generation: int  # in which it came into the population
    origin: str
    parents: tuple[int, ...]  # the first gave most of the weights
    champion_from: int | None = None  # the first generation whose champion it was, if it was one
    champion_to: int | None = None  # and the last

    def words(self) -> str:
        """How it was made, and when it was champion."""
        made = self.origin
        if self.parents:
            made += f" of {' and '.join(f'member {parent}' for parent in self.parents)}"
        if self.champion_from is None:
            return made
        if self.champion_to in (None, self.champion_from):
            return f"{made}; champion of generation {self.champion_from}"
        return f"{made}; champion from generation {self.champion_from} to {self.champion_to}"


def picture_of(ancestors: Sequence[Ancestor], *, title: str) -> str:
    """The ancestors from the champion down to the first. The dot of a champion is larger."""
    origins = list(dict.fromkeys(each.origin for each in ancestors))
    fills = {origin: colours.SERIES[index % len(colours.SERIES)] for index, origin in enumerate(origins)}
    parts, top = legend(origins, [circle(0, 0, 6, fills[origin]) for origin in origins], _WIDTH)
    for index, each in enumerate(ancestors):
        y = top + 14 + index * _ROW
        if index + 1 < len(ancestors):
            parts.append(line(70, y, 70, y + _ROW, colours.AXIS, 'stroke-width="2"'))
        parts.append(text(52, y + 5, str(each.generation), anchor="end"))
        parts.append(circle(70, y, 7 if each.champion_from is not None else 4, fills[each.origin]))
        parts.append(text(86, y + 5, shortened(f"member {each.number}: {each.words()}", _WIDTH - 90)))
    if not ancestors:
        parts.append(text(_WIDTH / 2, top + 16, "nothing to draw yet", anchor="middle"))
    return picture(_WIDTH, top + 14 + max(1, len(ancestors)) * _ROW, parts, title)
