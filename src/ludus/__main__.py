"""The command line, from its first moment: to load it takes long enough for a Ctrl-C."""

import sys


def main() -> None:
    """Run it."""
    try:
        from ludus import cli

        cli.main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
