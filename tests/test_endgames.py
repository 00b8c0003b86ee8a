"""Endgame tables: known numbers and endings, other proofs of the same, and files that are broken."""

import random
import shutil

import pytest

from endgame_positions import proved_distance, random_position, short_wins
from ludus import endgames
from ludus._core.draughts import EndgameBuilder, endgame_positions, endgame_slices
from ludus.endgames import BadTable, NoTable, Result, files, schedule, verify
from ludus.endgames.files import Kind
from ludus.endgames.folder import SHIPPED, default_folder
from ludus.games import draughts


@pytest.fixture
def folder(tmp_path):
    """A folder with the tables of 2 and 3 pieces."""
    for path in verify.table_files(SHIPPED):
        if path.stem in "23":
            shutil.copy(path, tmp_path)
    return tmp_path


# Known numbers.


@pytest.mark.parametrize(
    ("pieces", "known"), [(2, 3_488), (3, 196_032), (4, 6_209_316), (5, 139_450_808), (6, 2_426_085_676)]
)
def test_the_numbers_of_positions_are_the_published_ones(pieces, known):
    assert schedule.positions(pieces) == known


def test_the_numbers_of_positions_with_kings_only_are_the_published_ones():
    known = {(1, 1): 992, (2, 1): 14_880, (2, 2): 215_760, (3, 1): 143_840, (3, 2): 2_013_760, (3, 3): 18_123_840}
    assert {kings: endgame_positions((0, kings[0], 0, kings[1])) for kings in known} == known


@pytest.mark.parametrize("pieces", [2, 3, 4, 5, 6])
def test_every_slice_is_built_once_after_those_that_it_needs(pieces):
    built = set()
    for pair in schedule.pairs(pieces):
        assert schedule.crowned(pair) <= built
        assert not built & set(pair)
        built |= set(pair)
    assert built == set(endgame_slices(pieces))


# Known endings.


def verdict(text):
    return endgames.load(4).verdict(draughts.Position(text))


def test_known_endings_have_their_results():
    assert verdict("W:WK32,K31:BK1").result is Result.WIN  # two kings beat one
    assert verdict("W:WK32,K14:BK29").result is Result.WIN  # in the double corner too
    assert verdict("W:WK32:BK1") == (Result.DRAW, None)
    assert verdict("B:W9,14:B5") == (Result.LOSS, 0)  # no move at all
    assert verdict("W:W13,14:B5") == (Result.WIN, 1)  # 13-9 leaves none


# http://www.acfcheckers.com/std2.html, "Winning 1st position", the main line. White to move.
FIRST_POSITION = "W:W20,K15:B12,K28"
MAIN_LINE = """
15-19 28-32 20-16 32-28 16-11 28-32 11-7 32-28 7-3 28-32 3-7 32-28 7-10 28-32 10-15 32-28 15-18 28-32 18-23 32-28
23-27 28-32 19-23 32-28 27-32 28-24 23-18 24-28 18-15 28-24 32-28 24-27 15-18 12-16 28-32 27-24 18-15 24-28 15-11
16-19 32-27 28-32 27-31 32-28 11-15
"""


def test_the_first_position_is_won_by_the_published_moves():
    tables, position = endgames.load(4), draughts.Position(FIRST_POSITION)
    for text in MAIN_LINE.split():
        best = tables.moves(position)[0][1]
        move = position.move(text)
        if position.turn is position.turn.WHITE:
            assert best.result is Result.WIN
            assert dict(tables.moves(position))[move] == best, text  # none of them wastes a ply
        else:
            assert best.result is Result.LOSS
        if text == "15-11":  # the same source: Banks played 15-18 against Henderson here, which only draws
            assert dict(tables.moves(position))[position.move("15-18")].result is Result.DRAW
        position = position.play(move)
    assert tables.verdict(position).result is Result.LOSS


def test_the_best_line_takes_as_many_plies_as_the_distance_says():
    tables, chance = endgames.load(4), random.Random(3)
    for _ in range(200):
        position = random_position(chance, 4)
        found, line = tables.verdict(position), tables.line(position)
        if found.result is Result.DRAW:
            assert len(line) == 1
            continue
        assert len(line) == found.distance
        for move in line:
            position = position.play(move)
        assert position.outcome() is not None


def test_moves_come_best_first_and_the_first_has_the_verdict_of_the_position():
    tables, chance = endgames.load(4), random.Random(4)
    for _ in range(300):
        position = random_position(chance, chance.randint(2, 4))
        moves = tables.moves(position)
        worths = [verdict.worth for _, verdict in moves]
        assert worths == sorted(worths, reverse=True)
        assert {move for move, _ in moves} == set(position.moves())
        if moves:
            assert moves[0][1] == tables.verdict(position)


# Other proofs of the same.


def test_alphabeta_without_tables_proves_short_wins():
    found = list(short_wins(endgames.load(4), 300, 11))
    assert len(found) > 50
    for position, distance in found:
        assert proved_distance(position, distance) == distance, position.text


def test_every_entry_agrees_with_its_moves(folder):
    checked, broken = verify.verify(folder, 2, lambda _: None)
    assert broken == {}
    assert [(table.pieces, table.positions) for table in checked] == [(2, 3_488), (3, 196_032)]


def test_the_tables_of_the_package_are_whole():
    assert [path.name for path in verify.table_files(SHIPPED)] == [
        f"{pieces}.{kind}" for pieces in (2, 3, 4) for kind in ("results", "distances")
    ]
    assert verify.broken_files(SHIPPED) == {}


# Broken files.


