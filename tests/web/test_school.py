"""The school: runs as they are, live; the forms of the learners; trainings that the page starts, stops and resumes."""

import contextlib
import json
import time

import msgspec
import pytest

from client import Tab, get, running
from ludus.games import draughts
from ludus.learning import options, registry
from ludus.reports import run as run_report
from ludus.reports.figures import LineChart, UnitMap
from ludus.reports.folder import read as read_run
from ludus.reports.page import Figure
from ludus.reports.unit_map import Unit
from ludus.runs import Run, RunState
from ludus.runs import folder as run_folder
from ludus.runs.times import seconds_left, seconds_spent
from ludus.web import forms, report_parts
from ludus.web.folders import Folders, NotThere
from ludus.web.roster import Roster
from ludus.workers import Workers

TD = {"network": "symmetric-patterns", "games": 400, "test_every": 100, "test_games": 20}
LONG = {"network": "symmetric-patterns", "games": 10**8, "test_every": 1000, "test_games": 20}
GENETIC = {"generations": 2, "population": 8, "max_plies": 40, "end_games": 0}


def trained(folder, kind, values):
    run = Run.create(folder, registry.make(kind, values), "ludus train")
    for _ in run.train(Workers()):
        pass
    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with runs: one of TD, one in a folder below, one of evolution, a broken one."""
    found = tmp_path_factory.mktemp("school") / "runs"
    trained(found / "td", "td", TD)
    trained(found / "deep" / "<b>td", "td", {**TD, "seed": 1, "games": 200})
    trained(found / "genetic", "genetic", {k: v for k, v in GENETIC.items() if k in fields("genetic")})
    (found / "broken").mkdir()
    (found / "broken" / "config.toml").write_text("kind = 'td'\n[options]\ngames = -1\n")
    return found


def fields(kind):
    return {option.field for option in options.options(registry.named(kind))}


@pytest.fixture(scope="module")
def server(runs):
    with running(runs.parent, threads=1) as found:
        yield found


@pytest.fixture
def tab(server):
    with Tab(server[0], server[1].token) as tab:
        yield tab


def first(tab, kind, **fields):
    """The first answer of a stream, which is then cancelled."""
    number = tab.begin(kind, **fields)
    while (answer := tab.receive())["id"] != number:  # a late one of a stream before it
        pass
    tab.cancel(number)
    return answer


def wait(condition, seconds=60):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_all_runs_are_listed_by_ids(tab):
    found = {line["run"]: line for line in first(tab, "watch-runs")["runs"]}
    assert {"td", "deep:<b>td", "genetic", "broken"} <= found.keys()
    assert found["td"]["state"] == "finished" and found["td"]["done"] == found["td"]["total"] == 400
    assert found["td"]["player"] == "td" and found["broken"]["player"] is None
    assert found["broken"]["state"] == "broken" and "games" in found["broken"]["note"]


def test_the_list_is_also_read_without_a_socket(server):
    status, _, body = get(server[0], "/api/runs")
    assert status == 200 and json.loads(body)["type"] == "runs"
    status, _, body = get(server[0], "/api/runs/td")
    assert status == 200 and json.loads(body)["line"]["run"] == "td"


def test_a_run_is_shown_with_the_words_and_numbers_of_its_report(tab, runs):
    view = first(tab, "watch-run", run="td")["view"]
    report = [each for each in run_report.sections(read_run(runs / "td")) if each.heading != "Config"]
    assert [each["heading"] for each in view["sections"]] == [each.heading for each in report]
    (chart,) = [part for part in view["sections"][0]["parts"] if part["part"] == "lines"]
    drawn = report[0].parts[0].drawing
    assert isinstance(drawn, LineChart)
    assert (chart["title"], chart["x_title"], chart["y_title"]) == (drawn.title, drawn.x_title, drawn.y_title)
    assert chart["curves"][0]["y"] == pytest.approx(drawn.series[0].y)
    assert chart["curves"][0]["bands"][0]["high"] == pytest.approx(drawn.series[0].bands[0][1])
    config = {option["field"]: option for option in view["config"]}
    assert config.keys() == fields("td")
    assert config["games"]["value"] == "400" and not config["games"]["usual"] and config["gamma"]["usual"]


@pytest.mark.parametrize("name", ["nothing", "../td", "deep/..", "/etc", "deep:..:td", "", "td\0", "x" * 299])
def test_an_id_that_was_not_found_is_no_path(tab, runs, name):
    if name:
        answer = tab.ask("watch-run", run=name)
        assert answer["type"] == "error" and len(answer["message"]) < 500
    with pytest.raises(NotThere):
        Folders(runs).run(name)


def test_a_run_that_goes_on_in_another_process_is_seen_growing(server, tab, runs):
    run = Run.create(runs / "growing", registry.make("td", {**LONG, "seed": 3}), "ludus train")
    training = run.train(Workers())
    with contextlib.closing(training):
        next(training)
        number = tab.begin("watch-run", run="growing")
        sizes = []
        while len(sizes) < 3:
            answer = tab.receive()
            assert answer["id"] == number and not answer["final"]
            line = answer["view"]["line"]
            assert line["state"] == "running" and not line["here"]
            sizes.append(len(run.record()))
            next(training)
        assert sizes == sorted(set(sizes))
        tab.cancel(number)
        assert tab.ask("stop-training", run="growing")["type"] == "error"
        assert tab.ask("resume-training", run="growing")["type"] == "error"


def test_the_family_tree_leads_to_players_that_can_be_found(tab, runs):
    view = first(tab, "watch-run", run="genetic")["view"]
    parts = [part for section in view["sections"] for part in section["parts"]]
    (tree,) = [part for part in parts if part["part"] == "tree"]
    assert tree["ancestors"][0]["champion"]
    (origins,) = [part for part in parts if part["part"] == "origins"]
    roster = Roster(Folders(runs))
    for found in origins["origins"]:
        assert roster.find(found["player"], "draughts").game == "draughts"
    assert {each["player"] for each in view["kept"]} == {found["player"] for found in origins["origins"]}


def test_a_map_has_the_boards_of_its_units():
    position = draughts.Position("B:W17,K19:B1,K7")
    chart = UnitMap([Unit("unit 1", 3, position, ("0.5 Fork",), "60%"), Unit("unit 2", 0)], title="map", columns=2)
    part = report_parts.chart(chart, "", lambda _: None)
    one, other = part.units
    assert one.position == position.text and other.position is None
    assert [(piece.square, piece.side, piece.king) for piece in one.pieces] == [
        (1, "black", False),
        (7, "black", True),
        (17, "white", False),
        (19, "white", True),
    ]


@pytest.mark.parametrize("kind", registry.KINDS)
def test_a_form_has_every_option_as_the_command_line_has_it(kind):
    form = forms.form(kind)
    for option, field in zip(options.options(registry.named(kind)), form.fields, strict=True):
        assert (field.field, field.help, field.default) == (option.field, option.help, option.default)
        assert field.choices == [str(choice) for choice in option.choices]
        assert field.least == option.least


def test_a_form_with_nothing_changed_gives_the_defaults(tmp_path):
    for kind in registry.KINDS:
        assert forms.learner(kind, None, {}, Folders(tmp_path)) == registry.make(kind, {})


def test_the_values_of_a_form_are_those_of_the_command_line(tmp_path):
    learner = forms.learner("mp-draughts", "faithful", {"seed": 4}, Folders(tmp_path))
    presets = registry.named("mp-draughts").presets
    assert learner == registry.make("mp-draughts", {**presets["faithful"], "seed": 4})


BAD = [
    ({"learner": "td", "options": {"games": 0}}, "games"),
    ({"learner": "td", "options": {"games": "many"}}, "games"),
    ({"learner": "td", "options": {"nothing": 1}}, "no option"),
    ({"learner": "td", "options": {"seat": "third"}}, "seat"),
    ({"learner": "td", "preset": "best"}, "no preset"),
    ({"learner": "nothing"}, "no learner"),
    ({"learner": "os:system"}, "no learner"),
    ({"learner": "td", "options": {"against": "/etc/passwd"}}, "not a path"),
    ({"learner": "td", "options": {"against": "engine:sh -c true"}}, "not a path"),
    ({"learner": "td", "options": {"network": "nothing"}}, "no network"),
    ({"learner": "td", "name": "../out"}, ""),
    ({"learner": "td", "name": "td", "options": TD}, "already"),
]


@pytest.mark.parametrize(("request_", "words"), BAD)
def test_a_bad_form_gets_a_sentence(tab, runs, request_, words):
    before = {path.name for path in runs.iterdir()}
    answer = tab.ask("train", **request_)
    if (
        answer["type"] == "training"
    ):  # on a slow machine the learner begins after the answer: the list says why it failed
        wait(lambda: first(tab, "watch-runs")["failures"])
        answer = {"type": "error", "message": first(tab, "watch-runs")["failures"][-1]}
    assert answer["type"] == "error" and words in answer["message"] and "Traceback" not in answer["message"]
    assert {path.name for path in runs.iterdir()} == before


def test_a_training_is_started_stopped_and_resumed(tab, runs):
    started = tab.ask("train", learner="td", options={**LONG, "seed": 7}, name="from-the-page")
    assert started == {"type": "training", "id": started["id"], "final": True, "run": "from-the-page"}
    line = first(tab, "watch-run", run="from-the-page")["view"]["line"]
    assert line["state"] == "running" and line["here"]
    run = Run.open(runs / "from-the-page")
    wait(lambda: run.record())
    again = tab.ask("train", learner="td", options=LONG, name="from-the-page")
    assert again["type"] == "error"
    assert tab.ask("stop-training", run="from-the-page")["type"] == "training"
    assert run.status().state is RunState.STOPPED
    lines = len(run.record())
    assert tab.ask("resume-training", run="from-the-page")["type"] == "training"
    wait(lambda: len(run.record()) > lines)
    assert tab.ask("stop-training", run="from-the-page")["type"] == "training"
    assert tab.ask("stop-training", run="from-the-page")["type"] == "error"
    assert tab.ask("resume-training", run="td")["type"] == "error"  # it is finished


def test_trainings_are_capped_and_end_with_the_server(tmp_path):
    with running(tmp_path, threads=1) as (port, settings), Tab(port, settings.token) as tab:
        for seed in range(2):
            assert tab.ask("train", learner="td", options={**LONG, "seed": seed})["type"] == "training"
        found = first(tab, "watch-runs")
        assert found["trainings"] and found["room"] == 0
        refused = tab.ask("train", learner="td", options={**LONG, "seed": 9})
        assert refused["type"] == "error" and "2 trainings" in refused["message"]
    folders = run_folder.find(tmp_path / "runs")
    assert len(folders) == 2
    assert [Run.open(folder).status().state for folder in folders] == [RunState.STOPPED] * 2


def test_a_server_that_allows_no_trainings_starts_none(tmp_path):
    trained(tmp_path / "runs" / "td", "td", TD)
    with running(tmp_path, threads=1, allow_training=False) as (port, settings), Tab(port, settings.token) as tab:
        assert not first(tab, "watch-runs")["trainings"]
        for kind, fields_ in (
            ("train", {"learner": "td", "options": TD}),
            ("stop-training", {"run": "td"}),
            ("resume-training", {"run": "td"}),
            ("match", {"game": "draughts", "first": "random", "second": "material"}),
            ("resume-match", {"match": "x"}),
            ("stop-match", {"match": "x"}),
        ):
            answer = tab.ask(kind, **fields_)
            assert answer["type"] == "error" and "does not start" in answer["message"]


def test_the_time_left_is_that_of_this_session():
    times = [
        {"done": 100, "seconds": 10.0, "cpu": 1.0},
        {"done": 100, "seconds": 10.0, "cpu": 1.0, "resumed": True},
        {"done": 300, "seconds": 20.0, "cpu": 1.0},
    ]
    assert seconds_spent(times) == 20
    assert seconds_left(times, 1000) == pytest.approx(35)
    assert seconds_left(times[:1], 1000) == pytest.approx(90)
    assert seconds_left(times[:2], 1000) is None
    assert seconds_left([], 1000) is None and seconds_left(times, 0) is None


def test_every_figure_of_a_report_is_drawn_by_the_page(runs):
    for name in ("td", "genetic"):
        for section in run_report.sections(read_run(runs / name)):
            assert not any(isinstance(part, Figure) and isinstance(part.drawing, str) for part in section.parts)
            msgspec.json.encode(report_parts.section(section, lambda _: None))
