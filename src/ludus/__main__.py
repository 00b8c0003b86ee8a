"""The command line, from its first moment: to load it takes long enough for a Ctrl-C or a SIGTERM."""

import sys

from ludus import signals


def main() -> None:
    """Run it."""
    try:
        signals.install()
        from ludus import cli

        cli.main()
    except KeyboardInterrupt:
        sys.exit(signals.status())


if __name__ == "__main__":
    main()
