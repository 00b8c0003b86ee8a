"""Studies: a small one from end to end, and what is done is never done again."""

import re
import shutil
import signal
import subprocess
import sys
from contextlib import closing

import pytest

from ludus.arena.samples import Summary, welch
from ludus.learning.td import Td
from ludus.reports import write_study
from ludus.studies import BadStudy, tictactoe3d, trials
from ludus.studies.tictactoe3d import NETWORKS, Scale, Study
from ludus.studies.trials import Trial, TrialResult, TrialStore
from ludus.workers import Workers

TINY = Scale(trials=2, games=4, test_games=2)
CELLS = 5 + 7 + 3 * 5  # Table II, beyond it, and Table III for three orders


@pytest.fixture(scope="module")
def study():
    return Study(TINY, seed=3)


@pytest.fixture(scope="module")
def done(study, tmp_path_factory):
    """The folder of the tiny study."""
    folder = tmp_path_factory.mktemp("study")
    assert filled(folder, study.steps(), 2) == 2 * CELLS
    return folder


def filled(folder, wanted, threads, work=trials.run):
    """Runs what is missing; how much it was."""
    with closing(TrialStore(folder)) as kept, Workers.open(threads) as workers:
        return sum(1 for _ in kept.fill(wanted, workers, work))


def sections(study, folder):
    with closing(TrialStore(folder)) as kept:
        return study.sections(kept)


def copied(done, tmp_path):
    shutil.copytree(done, tmp_path / "study")
    return tmp_path / "study"


def test_the_cells_are_those_of_the_paper_and_ours(study):
    wanted = study.steps()
    assert len(wanted) == 2 * CELLS and len({trial.key for trial in wanted}) == len(wanted)
    assert [trial.cell for trial in wanted[:5]] == [f"{network}, self-play" for network in NETWORKS]
    assert {trial.options["seed"] for trial in wanted[:CELLS]} == {3}  # the first trial of every cell comes first
    assert {trial.options["seed"] for trial in wanted[CELLS:]} == {4}
    against = [trial.options for trial in wanted[:CELLS] if "against" in trial.options]
    assert sorted((options["order"], options["network"]) for options in against) == sorted(
        (order, network) for order in ("move", "game", "biased") for network in NETWORKS
    )


def test_the_full_scale_is_the_paper_s():
    assert tictactoe3d.SCALES["full"] == (10, 1_000_000, 1000)
    (trial, *_) = Study(tictactoe3d.SCALES["full"], 1).steps()
    assert (trial.options["games"], trial.options["test_every"], trial.options["test_games"]) == (10**6, 10**4, 1000)


def test_the_tables_stand_beside_the_paper_s(study, done):
    text, page = write_study(done, study.title, sections(study, done), "ludus study tictactoe3d", 3, 2)
    for words in ("Table II", "Beyond Table II", "chance at every move", "chance once a game", "a biased shuffle"):
        assert words in text
    assert "no reproduction" in text and "Trials a cell: 2, of 4 games" in text
    for claim in ("65.9", "52.7", "98.7", "97.3", "Welch's test"):
        assert claim in text
    assert (
        "ludus study tictactoe3d" in (done / "tables.md").read_text()
        and "seeds 3 to 4" in (done / "tables.md").read_text()
    )
    content = page.read_text()
    assert content.count("<svg") == 5
    asked = re.findall(r"""(?:src|href)\s*=\s*["']?([^"'\s>]+)|url\(([^)]*)\)|@import""", content)
    assert all(any(part.startswith(("#", "data:")) for part in found) for found in asked)
    assert not re.search(r"<(?:script|link|iframe|img)\b[^>]*https?:", content)


def test_every_trial_is_printed_with_its_time(study, done):
    ends, times = sections(study, done)[-1].parts[1:]
    assert len(ends.rows) == len(times.rows) == CELLS
    assert ends.columns[-2:] == ("seed 3", "seed 4") and all("-" not in row[3:] for row in (*ends.rows, *times.rows))


def test_networks_with_several_structured_layers_have_rows_beyond_table_ii(study, done):
    (beyond,) = (section for section in sections(study, done) if section.heading.startswith("Beyond"))
    rows = [row[0] for row in beyond.parts[0].rows]
    assert rows == ["deep-structured, self-play", *tictactoe3d.BEYOND]
    assert {"plane-structured", "cell-structured", "cell-plane-structured"} < set(rows)


def test_what_is_done_is_not_done_again(study, done, tmp_path):
    folder = copied(done, tmp_path)

    def forbidden(trial):
        raise AssertionError(trial)

    assert filled(folder, study.steps(), 1, forbidden) == 0
    more = Study(TINY._replace(trials=3), seed=3).steps()
    ran = []

    def noted(trial):
        ran.append(trial.options["seed"])
        return TrialResult(trial=trial, lines=[])

    assert filled(folder, more, 1, noted) == CELLS and set(ran) == {5}


