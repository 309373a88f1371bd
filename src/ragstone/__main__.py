"""The entry point of the command `ragstone`, also as `python -m ragstone`.

Ctrl-C while modules are still being imported ends the process as the shell expects, without a traceback. An exception
that interrupts an import may be wrapped, or leave a module behind that cannot be imported again, so none is raised:
Python's handler is restored once the subcommand is imported (`ragstone.cli`).
"""

import os
import sys


def _end(number: int, _: object) -> None:
    """End at once, with the exit code that a shell gives for a signal."""
    os._exit(128 + number)


def main() -> None:
    """Run the command."""
    try:
        import signal  # noqa: PLC0415  (it imports other modules)

        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, _end)  # the first process of a container ignores it otherwise
        import gc  # noqa: PLC0415

        from ragstone.cli import main as command  # noqa: PLC0415  (imported once Ctrl-C is safe)
    except KeyboardInterrupt:
        sys.exit(130)

    try:
        command()
    finally:
        gc.freeze()  # else the collections at Python's end look through all modules: a fifth of a short command


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder, which `python -m` puts there
    main()
