"""Checking the endgame tables of a folder: the digests, then every entry against the positions after its moves."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludus._core.draughts import endgame_positions, verify_endgames
from ludus.endgames.files import BadTable, Kind, Slice, TableFile
from ludus.endgames.folder import SHIPPED
from ludus.endgames.schedule import positions
from ludus.endgames.tables import Tables, opened


class Progress(NamedTuple):
    """How far a check is."""

    done: int  # positions
    total: int
    file: Path  # the results that are being checked


class Checked(NamedTuple):
    """A table that was checked."""

    files: list[Path]
    pieces: int
    slices: int
    positions: int


def table_files(folder: Path) -> list[Path]:
    """The files of a folder that are named as tables are, those of few pieces first."""
    endings = {f".{kind.name.lower()}": kind for kind in Kind}
    found = [path for path in folder.iterdir() if path.suffix in endings and not path.name.startswith(".")]
    return sorted(found, key=lambda path: (len(path.stem), path.stem, endings[path.suffix]))


def broken_files(folder: Path) -> dict[Path, str]:
    """Reads every file. Gives those that are broken or foreign, each with a sentence that names it."""
    broken = {}
    for path in table_files(folder):
        kind = Kind[path.suffix[1:].upper()]
        try:
            if not (path.stem.isascii() and path.stem.isdigit()):
                raise BadTable(f"{path} is not named as a table is: PIECES.{kind.name.lower()}")
            opened(path, kind, int(path.stem)).check_digest()
        except BadTable as error:
            broken[path] = str(error)
    return broken


def verify(folder: Path, threads: int, report: Callable[[Progress], None]) -> tuple[list[Checked], dict[Path, str]]:
    """Checks every entry of the tables in a folder whose files are whole.

    Gives the tables without errors, and a sentence for every broken file. Tables of fewer pieces that are not in the
    folder are taken from the package.
    """
    broken = broken_files(folder)
    whole = [path for path in table_files(folder) if path not in broken]
    counts = [int(path.stem) for path in whole if path.suffix == ".results"]
    for path in whole:
        if not path.with_suffix(".results").exists():
            broken[path] = f"{path} cannot be checked without {path.stem}.results"
    checked, done, total = [], 0, sum(map(positions, counts))
    for pieces in counts:
        files = _needed(folder, pieces, broken)
        results = folder / Kind.RESULTS.file_name(pieces)
        if files is None:
            broken[results] = f"{results} cannot be checked without the tables of fewer pieces"
        else:
            tables = Tables(files)
            own = [file for file in files if file.pieces == pieces]
            wrong: dict[Path, str] = {}
            for name in own[0].sections:
                report(Progress(done, total, results))
                wrong = _errors(tables, own, name, threads)
                done += endgame_positions(name)
                if wrong:
                    break
            broken |= wrong
            if not wrong:
                checked.append(Checked([file.path for file in own], pieces, len(own[0].sections), positions(pieces)))
    return checked, broken


def _needed(folder: Path, pieces: int, broken: dict[Path, str]) -> list[TableFile] | None:
    """The tables of 2 to `pieces` pieces; None if one has no whole file of results."""
    files = []
    for count in range(2, pieces + 1):
        for kind in Kind:
            paths = [place / kind.file_name(count) for place in (folder, SHIPPED)]
            path = next((path for path in paths if path.exists() and path not in broken), None)
            if path is not None:
                files.append(opened(path, kind, count))
            elif kind is Kind.RESULTS:
                return None
    return files


def _errors(tables: Tables, own: list[TableFile], name: Slice, threads: int) -> dict[Path, str]:
    """The errors of a slice: a sentence for the file that has them."""
    wrong = _error(tables, name, threads, distances=len(own) > 1)
    if wrong is None:
        return {}
    file = own[0]
    if len(own) > 1:  # in which of the two?
        in_results = _error(tables, name, threads, distances=False)
        file, wrong = (file, in_results) if in_results else (own[1], wrong)
    slice_text = "{} men and {} kings v {} men and {} kings".format(*name)
    return {file.path: f"{file.path} is wrong: in the slice of {slice_text}, {wrong}"}


def _error(tables: Tables, name: Slice, threads: int, *, distances: bool) -> str | None:
    try:
        found = verify_endgames(tables.core, name, distances=distances, threads=threads)
    except ValueError:
        return "a block cannot be read"
    if found.positions != endgame_positions(name):
        return f"there are {found.positions:,} positions instead of {endgame_positions(name):,}"
    if found.first_error is not None:
        return f"{found.errors:,} positions do not agree with their moves, one is {found.first_error.text}"
    return None
