"""Building endgame tables in a folder: what is finished is kept, so a build can be stopped or killed at any instant.

FOLDER/5.results, 5.distances    finished tables
FOLDER/building/5/1-1-2-1.results, ...    the finished pairs of slices of a table that is being built
"""

import contextlib
import fcntl
import functools
import os
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ludus._core.draughts import EndgameBuilder, endgame_positions, endgame_slices
from ludus.endgames import schedule
from ludus.endgames.files import BadTable, Kind, Slice, TableFile, read, write
from ludus.endgames.folder import MOST_PIECES, MOST_WITH_DISTANCES
from ludus.endgames.schedule import Pair
from ludus.files import make_folder, output_folder

BUILDING = "building"
_BESIDES = 200 << 20  # bytes of memory for everything but slices: the files are mapped and written from memory

# Bytes of the finished files of each number of pieces, rounded up: for the check of the disk. Of 6 it is a guess.
_FILES = {2: 4_000, 3: 100_000, 4: 2_500_000, 5: 65_000_000, 6: 250_000_000}


class Progress(NamedTuple):
    """How far a build is."""

    done: int  # positions of finished pairs
    built: int  # those of them that this call has built
    total: int  # positions
    pieces: int
    pair: Pair  # that is being built
    distance: int  # in plies, of the positions that are being found; -1 at the beginning


@dataclass(frozen=True)
class Plan:
    """What there is to build, and what it takes."""

    folder: Path
    missing: list[int]  # numbers of pieces
    positions: int  # of the missing tables, those of finished pairs included
    memory: int  # bytes
    disk: int  # bytes
    free: int  # bytes on the disk


def kinds(pieces: int) -> list[Kind]:
    """The kinds of files that a table has."""
    return [Kind.RESULTS, Kind.DISTANCES] if pieces <= MOST_WITH_DISTANCES else [Kind.RESULTS]


def plan(pieces: int, folder: Path) -> Plan:
    """What is missing in the folder of the tables of 2 to `pieces` pieces.

    Raises BadTable if a file that is there is not the table that its name says, or if the disk is too full. Raises
    BadOutput if no table can be written there.
    """
    if not 2 <= pieces <= MOST_PIECES:
        raise BadTable(f"endgame tables are built for 2 to {MOST_PIECES} pieces, not for {pieces}")
    names = [kind.file_name(count) for count in range(2, pieces + 1) for kind in kinds(count)]
    output_folder(folder, "a build of tables", names, ())
    missing = [count for count in range(2, pieces + 1) if len(_finished(folder, count)) < len(kinds(count))]
    memory = _BESIDES
    if missing:
        most = missing[-1]
        lower = sum(schedule.size(endgame_slices(count)) for count in range(2, most))
        memory += schedule.memory(most) + lower
    parts = sum(path.stat().st_size for path in (folder / BUILDING).rglob("*") if path.is_file())
    # While a table is put together, its parts are there as well.
    disk = max(
        0, sum(_FILES[count] for count in missing) + max((_FILES[count] for count in missing), default=0) - parts
    )
    place = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free = shutil.disk_usage(place).free
    if free < disk:
        raise BadTable(
            f"the disk of {folder} is too full: {disk / 1e6:,.1f} MB are needed and {free / 1e6:,.1f} MB are free"
        )
    return Plan(folder, missing, sum(map(schedule.positions, missing)), memory, disk, free)


def build(plan: Plan, threads: int, report: Callable[[Progress], None]) -> None:
    """Builds what the plan says. `report` is called several times a second; what it raises ends the build.

    Raises BadTable if a file is broken or another process builds in the folder, and OSError. What is finished is kept.
    """
    if not plan.missing:
        return
    with _locked(plan.folder):
        done = built = 0
        for pieces in plan.missing:
            _clean(plan.folder, pieces)
            built = _Table(plan, pieces, threads).build(done, built, report)
            done += schedule.positions(pieces)
        with contextlib.suppress(OSError):  # something of the user's is in it
            (plan.folder / BUILDING).rmdir()


