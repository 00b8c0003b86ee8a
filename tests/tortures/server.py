"""The server of the page, killed while a training that it started and a game go on, and started again."""

import random
import sys
import time

from tortures.jobs import ALL, TESTS, Bench, Failure
from tortures.programs import check_ended

GAME = {"game": "draughts", "start": None, "moves": ["11-15", "23-19"]}


def web(bench: Bench, chance: random.Random) -> int:
    """One server killed; then the same folder in another server."""
    sys.path.insert(0, str(TESTS / "web"))
    from client import Tab
    from process import port_of, started, token_of

    bench.undisturbed("served")
    with bench.place() as folder:
        page, runs = folder.parent / "page", folder.parent / "runs"
        page.mkdir()
        (page / "index.html").write_text("<!doctype html><html><head></head><body></body></html>")
        saved = 0
        for is_last in (False, True):
            with started(page, "--runs", runs) as (process, lines):
                port = port_of(lines)
                with Tab(port, token_of(port)) as tab:
                    if is_last:
                        _go_on(tab)
                        process.terminate()
                        process.wait(30)
                    else:
                        saved = _begin(tab, chance)
                        time.sleep(chance.uniform(0.0, 1.5))
                        process.kill()
                said = process.communicate()[1]
                if "Traceback" in said:
                    raise Failure(f"web: {said[-700:]}")
            check_ended(str(runs), 15.0)
        if ALL["served"].result(runs / "job") != bench.undisturbed("served"):
            raise Failure("web: the training has another result")
        games = (runs / "games" / "mine.pdn").read_text().count("[Event")
        if games != saved:
            raise Failure(f"web: {games} games are there of {saved} that were saved")
        left = [str(path) for path in runs.rglob(".*") if path.is_file()]
        if left:
            raise Failure(f"web: left behind: {left}")
    return 1


def _begin(tab, chance: random.Random) -> int:
    """Starts a training, saves games and asks for a move; how many games were saved."""
    words = iter(ALL["served"].words[2:])
    options = {name.removeprefix("--").replace("-", "_"): int(value) for name, value in zip(words, words, strict=True)}
    count = chance.randint(1, 5)
    for _ in range(count):
        answer = tab.ask("save", line=GAME, name="mine", tags={"Event": "torture"})
        if answer["type"] != "saved":
            raise Failure(f"web: {answer}")
    answer = tab.ask("train", learner="td", options=options, name="job")
    if answer["type"] != "training":
        raise Failure(f"web: {answer}")
    tab.begin("play", line=GAME, player="champion", level=9)
    return count


def _go_on(tab) -> None:
    """Resumes the training, unless it has ended, and waits for its end."""
    if _state(tab) == "stopped":
        answer = tab.ask("resume-training", run="job")
        if answer["type"] != "training":
            raise Failure(f"web: {answer}")
    until = time.monotonic() + 60
    while (state := _state(tab)) != "finished":
        if state != "running" or time.monotonic() > until:
            raise Failure(f"web: the training is {state}")
        time.sleep(0.1)


def _state(tab) -> str:
    number = tab.begin("watch-run", run="job")
    while (answer := tab.receive())["id"] != number:
        pass
    tab.cancel(number)
    if answer["type"] != "run":
        raise Failure(f"web: {answer}")
    return answer["view"]["line"]["state"]
