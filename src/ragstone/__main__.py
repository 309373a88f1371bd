"""The entry point of the command `ragstone`, also as `python -m ragstone`.

Ctrl-C while modules are still being imported ends the process as the shell expects, without a traceback.
"""

import signal


def main() -> None:
    """Run the command."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ragstone.cli import main as command  # noqa: PLC0415  (imported once Ctrl-C is safe)

    command()


if __name__ == "__main__":
    main()
