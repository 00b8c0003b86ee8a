"""Checksums: a changed digit is found, named and can be mended; what earlier versions wrote is still read."""

import json
import random
import re

import pytest

from ludus import lines, players
from ludus.arena.journal import BadJournal, Journal
from ludus.learning import registry
from ludus.lines import BadLine, read, sealed, unsealed
from ludus.players import BadPlayer
from ludus.runs import BadRun, Run, RunState, session
from ludus.runs.folder import RECORD, TIMES
from ludus.studies import BadStudy
from ludus.studies.trials import Trial, TrialStore
from ludus.workers import Workers
from test_runs import Counting, kinds, result, train, uninterrupted  # noqa: F401  # fixtures

ROWS = [b'{"a":1,"b":"x"}', b"{}", b'{"c":[1.5,2.25]}', b'{"d":null}']


def text(rows, ordered=False):
    return b"".join(sealed(row, number if ordered else 0) + b"\n" for number, row in enumerate(rows, 1))


def values(content, ordered=False):
    return [line.value for line in read(content.splitlines(keepends=True), json.loads, ordered=ordered)]


@pytest.mark.parametrize("ordered", [False, True])
def test_what_was_written_is_read(ordered):
    assert values(text(ROWS, ordered), ordered) == [json.loads(row) for row in ROWS]
    assert all("crc32" in json.loads(line) for line in text(ROWS, ordered).splitlines())


@pytest.mark.parametrize("ordered", [False, True])
def test_every_changed_bit_is_found_and_its_line_is_named(ordered):
    content = text(ROWS, ordered)
    starts = [0, *(match.end() for match in re.finditer(b"\n", content))]
    for at in range(len(content)):
        if content[at : at + 1] == b"\n":  # two lines become one, or the last one is torn
            continue
        for bit in range(8):
            changed = bytearray(content)
            changed[at] ^= 1 << bit
            if changed[at : at + 1] == b"\n":
                continue
            with pytest.raises(BadLine) as error:
                values(bytes(changed), ordered)
            assert error.value.number == sum(start <= at for start in starts)


def test_a_line_end_that_was_changed_is_found_or_tears_the_last_line():
    content = text(ROWS)
    for at in (match.start() for match in re.finditer(b"\n", content)):
        changed = content[:at] + b" " + content[at + 1 :]
        if at == len(content) - 1:
            assert len(values(changed)) == len(ROWS) - 1
        else:
            with pytest.raises(BadLine):
                values(changed)


def test_lines_that_changed_places_are_found_where_the_order_matters():
    rows = text(ROWS, ordered=True).splitlines(keepends=True)
    with pytest.raises(BadLine):
        values(rows[1] + rows[0], ordered=True)
    assert len(values(b"".join(text(ROWS).splitlines(keepends=True)[::-1]))) == len(ROWS)


def test_a_file_of_an_earlier_version_has_no_checksums_and_gets_none(tmp_path):
    old = b'{"tables":"ff839622c02b"}\n{"b":2}\n'
    assert len(values(old)) == 2
    with pytest.raises(BadLine, match=r"line 3 .* it has a checksum"):
        values(old + text(ROWS))
    with pytest.raises(BadLine, match=r"line 5 .* it has no checksum"):
        values(text(ROWS) + old)
    path = tmp_path / "a.jsonl"
    assert lines.has_checksums(path)
    for content, expected in ((b"", True), (b'{"a', True), (old, False), (text(ROWS), True)):
        path.write_bytes(content)
        assert lines.has_checksums(path) == expected


@pytest.mark.parametrize("ordered", [False, True])
def test_a_checksum_that_is_no_longer_one_is_found(ordered):
    content = text(ROWS, ordered)
    end = content.index(b"\n")
    for at in range(end - 20, end):
        for put in (b"x", b'"', b", and more", b'","z":"'):
            for changed in (content[:at] + put + content[at:], content[:at] + put + content[end - 1 :]):
                if changed != content:
                    with pytest.raises(BadLine):
                        values(changed, ordered)


def test_a_body_is_checked_with_what_belongs_to_it():
    line = sealed(b'{"a":1}', more=b"weights")
    assert unsealed(line, more=b"weights") == (b'{"a":1}', True)
    with pytest.raises(ValueError, match="checksum is another"):
        unsealed(line, more=b"heights")


