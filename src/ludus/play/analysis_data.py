"""What a player finds in a position, as JSON values."""

from typing import Any

from ludus.endgames import text
from ludus.games import History
from ludus.play.analysts import check_analyst
from ludus.play.iterations import written
from ludus.play.values import scale_of
from ludus.players import ActivePlayer, Player


def data(player: Player, history: History, seed: int = 0) -> dict[str, Any]:
    """The value of every move and the best line. Raises NoAdvice for a player that finds nothing out."""
    check_analyst(player)
    position, scale = history.position, scale_of(player)
    found = ActivePlayer(player, exact=True).think(history, seed=seed)

    def value(each: Any) -> dict[str, Any]:
        men = {} if scale.man is None else {"men": round(scale.amount(each.value), 3)}
        return {"value": each.value, **men, "end_in": each.end_in}

    return {
        "game": player.game,
        "position": position.text,
        "turn": str(position.turn).lower(),
        "player": player.name,
        "depth": found.depth,
        "nodes": found.nodes,
        "best": position.write(found.variation[0]),
        **value(found),
        "line": list(written(position, found.variation)),
        "moves": [
            {"move": position.write(each.move), **value(each), "exact": each.exact}
            | ({"visits": each.visits} if each.visits else {})
            for each in found.moves
        ],
        "table": text.verdict_data(position),
    }
