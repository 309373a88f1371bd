"""The command, without relying on how it was installed."""

from ragstone.__main__ import main

if __name__ == "__main__":
    main()
