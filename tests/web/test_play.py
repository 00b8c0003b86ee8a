"""Games over the socket: boards, moves of players, hints, draws."""

import json

import pytest

from client import get, line
from ludus.web import ratings, words


def test_the_board_at_the_start(tab):
    board = tab.ask("look", line=line())
    assert board["type"] == "board"
    assert board["turn"] == "black"
    assert len(board["pieces"]) == 24
    assert {move["text"] for move in board["moves"]} == {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}
    assert board["last"] is None
    assert board["outcome"] is None
    assert board["table"] is None


def test_moves_may_be_typed_as_people_type_them(tab):
    board = tab.ask("look", line=line("11 15", "22-18", "15 x 22"))
    assert board["history"] == ["11-15", "22-18", "15x22"]
    assert board["last"] == {"text": "15x22", "path": [15, 22], "captured": [18]}
    assert board["opening"] == "Single Corner"


def test_a_jump_has_the_squares_of_its_path(tab):
    board = tab.ask("look", line=line(start="W:W11,22:B7,8,15,16"))
    paths = {move["text"]: (move["path"], move["captured"]) for move in board["moves"]}
    assert all(captured for _, captured in paths.values())


def test_the_stones_of_the_cube_fall_and_the_winning_line_is_lit(tab):
    board = tab.ask("look", line=line(*["a1", "b1", "a1", "b1", "a1", "b1", "a1"], game="tictactoe3d"))
    assert board["last"] == {"text": "a1", "path": [48], "captured": []}
    assert board["win"] == [0, 16, 32, 48]
    assert board["outcome"] == {"winner": "white", "reason": "four stones in a line"}
    assert board["moves"] == []


def test_a_side_without_pieces_has_lost(tab):
    board = tab.ask("look", line=line("18x11", start="W:W18:B15"))
    assert board["outcome"] == {"winner": "white", "reason": "Black has no pieces left"}


def test_the_endgame_tables_are_asked(tab):
    board = tab.ask("look", line=line(start="W:WK18,K19,K23:BK3"))
    assert board["table"]["verdict"] == "win"
    assert board["table"]["plies"] > 0


@pytest.mark.parametrize("game", ["draughts", "tictactoe3d"])
@pytest.mark.parametrize("level", [1, 3])
def test_a_whole_game_between_two_levels(tab, game, level):
    moves = []
    while len(moves) < 300:
        moved = tab.ask(
            "play",
            line=line(*moves, game=game),
            player="champion" if game == "draughts" else "champion3d",
            level=level if len(moves) % 2 else 5,
            seed=7,
        )
        assert moved["type"] == "moved", moved
        moves.append(moved["move"])
        if moved["board"]["outcome"]:
            break
    assert moved["board"]["outcome"]
    assert moved["board"]["history"] == moves


def test_a_player_plays_without_a_level_too(tab):
    for player in ("random", "material", "uct", "blondie24-1999", "mp-draughts"):
        assert tab.ask("play", line=line(), player=player)["type"] == "moved"
    for player in ("random", "benchmark", "uct", "symmetric-patterns"):
        assert tab.ask("play", line=line(game="tictactoe3d"), player=player)["type"] == "moved"


def test_a_strong_player_says_what_it_thinks(tab):
    *thoughts, moved = tab.answers("play", line=line("11-15"), player="champion", level=9)
    assert thoughts and all(each["type"] == "thinking" and each["line"] for each in thoughts)
    assert moved["nodes"] > 10_000


def test_the_same_seed_plays_the_same_move_and_others_vary(tab):
    def opening(seed):
        return tab.ask("play", line=line(), player="champion", level=6, seed=seed)["move"]

    assert opening(1) == opening(1)
    assert len({opening(seed) for seed in range(20)}) > 1


def test_a_clock_that_is_almost_empty_is_respected(tab):
    moved = tab.ask("play", line=line(), player="champion", level=9, clock={"left_ms": 60, "increment_ms": 0})
    assert moved["milliseconds"] < 100


