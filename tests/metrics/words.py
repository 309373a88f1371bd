"""Short spellings of verdicts, as values and as they come over the wire."""

from typing import Any

from ragstone.verdict import Verdict, VerdictValue


def verdicts(*words: VerdictValue) -> list[Verdict]:
    return [Verdict(f"statement {number}", word) for number, word in enumerate(words, 1)]


def decisions(*words: str) -> dict[str, Any]:
    return {"verdicts": [{"reason": None, "verdict": word} for word in words]}
