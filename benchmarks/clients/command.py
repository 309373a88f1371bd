"""The command, without relying on how it was installed."""

from ragstone.cli import main

if __name__ == "__main__":
    main()