def test_a_hint_is_a_legal_move_with_a_line(tab):
    hint = tab.ask("hint", line=line("11-15"))
    assert hint["type"] == "hint"
    assert hint["move"] == hint["line"][0]
    assert tab.ask("look", line=line("11-15", *hint["line"]))["type"] == "board"


def test_a_draw_is_refused_early_and_accepted_where_the_tables_say_so(tab):
    assert tab.ask("draw", line=line("11-15"), player="champion", level=3)["accepted"] is False
    assert tab.ask("draw", line=line(start="W:WK18,K19:BK3,K4"), player="champion")["accepted"] is True


def test_pieces_set_up_by_hand(tab):
    pieces = [{"square": 18, "side": "white", "king": True}, {"square": 3, "side": "black", "king": False}]
    board = tab.ask("setup", game="draughts", pieces=pieces, turn="white")
    assert board["fen"] == "W:WK18:B3"
    stones = [{"square": 5, "side": "white", "king": False}]
    assert tab.ask("setup", game="tictactoe3d", pieces=stones, turn="black")["pieces"] == stones


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("look", {"line": line("11-17")}, "move 1: '11-17' is not legal"),
        ("look", {"line": line(start="nonsense")}, "position"),
        ("look", {"line": line(start="W:W1\n:B2")}, "printable"),
        ("play", {"line": line(), "player": "nobody"}, "there is no player nobody"),
        ("play", {"line": line(), "player": "../../etc/passwd"}, "there is no player"),
        ("play", {"line": line(), "player": "<b>x</b>"}, "there is no player <b>x</b>"),
        ("play", {"line": line(), "player": "champion3d"}, "there is no player champion3d of draughts"),
        ("play", {"line": line(), "player": "random", "level": 3}, "has no levels"),
        ("play", {"line": line("18x11", start="W:W18:B15"), "player": "champion"}, "the game is over"),
        ("hint", {"line": line("18x11", start="W:W18:B15")}, "the game is over"),
        (
            "setup",
            {"game": "draughts", "pieces": [{"square": 5, "side": "white", "king": False}] * 2, "turn": "white"},
            "two pieces are on one square",
        ),
        (
            "setup",
            {"game": "tictactoe3d", "pieces": [{"square": 20, "side": "white", "king": False}], "turn": "white"},
            "nothing below it",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tab, kind, fields, words):
    answer = tab.ask(kind, **fields)
    assert answer["type"] == "error"
    assert words in answer["message"]
    assert "Traceback" not in answer["message"]


def test_the_lists_of_players_levels_and_openings(port):
    status, _, body = get(port, "/api/players?game=draughts")
    players = json.loads(body)
    assert status == 200
    assert players[0]["name"] == "champion" and players[0]["strongest"] and players[0]["rating"]["elo"] > 0
    assert all(player["words"] and player["details"] for player in players)
    assert {"random", "mp-draughts", "uct"} <= {player["name"] for player in players}
    assert len(json.loads(get(port, "/api/levels")[2])) == 9
    openings = json.loads(get(port, "/api/openings?game=draughts")[2])
    assert (len(openings["ballots2"]), len(openings["ballots3"])) == (47, 174)
    assert get(port, "/api/players?game=chess")[0] == 400


def test_players_of_the_package_have_words_and_most_a_rating(port):
    for game in ("draughts", "tictactoe3d"):
        players = json.loads(get(port, f"/api/players?game={game}")[2])
        assert [player["name"] for player in players if player["rating"] is None] == ["uct"]
        assert set(words.ABOUT) >= {player["name"] for player in players}
        for player in players:  # whole sentences that fit in two lines of the list
            assert player["words"].endswith(".")
            assert len(player["words"]) <= 64
            assert player["made"].endswith(".")


def test_ratings_are_read_from_the_text_of_a_ladder():
    text = "1   champion@nodes=2000   +840  [+634, +1045]    260\n2   uct@playouts=50   -655   [-848, -461]\n"
    assert ratings.of_ladder(text) == {"champion": ratings.Rating(elo=840, low=634, high=1045)}
