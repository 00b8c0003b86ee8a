"""The transcripts of docs/play.md, run again: the commands, what is typed, and what is printed."""

import doctest
import re
import subprocess
import sysconfig
from pathlib import Path

from ludus.play.levels import LEVELS

PAGE = (Path(__file__).parent.parent / "docs" / "play.md").read_text()
LUDUS = str(Path(sysconfig.get_path("scripts")) / "ludus")
PROMPT = "your move> "


def test_the_transcripts_of_the_page_are_what_happens(tmp_path):
    (tmp_path / "example.pdn").write_text(re.search(r"```pdn\n(.*?)```", PAGE, re.DOTALL)[1])
    transcripts = re.findall(r"```console\n\$ ludus (.*?)\n(.*?)```", PAGE, re.DOTALL)
    assert len(transcripts) >= 5
    for command, printed in transcripts:
        typed = re.findall(rf"^{PROMPT}(.*)$", printed, re.MULTILINE)
        done = subprocess.run(
            ["sh", "-c", f"'{LUDUS}' {command}"],
            input="".join(f"{line}\n" for line in typed),
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
        expected = re.sub(rf"^{PROMPT}.*\n", PROMPT, printed, flags=re.MULTILINE)  # a pipe does not echo
        found = done.stdout.rstrip() + "\n"
        checker = doctest.OutputChecker()
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert checker.check_output(expected, found, flags), f"$ ludus {command}\n{found}"
        assert done.stderr == ""


def test_the_page_has_every_level():
    for level in LEVELS:
        assert f"| {level.number} | {level.words} | {level.careless:.0%} | {level.nodes:,} |" in PAGE