def test_every_flipped_bit_is_found_and_its_file_named(folder):
    chance, paths = random.Random(5), verify.table_files(folder)
    whole = {path: path.read_bytes() for path in paths}
    for _ in range(1000):
        path = chance.choice(paths)
        content = bytearray(whole[path])
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        broken = verify.broken_files(folder)
        assert list(broken) == [path] and str(path) in broken[path]
        path.write_bytes(whole[path])
    assert verify.broken_files(folder) == {}


def test_wrong_entries_under_a_right_digest_are_found(folder):
    for kind in (Kind.DISTANCES, Kind.RESULTS):
        path = folder / kind.file_name(3)
        sections = dict(files.read(path).sections)
        one, other = (0, 2, 0, 1), (0, 1, 0, 2)  # as many positions
        sections[one], sections[other] = sections[other], sections[one]
        files.write(path, kind, 3, list(sections.items()))
        assert verify.broken_files(folder) == {}
        _, broken = verify.verify(folder, 1, lambda _: None)
        assert list(broken) == [path] and "is wrong" in broken[path]


def cut(content):
    return content[:-1]


BREAKS = {
    "empty": (lambda content: b"", "is no endgame table"),
    "foreign": (lambda content: b"hello, I am a text\n" * 100, "is no endgame table"),
    "cut short": (cut, "is cut short"),
    "only a header": (lambda content: content[:16], "is cut short"),
    "half a directory": (lambda content: content[:60], "is cut short"),
    "longer": (lambda content: content + b"0", "is longer than it says"),
    "another version": (lambda content: content[:8] + b"\x09\x00" + content[10:], "of version 9"),
    "another kind": (lambda content: content[:10] + b"\x07" + content[11:], "its header makes no sense"),
    "another number": (lambda content: content[:11] + b"\x00" + content[12:], "its header makes no sense"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_file_is_one_sentence(folder, run, name):
    change, reason = BREAKS[name]
    path = folder / "3.results"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(BadTable, match=reason):
        endgames.load(3, folder)
    status, _, err = run("endgame", "verify", folder)
    assert status == 1 and err.count("\n") == 1 and str(path) in err and reason in err
    status, out, err = run("endgame", "build", "--pieces", "3", "--out", folder)
    assert (status, out) == (2, "") and err.count("\n") == 1 and str(path) in err
    status, out, err = run("endgame", "probe", "--folder", folder, "W:WK32,K31:BK1")
    assert (status, out) == (2, "") and err.count("\n") == 1 and str(path) in err


def test_a_table_under_a_wrong_name_is_refused(folder):
    (folder / "3.results").replace(folder / "2.results")
    with pytest.raises(BadTable, match="is not the whole table of the results of 2 pieces"):
        endgames.load(3, folder)
    (folder / "mine.results").write_bytes(b"")
    assert "is not named as a table is" in verify.broken_files(folder)[folder / "mine.results"]


def test_a_folder_in_place_of_a_file_is_one_sentence(folder):
    (folder / "3.results").unlink()
    (folder / "3.results").mkdir()
    assert "cannot be read" in verify.broken_files(folder)[folder / "3.results"]


# Where tables are.


def test_a_table_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(NoTable, match="build it with: ludus endgame build --pieces 5"):
        endgames.load(5, tmp_path)
    with pytest.raises(NoTable, match="2 to 6 pieces, not of 9"):
        endgames.load(9, tmp_path)


def test_the_folder_is_that_of_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_ENDGAMES", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("LUDUS_ENDGAMES")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert default_folder() == tmp_path / "ludus" / "endgames"
    monkeypatch.setattr("sys.platform", "darwin")
    assert default_folder().parts[-4:] == ("Library", "Application Support", "ludus", "endgames")


def test_the_digest_names_the_content(folder, tmp_path):
    assert endgames.load(3, folder).digest == endgames.load(3, tmp_path / "none").digest
    assert endgames.load(2, folder).digest != endgames.load(3, folder).digest


def test_positions_outside_the_tables_have_no_verdict():
    tables = endgames.load(3)
    position = draughts.Position("W:WK32,K31:BK1,K2")
    assert tables.verdict(position) is None
    assert tables.moves(position) == [] and tables.line(position) == []
    assert tables.verdict(draughts.Position("W:WK32:B")) is None
    assert endgames.covering(draughts.START) is None


# The core.


def test_a_slice_that_is_put_back_gives_the_same_sections():
    builder, again = EndgameBuilder(), EndgameBuilder()
    for pieces in (2, 3):
        for pair in schedule.pairs(pieces):
            assert builder.build(pair[0], 2, lambda _: True)
            for name in pair:
                sections = builder.results(name), builder.distances(name)
                again.load(name, *sections, threads=2)
                assert (again.results(name), again.distances(name)) == sections


def test_a_build_ends_when_it_is_told_and_says_what_it_lacks():
    builder = EndgameBuilder()
    assert not builder.build((0, 1, 0, 1), 1, lambda _: False)
    assert not builder.has((0, 1, 0, 1))
    with pytest.raises(ValueError, match="a slice is needed that was not built"):
        builder.build((0, 2, 0, 1), 2, lambda _: True)
    with pytest.raises(ValueError, match="not in memory"):
        builder.results((0, 1, 0, 1))
    with pytest.raises(ZeroDivisionError):
        builder.build((0, 1, 0, 1), 2, lambda _: 1 / 0)
    for bad in ((0, 0, 0, 1), (-1, 2, 0, 1), (9, 0, 1, 0), (4, 4, 4, 4)):
        with pytest.raises(ValueError, match="a slice has"):
            builder.build(bad, 1, lambda _: True)
