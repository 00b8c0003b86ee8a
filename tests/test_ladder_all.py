"""The ladder of everybody: who meets with which search and budget, and the command that lets them."""

import numpy as np
import pytest

from ludus import players
from ludus.arena import roster
from ludus.learning import templates
from ludus.players import Player, networks
from ludus.players.searches import AlphaBeta, Budget, Ept, Greedy, Minimax, Uct


def tiny(name, search, budget=None, game="draughts"):
    evaluator = templates.network("squares32" if game == "draughts" else "cells64", "2")
    theta = networks.random_theta(evaluator.layers, np.random.default_rng(1), -1, 1)
    return Player(name=name, game=game, search=search, evaluator=evaluator, budget=budget, theta=theta)


@pytest.fixture
def shipped(monkeypatch, tmp_path):
    """Small players under the names that people know, in the package's place for them."""
    those = (
        tiny("neurodraughts", Minimax(), Budget(depth=2)),
        tiny("visiondraughts", AlphaBeta(repetition=False), Budget(depth=2)),
        tiny("genetic", AlphaBeta(), Budget(depth=2)),
        tiny("newcomer", Ept(plies=6), Budget(playouts=5)),
        tiny("symmetric-patterns", Greedy(avoid_loss=True), game="tictactoe3d"),
    )
    folder = tmp_path / "shipped"
    for player in those:
        players.save(player, folder / f"{player.name}.safetensors")
    monkeypatch.setattr(
        players.catalogue, "SHIPPED", {player.name: folder / f"{player.name}.safetensors" for player in those}
    )


def entered(field):
    return {player.name: (player.search, player.budget) for player in field.players}


def test_with_equal_nodes_an_evaluator_has_alphabeta_and_a_playout_counts_as_what_it_passes(shipped):
    equal, _ = roster.rosters("draughts", 2000)
    assert equal.key == "equal" and "2,000" in equal.title
    assert entered(equal) == {
        "random": (players.find("random").search, None),
        "material@nodes=2000": (AlphaBeta(), Budget(nodes=2000)),
        "uct@playouts=50": (Uct(), Budget(playouts=50)),  # of 40 positions
        "uct@playouts=2000": (Uct(), Budget(playouts=2000)),
        "neurodraughts@nodes=2000": (AlphaBeta(), Budget(nodes=2000)),  # its own is minimax
        "visiondraughts@nodes=2000": (AlphaBeta(repetition=False), Budget(nodes=2000)),
        "genetic@nodes=2000": (AlphaBeta(), Budget(nodes=2000)),
        "newcomer@playouts=200": (Ept(plies=6), Budget(playouts=200)),  # of 6 + 4
    }


def test_on_the_ladder_of_the_papers_a_player_has_the_search_of_its_paper_or_else_its_own(shipped):
    _, papers = roster.rosters("draughts", 2000)
    full = AlphaBeta(reductions=False)
    assert entered(papers) == {
        "random": (players.find("random").search, None),
        "material@depth=4": (full, Budget(depth=4)),
        "uct@playouts=300": (Uct(), Budget(playouts=300)),
        "uct@playouts=3000": (Uct(), Budget(playouts=3000)),
        "neurodraughts@depth=4": (Minimax(), Budget(depth=4)),
        "visiondraughts@depth=6": (full, Budget(depth=6)),
        "genetic@playouts=300": (Ept(plies=6), Budget(playouts=300)),
        "newcomer@playouts=5": (Ept(plies=6), Budget(playouts=5)),
    }


def test_the_other_game_has_a_ladder_too(shipped):
    equal, papers = roster.rosters("tictactoe3d", 100)
    assert entered(equal)["symmetric-patterns@nodes=100"] == (AlphaBeta(), Budget(nodes=100))
    assert entered(equal)["uct@playouts=5"] == (Uct(), Budget(playouts=5))  # of 20
    assert entered(papers)["symmetric-patterns"] == (Greedy(avoid_loss=True), None)
    assert "benchmark" in entered(equal) and "benchmark" in entered(papers)


def test_no_weights_change(shipped):
    for field in roster.rosters("draughts", 10):
        for player in field.players:
            own = players.find(player.name.partition("@")[0]).theta
            assert (player.theta is None) if own is None else (player.theta == own).all()


def test_the_command_plays_both_ladders_and_plays_nothing_twice(run, shipped, monkeypatch, tmp_path):
    monkeypatch.setattr(roster, "UCT", (2, 3))
    out = tmp_path / "everybody"
    command = ("ladder", "--all", "--games", 2, "--budget", "nodes=80", "--maxmoves", 10, "--out", out)
    status, text, err = run(*command)
    assert status == 0, err
    first, second = text.split("As in the papers")
    for words, names in (
        (first, ("random", "material@nodes=80", "uct@playouts=2", "uct@playouts=80", "neurodraughts@nodes=80")),
        (second, ("random", "material@depth=4", "uct@playouts=3", "neurodraughts@depth=4", "newcomer@playouts=5")),
    ):
        table = [line for line in words.splitlines() if "[" in line]
        assert len(table) == 8 and all(any(name in line for line in table) for name in names)
    for key in ("equal", "papers"):
        assert len(list((out / key / "matches").iterdir())) == 8 * 7 // 2
        assert (out / key / "ladder.svg").read_text().startswith("<svg")
        assert "alpha-beta" in (out / "equal" / "ladder.html").read_text()
    kept = {path: path.read_bytes() for path in out.rglob("journal.jsonl")}
    assert run(*command) == (0, text, err)
    assert {path: path.read_bytes() for path in out.rglob("journal.jsonl")} == kept


def test_guests_play_on_both_ladders(run, monkeypatch):
    monkeypatch.setattr(players.catalogue, "SHIPPED", {})
    monkeypatch.setattr(roster, "UCT", (2, 3))
    command = ("ladder", "material@depth=1", "--all", "--games", 2, "--budget", "nodes=40", "--maxmoves", 5)
    status, text, _ = run(*command)
    assert status == 0 and sum("material@depth=1 " in line for line in text.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--all", "--budget", "depth=3"), "equal budgets are of nodes, as nodes=2000, not of depth"),
        (("--all", "--game", "tictactoe3d", "--openings", "ballots3"), "tictactoe3d has no ballots3"),
        (("random",), "a ladder needs two players or more, or --all"),
    ],
)
def test_bad_input_is_a_sentence_and_status_2(run, arguments, reason):
    status, _, err = run("ladder", *arguments)
    assert status == 2 and reason in err and err.count("\n") == 1
