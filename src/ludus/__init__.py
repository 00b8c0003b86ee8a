"""Ludus: a school for board-game players."""

import os

# A wheel for x86 has the core twice: for any processor in this folder, for processors with AVX2 in a folder of its own,
# which is searched first where it can run. LUDUS_AVX2=0 leaves it out. A build for one machine has no such folder.
_AVX2 = os.path.join(__path__[0], "_avx2")  # noqa: PTH118  # pathlib would double the time to import this
if os.path.isdir(_AVX2) and os.environ.get("LUDUS_AVX2") != "0":  # noqa: PTH112
    import importlib

    if importlib.import_module("ludus._processor").HAS_AVX2:
        __path__.insert(0, _AVX2)


def __getattr__(name: str) -> str:
    """`__version__`, read when it is asked for: the metadata take long to load."""
    if name == "__version__":
        from importlib.metadata import version

        return version("ludus")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
