"""A team of a generalist and specialists: who speaks in a game worked by hand, its file, and its endgames."""

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from ludus import players
from ludus.cli import app
from ludus.games import draughts
from ludus.learning import specialists
from ludus.learning.mp_draughts import MpDraughts
from ludus.learning.team_state import TeamState
from ludus.players import ActivePlayer, BadPlayer, Player, networks
from ludus.players.evaluators import FEATUREMAP12, FEATURES, FeatureNetwork, MultiPhase
from ludus.players.searches import AlphaBeta, Budget, Ept, Minimax
from ludus.terminal import analysis

MEMBER = FeatureNetwork(layers=networks.dense(38, 4, 1), features=FEATUREMAP12)
WEIGHTS = networks.weights(MEMBER.layers)
GENERALIST, ONE, TWO = np.random.default_rng(5).uniform(-1, 1, (3, WEIGHTS)).astype(np.float32)

# The endgame has 7 pieces here. The attribute of the map is how far the side that has just moved is behind.
TEAM = MultiPhase(
    member=MEMBER,
    units=(3, 8),
    attributes=("PieceDisadvantage",),
    attribute_values="count",
    pieces=7,
    columns=9,
    dynamics="DII",
)
NEAR_2_AND_5 = np.array([2, 5], np.float32)


SEARCH, BUDGET = AlphaBeta(), Budget(depth=4)


def player(dynamics="DII", search=SEARCH, budget=BUDGET):
    team = msgspec.structs.replace(TEAM, dynamics=dynamics)
    theta = np.concatenate([GENERALIST, ONE, TWO, NEAR_2_AND_5])
    return Player(name="team", game="draughts", search=search, evaluator=team, budget=budget, theta=theta)


def alone(theta, like):
    return msgspec.structs.replace(like, evaluator=MEMBER, theta=theta)


def game(*moves):
    history = draughts.History(draughts.Position("B:W19,22,29,32:B1,2,4,15"))
    for move in moves:
        history.play(move)
    return history


# Black takes a man and the endgame begins: White has 6 in material (2 a man, 3 a king), Black has 8. Later Black takes
# another and has a king: White has 4 and Black has 9.
MOVES = ("15x24", "22-18", "1-5", "32-27", "24x31", "18-15")


@pytest.mark.parametrize(
    ("plies", "behind", "once", "always"),
    [
        (0, None, GENERALIST, GENERALIST),  # 8 pieces
        (1, 0, ONE, ONE),  # White's first endgame; 0 is nearer to 2 than to 5
        (2, 2, ONE, ONE),  # Black's first
        (3, 0, ONE, ONE),
        (4, 2, ONE, ONE),
        (5, 0, ONE, ONE),  # White's: Black is not behind
        (6, 5, ONE, TWO),  # DI still asks about the first
    ],
)
@pytest.mark.parametrize(
    ("search", "budget"),
    [(AlphaBeta(), Budget(depth=2)), (Minimax(), Budget(depth=2)), (Ept(plies=1), Budget(playouts=40))],
)
def test_who_speaks_in_a_game_worked_by_hand(plies, behind, once, always, search, budget):
    history = game(*MOVES[:plies])
    for dynamics, speaks in (("DI", once), ("DII", always)):
        team = player(dynamics, search, budget)
        found = ActivePlayer(team).think(history, seed=3)
        wanted = ActivePlayer(alone(speaks, team)).think(history, seed=3)
        assert (found.value, found.variation, found.nodes) == (wanted.value, wanted.variation, wanted.nodes)
        assert (
            len({ActivePlayer(alone(theta, team)).think(history, seed=3).value for theta in (GENERALIST, ONE, TWO)})
            == 3
        )
    choice = TEAM.build(draughts.GAME.core, player().theta).member_choice(history)
    if behind is None:
        assert (choice.member, choice.position, choice.attributes, choice.distances) == (0, None, [], [])
    else:
        assert choice.position == history.position
        assert choice.attributes == [behind]
        assert choice.distances == [(behind - 2) ** 2, (behind - 5) ** 2]
        assert np.array_equal((ONE, TWO)[choice.member - 1], always)


def test_one_search_may_be_used_for_all_of_a_game():
    active, history = ActivePlayer(player("DII")), game()
    for move in (*MOVES, None):
        assert active.think(history).value == ActivePlayer(player("DII")).think(history).value
        if move:
            history.play(move)


def test_a_game_that_begins_in_the_endgame_asks_there():
    history = draughts.History(game(*MOVES).position)
    for dynamics in ("DI", "DII"):
        assert (
            ActivePlayer(player(dynamics)).think(history).value
            == ActivePlayer(alone(TWO, player())).think(history).value
        )


def test_the_value_of_an_afterstate_is_that_of_the_chosen_network():
    evaluator = TEAM.build(draughts.GAME.core, player().theta)
    for plies, theta in ((0, GENERALIST), (2, ONE), (6, TWO)):
        position = game(*MOVES[:plies]).position
        assert evaluator.value(position) == MEMBER.build(draughts.GAME.core, theta).value(position)


def test_analysis_names_the_chosen_network_and_the_reason(tmp_path):
    assert next(analysis.lines(player(), game())) == (
        "network: the generalist, because 8 pieces are no endgame; an endgame has at most 7"
    )
    assert list(analysis.chosen_network(player("DII"), game(*MOVES))) == [
        "network: the specialist of unit 8",
        "why: its unit is the nearest of 2; squared distances: unit 8 0.000, unit 3 9.000",
        "attributes: PieceDisadvantage 5",
    ]
    first = game(*MOVES[:2]).position.text
    assert list(analysis.chosen_network(player("DI"), game(*MOVES)))[:2] == [
        "network: the specialist of unit 3",
        f"why: its unit is the nearest of 2, asked about {first}, where the endgame began; "
        "squared distances: unit 3 0.000, unit 8 9.000",
    ]
    path = tmp_path / "team.safetensors"
    players.save(player(), path)
    said = CliRunner().invoke(app, ["analyse", game(*MOVES).position.text, "--with", str(path)])
    assert said.exit_code == 0
    assert "network: the specialist of unit 8" in said.output
    shown = CliRunner().invoke(app, ["show", str(path)])
    assert "a team of a generalist and 2 specialists" in shown.output


