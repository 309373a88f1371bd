"""How many items a prompt numbers: the last list in it that counts 1, 2, 3 …

A fenced list (`1| …`, each line of an item behind its number) is meant where there is one; another prompt's
list may be marked `1.`, `1)`, `(1)` or `[1]`.
"""

import re
from collections.abc import Iterable

_FENCED = re.compile(r"^(\d+)\| ", re.MULTILINE)
_MARKED = re.compile(r"^[ \t]*[\[(]?(\d+)[.):\]]", re.MULTILINE)


def count_numbered(text: str) -> int:
    """The length of the last list that starts at 1; 0 where there is none."""
    return _last_run(map(int, _FENCED.findall(text))) or _last_run(map(int, _MARKED.findall(text)))


def _last_run(numbers: Iterable[int]) -> int:
    run = 0
    for number in numbers:
        if number in {1, run + 1}:
            run = number
    return run
