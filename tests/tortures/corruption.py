"""Every kind of file, broken and read."""

import random
from collections.abc import Callable
from pathlib import Path

from ludus import lines, players
from ludus.arena.journal import read_file
from ludus.endgames.files import read as read_table
from ludus.games import pdn
from ludus.learning import registry
from ludus.runs import Config, checkpoint, folder
from ludus.studies import BadStudy
from ludus.studies.trials import JOURNAL, TrialStore
from tortures.jobs import TESTS, Bench, Failure

AT_A_TIME = 100
IN_LINES = ("journal", "record", "times", "trials")  # whose torn last line is dropped


def _broken(content: bytes, others: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    match chance.randrange(6):
        case 0:
            return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]
        case 1:
            return content[:at]
        case 2:
            digits = [place for place, byte in enumerate(content) if 48 <= byte < 58] or [at]
            at = chance.choice(digits)
            return content[:at] + bytes([48 + (content[at] - 47) % 10]) + content[at + 1 :]
        case 3:
            end = min(len(content), at + chance.randint(1, 200))
            return content[:at] + bytes(end - at) + content[end:]
        case 4:
            other = chance.randrange(len(content))
            at, other = sorted((at, other))
            size = chance.randint(1, 100)
            return content[:at] + content[other : other + size] + content[at + size : other] + content[at : at + size]
        case _:
            place = chance.randrange(max(1, len(others)))
            return content[:at] + others[place : place + chance.randint(1, 300)] + content[at:]


def _table(path: Path) -> object:
    found = read_table(path)
    found.check_digest()
    return bytes(found.content)


def _config(path: Path) -> object:
    found = Config.read(path)
    registry.make(found.kind, found.options)
    return None  # its digest is in every checkpoint: a change is found there


def _games(path: Path) -> object:
    list(pdn.read(path.read_text(errors="replace").splitlines(keepends=True), on_error=lambda _: None))
    return None  # broken games are told about


def _player(path: Path) -> object:
    found = players.load(path)
    return found.describe(), None if found.theta is None else found.theta.tobytes()


def _state(path: Path) -> object:
    found = checkpoint.load(path)
    return str(found.state.facts), [array.tobytes() for array in found.state.arrays.values()]


def _trials(path: Path) -> object:
    """The trials as a study opens them, in a folder of their own."""
    place = path.parent / "study"
    place.mkdir(exist_ok=True)
    (place / JOURNAL).write_bytes(path.read_bytes())
    try:
        store = TrialStore(place)
    except BadStudy as error:
        if "ludus mend" not in str(error):
            raise Failure(f"trials: refused without a way to go on: {error}") from error
        raise
    store.close()
    with (place / JOURNAL).open("rb") as file:
        return [line.value for line in lines.read(file, lines.decode_object)]


READERS: dict[str, tuple[str, str, Callable[[Path], object]]] = {  # the job, its file, and who reads it
    "player": ("td", "player.safetensors", _player),
    "checkpoint": ("td", "checkpoints", _state),
    "record": ("td", "progress.jsonl", folder.read_lines),
    "times": ("td", "times.jsonl", folder.read_lines),
    "config": ("td", "config.toml", _config),
    "journal": ("match", "journal.jsonl", read_file),
    "games": ("match", "games.pdn", _games),
    "trials": ("trials", JOURNAL, _trials),
    "table": ("tables", "3.results", _table),
}


def corruption(bench: Bench, chance: random.Random) -> int:
    """One kind of file broken and read a hundred times."""
    name = chance.choice(list(READERS))
    job, place, read = READERS[name]
    bench.undisturbed(job)
    source = bench.folder / f"undisturbed-{job}" / place
    source = max(source.iterdir()) if source.is_dir() else source
    content, path = source.read_bytes(), bench.folder / f"broken{source.suffix}"
    whole = read(source)
    others = (TESTS / "torture.py").read_bytes()
    for _ in range(AT_A_TIME):
        broken = _broken(content, others, chance)
        path.write_bytes(broken)
        try:
            found = read(path)
        except (ValueError, OSError) as error:
            if not str(error).strip():
                raise Failure(f"{name}: refused without a reason") from error
            continue
        except Failure:
            raise
        except Exception as error:
            raise Failure(f"{name}: {type(error).__name__}: {error}") from error
        if found != whole and not (name in IN_LINES and _is_torn(broken, content)):
            (bench.folder / f"accepted-{name}").write_bytes(broken)
            raise Failure(f"{name}: accepted with another content")
    path.unlink(missing_ok=True)
    return AT_A_TIME


def _is_torn(broken: bytes, content: bytes) -> bool:
    """Whether the whole lines are those that were written, as after a kill: a last line that is torn is dropped."""
    kept = broken[: broken.rfind(b"\n") + 1]
    return content.startswith(kept)
