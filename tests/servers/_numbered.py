"""How many items a prompt numbers: the longest run 1, 2, 3 … of marked lines that stands last in the text."""

import re

_MARK = re.compile(r"^[ \t]*(?:\[(\d+)\]|\((\d+)\)|(\d+)[.):])[ \t]*", re.MULTILINE)


def count_numbered(text: str) -> int:
    """The length of the last run of numbered lines that starts at 1; 0 where there is none."""
    run = 0
    for mark in _MARK.finditer(text):
        number = int(next(group for group in mark.groups() if group))
        if number == 1:
            run = 1
        elif number == run + 1:
            run = number
    return run
