r"""Pattern match: does the actual output match a regular expression? No judge.

    score = 1 where the whole trimmed output matches the regular expression, else 0

Python's `re` holds the interpreter until it is done, and some patterns take exponential time on a short text. Such a
pattern (a repeated group, a back-reference), or several repetitions on a long text, is matched in a separate process,
which a time-out and Ctrl-C can stop. Source: DeepEval, pattern match.
"""

import asyncio
import json
import re
import sys

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase

_REPEATED_GROUP = re.compile(r"\)[*+{?]|\\[1-9]|\(\?P=|\(\?\(")
_REPETITION = re.compile(r"[*+]|\{\d*,")
_MAX_INLINE_LENGTH = 1_000
"""Longest text in characters for which several plain repetitions run in this process: their time is polynomial."""

_MATCH_SCRIPT = """\
import json, re, sys
pattern, flags, text = json.load(sys.stdin)
print(json.dumps(re.compile(pattern, flags).fullmatch(text) is not None))
"""


class PatternMatch(Metric):
    r"""Does the actual output match a regular expression? No judge call.

    Attributes:
        pattern: a Python regular expression; it must match the whole output, so write `.*` for parts that may
            be any text.
        ignore_case: whether to ignore case.
    """

    needs = ("actual_output",)

    threshold: float = 1.0
    pattern: str
    ignore_case: bool = False

    def __post_init__(self) -> None:
        """Reject an invalid regular expression."""
        super().__post_init__()
        try:
            self._compiled()
        except re.error as error:
            raise BadOption(
                f"{self.title}: pattern={self.pattern!r} is not a regular expression: {error}"
            ) from None

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Match the output; a pattern that may take long is matched in a process that can be stopped."""
        return self.score(fits=await fullmatch(self._compiled(), case.text("actual_output").strip()))

    def score(self, *, fits: bool) -> Score:
        """Score a match. Pure."""
        reason = f"The actual output {'matches' if fits else 'does not match'} {self.pattern!r}."
        return Score(1.0 if fits else 0.0, reason, {"pattern": self.pattern, "ignore_case": self.ignore_case})

    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE if self.ignore_case else 0)


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
