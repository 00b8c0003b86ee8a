"""The command line, from its first moment: to load it takes long enough for a Ctrl-C or a SIGTERM."""

from ludus import signals


def main() -> None:
    """Run it."""
    try:
        signals.install()
        from ludus import cli

        cli.main()
    except KeyboardInterrupt:
        signals.exit_stopped()


if __name__ == "__main__":
    main()
