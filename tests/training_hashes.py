"""Trains every learner briefly and prints a hash of its weights and one of the numbers in its record.

    python tests/training_hashes.py .venv/bin/ludus > after.txt

Run it with the `ludus` of two versions on one machine and compare the two files: equal lines mean that a change of the
code has not changed what is learned, to the bit. Two machines give other bits, because the core is built for each.
"""

import argparse
import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

from safetensors.numpy import load_file

_SHORT = ["--sets", "2", "--games", "30", "--test-boards", "4", "--final-boards", "4"]
TRAININGS = {
    "td": ["td", "--games", "3000", "--test-every", "1000", "--test-games", "100", "--seed", "3"],
    "td-unstructured": [
        "td",
        "--network",
        "deep-unstructured",
        "--games",
        "2000",
        "--test-every",
        "1000",
        "--seed",
        "3",
    ],
    "td-small": ["td", "--network", "small-structured", "--games", "2000", "--test-every", "1000", "--seed", "3"],
    "td-patterns": ["td", "--network", "symmetric-patterns", "--games", "3000", "--test-every", "1000", "--seed", "3"],
    "td-lambda": ["td", "--games", "1000", "--test-every", "500", "--lambda", "0.5", "--gamma", "0.9", "--seed", "3"],
    "td-literal": ["td", "--preset", "literal", "--games", "2000", "--test-every", "1000", "--seed", "3"],
    "td-against": [
        "td",
        "--against",
        "benchmark",
        "--games",
        "2000",
        "--test-every",
        "1000",
        "--avoid-loss",
        "--seed",
        "1",
    ],
    "td-doubled": [
        "td",
        "--derivative",
        "doubled",
        "--final-rate",
        "0.001",
        "--games",
        "2000",
        "--test-every",
        "500",
        "--seed",
        "1",
    ],
    "td-draughts": [
        "td",
        "--game",
        "draughts",
        "--games",
        "200",
        "--test-every",
        "100",
        "--test-games",
        "20",
        "--seed",
        "1",
    ],
    "samuel": ["samuel", *_SHORT, "--seed", "3"],
    "samuel-faithful": ["samuel", "--preset", "faithful", "--sets", "2", "--games", "20", "--seed", "3"],
    "neurodraughts": ["neurodraughts", *_SHORT, "--budget", "depth=3", "--seed", "3"],
    "neurodraughts-faithful": [
        "neurodraughts",
        "--preset",
        "faithful",
        "--budget",
        "depth=2",
        "--sets",
        "2",
        "--games",
        "30",
    ],
    "visiondraughts": ["visiondraughts", *_SHORT, "--seed", "3"],
    "visiondraughts-faithful": [
        "visiondraughts",
        "--preset",
        "faithful",
        "--budget",
        "depth=3",
        "--sets",
        "2",
        "--games",
        "20",
    ],
    "ls-draughts": [
        "ls-draughts",
        *_SHORT,
        "--budget",
        "depth=2",
        "--population",
        "4",
        "--generations",
        "2",
        "--seed",
        "3",
    ],
    "mp-draughts": ["mp-draughts", *_SHORT, "--budget", "depth=2", "--boards", "60", "--units", "4", "--seed", "3"],
    "genetic": ["genetic", "--generations", "3", "--seed", "3"],
    "genetic-faithful": ["genetic", "--preset", "faithful", "--generations", "1", "--playouts", "20", "--seed", "3"],
    "genetic-tictactoe3d": ["genetic", "--game", "tictactoe3d", "--generations", "2", "--seed", "3"],
    "blondie24": ["blondie24", "--generations", "2", "--depth", "2", "--seed", "3"],
    "evolution-strategy": ["evolution-strategy", "--generations", "2", "--pairs", "10", "--seed", "3"],
}


def numbers(value: object) -> list[object]:
    """All numbers in a JSON value, in their order: the names of the fields may change, what they say may not."""
    if isinstance(value, dict):
        return [number for each in value.values() for number in numbers(each)]
    if isinstance(value, list):
        return [number for each in value for number in numbers(each)]
    return [value]


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ludus", type=Path, help="the command of the version to run")
    parser.add_argument("only", nargs="*", help=f"some of {', '.join(TRAININGS)}; all of them if none is named")
    arguments = parser.parse_args()
    for name in arguments.only or TRAININGS:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "run"
            command = [str(arguments.ludus.absolute()), "train", *TRAININGS[name], "--out", str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{name:24} failed: {done.stderr.strip()}", flush=True)
                continue
            tensors = load_file(folder / "player.safetensors")
            weights = b"".join(tensors[key].tobytes() for key in sorted(tensors))
            record = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
            print(f"{name:24} weights {digest(weights)}  record {digest(repr(numbers(record)).encode())}", flush=True)


if __name__ == "__main__":
    main()