def test_mending_keeps_the_good_lines_and_moves_the_others(tmp_path):
    path = tmp_path / "a.jsonl"
    for ordered in (False, True):
        rows = text(ROWS, ordered).splitlines(keepends=True)
        rows[2] = rows[2].replace(b"1.5", b"1.6")
        path.write_bytes(b"".join(rows))
        assert lines.mend(path, json.loads, ordered=ordered) == 1
        assert values(path.read_bytes(), ordered) == [json.loads(ROWS[i]) for i in (0, 1, 3)]
        assert lines.mend(path, json.loads, ordered=ordered) == 0
    assert (tmp_path / "a.jsonl.broken").read_bytes().count(b"1.6") == 2
    path.write_bytes(b"x" + text(ROWS))
    with pytest.raises(BadLine, match="line 1"):
        lines.mend(path, json.loads, header=True)


# Matches


def digits(content):
    return [match.start() for match in re.finditer(rb"[0-9]", content)]


def changed_digit(content, at):
    return content[:at] + str((int(content[at : at + 1]) + 1) % 10).encode() + content[at + 1 :]


MATCH = ("match", "material@nodes=100", "random", "--games", "6")


def test_a_changed_digit_in_a_journal_is_found_mended_and_played_again(run, tmp_path):
    assert run(*MATCH, "--out", tmp_path)[0] == 0
    path, whole = tmp_path / "journal.jsonl", (tmp_path / "result.json").read_bytes()
    good = path.read_bytes()
    chance = random.Random(1)
    for at in chance.sample(digits(good), 25):
        path.write_bytes(changed_digit(good, at))
        line = good[:at].count(b"\n") + 1
        status, out, err = run(*MATCH, "--out", tmp_path)
        assert (status, out) == (2, "") and str(path) in err
        if line > 1:
            assert f"line {line} " in err and "ludus mend" in err
            assert run("mend", tmp_path)[0] == 0
            assert run(*MATCH, "--out", tmp_path)[0] == 0
            assert (tmp_path / "result.json").read_bytes() == whole
        path.write_bytes(good)
        (tmp_path / "journal.jsonl.broken").unlink(missing_ok=True)


def test_a_journal_of_an_earlier_version_is_continued(run, tmp_path):
    assert run(*MATCH, "--out", tmp_path)[0] == 0
    path, whole = tmp_path / "journal.jsonl", (tmp_path / "result.json").read_bytes()
    old = b"".join(unsealed(line)[0] + b"\n" for line in path.read_bytes().splitlines())
    path.write_bytes(b"".join(old.splitlines(keepends=True)[:4]))
    assert run(*MATCH, "--out", tmp_path)[0] == 0
    assert (tmp_path / "result.json").read_bytes() == whole


def test_a_power_cut_loses_only_what_was_not_synced(tmp_path, monkeypatch):
    """The file as it was at its last sync is all that a power cut must leave: what is in it then is read again."""
    from ludus.arena import journal
    from test_match import played

    monkeypatch.setattr(journal, "SYNC_SECONDS", 0.0)
    kept, on_disk = journal.Journal(tmp_path, {"a": 1}), []
    sync = journal.os.fsync
    monkeypatch.setattr(
        journal.os, "fsync", lambda number: (sync(number), on_disk.append((tmp_path / "journal.jsonl").read_bytes()))
    )
    for index in range(5):
        kept.add(played(index))
        (tmp_path / "after").mkdir(exist_ok=True)
        (tmp_path / "after" / "journal.jsonl").write_bytes(on_disk[-1] + bytes(300))  # blocks that were never written
        again = journal.Journal(tmp_path / "after", {"a": 1})
        assert [each.index for each in again] == list(range(index + 1))
        again.close()
    kept.close()


def test_a_header_that_a_power_cut_tore_is_written_again(tmp_path):
    Journal(tmp_path, {"match": 1}).close()
    path = tmp_path / "journal.jsonl"
    whole = path.read_bytes()
    for size in range(len(whole) + 1):
        for torn in (whole[:size], whole[:size].ljust(len(whole), b"\0"), bytes(size) + whole[size:]):
            path.write_bytes(torn)
            Journal(tmp_path, {"match": 1}).close()
            assert path.read_bytes() == whole
    path.write_bytes(whole[:5] + b"mine")
    with pytest.raises(BadJournal, match="is not a journal of games"):
        Journal(tmp_path, {"match": 1})


@pytest.mark.parametrize("arguments", [("nowhere",), (".",)])
def test_mending_needs_a_folder_with_something_to_mend(run, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    status, _, errors = run("mend", *arguments)
    assert status == 2 and "there " in errors


# Runs


@pytest.fixture
def stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "CHECKPOINT_SECONDS", 0.0)
    run = Run.create(tmp_path / "r", Counting(), "ludus train counting")
    train(run, stop=12)
    return run


