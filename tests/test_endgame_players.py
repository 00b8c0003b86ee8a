"""Players with endgame tables: their names, their files, and how they play."""

import msgspec
import pytest

from ludus import endgames, players
from ludus.arena.task import digest
from ludus.games import DrawRules, draughts
from ludus.games.draughts import History, Position
from ludus.players import ActivePlayer, BadPlayer, Settings
from ludus.players.searches import AlphaBeta, Budget
from ludus.terminal.play import TerminalGame
from ludus.terminal.sides import PlayerSide

MISSING = "there is no endgame table of 5 pieces in .*; build it with: ludus endgame build --pieces 6"


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", Settings()),
        ("depth=4", Settings(Budget(depth=4))),
        ("endgames=4", Settings(None, 4)),
        ("depth=4,endgames=4", Settings(Budget(depth=4), 4)),
        ("endgames=0,nodes=100", Settings(Budget(nodes=100), 0)),
    ],
)
def test_settings_stand_after_the_name_in_any_order(text, settings):
    assert Settings.parse(text) == settings
    player = players.find(f"material@{text}" if text else "material")
    assert player.search == AlphaBeta(endgames=settings.endgames or 0)
    assert player.budget == settings.budget
    assert players.is_named(player.name)
    assert players.games_of(player.name) == {"draughts", "tictactoe3d"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("material@depth=4,nodes=3", "two budgets"),
        ("material@endgames=4,endgames=4", "write endgames=4, once"),
        ("material@endgames=-1", "write endgames=4, once"),
        ("material@endgames=x", "write endgames=4, once"),
        ("material@endgames=1", "endgames is 0 or 2 to 6 pieces, not 1"),
        ("material@endgames=99", "endgames is 0 or 2 to 6 pieces, not 99"),
        ("material@depth=4,", "'' is not a budget"),
        ("uct@endgames=4", "uct does not use endgame tables, only alphabeta and pvs do"),
    ],
)
def test_settings_that_cannot_be_are_refused(name, message):
    with pytest.raises(BadPlayer, match=message):
        players.find(name)


def test_the_other_game_has_no_tables():
    with pytest.raises(BadPlayer, match="no endgame tables of tictactoe3d"):
        players.find("material@endgames=4", "tictactoe3d")
    material = players.find("material", "tictactoe3d")
    with pytest.raises(BadPlayer, match="does not know tictactoe3d"):
        ActivePlayer(msgspec.structs.replace(material, search=AlphaBeta(endgames=4)))


def test_a_player_without_tables_has_the_file_and_the_digest_it_always_had():
    assert msgspec.json.encode(AlphaBeta()) == b'{"type":"alphabeta"}'
    one, other = players.find("material@endgames=0"), players.find("material")
    assert digest(msgspec.structs.replace(one, name="material")) == digest(other)


def test_a_file_keeps_the_tables_and_is_refused_without_them(tmp_path, monkeypatch):
    player = players.find("material@depth=2,endgames=4")
    players.save(player, tmp_path / "player.safetensors")
    assert players.load(tmp_path / "player.safetensors").search == AlphaBeta(endgames=4)
    assert "endgame tables: up to 4 pieces" in player.describe()
    monkeypatch.setenv("LUDUS_ENDGAMES", str(tmp_path))
    with pytest.raises(BadPlayer, match=MISSING):
        players.find("material@endgames=6")
    players.save(msgspec.structs.replace(player, search=AlphaBeta(endgames=6)), tmp_path / "other.safetensors")
    with pytest.raises(BadPlayer, match=MISSING):
        players.load(tmp_path / "other.safetensors")


def test_a_won_ending_is_played_by_the_table():
    start = Position("W:WK32,K31:BK1")
    active = ActivePlayer(players.find("material@depth=2,endgames=4"))
    found = active.think(History(start))
    assert (found.value, found.end_in, len(found.variation)) == (1.0, 33, 33)
    assert {(choice.value, choice.exact) for choice in found.moves} == {(1.0, True)}
    history = History(start)
    while not (outcome := history.outcome()):
        history.play(active.choose(history))
    assert outcome.winner == start.turn
    position, plies = start, 0
    for move in found.variation:
        position, plies = position.play(move), plies + 1
    assert not position.moves()


def test_a_win_through_the_tables_is_seen_from_outside():
    tables = endgames.load(4)
    with_tables, without = (ActivePlayer(players.find(f"material@depth=5,endgames={n}")) for n in (4, 0))
    seen = 0
    for seed in range(300):
        moves, _ = draughts.random_game(seed, 0)
        position = draughts.START
        for move in moves:
            position = position.play(move)
            if len(position.pieces()) == 5 and position.moves():
                found = with_tables.think(History(position))
                assert -1 <= found.value <= 1
                if found.value == 1 and found.end_in is None:
                    # The line leads to a position of the table that is won.
                    after = position
                    for step in found.variation:
                        after = after.play(step)
                    verdict = tables.verdict(after)
                    assert verdict is not None
                    assert (verdict.result is endgames.Result.WIN) == (after.turn == position.turn)
                    seen += without.think(History(position)).value < 1
                break
    assert seen > 5


def test_a_search_repeats_to_the_bit_whatever_was_searched_before():
    name = "material@nodes=3000,endgames=4"
    used = ActivePlayer(players.find(name))
    for text in ("W:WK32,K31,18:BK1,5", "B:WK32,K31,18:BK1,5,9", "W:WK30,19:BK3,K4,8"):
        history = History(Position(text), DrawRules())
        one, other = used.think(history, seed=3), ActivePlayer(players.find(name)).think(history, seed=3)
        assert (one.value, one.nodes, one.variation) == (other.value, other.nodes, other.variation)


def test_the_record_of_a_game_in_the_terminal_names_the_tables():
    start = Position("W:WK32,K31:BK1")
    side = PlayerSide(players.find("material@depth=2,endgames=4"))
    game = TerminalGame(
        draughts.GAME,
        side,
        start,
        ~start.turn,
        lambda prompt: None,
        lambda text: None,
        seed=0,
        adviser=lambda: side,
    )
    tag = f"material@depth=2,endgames=4: 4 pieces, {endgames.load(4).digest}"
    assert game.play().tags["Endgames"] == tag
