import re

import pytest
from playwright.sync_api import expect

import boards

GAMES = """[Event "First round"]
[Black "Payne"]
[White "Sturges"]
[Result "*"]
1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 *

[Event "Second round"]
[Black "Wyllie"]
[White "Anderson"]
[Result "0-1"]
1. 9-14 22-18 2. 5-9 24-19 3. 11-15 18x11 0-1

[Event "Third round"]
[Black "<b>Jordan</b>"]
[White "Stewart"]
[Result "1/2-1/2"]
1. 10-14 24-19 2. 6-10 22-17 1/2-1/2
"""


def opened(open_page, text, **options):
    page = open_page("/analyse", **options)
    page.locator(f"{boards.BOARD} .piece").first.wait_for()
    page.fill("#paste", text)
    page.get_by_role("button", name="Open", exact=True).click()
    return page


def tree(page):
    return [text.strip() for text in page.locator(".tree button").all_inner_texts()]


def test_several_games_are_listed_searched_opened_and_one_is_reviewed(open_page):
    page = opened(open_page, GAMES)
    expect(page.locator("ludus-input .games button")).to_have_count(3)
    expect(page.locator("ludus-input .games")).to_contain_text("<b>Jordan</b>")  # text, not markup
    page.fill("#wanted", "anderson")
    expect(page.locator("ludus-input .games button")).to_have_count(1)
    page.locator("ludus-input .games button").click()
    expect(page.locator(".game-title")).to_contain_text("Wyllie")
    assert len(tree(page)) == 6
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    page.locator("ludus-review .summary").wait_for(timeout=180_000)
    expect(page.locator("ludus-review .summary")).to_contain_text("Accuracy")
    expect(page.locator("ludus-review .summary")).to_contain_text("Wins thrown away")
    box = page.locator(".curve svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 20)
    expect(page.locator(".tree [aria-current]")).to_contain_text("18x11")
    expect(page.locator(".judgement")).to_contain_text("18x11")


def test_a_blunder_is_marked_and_the_better_move_is_shown(open_page):
    page = opened(open_page, "11-16 22-18 8-11 26-22 10-14 30-26 3-8 21-17")  # the last move loses men
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    page.locator("ludus-review .summary").wait_for(timeout=180_000)
    page.keyboard.press("End")
    marked = page.locator(".tree button b")
    expect(marked.last).to_have_text(re.compile(r"\?"))
    page.locator(".tree button:has(b)").last.click()
    expect(page.locator(".judgement")).to_contain_text("it costs")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator(".tree .variation")).to_have_count(1)


def test_the_search_shows_lines_arrows_and_every_move(open_page):
    page = opened(open_page, "11-15 23-19")
    expect(page.locator("ludus-engine .head .facts")).to_contain_text(re.compile(r"depth \d+, .* nodes, .*/s"))
    expect(page.locator("ludus-engine .lines li button").first).to_be_visible()
    expect(page.locator(".arrow.best").first).to_be_attached()
    page.select_option("#engine-lines", "5")
    expect(page.locator("ludus-engine .lines li:has(button)")).to_have_count(5)
    page.get_by_text("Every move", exact=True).click()
    expect(page.locator("ludus-engine .every tbody tr")).to_have_count(7)
    expect(page.locator("ludus-bar .evaluation")).to_have_attribute("aria-label", re.compile("for White"))
    page.locator("ludus-engine .lines li button").nth(0).click()
    expect(page.locator(".tree [aria-current]")).to_be_visible()
    page.locator("ludus-engine input[role=switch]").uncheck()
    expect(page.locator(".arrow.best")).to_have_count(0)


def test_moves_and_variations(open_page):
    page = opened(open_page, "11-15 23-19 8-11")
    expect(page.locator(".tree button")).to_have_count(3)
    page.locator("ludus-engine input[role=switch]").uncheck()
    boards.click(page, 9)
    boards.click(page, 14)
    expect(page.locator(".tree .variation")).to_have_count(1)
    expect(page.locator(".tree [aria-current]")).to_have_text("9-14")
    page.reload()
    expect(page.locator(".tree .variation")).to_have_count(1)
    page.get_by_role("button", name="Make this the main line").click()
    assert tree(page)[0] == "9-14"
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".tree .variation")).to_have_count(0)
    page.locator("main").focus()
    page.keyboard.press("End")
    expect(page.locator(".tree [aria-current]")).to_have_text("8-11")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tree [aria-current]")).to_have_text("23-19")