def test_the_number_of_workers_changes_nothing(study, done, tmp_path):
    some = study.steps()[::7]
    assert filled(tmp_path, some, 1) == len(some)
    with closing(TrialStore(tmp_path)) as one, closing(TrialStore(done)) as two:
        assert [one[trial] for trial in some] == [two[trial] for trial in some]
        assert all(len(one[trial]) == 4 for trial in some)


def test_a_line_that_a_crash_cut_short_is_run_again(study, done, tmp_path):
    folder = copied(done, tmp_path)
    journal = folder / trials.JOURNAL
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-100])
    assert filled(folder, study.steps(), 1) == 1

    def results(content):
        return sorted(re.sub(rb'"(cpu|crc32)":[^,}]+', b"", line) for line in content.splitlines())

    assert results(journal.read_bytes()) == results(whole)


@pytest.mark.parametrize(
    "spoil", [lambda b: b"hello\n" + b, lambda b: b.replace(b'"trial"', b'"trail"', 1), lambda b: b[:50] + b"\n" + b]
)
def test_a_broken_journal_is_a_sentence_and_stays_as_it_is(done, tmp_path, spoil):
    folder = copied(done, tmp_path)
    journal = folder / trials.JOURNAL
    spoilt = spoil(journal.read_bytes())
    journal.write_bytes(spoilt)
    with pytest.raises(BadStudy, match=r"trials\.jsonl is no file of trials, or a broken one: "):
        TrialStore(folder)
    assert journal.read_bytes() == spoilt


def test_two_processes_cannot_work_on_it(tmp_path):
    with closing(TrialStore(tmp_path)), pytest.raises(BadStudy, match="another process is at work"):
        TrialStore(tmp_path)


def test_a_study_that_cannot_be_kept_is_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadStudy, match=r"a study cannot be kept in .*/file"):
        TrialStore(tmp_path / "file")


def curve(end, tests=10):
    return [float(end)] * tests


def test_a_star_marks_what_differs_from_the_paper():
    paper = tictactoe3d.TABLE_II
    alike = {network: [curve(claim.end[0] - 5), curve(claim.end[0] + 5)] for network, claim in paper.items()}
    far = {network: [curve(99 + index / 10) for index in range(10)] for network in paper}
    index = tictactoe3d.compared(paper, alike).columns.index("end, %")
    for row in tictactoe3d.compared(paper, alike).rows:
        assert row[index].mark == ""
    for row, claim in zip(tictactoe3d.compared(paper, far).rows, paper.values(), strict=True):
        ours = Summary(99.45, 0.3027650354, 10)
        assert row[index].mark == "*" and welch(ours, Summary(*claim.end, 10)).p < 0.05
        assert row[index].text.startswith("99.") and f"{claim.end[0]:.1f}" in row[index + 1]
    # One trial proves nothing, and none is a dash.
    single = tictactoe3d.compared(paper, {network: [curve(99)] for network in paper})
    assert all(row[index].mark == "" for row in single.rows)
    none = tictactoe3d.compared(paper, {network: [] for network in paper})
    assert all(row[index].text == "-" for row in none.rows)


def test_a_trial_is_its_learner_and_its_seed():
    one, same, other = (Trial.of(cell, Td(seed=seed)) for cell, seed in (("a", 1), ("b", 1), ("a", 2)))
    assert one.key == same.key != other.key


def test_the_command_goes_on_where_it_was(run, monkeypatch, tmp_path):
    monkeypatch.setitem(tictactoe3d.SCALES, "quick", TINY._replace(trials=1))
    monkeypatch.chdir(tmp_path)
    command = ("study", "tictactoe3d", "--concurrency", 2)
    status, out, err = run(*command)
    assert status == 0 and "the report: studies/tictactoe3d-quick/report.html" in out
    assert f"{CELLS} of {CELLS} trials" in err
    again = run(*command)
    assert again == (0, out, "")
    (tmp_path / "studies/tictactoe3d-quick" / trials.JOURNAL).write_text("{}\n")
    status, _, err = run(*command)
    assert status == 2 and "is no file of trials" in err and err.count("\n") == 1


def test_a_study_that_is_stopped_writes_what_it_has(tmp_path):
    command = [sys.executable, "-m", "ludus", "study", "tictactoe3d", "--concurrency", "1", "--out", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert "54 trials are left, about 2 minutes of processor time" in process.stderr.readline()
        assert "1 of 54 trials" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 130 and "stopped; the same command continues" in said and "Traceback" not in said
    tables = (tmp_path / "tables.md").read_text()
    assert "1 of 54 trials are done." in tables and "| small-structured |" in tables
    assert (tmp_path / "report.html").exists()
