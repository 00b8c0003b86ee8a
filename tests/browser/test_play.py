import re

import pytest
from playwright.sync_api import expect

import boards

RESULT = re.compile(r"^(You won|You lost|A draw): .+\.$")


def test_the_form_shows_the_start_from_the_chosen_side_and_how_the_opponent_was_made(open_page):
    page = open_page()
    for side, highest in (("black", "32"), ("white", "1")):
        page.locator(f"input[name=side][value={side}]").check(force=True)
        tops = f"{boards.BOARD} .square:has(rect[y='0'][x='10'])"
        expect(page.locator(tops)).to_have_attribute("data-square", highest)
        expect(page.locator(f"{boards.BOARD} .piece")).to_have_count(24)
    about = page.locator(".about")
    expect(about.locator("p").first).to_be_hidden()
    page.locator("input[name=opponent][value=samuel]").check()
    about.locator("summary").click()
    expect(about).to_contain_text("Polynomial of 27 terms")
    expect(about).to_contain_text("95% interval")


def test_a_game_of_draughts_by_mouse(open_page):
    page = open_page()
    boards.begin(page, side="black")
    assert boards.play_draughts(page, boards.click) > 5
    expect(page.locator(boards.OVER)).to_have_text(RESULT)
    expect(page.locator("#said")).to_have_text(RESULT)  # a screen reader says it too


def test_a_game_of_draughts_by_keyboard_alone(open_page):
    page = open_page()
    page.locator(".opponent").first.wait_for()
    boards.tab_to(page, "input[name=opponent]")
    for _ in range(40):
        if page.evaluate("() => document.activeElement.value") == "random":
            break
        page.keyboard.press("ArrowDown")
    boards.tab_to(page, "input[name=side]")
    page.keyboard.press("ArrowRight")  # White
    boards.tab_to(page, "ludus-new-game button[type=submit]")
    page.keyboard.press("Enter")
    page.locator("ludus-moves").wait_for()
    assert boards.wait_for_turn(page)
    page.wait_for_function("() => document.activeElement?.dataset.square")
    assert boards.play_draughts(page, boards.walk) > 5
    expect(page.locator(boards.OVER)).to_have_text(RESULT)
    boards.tab_to(page, ".actions .primary")
    page.keyboard.press("Enter")  # a rematch: with the other side
    expect(page.locator(".bar:has-text('You') .stone-sign")).to_have_attribute("aria-label", "Black")


def test_a_game_of_draughts_on_a_phone(open_page):
    page = open_page(**boards.PHONE)
    boards.begin(page, side="white")
    assert boards.play_draughts(page, boards.tap) > 5
    expect(page.locator(boards.OVER)).to_have_text(RESULT)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def play_cells(page, choose):
    for made in range(64):
        if not boards.wait_for_turn(page):
            return made
        before = boards.moves(page)
        choose(page, made)
        page.wait_for_function(
            "(count) => document.querySelectorAll('ludus-moves li button').length > count"
            f" || document.querySelector('{boards.OVER}')",
            arg=len(before),
        )
    return 64


def test_a_game_of_tic_tac_toe_3d_by_mouse(open_page):
    page = open_page()
    boards.begin(page, game="tictactoe3d", side="white")
    made = play_cells(page, lambda page, turn: page.locator("ludus-flat-board .free").first.click())
    assert made >= 4
    expect(page.locator(boards.OVER)).to_have_text(RESULT)
    if "You won" in page.locator(boards.OVER).inner_text():
        expect(page.locator("ludus-flat-board .won")).to_have_count(4)


def test_a_game_of_tic_tac_toe_3d_by_keyboard_alone(open_page):
    page = open_page("/play?game=tictactoe3d&with=random")
    page.locator("input[name=opponent][value=random]").wait_for()
    boards.tab_to(page, "input[name=side]")
    page.keyboard.press("ArrowRight")
    boards.tab_to(page, "ludus-new-game button[type=submit]")
    page.keyboard.press("Enter")
    page.locator("ludus-flat-board .free").first.wait_for()
    boards.tab_to(page, "[data-cell]")

    def choose(page, turn):
        page.keyboard.press("ArrowRight" if turn % 2 else "ArrowUp")
        for _ in range(80):
            label = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
            if "can be dropped" in label:
                page.keyboard.press("Enter")
                return
            page.keyboard.press("ArrowRight")
            if label.startswith("d") and "level 4" in label:
                for key in ("ArrowDown", *["PageDown"] * 3, *["ArrowLeft"] * 3):
                    page.keyboard.press(key)
        raise AssertionError("no free cell was found")

    assert play_cells(page, choose) >= 4
    expect(page.locator(boards.OVER)).to_have_text(RESULT)


