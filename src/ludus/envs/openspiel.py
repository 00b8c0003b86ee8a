"""OpenSpiel: our games for its algorithms, our players as its bots, and its bots as opponents of ours.

Importing this module registers the games `ludus_draughts` and `ludus_tictactoe3d`, whose actions are the ids of moves:

    import pyspiel
    import ludus.envs.openspiel

    game = pyspiel.load_game("ludus_draughts(quiet_plies=40)")

The parameters are the draw rules: repetitions, quiet_plies, plies and blocked. `PlayerBot` is a player of this package
as a bot of OpenSpiel. `chooser` makes of a bot of OpenSpiel what `ludus.envs.gym` takes as an opponent.
"""

from collections.abc import Callable
from typing import Any

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ModuleNotFoundError(f"{error.name} is not installed: pip install open_spiel", name=error.name) from error

import numpy as np

from ludus import games, players
from ludus.games import DrawRules, Game, History, Move
from ludus.players import ActivePlayer, Player

__all__ = ["LudusGame", "LudusState", "PlayerBot", "chooser"]

_PREFIX = "ludus_"
_IRREVERSIBLE = 24 * 7 + 24  # the most men's moves and captures of a game of draughts: each begins new quiet plies
_LONGEST = 100_000  # where the draw rules set no limit
_RULES = {"repetitions": 3, "quiet_plies": 80, "plies": 0, "blocked": False}


class LudusGame(pyspiel.Game):
    """A game of this package for OpenSpiel.

    Examples:
        >>> pyspiel.load_game("ludus_tictactoe3d").num_distinct_actions()
        16
    """

    def __init__(self, game: Game, params: dict[str, Any] | None = None) -> None:
        given = {name: value for name, value in (params or {}).items() if name in _RULES}
        self.ludus = game
        self.rules = DrawRules(**given)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.core.ACTIONS,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_most_plies(game, self.rules),
        )
        super().__init__(_game_type(game), info, params or {})

    def new_initial_state(self, state: Any = None) -> "LudusState":
        """The start of a game."""
        if state is not None:
            raise ValueError("a state is the start of a game and its actions; it cannot be made of anything else")
        return LudusState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """What a player sees of a state: the planes."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class LudusState(pyspiel.State):
    """A game under way. `ludus` is its History.

    Examples:
        >>> state = pyspiel.load_game("ludus_draughts").new_initial_state()
        >>> len(state.legal_actions()), state.current_player()
        (7, 0)
    """

    def __init__(self, game: LudusGame) -> None:
        super().__init__(game)
        self.ludus: History = game.ludus.history(rules=game.rules)
        self._first = game.ludus.first

    def current_player(self) -> int:
        """The player to move: 0 moves first in the game."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return 0 if self.ludus.position.turn == self._first else 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(move.id for move in self.ludus.position.moves())

    def _apply_action(self, action: int) -> None:
        self.ludus.play(self.ludus.position.move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.ludus.position.write(self.ludus.position.move(action))

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.ludus.outcome() is not None

    def returns(self) -> list[float]:
        """The result of each player: 1 won, -1 lost, else 0."""
        outcome = self.ludus.outcome()
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == self._first else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.ludus.position)


class _Observer:
    """The planes of the side to move or of the other."""

    def __init__(self, game: LudusGame, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"the observation has no parameters, but {params} was given")
        self._core = game.ludus.core
        shape = self._core.encoders()["planes"]
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: LudusState, player: int) -> None:
        """Fills the tensor with what a player sees."""
        turn = state.ludus.position.turn
        side = 0 if turn == self._core.START.turn else 1
        self._core.observe(state.ludus, self.dict["observation"], afterstate=player != side)

    def string_from(self, state: LudusState, player: int) -> str:
        """The position and what the draw rules count."""
        history = state.ludus
        return f"{history.position.text} quiet {history.quiet_plies} stood {history.repetitions}"


class PlayerBot(pyspiel.Bot):
    """A player of this package as a bot of OpenSpiel, for the games of this module.

    The player is given by name, as on the command line, or as a Player. Its seed at a move is made of `seed` and the
    number of the move. Raises BadPlayer.

    Examples:
        >>> game = pyspiel.load_game("ludus_draughts")
        >>> state = game.new_initial_state()
        >>> PlayerBot("material@depth=2", game).step(state) in state.legal_actions()
        True
    """

    def __init__(self, player: str | Player, game: pyspiel.Game, *, seed: int = 0) -> None:
        super().__init__()
        name = _ludus_name(game)
        found = players.find(player, name) if isinstance(player, str) else player
        if found.game != name:
            raise players.BadPlayer(f"{found.name} plays {found.game}, not {name}")
        self._active = ActivePlayer(found)
        self._seed = seed

    def step(self, state: pyspiel.State) -> int:
        """The action that the player chooses."""
        history = _history_of(state)
        return self._active.choose(history, seed=games.side_seed(self._seed, history.plies)).id

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """A state has all its actions, so nothing has to be kept."""

    def restart(self) -> None:
        """Forgets what the search remembers of the game before."""
        self._active.search.new_game()

    def restart_at(self, state: pyspiel.State) -> None:
        """The same: `step` reads the whole state."""
        self.restart()


def chooser(bot: pyspiel.Bot, game: pyspiel.Game) -> Callable[[History, int], Move]:
    """A bot of OpenSpiel as a function that chooses moves, as `ludus.envs.gym` takes it for an opponent.

    `game` is one of this module; the games must begin at its start. The bot has its own random numbers.

    Examples:
        >>> game = pyspiel.load_game("ludus_draughts")
        >>> choose = chooser(PlayerBot("random", game), game)
        >>> history = games.find("draughts").history()
        >>> choose(history, 0) in history.position.moves()
        True
    """
    start = games.find(_ludus_name(game)).start

    def choose(history: History, seed: int) -> Move:
        """The bot's move."""
        if history.start != start:
            raise ValueError(f"OpenSpiel's games begin at the start, not at {history.start.text}")
        state = game.new_initial_state()
        for move in history.moves:
            state.apply_action(move.id)
        return history.position.move(bot.step(state))

    return choose


def _history_of(state: pyspiel.State) -> History:
    """The history of a state, which algorithms may have copied, by its actions."""
    game = state.get_game()
    rules = {name: value for name, value in game.get_parameters().items() if name in _RULES}
    history = games.find(_ludus_name(game)).history(rules=DrawRules(**rules))
    for action in state.history():
        history.play(history.position.move(action))
    return history


def _ludus_name(game: pyspiel.Game) -> str:
    name: str = game.get_type().short_name
    if not name.startswith(_PREFIX):
        ours = " or ".join(_PREFIX + known for known in games.GAME_NAMES)
        raise ValueError(f"{name} is not a game of this package: load {ours}")
    return name.removeprefix(_PREFIX)


def _most_plies(game: Game, rules: DrawRules) -> int:
    if game.material is None:  # no position can come back: a game has at most a move a cell
        most = len(game.start.moves()) * 4
    else:
        most = (_IRREVERSIBLE + 1) * rules.quiet_plies if rules.quiet_plies else _LONGEST
    return min(most, rules.plies or most)


def _game_type(game: Game) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=_PREFIX + game.name,
        long_name=f"{game.title} of Ludus",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_RULES,
    )


def _register(game: Game) -> None:
    class Registered(LudusGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(game, params)

    pyspiel.register_game(_game_type(game), Registered)


for _game in games.GAMES:
    _register(_game)