def test_a_position_is_set_up_by_hand(open_page):
    page = open_page("/analyse")
    page.locator(f"{boards.BOARD} .piece").first.wait_for()
    page.get_by_role("tab", name="Set up").click()
    page.get_by_role("button", name="Clear the board").click()
    expect(page.locator(f"{boards.BOARD} .piece:not(.gone)")).to_have_count(0)
    page.get_by_role("radio", name="White king").check()
    boards.click(page, 18)
    boards.click(page, 23)
    page.get_by_role("radio", name="Black king").check()
    boards.click(page, 1)
    page.locator("input[name=turn]").nth(1).check(force=True)
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator(".position")).to_contain_text("White to move.")
    expect(page.locator(".position")).to_contain_text("Endgame tables: White wins")
    expect(page.locator("#fen")).to_have_value("W:WK18,K23:BK1")
    page.get_by_role("tab", name="Set up").click()
    page.get_by_role("button", name="Clear the board").click()
    page.get_by_role("radio", name="White man").check()
    boards.click(page, 2)
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.locator("ludus-setup .error")).not_to_be_empty()  # a man on the last row


def test_bad_text_is_refused_in_a_sentence(open_page):
    page = opened(open_page, "W:W99:B1")
    expect(page.locator("ludus-input")).to_contain_text(re.compile(r"99|No position"))


def test_a_file_is_opened(open_page, tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text(GAMES)
    page = open_page("/analyse")
    page.locator("ludus-input input[type=file]").set_input_files(path)
    expect(page.locator("ludus-input .games button")).to_have_count(3)


@pytest.mark.parametrize(("game", "moves"), [("draughts", "11-15 23-18"), ("tictactoe3d", "a1 b2 c3")])
def test_why_says_what_speaks_for_and_against(open_page, game, moves):
    page = open_page("/analyse")
    page.locator(f"{boards.BOARD} .piece").first.wait_for()
    page.locator("ludus-engine input[role=switch]").uncheck()
    if game == "tictactoe3d":
        page.get_by_role("radio", name="Tic-Tac-Toe 3D").check(force=True)
        page.locator("ludus-flat-board .free").first.wait_for()
    for move in moves.split():
        page.fill("#typed-move", move)
        page.press("#typed-move", "Enter")
        expect(page.locator(".tree [aria-current]")).to_have_text(move)
    page.get_by_role("tab", name="Why").click()
    page.locator("ludus-why p").nth(1).wait_for(timeout=60_000)
    names = page.locator("#why-player option").all_inner_texts()
    for name in names:
        page.select_option("#why-player", name)
        page.wait_for_timeout(150)
        expect(page.locator("ludus-why .error")).to_be_empty()


def test_a_played_game_is_reviewed_from_its_own_page(open_page):
    page = open_page()
    boards.begin(page)
    assert boards.wait_for_turn(page)
    page.fill("#move", "11-15")
    page.press("#move", "Enter")
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 2")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    page.get_by_role("link", name="Review the game").click()
    page.locator("ludus-review .summary").wait_for(timeout=120_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page, accessible, scheme):
    page = opened(open_page, GAMES, color_scheme=scheme)
    page.locator("ludus-input .games button").first.click()
    page.get_by_role("button", name="One move on").click()
    page.get_by_text("Every move", exact=True).click()
    page.locator("ludus-engine .every tbody tr").first.wait_for()
    for tab in ("Open", "Review", "Why", "Set up"):
        page.get_by_role("tab", name=tab).click()
        if tab == "Why":
            page.locator("ludus-why p").nth(1).wait_for(timeout=60_000)
        assert accessible(page) == [], tab


def test_axe_finds_nothing_on_a_phone(open_page, accessible):
    page = opened(open_page, "11-15 23-19", **boards.PHONE)
    expect(page.locator(".tree button")).to_have_count(2)
    assert accessible(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
