"""How long a person waits in the browser: from the click that makes a move to the opponent's move on the board.

    python tests/browser/latency.py ADDRESS --moves 100

while a server runs. Games of draughts against the strongest player, with the mouse.
"""

import argparse
import statistics

from playwright.sync_api import Page, sync_playwright

import boards
from conftest import chromium

# The last press before a move is the click that made it. The answer is there when the page shows it.
WATCH = """() => {
    const state = { pressed: 0, waits: [], count: 0 };
    addEventListener("pointerdown", () => { state.pressed = performance.now(); }, true);
    new MutationObserver(() => {
        const count = document.querySelectorAll("ludus-moves li button").length;
        const over = document.querySelector(".status.over");
        if (count === state.count + 2 && !over) state.waits.push(performance.now() - state.pressed);
        if (count >= state.count + 2 || count < state.count) state.count = count;
    }).observe(document.body, { subtree: true, childList: true });
    window.waits = state.waits;
}"""


def measure(page: Page, level: int, most: int) -> list[float]:
    """Milliseconds of each answer, in as many games as it takes."""
    found: list[float] = []
    for seed in range(1, most + 1):
        page.evaluate("() => localStorage.clear()")
        page.reload()
        page.evaluate(WATCH)
        boards.begin(page, opponent="champion", side="black", seed=str(seed), level=level)
        boards.play_draughts(page, boards.click, most=min(40, most - len(found)))
        found += page.evaluate("() => window.waits")
        if len(found) >= most:
            break
    return found


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--level", type=int, default=3)
    args = parser.parse_args()
    with sync_playwright() as playwright:
        options = ["--disable-gpu", "--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=chromium(), args=options)
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.goto(args.address.rstrip("/") + "/play")
        found = sorted(measure(page, args.level, args.moves))
        browser.close()
    high = found[min(len(found) - 1, int(0.95 * len(found)))]
    print(
        f"from click to answer at level {args.level}: p50 {statistics.median(found):.1f} ms, "
        f"p95 {high:.1f} ms, most {found[-1]:.1f} ms, n={len(found)}"
    )


if __name__ == "__main__":
    main()
