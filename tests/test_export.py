"""The record of a run as CSV and Parquet."""

import csv
import sys

import pytest

from ludus import players
from ludus.learning.td import Td
from ludus.runs import Run, export
from ludus.workers import Workers


@pytest.fixture
def folder(tmp_path):
    run = Run.create(tmp_path / "run", Td(game="tictactoe3d", games=200, test_every=100, test_games=10), "a test")
    list(run.train(Workers()))
    return run.folder


def test_csv_has_a_row_a_line_and_a_column_a_field(run, folder, tmp_path):
    status, out, _ = run("export", folder, "--csv", tmp_path / "record.csv")
    with (tmp_path / "record.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    record = Run.open(folder).record()
    assert status == 0
    assert out == f"{tmp_path / 'record.csv'}: {len(record)} rows, {len(rows[0])} columns\n"
    assert [int(row["games"]) for row in rows] == [line["games"] for line in record]
    assert [float(row["error"]) for row in rows] == [line["error"] for line in record]


def test_parquet_has_the_same_values(run, folder, tmp_path):
    reader = pytest.importorskip("pyarrow.parquet")
    assert run("export", folder, "--parquet", tmp_path / "record.parquet")[0] == 0
    assert reader.read_table(tmp_path / "record.parquet").to_pylist() == Run.open(folder).record()


def test_parquet_keeps_lists_and_writes_mixed_values_as_text():
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    table = export.Table(["list", "mixed", "number"], [[[1, 2], "a", 1], [None, 7, 0.5]])
    read = parquet.read_table(pyarrow.BufferReader(export.parquet(table))).to_pylist()
    assert read == [{"list": [1, 2], "mixed": '"a"', "number": 1.0}, {"list": None, "mixed": "7", "number": 0.5}]


def test_fields_inside_fields_have_columns_of_their_own():
    assert dict(export._fields({"a": 1, "b": {"c": 2, "d": {"e": [3]}}})) == {"a": 1, "b.c": 2, "b.d.e": [3]}


def test_without_pyarrow_there_is_a_sentence(run, folder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, _, err = run("export", folder, "--parquet", tmp_path / "record.parquet")
    assert (status, err) == (2, "ludus: Parquet needs pyarrow: pip install pyarrow\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "name a file with --csv, --parquet or --onnx"),
        (("--csv", "{}/there.csv"), "{}/there.csv exists and is not empty; nothing was changed"),
        (
            ("--csv", "{}/there.csv", "--onnx", "{}/new.onnx"),
            "{}/there.csv exists and is not empty; nothing was changed",
        ),
        (("--csv", "{}/one", "--parquet", "{}/one"), "one file cannot have two formats: name different files"),
        (("--csv", "{}/nowhere/record.csv"), "there is no folder {}/nowhere: make it first, or choose another"),
    ],
)
def test_what_cannot_be_written_gets_a_sentence(run, folder, tmp_path, words, sentence):
    (tmp_path / "there.csv").write_text("mine")
    status, _, err = run("export", folder, *(word.format(tmp_path) for word in words))
    assert (status, err) == (2, f"ludus: {sentence.format(tmp_path)}\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "there.csv"]


def test_a_run_is_exported_as_a_model_that_plays(run, folder, tmp_path):
    pytest.importorskip("onnxruntime")
    file = tmp_path / "net.onnx"
    status, out, err = run("export", folder, "--onnx", file, "--csv", tmp_path / "record.csv")
    assert (status, err) == (0, "")
    assert out.startswith(f"{file}: ") and "gives the player's values on 10,000 positions" in out
    assert players.load(file).game == "tictactoe3d"
    assert (tmp_path / "record.csv").exists()


def test_what_is_no_run_gets_a_sentence(run, tmp_path):
    status, _, err = run("export", tmp_path, "--csv", tmp_path / "record.csv")
    assert (status, err) == (2, f"ludus: {tmp_path} is no run: it has no config.toml\n")


def test_a_finished_run_without_its_record_gets_a_sentence(run, folder, tmp_path):
    (folder / "progress.jsonl").write_text("")
    status, _, err = run("export", folder, "--csv", tmp_path / "record.csv")
    assert status == 2 and err.startswith("ludus: ") and "progress.jsonl" in err
    assert not (tmp_path / "record.csv").exists()
