"""The command show: a position drawn, a player described, the games of a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.common import MAY_BEGIN_WITH_A_HYPHEN, app, fail, note, read_player, read_position
from ludus.cli.options import PLAYER_HELP, AfterOption, GameOption, NumberOption, StrictOption
from ludus.game_names import GameName
from ludus.harmless import harmless

if TYPE_CHECKING:
    from ludus.games import Move, Position


@app.command(context_settings=MAY_BEGIN_WITH_A_HYPHEN)
def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT", help=f"A position, as text, or start; or a file of games; or a player. {PLAYER_HELP}"
        ),
    ] = "start",
    game: GameOption = None,
    list_players: Annotated[
        bool, typer.Option("--players", help="List the players that have a name, with the commands that made them.")
    ] = False,
    number: NumberOption = None,
    after: AfterOption = None,
    strict: StrictOption = False,
) -> None:
    """Show a position with its moves, games of a file, or a player."""
    from ludus import players
    from ludus.play import saving

    if list_players:
        for player in players.named_players():
            if game in (None, player.game):
                made = player.made
                build = f", Ludus {made.version}, {made.instructions}" if made.version else ""
                origin = (
                    f"{made.command}, seed {made.seed}, {made.date}{build}" if made.command else "needs no training"
                )
                print(f"{player.name:<20} {player.game:<12} {origin}")
        return None
    if saving.is_games_file(what):
        return show_games(Path(what), game, number, after, strict=strict)
    if number is not None or after is not None:
        fail("--number and --after choose a position of a file of games")
    if players.is_named(what):
        return print(read_player(what, game).describe())
    if what != "start" and not {":", ","} & set(what):
        fail(f"{what[:80]!a} is neither a position nor a player; {players.known_names(game)}")
    position = read_position(what, game)
    return show_position(position)


def show_position(position: "Position", last: "Move | None" = None) -> None:
    """The board, its text, the legal moves and what the endgame tables say."""
    from ludus.endgames import text
    from ludus.terminal import board

    print(board.drawn(position, board.Style.of_terminal(), last))
    print(position.text)
    if moves := position.moves():
        print(f"{len(moves)} legal {'move' if len(moves) == 1 else 'moves'}:", " ".join(map(position.write, moves)))
    if verdict := text.verdict_line(position):
        print(verdict)


def show_games(
    path: Path, game: GameName | None, number: int | None, after: int | None, *, strict: bool = False
) -> None:
    """A list of the games of a file; one game, with its moves, if there is one or a number is given."""
    from ludus.play import saving

    try:
        rules, records = saving.read(path, game, strict=strict, tell=note)
        if len(records) > 1 and number is None and after is None:
            for line in saving.listing(records):
                print(line)
            print(f"One of them: ludus show {path} --number {len(records)}")
            return
        record = saving.chosen(records, number, path)
        start, moves = saving.up_to(record, after)
    except saving.BadFile as error:
        fail(error)
    print(saving.title(record))
    print(harmless(rules.write(record).rstrip().rpartition("\n\n")[2]))
    position = start
    for move in moves:
        position = position.play(move)
    print(f"After {len(moves)} of {len(record.moves)} moves:")
    show_position(position, moves[-1] if moves else None)
