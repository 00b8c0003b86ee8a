"""Ways to play on the boards of the page."""

from playwright.sync_api import Page, expect

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
MOST_MOVES = 150
OVER = ".status.over"
BOARD = "ludus-draughts-board svg"


def begin(page: Page, *, game="draughts", opponent="random", side="black", seed="1", level=None, **form) -> None:
    """Fills in the form of a new game and starts it."""
    page.locator(f"input[name=game][value={game}]").check(force=True)
    page.locator(f"input[name=opponent][value='{opponent}']").check()
    page.locator(f"input[name=side][value={side}]").check(force=True)
    if level:
        page.locator(f"input[name=level][value='{level}']").check(force=True)
    if "opening" in form:
        page.select_option("#opening", form["opening"])
    if "typed" in form:
        page.fill("#typed", form["typed"])
    if "clock" in form:
        # By the keyboard, which scrolls it out from under the button on a low screen.
        page.locator(f"input[name=clock][value='{form['clock']}']").press("Space")
    page.locator("details:has(#seed) summary").click()
    page.fill("#seed", seed)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("ludus-moves")).to_be_visible()


# What the page shows now, in one question: it is asked many times in a game.
STATE = """() => {
    const ending = (words) => [...document.querySelectorAll("ludus-draughts-board [data-square]")]
        .filter((each) => each.getAttribute("aria-label").endsWith(words)).map((each) => +each.dataset.square);
    const must = ending("must capture");
    return {
        count: document.querySelectorAll("ludus-moves li button").length,
        over: document.querySelector(".status.over") !== null,
        own: must.length ? must : ending("can move"),
        targets: ending("can be reached"),
        cells: document.querySelectorAll("ludus-flat-board .free").length,
    };
}"""


def state(page: Page) -> dict:
    return page.evaluate(STATE)


def squares(page: Page, words: str) -> list[int]:
    """The squares of the draughts board whose names end in these words."""
    return page.locator(f"{BOARD} [aria-label$='{words}']").evaluate_all(
        "(all) => all.map((each) => +each.dataset.square)"
    )


def own(page: Page) -> list[int]:
    return state(page)["own"]


def moves(page: Page) -> list[str]:
    return page.locator("ludus-moves li button").evaluate_all("(all) => all.map((each) => each.textContent.trim())")


def wait_for_turn(page: Page) -> bool:
    """Waits until the person can move; False when the game is over."""
    page.wait_for_function(f"() => {{ const now = ({STATE})(); return now.over || now.own.length || now.cells; }}")
    return not state(page)["over"]


def play_draughts(page: Page, choose, most=MOST_MOVES) -> int:
    """Plays one of the moves that there are until the game ends; `choose` selects a square. Returns the moves made."""
    for made in range(most):
        if not wait_for_turn(page):
            return made
        now = state(page)
        make_move(page, choose, now["own"][made % len(now["own"])], now["count"])
    return most


def make_move(page: Page, choose, piece: int, before: int) -> None:
    """Chooses squares until the move is made: a jump goes on square by square."""
    for attempt in range(1000):
        now = state(page)
        if now["count"] > before:
            return
        if now["targets"]:
            choose(page, now["targets"][-1])
        elif attempt == 0:
            choose(page, piece)
        else:
            page.wait_for_timeout(20)
    raise AssertionError(f"the move was not made; the page says: {page.locator('.status').inner_text()}")


def click(page: Page, square: int) -> None:
    """Clicks the middle of a square with the mouse, wherever the board lies."""
    page.locator(f"{BOARD} [data-square='{square}'] .dark").click(force=True)


def tap(page: Page, square: int) -> None:
    page.locator(f"{BOARD} [data-square='{square}'] .dark").tap(force=True)


def walk(page: Page, square: int) -> None:
    """Goes to a square with the arrow keys and chooses it; White is at the bottom."""
    at = page.evaluate("() => +(document.activeElement?.dataset.square ?? 0)")
    assert at, "the keyboard is not on the board"
    rows, places = (square - 1) // 4 - (at - 1) // 4, (square - 1) % 4 - (at - 1) % 4
    for key, count in (("ArrowDown", rows), ("ArrowUp", -rows), ("ArrowRight", places), ("ArrowLeft", -places)):
        for _ in range(count):
            page.keyboard.press(key)
            page.wait_for_timeout(5)
    assert page.evaluate("() => +document.activeElement.dataset.square") == square
    page.keyboard.press("Enter")


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Presses the tabulator until the keyboard is on an element."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement?.matches(selector) ?? false", selector):
            return
    raise AssertionError(f"the tabulator does not reach {selector}")
