"""The command mend: broken lines are taken out of journals, so that their games are played again."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.common import app, fail
from ludus.cli.options import named_path


@app.command()
def mend(
    folder: Annotated[
        Path,
        typer.Argument(
            parser=named_path,
            metavar="FOLDER",
            help="The folder of a match, a ladder, an exam, a study or a run, with all folders in it.",
        ),
    ],
) -> None:
    """Take broken lines out of journals, trials and times.

    The good lines stay. The broken ones go to a file beside it whose name ends in .broken. The command that made the
    folder then plays or trains again what is missing.
    """
    from ludus.arena import journal
    from ludus.lines import BadLine
    from ludus.runs import folder as runs
    from ludus.studies import trials

    kinds = {journal.JOURNAL: journal.mend, trials.JOURNAL: trials.mend, runs.TIMES: runs.mend_times}
    if not folder.is_dir():
        fail(f"there is no folder {folder}")
    found = sorted(path for path in folder.rglob("*.jsonl") if path.name in kinds and path.is_file())
    if not found:
        fail(f"there are no journals, trials or times in {folder}")
    for path in found:
        try:
            count = kinds[path.name](path)
        except BadLine as error:
            fail(f"{path} cannot be mended: {error}; begin again in another folder")
        except BlockingIOError:
            fail(f"another process is writing {path}: wait until it ends")
        except OSError as error:
            fail(f"{path} cannot be mended: {error.strerror}")
        lines = "1 broken line" if count == 1 else f"{count} broken lines"
        print(f"{path}: {f'{lines} moved to {path.name}.broken' if count else 'no line is broken'}")
