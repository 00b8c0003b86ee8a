"""Uses the installed package as a person would: plays, trains, matches and speaks Hub. Run it with the Python to try.

It needs nothing but the package and its dependencies, runs in a folder of its own, and takes about half a minute.
`make wheel` and cibuildwheel call it.
"""

import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

SIGNATURE = Path(__file__).parent / "golden" / "signature.json"
PERFT = {6: 36_768, 8: 845_931}  # published numbers of games of draughts


def ludus(*words: str, typed: str = "", avx2: bool = True) -> str:
    """What the command prints; ends this program if it fails."""
    environment = {**os.environ, "LUDUS_AVX2": "1" if avx2 else "0", "PYTHONPATH": ""}
    command = [sys.executable, "-m", "ludus", *words]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, env=environment, timeout=600)
    if done.returncode:
        sys.exit(f"ludus {' '.join(words)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def built_for(avx2: bool) -> str:
    """The instruction set of the core that is loaded."""
    question = "from ludus.players import INSTRUCTION_SET; print(INSTRUCTION_SET)"
    environment = {**os.environ, "LUDUS_AVX2": "1" if avx2 else "0", "PYTHONPATH": ""}
    return subprocess.run(
        [sys.executable, "-c", question], capture_output=True, text=True, env=environment, check=True
    ).stdout.strip()


def try_everything(avx2: bool) -> None:
    """One stretch of everything, with this copy of the core."""
    print(f"for {built_for(avx2)}:")
    for depth, games in PERFT.items():
        found = int(ludus("perft", str(depth), avx2=avx2).split()[0])
        assert found == games, f"perft {depth} is {found}, not {games}"
    print("  perft: the published numbers")
    if platform.machine() in ("x86_64", "AMD64"):
        found = json.loads(ludus("bench", "--signature", "--json", avx2=avx2))["nodes"]
        assert found == json.loads(SIGNATURE.read_text())["x86-64"], found
        print("  bench: the signature of the engine")
    out = ludus("play", "--budget", "nodes=1000", "--side", "black", "--seed", "1", typed="11-15\nquit\n", avx2=avx2)
    assert "champion plays" in out, out
    print("  play: a move and its answer")
    run = f"run-{avx2}"
    ludus("train", "td", "--games", "2000", "--test-every", "1000", "--test-games", "50", "--out", run, avx2=avx2)
    print("  train:", ludus("runs", run, avx2=avx2).splitlines()[-1])
    words = ("champion", "material", "--budget", "nodes=500", "--games", "10")
    print("  match:", ludus("match", *words, avx2=avx2).strip().splitlines()[0])
    out = ludus("hub", "--with", "material", typed="hub\ninit\nquit\n", avx2=avx2)
    assert "wait" in out and "ready" in out, out
    print("  hub: ready")


def try_page() -> None:
    """The page, where the package has it and its server is installed."""
    if "\n  web " not in ludus("--help") or importlib.util.find_spec("starlette") is None:
        print("  web: left out, it is not installed")
        return
    port = "18765"
    server = subprocess.Popen([sys.executable, "-m", "ludus", "web", "--port", port, "--no-browser"])
    try:
        for _ in range(600):  # a loaded machine may take its time
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as page:
                    assert b"<html" in page.read().lower()
                    print("  web: the page")
                    return
            except urllib.error.URLError:
                if server.poll() is not None:
                    sys.exit("ludus web has ended")
                time.sleep(0.2)
        sys.exit("ludus web does not answer")
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Tries everything, with both copies of the core where there are two."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        location = subprocess.run(
            [sys.executable, "-c", "import ludus; print(ludus.__file__, ludus.__version__)"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        print(f"ludus {location[1]} on {platform.machine()}, Python {platform.python_version()}")
        copies = [True]
        if (Path(location[0]).parent / "_avx2").is_dir():
            copies = [True, False] if built_for(True) != built_for(False) else [False]
        for avx2 in copies:
            try_everything(avx2)
        try_page()


if __name__ == "__main__":
    main()