class _Table:
    """The build of the table of one number of pieces."""

    def __init__(self, plan: Plan, pieces: int, threads: int) -> None:
        self.plan = plan
        self.pieces = pieces
        self.threads = threads
        self.parts = plan.folder / BUILDING / str(pieces)
        self.builder = EndgameBuilder()
        self.files: dict[Slice, dict[Kind, TableFile]] = {}  # where finished slices are
        for count in range(2, pieces):
            for file in _finished(plan.folder, count).values():
                self._add(file)

    def build(self, done: int, built: int, report: Callable[[Progress], None]) -> int:
        """Builds all pairs that are not finished, and puts the table together. Returns how many positions are built."""
        for pair in schedule.pairs(self.pieces):
            positions = sum(map(endgame_positions, pair))
            if not self._add_parts(pair):
                self._build(pair, functools.partial(self._report, report, done, built, pair))
                self._add_parts(pair)
                built += positions
            done += positions
            self._report(report, done, built, pair, -1)
        self.builder = EndgameBuilder()  # frees its memory
        finished = _finished(self.plan.folder, self.pieces)
        for kind in kinds(self.pieces):
            if kind not in finished:
                sections = [(name, self.files[name][kind].sections[name]) for name in endgame_slices(self.pieces)]
                write(self.plan.folder / kind.file_name(self.pieces), kind, self.pieces, sections)
        _clean(self.plan.folder, self.pieces)
        for pair in schedule.pairs(self.pieces):
            for kind in kinds(self.pieces):
                self._part(pair, kind).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.parts.rmdir()
        return built

    def _report(self, report: Callable[[Progress], None], done: int, built: int, pair: Pair, distance: int) -> bool:
        report(Progress(done, built, self.plan.positions, self.pieces, pair, distance))
        return True

    def _build(self, pair: Pair, progress: Callable[[int], bool]) -> None:
        """Builds a pair and writes its parts."""
        self._make_room(pair)
        for name in sorted(set().union(schedule.crowned(pair), *map(schedule.after_captures, pair))):
            self._load(name)
        self.builder.build(pair[0], self.threads, progress)
        with ThreadPoolExecutor(self.threads) as executor:
            encode = {Kind.RESULTS: self.builder.results, Kind.DISTANCES: self.builder.distances}
            sections = {kind: executor.map(encode[kind], pair) for kind in kinds(self.pieces)}
        for kind in kinds(self.pieces):
            write(self._part(pair, kind), kind, self.pieces, list(zip(pair, sections[kind], strict=True)))

    def _make_room(self, pair: Pair) -> None:
        """Drops slices of as many pieces until those that are needed for a pair fit the memory."""
        needed = schedule.crowned(pair)
        there = [name for name in endgame_slices(self.pieces) if self.builder.has(name)]
        to_load = {name for name in needed if not self.builder.has(name)}
        room = schedule.memory(self.pieces) - schedule.size(pair) - schedule.size(to_load) - schedule.size(there)
        for name in there:
            if room >= 0:
                break
            if name not in needed:
                self.builder.drop(name)
                room += schedule.size([name])

    def _load(self, name: Slice) -> None:
        """Puts a finished slice back in memory, with those to which its captures lead."""
        if self.builder.has(name):
            return
        for lower in schedule.after_captures(name):
            self._load(lower)
        files = self.files[name]
        # Distances of more pieces are not written, and without them they are small enough for a byte.
        exact = self.pieces <= MOST_WITH_DISTANCES
        distances = files[Kind.DISTANCES].sections[name] if exact else None
        try:
            self.builder.load(name, files[Kind.RESULTS].sections[name], distances, self.threads)
        except ValueError as error:
            path = files[Kind.RESULTS].path
            raise BadTable(f"{path} is broken: {error}; delete it and build it again") from error

    def _part(self, pair: Pair, kind: Kind) -> Path:
        return self.parts / f"{'-'.join(map(str, pair[0]))}.{kind.name.lower()}"

    def _add_parts(self, pair: Pair) -> bool:
        """Opens the parts of a pair; False if they are not finished or broken, so that they are to be built."""
        files = []
        for kind in kinds(self.pieces):
            try:
                file = read(self._part(pair, kind))
                file.check_digest()
            except BadTable:
                return False
            if (file.kind, file.pieces, tuple(file.sections)) != (kind, self.pieces, pair):
                return False
            files.append(file)
        for file in files:
            self._add(file)
        return True

    def _add(self, file: TableFile) -> None:
        for name in file.sections:
            self.files.setdefault(name, {})[file.kind] = file


def _finished(folder: Path, pieces: int) -> dict[Kind, TableFile]:
    """The finished files of a table. Raises BadTable if one of them is not what its name says."""
    found = {}
    for kind in kinds(pieces):
        path = folder / kind.file_name(pieces)
        if not path.exists() and not path.is_symlink():
            continue
        file = read(path)
        if (file.kind, file.pieces) != (kind, pieces) or not file.is_whole:
            raise BadTable(f"{path} is in the way: it is not the table that its name says")
        file.check_digest()
        found[kind] = file
    return found


def _clean(folder: Path, pieces: int) -> None:
    """Removes files that were being written when an earlier build was killed."""
    ours = re.compile(rf"\.({pieces}|\d(-\d){{3}})\.(results|distances)\.[0-9a-f]{{8}}")
    for place in (folder, folder / BUILDING / str(pieces)):
        for path in place.glob(".*"):
            if ours.fullmatch(path.name):
                path.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other builds out of the folder. The lock ends with the process, however it ends."""
    make_folder(folder)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadTable(f"another process builds endgame tables in {folder}") from error
        yield
    finally:
        os.close(descriptor)
