"""The levels of an opponent, 1 to 9: how much it searches, and how often it moves without looking."""

from dataclasses import dataclass

from ludus.players import Player, searches
from ludus.players.searches import Budget, Greedy, Random

DEFAULT = 3


@dataclass(frozen=True)
class Level:
    """How strong an opponent plays. The work is that of one move."""

    number: int
    words: str
    careless: float  # the share of its moves that it makes at random
    nodes: int  # positions of alpha-beta
    playouts: int  # of MCTS
    depth: int  # of searches that know no other budget

    def budget(self, player: Player) -> Budget | None:
        """What the player may use for a move, None if it does not search."""
        if isinstance(player.search, Greedy):
            return Budget(nodes=self.nodes)
        for budget in (Budget(nodes=self.nodes), Budget(playouts=self.playouts), Budget(depth=self.depth)):
            if searches.takes(player.search, budget):
                return budget
        return None

    def of(self, player: Player) -> Player:
        """The player at this level. Raises ValueError for one that does not search."""
        budget = self.budget(player)
        if budget is None:
            chooses = "moves at random" if isinstance(player.search, Random) else "does not search"
            raise ValueError(f"{player.name} {chooses}, so it has no levels")
        return player.with_budget(budget)

    def __str__(self) -> str:
        return f"level {self.number}, {self.words}"


_RANDOM_SHARES = (0.6, 0.4, 0.25, 0.15, 0.07, 0.0, 0.0, 0.0, 0.0)
_NODES = (20, 40, 80, 160, 320, 1_000, 8_000, 60_000, 500_000)
_PLAYOUTS = (10, 20, 40, 80, 160, 500, 2_000, 8_000, 40_000)
_WORDS = (
    "a beginner: more than half of its moves are made without looking",
    "a beginner who begins to look: two moves of five are made without looking",
    "a casual player: every fourth move is made without looking",
    "a casual player with some care: about one move of seven is made without looking",
    "a careful player who looks a few moves ahead and now and then does not look at all",
    "an experienced player: looks at about a thousand positions a move",
    "a club player: looks at about eight thousand positions a move",
    "a strong player: looks at about sixty thousand positions a move",
    "the strongest: looks at half a million positions a move",
)
LEVELS = tuple(
    Level(number, words, careless, nodes, playouts, number)
    for number, (words, careless, nodes, playouts) in enumerate(
        zip(_WORDS, _RANDOM_SHARES, _NODES, _PLAYOUTS, strict=True), 1
    )
)


def find(number: int) -> Level:
    """The level of this number. Raises ValueError."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"levels are 1 to {len(LEVELS)}, not {number}")
    return LEVELS[number - 1]
