"""The school in a browser: a training seen growing, started, stopped and resumed; curves, map, family tree, forms."""

import contextlib
import re

import pytest
from playwright.sync_api import expect

from ludus.learning import registry
from ludus.runs import Run
from ludus.workers import Workers

LONG = {"network": "symmetric-patterns", "games": 10**8, "test_every": 1000, "test_games": 50}
TD = {"network": "symmetric-patterns", "games": 6000, "test_every": 500, "test_games": 50}
GENETIC = {"generations": 3, "max_plies": 40}
TEAM = {
    "sets": 1,
    "games": 20,
    "budget": "depth=1",
    "test_boards": 4,
    "final_boards": 4,
    "boards": 40,
    "units": 4,
    "specialist_test_boards": 4,
    "reference_games": 0,
}
expect.set_options(timeout=30_000)

SIZES = {"phone": (400, 800), "tablet": (800, 900), "wide": (1400, 900)}


def trained(folder, kind, values):
    run = Run.create(folder, registry.make(kind, values), f"ludus train {kind}")
    for _ in run.train(Workers()):
        pass


@pytest.fixture(scope="module", autouse=True)
def school(runs):
    trained(runs / "first", "td", TD)
    trained(runs / "second", "td", {**TD, "seed": 1, "rate": 0.02})
    trained(runs / "evolved", "genetic", GENETIC)
    trained(runs / "team", "mp-draughts", TEAM)
    return runs


def ready(page, path):
    """Waits until the page of a path is drawn."""
    if path.startswith("/school/"):
        page.locator("ludus-chart canvas").first.wait_for()
    elif "compare" in path:
        expect(page.locator("ludus-chart canvas")).not_to_have_count(0)
    else:
        page.locator(".runs tbody tr").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_accessible_and_fits(open_page, accessible, size, scheme):
    width, height = SIZES[size]
    page = open_page("/school", viewport={"width": width, "height": height}, color_scheme=scheme)
    paths = ("/school", "/school/first", "/school/evolved", "/school/team", "/school?compare=first&compare=second")
    for path in paths:
        page.goto(page.url.partition("/school")[0] + path)
        ready(page, path)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), path
        assert accessible(page) == [], path
    page.goto(page.url.partition("/school")[0] + "/school?new=mp-draughts")
    page.locator(".option-fields .field").first.wait_for()
    assert accessible(page) == []


def test_a_run_of_another_process_is_seen_growing(open_page, school):
    run = Run.create(school / "growing", registry.make("td", LONG), "ludus train td")
    with contextlib.closing(run.train(Workers())) as training:
        next(training)
        page = open_page("/school/growing")
        expect(page.locator(".badge")).to_have_text("Running")
        for count in range(2, 5):
            while len(run.record()) < count:
                next(training)
            page.locator("ludus-chart details").first.evaluate("each => each.open = true")
            rows = page.locator("ludus-chart").first.locator(".numbers tbody tr")
            expect(rows).to_have_count(count)
    page.goto(page.url.partition("/school")[0] + "/school")
    expect(page.locator("tr", has_text="growing").locator(".badge")).to_have_text("Stopped")


def test_a_training_is_started_stopped_and_resumed(open_page):
    page = open_page("/school")
    page.get_by_role("link", name="New training").click()
    page.get_by_label("Name of the run").fill("from-the-page")
    page.get_by_label("Search the options").fill("training games")
    page.get_by_label("games", exact=True).fill("100000000")
    page.get_by_label("Search the options").fill("network")
    page.get_by_label("network", exact=True).fill("symmetric-patterns")
    page.get_by_role("button", name="Start training").click()
    page.wait_for_url(re.compile("/school/from-the-page$"))
    expect(page.locator(".badge")).to_have_text("Running")
    expect(page.locator(".run-state")).to_have_text(re.compile("about .+ left"))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".badge")).to_have_text("Stopped")
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".badge")).to_have_text("Running")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".badge")).to_have_text("Stopped")


def test_a_bad_option_is_a_sentence(open_page):
    page = open_page("/school?new=td")
    page.get_by_label("network", exact=True).fill("nothing")
    page.get_by_role("button", name="Start training").click()
    expect(page.locator(".train-form [role=alert]")).to_contain_text("has no network nothing")


def test_every_option_of_a_learner_is_in_its_form(open_page):
    page = open_page("/school?new=visiondraughts")
    fields = page.locator(".option-fields .field")
    expect(fields).to_have_count(len(registry.named("visiondraughts").__struct_fields__))
    page.get_by_label("Preset").select_option("faithful")
    page.get_by_label("only what differs from the defaults").check()
    learner = registry.named("visiondraughts")
    usual, faithful = learner(), learner(**learner.presets["faithful"])
    differing = [name for name in learner.__struct_fields__ if getattr(usual, name) != getattr(faithful, name)]
    expect(fields).to_have_count(len(differing))
    expect(fields.first.locator(".help")).to_contain_text("Default")


def test_curves_are_zoomed_hidden_and_read(open_page):
    page = open_page("/school/first")
    chart = page.locator("ludus-chart").first
    chart.locator("canvas").wait_for()
    expect(chart.locator(".legend tbody tr")).to_have_count(1)
    reset = chart.locator(".head button")
    expect(reset).to_be_disabled()
    box = chart.locator(".u-over").bounding_box()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 60, steps=5)
    expect(chart.locator(".legend thead .now")).to_have_text(re.compile("^at "))
    page.mouse.up()
    expect(reset).to_be_enabled()
    reset.click()
    expect(reset).to_be_disabled()
    chart.locator(".plot").focus()
    page.keyboard.press("ArrowRight")
    expect(chart.locator(".legend thead .now")).to_have_text(re.compile("^at "))
    page.keyboard.press("+")
    expect(reset).to_be_enabled()
    page.keyboard.press("Escape")
    expect(reset).to_be_disabled()
    page.get_by_label("Smoothing").fill("0.8")
    curve = chart.get_by_role("button", name="score")
    curve.click()
    expect(curve).to_have_attribute("aria-pressed", "false")


def test_runs_are_compared(open_page):
    page = open_page("/school")
    for name in ("first", "second"):
        page.get_by_label(f"Choose {name} to compare").check()
    page.get_by_role("button", name="Compare 2").click()
    chart = page.locator("ludus-chart").first
    expect(chart.locator(".legend tbody tr")).to_have_count(2)
    differing = page.locator("tr.differs th")
    expect(differing).to_have_text(["seed", "rate"])
    page.get_by_role("button", name="Show what is the same").click()
    expect(page.locator("td", has_text="symmetric-patterns").first).to_be_visible()


def test_a_generation_of_the_family_tree_can_be_played(open_page):
    page = open_page("/school/evolved")
    expect(page.locator(".tree > ol > li").first).to_contain_text("champion")
    page.locator(".origins a").first.click()
    page.wait_for_url(re.compile(r"/play\?with=evolved%400000"))
    expect(page.locator("input[name=opponent]:checked")).to_have_value("evolved@0000")


def test_a_board_of_the_map_is_analysed(open_page):
    page = open_page("/school/team")
    page.locator(".unit-map a").first.wait_for()
    assert page.locator(".unit-map .mini-board circle.disc").count() > 3
    page.locator(".unit-map a").first.click()
    page.wait_for_url(re.compile("/analyse$"))
    expect(page.locator("ludus-analyse")).to_contain_text("The typical board of unit")