def test_a_team_is_one_file(tmp_path):
    path = tmp_path / "team.safetensors"
    players.save(player("DI"), path)
    loaded = players.load(path)
    assert loaded.evaluator == player("DI").evaluator
    assert np.array_equal(loaded.theta, player().theta)
    members, units = loaded.evaluator.parts(loaded.theta)
    assert np.array_equal(members, [GENERALIST, ONE, TWO])
    assert np.array_equal(units, [[2], [5]])
    players.save(loaded, tmp_path / "again")
    assert path.read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"units": (3,)}, "a team of 2 networks and their map needs its weights"),
        ({"pieces": 25}, "an endgame has at most 0 to 24 pieces"),
        ({"member": msgspec.structs.replace(MEMBER, features=FEATURES)}, "a network on 28 features has 83 inputs"),
    ],
)
def test_a_team_that_does_not_fit_together_says_why(change, reason):
    broken = msgspec.structs.replace(player(), evaluator=msgspec.structs.replace(TEAM, **change))
    with pytest.raises(BadPlayer, match=reason):
        ActivePlayer(broken)


@pytest.mark.parametrize(
    "change",
    [
        {"units": ()},
        {"units": (8, 3)},
        {"units": (3, 10)},
        {"attributes": ("Gap", "Apex")},
        {"rows": 100, "columns": 9},
    ],
)
def test_a_map_that_cannot_be(change):
    with pytest.raises(ValueError, match=r"units|attributes"):
        MultiPhase(**{"member": MEMBER, "units": (3, 8), "columns": 9, **change})


def test_the_generalist_speaks_for_a_unit_without_a_specialist():
    team = msgspec.structs.replace(TEAM, accepted=(8,))
    theta = np.concatenate([GENERALIST, TWO, NEAR_2_AND_5])
    one = msgspec.structs.replace(player(), evaluator=team, theta=theta)
    for plies, speaks in ((0, GENERALIST), (2, GENERALIST), (6, TWO)):
        history = game(*MOVES[:plies])
        assert ActivePlayer(one).think(history).value == ActivePlayer(alone(speaks, one)).think(history).value
    assert next(analysis.chosen_network(one, game(*MOVES[:2]))) == (
        "network: the generalist, because unit 3 has no specialist"
    )
    assert next(analysis.chosen_network(one, game(*MOVES))) == "network: the specialist of unit 8"
    assert "a generalist and 1 specialist," in str(team)
    none = msgspec.structs.replace(team, accepted=())
    alone_theta = np.concatenate([GENERALIST, NEAR_2_AND_5])
    assert ActivePlayer(msgspec.structs.replace(one, evaluator=none, theta=alone_theta)).think(game(*MOVES)).value == (
        ActivePlayer(alone(GENERALIST, one)).think(game(*MOVES)).value
    )


def test_a_specialist_with_more_features_begins_as_its_generalist():
    wider = MpDraughts(specialist_features=FEATURES, hidden=4, generalist="x").specialist_config(1).evaluator()
    theta = specialists.widened(GENERALIST, MEMBER, wider)
    one, other = MEMBER.build(draughts.GAME.core, GENERALIST), wider.build(draughts.GAME.core, theta)
    for plies in range(7):
        position = game(*MOVES[:plies]).position
        assert other.value(position) == pytest.approx(one.value(position), abs=1e-6)


def counts_pieces(repetition):
    """A team of our preset whose members know nothing but material."""
    config = MpDraughts(
        hidden=1,
        units=2,
        budget="depth=4",
        repetition=repetition,
        attributes=("PieceAdvantage",),
        specialist_features=(),
    )
    member = np.zeros(networks.weights(config.evaluator().layers), np.float32)
    member[:4] = 0.1 * 2.0 ** np.arange(4)  # the bits of PieceAdvantage
    member[4:8] = -member[:4]  # and of PieceDisadvantage
    member[39] = 1  # from the hidden node to the output
    state = TeamState(generalist=member, units=np.array([[0.0], [1.0]]))
    return specialists.with_specialists(config._team_player(state, np.array([0, 1])), {1: member, 2: member})


@pytest.mark.parametrize("dynamics", ["DI", "DII"])
def test_no_won_endgame_is_lost_to_a_repetition_that_the_search_can_see(dynamics):
    # Three kings against two pieces, one of them in a double corner: Black is ahead, but four plies show no win.
    endings = {True: set(), False: set()}
    defender = ActivePlayer(players.find("material@depth=4", "draughts"))
    for repetition, found in endings.items():
        team = counts_pieces(repetition)
        evaluator = msgspec.structs.replace(team.evaluator, dynamics=dynamics)
        sides = ActivePlayer(msgspec.structs.replace(team, evaluator=evaluator)), defender
        for text in ("B:WK1,K5:BK18,K19,K14", "B:W29,K1:BK18,K19,K10"):
            for seed in range(4):
                history = draughts.History(draughts.Position(text))
                while not (outcome := history.outcome()):
                    history.play(sides[history.plies % 2].choose(history, seed=seed))
                found.add(outcome.reason.name)
    assert "REPETITION" not in endings[True]
    assert "REPETITION" in endings[False]  # a search that does not value it walks into it