def test_a_game_of_tic_tac_toe_3d_on_a_phone(open_page):
    page = open_page(**boards.PHONE)
    boards.begin(page, game="tictactoe3d", side="black")
    assert play_cells(page, lambda page, turn: page.locator("ludus-flat-board .free").last.tap()) >= 4
    expect(page.locator(boards.OVER)).to_have_text(RESULT)


def test_stones_are_dropped_on_the_cube(open_page):
    page = open_page()
    boards.begin(page, game="tictactoe3d", side="white")
    canvas = page.locator("ludus-space-board canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.locator("ludus-flat-board .free").first.wait_for()
    # The first picture needs time on a machine that draws without a graphics card: click until a stone is there.
    for _ in range(40):
        page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.55 * box["height"])
        page.wait_for_timeout(250)
        if len(boards.moves(page)) >= 2:
            break
    assert len(boards.moves(page)) >= 2
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 250, box["y"] + 80, steps=4)
    page.mouse.up()
    page.wait_for_timeout(300)
    assert len(boards.moves(page)) % 2 == 0  # turning it drops nothing


def test_moves_are_dragged_and_typed(open_page):
    page = open_page()
    boards.begin(page, opponent="champion", level=3)
    assert boards.wait_for_turn(page)
    for _ in range(5):  # a busy machine can lose the first press while it lays the page out
        page.locator(f"{boards.BOARD} [data-square='11'] .dark").hover(force=True)
        page.mouse.down()
        page.locator(f"{boards.BOARD} [data-square='15'] .dark").hover(force=True)
        page.mouse.up()
        page.wait_for_timeout(500)
        if boards.state(page)["count"]:
            break
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 2")
    assert boards.moves(page)[0] == "11-15"
    page.fill("#move", "1-32")
    page.press("#move", "Enter")
    expect(page.locator(".complaint")).to_contain_text(re.compile("legal|must be made"))
    squares = boards.own(page)
    boards.click(page, squares[0])
    target = boards.squares(page, "can be reached")[0]
    page.keyboard.press("Escape")
    assert not boards.squares(page, "can be reached")
    page.fill("#move", f"{squares[0]} {target}")
    page.press("#move", "Enter")
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 4")


def test_captures_are_forced_and_jumps_are_made_square_by_square(open_page):
    page = open_page()
    boards.begin(page, side="black", opening="typed", typed="B:W10,18,27:B1,7")
    assert boards.wait_for_turn(page)
    assert boards.squares(page, "must capture") == [7]
    expect(page.locator(f"{boards.BOARD} .must")).to_have_count(1)
    boards.click(page, 7)
    assert boards.squares(page, "can be reached") == [14]
    assert boards.squares(page, "end of the jump")
    boards.click(page, 14)
    assert not boards.moves(page)  # the jump goes on
    while targets := boards.squares(page, "can be reached"):
        boards.click(page, targets[0])
        page.wait_for_timeout(100)
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 1")
    assert boards.moves(page)[0].startswith("7x")


def test_hint_take_back_draw_resign_and_rematch(open_page):
    page = open_page()
    boards.begin(page, opponent="champion", level=1)
    assert boards.wait_for_turn(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".status")).to_contain_text("Hint: ")
    expect(page.locator(".arrow.hint")).to_have_count(1)
    page.fill("#move", "11-15")
    page.press("#move", "Enter")
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 2")
    page.get_by_role("button", name="Offer draw").click()
    expect(page.locator(".status")).not_to_contain_text("plays")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("ludus-moves li button")).to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.locator(boards.OVER)).to_have_text("You lost: you resigned.")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".bar:has-text('You') .stone-sign")).to_have_attribute("aria-label", "White")
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 1")  # Black begins


@pytest.mark.parametrize("kind", ["ballots2", "ballots3"])
def test_ballots(open_page, kind):
    page = open_page()
    page.select_option("#opening", kind)
    page.locator("#ballot option").nth(5).wait_for(state="attached", timeout=120_000)
    boards.begin(page, side="black")
    assert boards.wait_for_turn(page)
    assert len(boards.moves(page)) >= int(kind[-1])
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()  # the opening is not the person's


