"""Ludus: a school for board-game players."""


def __getattr__(name: str) -> str:
    """`__version__`, read when it is asked for: the metadata take long to load."""
    if name == "__version__":
        from importlib.metadata import version

        return version("ludus")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
