"""Match users' regular expressions so that a time-out and Ctrl-C can stop them.

Python's `re` holds the interpreter until it is done, and some patterns take exponential time on a short text. Such a
pattern (a repeated group, a back-reference), or several repetitions on a long text, is matched in a separate process,
which is killed when the measurement is cancelled.
"""

import asyncio
import json
import re
import sys

_REPEATED_GROUP = re.compile(r"\)[*+{?]|\\[1-9]|\(\?P=|\(\?\(")
_REPETITION = re.compile(r"[*+]|\{\d*,")
_MAX_INLINE_LENGTH = 1_000
"""Longest text in characters for which several plain repetitions run in this process: their time is polynomial."""

_MATCH_SCRIPT = """\
import json, re, sys
pattern, flags, text = json.load(sys.stdin)
print(json.dumps(re.compile(pattern, flags).fullmatch(text) is not None))
"""


def may_take_long(pattern: str, text: str) -> bool:
    """Return whether matching may take so long that it must be possible to stop it."""
    if _REPEATED_GROUP.search(pattern):
        return True
    return len(text) > _MAX_INLINE_LENGTH and len(_REPETITION.findall(pattern)) > 1


async def fullmatch(compiled: re.Pattern[str], text: str) -> bool:
    """Return whether the whole `text` matches; can be cancelled at any time."""
    if not may_take_long(compiled.pattern, text):
        return compiled.fullmatch(text) is not None
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-S", "-c", _MATCH_SCRIPT),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        output, _ = await process.communicate(json.dumps([compiled.pattern, compiled.flags, text]).encode())
        return bool(json.loads(output))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