def test_a_clock_runs_and_a_game_is_lost_on_time(open_page):
    page = open_page()
    boards.begin(page, clock="own")
    assert boards.wait_for_turn(page)
    expect(page.locator(".clock.runs")).to_have_text("9:58")
    page.evaluate("""() => {
        const id = JSON.parse(localStorage.getItem('ludus.current'));
        const game = JSON.parse(localStorage.getItem(`ludus.game.${id}`));
        game.left.black = 300;
        window.addEventListener('pagehide', () => localStorage.setItem(`ludus.game.${id}`, JSON.stringify(game)));
    }""")
    page.reload()
    expect(page.locator(boards.OVER)).to_have_text("You lost: your time is over.")


def test_a_game_survives_a_reload_and_a_restart_of_the_server(open_page, server):
    page = open_page()
    boards.begin(page, opponent="champion", level=2)
    assert boards.wait_for_turn(page)
    page.fill("#move", "11-15")
    page.press("#move", "Enter")
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 2")
    played = boards.moves(page)
    page.reload()
    assert boards.wait_for_turn(page)
    assert boards.moves(page) == played
    server.stop()
    server.start()
    boards.click(page, boards.own(page)[0])
    boards.click(page, boards.squares(page, "can be reached")[0])
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 4")
    # The browser itself reports the connection that was lost.
    page.troubles[:] = [
        each for each in page.troubles if not re.search("WebSocket|ERR_CONNECTION|Failed to load", each)
    ]


def test_a_game_is_saved_as_a_new_file_and_copied(open_page, runs):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    boards.begin(page, opponent="champion", level=1)
    assert boards.wait_for_turn(page)
    page.fill("#move", "11-15")
    page.press("#move", "Enter")
    page.wait_for_function("() => document.querySelectorAll('ludus-moves li button').length >= 2")
    page.get_by_text("Save, copy or analyse").click()
    page.fill("#save-name", "club night")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".said")).to_contain_text("club night")
    [saved] = runs.rglob("club night*")
    assert "11-15" in saved.read_text()
    page.get_by_role("button", name="Copy PDN").click()
    expect(page.locator(".said")).to_have_text("The game was copied.")
    assert '[White "champion"]' in page.evaluate("() => navigator.clipboard.readText()")
    page.fill("#save-name", "../elsewhere")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_timeout(200)
    assert not list(runs.parent.glob("elsewhere*"))


def test_settings_are_kept_and_sound_is_off_until_asked_for(open_page):
    page = open_page()
    boards.begin(page)
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(f"{boards.BOARD} .number")).to_have_count(32)
    page.get_by_role("button", name="Show the numbers").click()
    expect(page.locator(f"{boards.BOARD} .number")).to_have_count(0)
    page.get_by_role("button", name="Sound").click()
    page.get_by_role("button", name="Change between light and dark").click()
    page.reload()
    expect(page.locator("ludus-moves")).to_be_visible()
    expect(page.locator(f"{boards.BOARD} .number")).to_have_count(0)
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("html")).to_have_attribute("data-theme", re.compile("light|dark"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["draughts", "tictactoe3d"])
def test_axe_finds_nothing(open_page, accessible, scheme, game):
    page = open_page(color_scheme=scheme)
    page.locator(".opponent").first.wait_for()
    assert accessible(page) == []
    boards.begin(page, game=game, side="black" if game == "draughts" else "white", clock="5+3")
    assert boards.wait_for_turn(page)
    page.get_by_text("Save, copy or analyse").click()
    assert accessible(page) == []
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.locator(boards.OVER)).to_be_visible()
    assert accessible(page) == []


def test_axe_finds_nothing_on_a_phone(open_page, accessible):
    page = open_page(**boards.PHONE)
    boards.begin(page)
    assert boards.wait_for_turn(page)
    assert accessible(page) == []


def test_the_first_load_is_small_and_without_three_js(open_page):
    page = open_page()
    page.locator(".opponent").first.wait_for()
    page.wait_for_timeout(300)
    sizes = page.evaluate(
        "() => performance.getEntriesByType('resource').map(({name, transferSize}) => [name, transferSize])"
    )
    assert not [name for name, _ in sizes if "scene" in name or "uplot" in name.lower()]
    assert sum(size for _, size in sizes) < 150 * 1024
