"""The arena in a browser: ladders, their cross table and games, a match seen growing, started and stopped."""

import contextlib
import re

import pytest
from playwright.sync_api import expect

from ludus import players
from ludus.arena import ladder, matches
from ludus.arena.description import describe
from ludus.arena.journal import Journal
from ludus.arena.matches import MatchConfig
from ludus.arena.sprt import Sprt
from ludus.workers import Workers

NAMES = ("random", "material@depth=1", "material@depth=2")
expect.set_options(timeout=30_000)

SIZES = {"phone": (400, 800), "wide": (1400, 900)}


def last(standings, *_):
    *_, standing = standings
    return standing


@pytest.fixture(scope="module", autouse=True)
def arena(runs):
    contestants = [players.find(name, "draughts") for name in NAMES]
    for _ in ladder.play(contestants, MatchConfig(games=4), Workers(), runs / "ladder", last):
        pass
    return runs


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_accessible_and_fits(open_page, accessible, size, scheme):
    width, height = SIZES[size]
    page = open_page("/arena?new", viewport={"width": width, "height": height}, color_scheme=scheme)
    expect(page.locator("#match-first option")).not_to_have_count(0)
    assert accessible(page) == []
    page.get_by_role("link", name="ladder", exact=True).click()
    page.locator(".cross .pair a").first.wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert accessible(page) == []
    page.locator(".cross .pair a").first.click()
    page.locator("ludus-chart canvas").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert accessible(page) == []


def test_a_pair_of_a_ladder_has_games_that_can_be_replayed(open_page):
    page = open_page("/arena/ladder/ladder")
    expect(page.locator(".cross tbody tr")).to_have_count(3)
    expect(page.locator("figure.intervals tbody tr")).to_have_count(3)
    page.locator(".cross .pair a").first.click()
    page.wait_for_url(re.compile("/arena/match/"))
    expect(page.locator(".games tbody tr")).to_have_count(4)
    page.get_by_role("button", name="Replay game 2").click()
    page.wait_for_url(re.compile("/analyse$"))
    expect(page.locator("ludus-analyse")).to_contain_text("game 2")


def test_a_match_of_another_process_is_seen_growing(open_page, arena):
    folder, config = arena / "matches" / "growing", MatchConfig(games=40, sprt=Sprt(0, 20))
    pair = tuple(players.find(name, "draughts") for name in NAMES[1:])
    with contextlib.closing(Journal(folder, matches.fingerprint(pair, config))) as journal:
        describe(folder, pair, config)
        standings = matches.play(pair, config, Workers(), journal)
        next(standings)
        page = open_page("/arena/match/matches%3Agrowing")
        expect(page.locator(".badge").first).to_have_text("Running")
        for played in (2, 4, 6):
            for _ in range(2):
                next(standings)
            expect(page.locator(".titles")).to_contain_text(f"{played} of 40 games")
        expect(page.locator(".sprt [role=meter]")).to_be_visible()
        expect(page.locator(".score-panel")).to_contain_text("Elo")


def test_a_match_is_started_and_stopped(open_page):
    page = open_page("/arena")
    page.get_by_role("link", name="New match").click()
    page.get_by_label("First player").select_option("material")
    # Equal players and many games: neither the sequential test nor the last game ends this match before it is stopped.
    page.get_by_label("Second player").select_option("material")
    page.get_by_label("Games", exact=True).fill("100000")
    for budget in page.get_by_label("Budget of a move").all():
        budget.select_option("depth=2")
    page.get_by_label("Stop when a sequential test is decided").check()
    page.locator(".match-form .inline input").first.fill("-1")
    page.locator(".match-form .inline input").last.fill("1")
    page.get_by_role("button", name="Start match").click()
    page.wait_for_url(re.compile("/arena/match/"))
    expect(page.locator(".badge").first).to_have_text("Running")
    expect(page.locator(".score-panel")).to_contain_text("won")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".badge").first).to_have_text("Stopped")
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".badge").first).to_have_text("Running")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".badge").first).to_have_text("Stopped")
