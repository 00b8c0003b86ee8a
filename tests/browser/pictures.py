"""Takes the pictures of the pages for docs: `python tests/browser/pictures.py ADDRESS`, while a server runs."""

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import boards
from conftest import chromium

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
GAME = """[Event "Ludus"]
[Black "Payne"]
[White "Sturges"]
11-16 22-18 8-11 26-22 10-14 30-26 3-8 21-17 14x30 22-17 16-20 18-14 9x18 23x14 30x23 27x18 20x27 31x24 *
"""


def draughts(page: Page) -> None:
    boards.begin(page, opponent="champion", seed="7", clock="10+5")
    for move in ("11-15", "8-11", "4-8", "15-18"):
        boards.wait_for_turn(page)
        legal = boards.own(page)
        if int(move.partition("-")[0]) not in legal:
            break
        count = len(boards.moves(page))
        page.fill("#move", move)
        page.press("#move", "Enter")
        page.wait_for_timeout(100)
        page.wait_for_function(f"() => document.querySelectorAll('ludus-moves li button').length !== {count + 1}")
    boards.wait_for_turn(page)
    boards.click(page, boards.own(page)[-1])


def cube(page: Page) -> None:
    boards.begin(page, game="tictactoe3d", opponent="random", side="white", seed="4")
    for move in ("b2", "b2", "c2", "a2", "d2", "b3", "c3", "a3", "d3"):
        if not boards.wait_for_turn(page):
            break
        page.fill("#move", move)
        page.press("#move", "Enter")
        page.wait_for_timeout(1200)
    page.wait_for_timeout(1500)


def phone(page: Page) -> None:
    boards.begin(page, opponent="champion", seed="7")
    boards.wait_for_turn(page)
    boards.tap(page, 11)


def analyse(page: Page) -> None:
    page.fill("#paste", GAME)
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    page.locator("ludus-review .summary").wait_for(timeout=240_000)
    page.locator(".tree button:has(b)").first.click()
    page.wait_for_timeout(4000)


def why(page: Page) -> None:
    page.fill("#paste", "11-15 23-18")
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator(".tree button").nth(1).click()
    page.get_by_role("tab", name="Why").click()
    page.select_option("#why-player", "neurodraughts")
    page.locator("ludus-why .reasons").wait_for(timeout=60_000)
    page.wait_for_timeout(3000)


WIDE = {"viewport": {"width": 1280, "height": 800}}
PICTURES = {
    "web-play": ("/play", draughts, WIDE),
    "web-play-3d": ("/play", cube, WIDE | {"color_scheme": "dark"}),
    "web-phone": ("/play", phone, boards.PHONE | {"device_scale_factor": 1}),
    "web-analyse": ("/analyse", analyse, WIDE),
    "web-why": ("/analyse", why, WIDE | {"color_scheme": "dark"}),
}


def main(address: str, names: list[str]) -> None:
    with sync_playwright() as playwright:
        for name in names or PICTURES:
            path, prepare, screen = PICTURES[name]
            # Software drawing is slow: only the cube needs it.
            cube = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if "3d" in name else ["--disable-gpu"]
            browser = playwright.chromium.launch(executable_path=chromium(), args=[*cube, "--no-sandbox"])
            page = browser.new_context(reduced_motion="reduce", **screen).new_page()
            page.goto(address + path)
            prepare(page)
            page.evaluate("() => scrollTo(0, 0)")
            page.wait_for_timeout(300)
            page.screenshot(path=FOLDER / f"{name}.png")
            browser.close()
            print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2:])
