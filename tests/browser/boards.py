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
        page.locator(f"input[name=clock][value='{form['clock']}']").check(force=True)
    page.locator("details:has(#seed) summary").click()
    page.fill("#seed", seed)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("ludus-moves")).to_be_visible()


def squares(page: Page, words: str) -> list[int]:
    """The squares of the draughts board whose names end in these words."""
    found = page.locator(f"{BOARD} [data-square]").evaluate_all(
        """(all, words) => all.filter((each) => each.getAttribute('aria-label').endsWith(words))
            .map((each) => +each.dataset.square)""",
        words,
    )
    return sorted(found)


def own(page: Page) -> list[int]:
    return squares(page, "must capture") or squares(page, "can move")


def moves(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("ludus-moves li button").all_inner_texts()]


def wait_for_turn(page: Page) -> bool:
    """Waits until the person can move; False when the game is over."""
    ready = f"{BOARD} [aria-label$='can move'], {BOARD} [aria-label$='must capture'], ludus-flat-board .free, {OVER}"
    page.locator(ready).first.wait_for()
    return not page.locator(OVER).count()


def play_draughts(page: Page, choose, most=MOST_MOVES) -> int:
    """Plays the first move that there is until the game ends; `choose` selects a square. Returns the moves made."""
    for made in range(most):
        if not wait_for_turn(page):
            return made
        before = moves(page)
        choose(page, own(page)[made % len(own(page))])
        while len(moves(page)) == len(before):  # a jump goes on square by square
            if not (targets := squares(page, "can be reached")):
                page.wait_for_timeout(20)
                continue
            choose(page, targets[-1])
    return most


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
