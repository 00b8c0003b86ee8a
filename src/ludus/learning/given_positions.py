"""Positions of other runs that a champion learns from as well: which files they are, and what is read from them.

The last generations of those runs count as the ones before generation 1. Their files are found and checked when a
training begins, with their sizes: a training that goes on learns from the same positions, or says why it cannot.
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ludus.learning import position_files
from ludus.learning.position_files import BadPositions

_DATA = "data"  # of a run: the folder of its learner's files


class GivenFile(Struct, frozen=True):
    """A file of positions of another run. The newest of a run has the age 1, the one before it 2."""

    path: str
    size: int
    age: int


def find(runs: Sequence[str], window: int, game: str, record: int) -> list[GivenFile]:
    """The files of these runs that the window of generation 1 reaches, without random games. Raises BadPositions."""
    if runs and window < 2:
        raise BadPositions("the positions of other runs lie before generation 1: a window of 1 does not reach them")
    found: list[GivenFile] = []
    for run in runs:
        files = (Path(run) / _DATA).glob("*.positions")
        numbers = {int(path.stem): path for path in files if path.stem.isdigit() and int(path.stem)}
        sizes = {
            number: position_files.whole_size(numbers[number], game, record, number)
            for number in sorted(numbers, reverse=True)[:window]  # one more than are used: the newest may be empty
        }
        learned = [number for number, size in sizes.items() if size > position_files.HEADER_BYTES]
        if not learned:
            raise BadPositions(f"{run} has no positions of games: it is no run of a champion, or it has none yet")
        found += (
            GivenFile(str(numbers[number].resolve()), sizes[number], age)
            for age, number in enumerate(learned[: window - 1], start=1)
        )
    return found


def read(files: Sequence[GivenFile], most: int, game: str, record: int) -> list[memoryview]:
    """The blocks of those files that are not older. Raises BadPositions if one is gone, broken or of another game."""
    blocks: list[memoryview] = []
    for each in files:
        if each.age <= most:
            path = Path(each.path)
            blocks += position_files.read(path, game, record, int(path.stem), each.size)
    return blocks