def test_a_changed_digit_in_the_last_line_of_the_record_is_trained_again(stopped, uninterrupted):  # noqa: F811
    path = stopped.folder / RECORD
    good = path.read_bytes()
    at = digits(good.rstrip(b"\n").rpartition(b'"crc32"')[0])[-1]
    path.write_bytes(changed_digit(good, at))
    with pytest.raises(BadRun, match=rf"{RECORD}: line 6 is not what was written.*ludus train --resume"):
        stopped.record()
    said = []
    train(stopped, said.append)
    assert len(said) == 1 and f"{RECORD}: line 6" in said[0] and "going on from 00000011" in said[0]
    assert result(stopped.folder) == uninterrupted


def test_a_changed_digit_in_an_old_line_of_the_record_is_refused(stopped):
    path = stopped.folder / RECORD
    good = path.read_bytes()
    path.write_bytes(changed_digit(good, digits(good)[0]))
    with pytest.raises(BadRun, match=rf"{RECORD}: line 1 .*to train it anew, type: ludus train counting --config"):
        train(stopped)
    assert stopped.status().state is RunState.BROKEN


def test_a_changed_digit_in_the_times_is_found_and_mended(stopped, run, uninterrupted):  # noqa: F811
    path = stopped.folder / TIMES
    good = path.read_bytes()
    for at in digits(good)[::7]:
        path.write_bytes(changed_digit(good, at))
        with pytest.raises(BadRun, match=rf"{TIMES}: line \d+ .*ludus mend"):
            stopped.times()
    status, _, errors = run("train", "--resume", stopped.folder)
    assert status == 2 and TIMES in errors and "Traceback" not in errors
    assert run("mend", stopped.folder)[0] == 0
    assert run("train", "--resume", stopped.folder)[0] == 0
    assert result(stopped.folder) == uninterrupted


def test_times_that_are_no_times_are_a_sentence(stopped, run):
    (stopped.folder / TIMES).write_text('{"seconds":"many"}\n')
    status, _, errors = run("train", "--resume", stopped.folder)
    assert status == 2 and "is no record of times" in errors
    (stopped.folder / TIMES).write_text("[1]\n")
    status, _, errors = run("train", "--resume", stopped.folder)
    assert status == 2 and "line 1 is broken" in errors


def test_a_changed_player_of_a_finished_run_is_found_and_written_again(tmp_path, uninterrupted, run):  # noqa: F811
    folder = tmp_path / "uninterrupted"
    path = folder / players.RESULT
    good = path.read_bytes()
    for at in random.Random(2).sample(range(8, len(good)), 40):
        path.write_bytes(good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :])
        with pytest.raises(BadPlayer, match=r"ludus train --resume .* writes it again"):
            players.find(str(folder))
    status, _, errors = run("report", folder)
    assert status == 2 and f"ludus train --resume {folder} writes it again" in errors
    assert run("train", "--resume", folder)[0] == 0
    assert result(folder) == uninterrupted


def test_a_player_of_an_earlier_version_is_read(tmp_path, uninterrupted):  # noqa: F811
    content = (tmp_path / "uninterrupted" / players.RESULT).read_bytes()
    old = re.sub(rb',\\"crc32\\":\\"[0-9a-f]{8}\\"', lambda seal: b" " * len(seal[0]), content)
    assert old != content
    (tmp_path / "old.safetensors").write_bytes(old)
    assert players.load(tmp_path / "old.safetensors").name == "sum"


# Trials


def test_a_changed_digit_in_the_trials_is_found_and_mended(tmp_path, run):
    trials = [Trial.of("a", Counting(steps=2, seed=seed)) for seed in range(4)]
    store = TrialStore(tmp_path)
    list(store.fill(trials, Workers()))
    before = [store[trial] for trial in trials]
    store.close()
    path = tmp_path / "trials.jsonl"
    good = path.read_bytes()
    for at in digits(good)[::5]:
        path.write_bytes(changed_digit(good, at))
        with pytest.raises(BadStudy, match=r"line \d .*ludus mend"):
            TrialStore(tmp_path)
    assert run("mend", tmp_path)[0] == 0
    store = TrialStore(tmp_path)
    assert sum(trial in store for trial in trials) == 3
    list(store.fill(trials, Workers()))
    assert [store[trial] for trial in trials] == before
    store.close()


def test_trials_of_a_learner_that_is_gone_are_a_sentence(tmp_path):
    body = b'{"trial":{"cell":"a","kind":"cooking","options":{}},"lines":[],"cpu":null}'
    (tmp_path / "trials.jsonl").write_bytes(sealed(body) + b"\n")
    assert "cooking" not in registry.KINDS
    try:
        TrialStore(tmp_path).close()
    except BadStudy as error:
        assert "line 1" in str(error)
