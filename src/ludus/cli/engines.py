"""The command engines: what other people's engines do wrong."""

from enum import StrEnum
from typing import Annotated

import typer

from ludus.cli.common import app, fail, print_json
from ludus.cli.options import JsonOption
from ludus.counted import counted
from ludus.game_names import GameName
from ludus.harmless import harmless

group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(group, name="engines")


class ProtocolName(StrEnum):
    """The protocols of engines."""

    HUB = "hub"
    LINE = "line"


@group.callback()
def engines() -> None:
    """Check other people's engines."""


@group.command()
def check(
    command: Annotated[
        str,
        typer.Argument(
            metavar="COMMAND", help="The command that starts the engine, as one argument: './engine --fast'."
        ),
    ],
    protocol: Annotated[
        ProtocolName | None, typer.Option(help="What the engine speaks. Default: what it answers to.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="X", help="The time that it is given for a move.", min=0.01, max=600)
    ] = 0.5,
    grace: Annotated[
        float, typer.Option(metavar="X", help="The seconds that it may take beyond that.", min=0, max=600)
    ] = 0.3,
    game: Annotated[
        GameName, typer.Option("--game", "-g", help="The game that it plays. Hub is for draughts only.")
    ] = "draughts",
    json: JsonOption = False,
) -> None:
    """Say what an engine does wrong.

    Starts the engine and checks its greeting, its moves, its time, its lines
    and its end, for Hub and for the line protocol. Prints a line a check. The
    exit status is 1 when a check fails.
    """
    import msgspec

    from ludus.protocols import check as checks
    from ludus.protocols.conversation import Limits

    found = []
    try:
        limits = Limits(move=seconds, grace=grace)
        for finding in checks.findings(command, protocol.value if protocol else None, limits, game):
            found.append(finding)
            if json:
                continue
            more = f": {finding.failure}" if finding.failure else f" ({finding.remark})" if finding.remark else ""
            print(harmless(f"{'ok  ' if finding.passed else 'FAIL'}  {finding.check}{more}"), flush=True)
    except ValueError as error:
        fail(error)
    except KeyboardInterrupt:
        fail("stopped")
    failed = sum(not finding.passed for finding in found)
    if json:
        print_json(
            "engine-check",
            {
                "command": command,
                "game": game,
                "passed": not failed,
                "checks": [{"passed": finding.passed, **msgspec.structs.asdict(finding)} for finding in found],
            },
        )
    else:
        print(f"{counted(len(found), 'check')}, {f'{failed} failed' if failed else 'all passed'}")
    if failed:
        raise typer.Exit(1)
