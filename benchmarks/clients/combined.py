"""ragstone, as in `ragstone.py`, with prompts about the same evidence asked in one call."""

from functools import partial

from benchmarks.client import measured
from benchmarks.clients.ragstone import work

if __name__ == "__main__":
    measured(partial(work, combine=True))
