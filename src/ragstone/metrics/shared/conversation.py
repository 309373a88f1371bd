"""The turns of a conversation as shown to a judge, and the share of assistant turns that are good."""

from collections.abc import Sequence
from typing import Any, cast

from ragstone.case import TestCase, Turn
from ragstone.errors import NotApplicable
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.score import Score
from ragstone.verdict import Verdict


def turn_texts(case: TestCase) -> tuple[str, ...]:
    """Return all turns, each with its role."""
    return tuple(map(str, _turns(case)))


def replies(case: TestCase) -> tuple[str, ...]:
    """Return the texts of the assistant's turns.

    Raises:
        NotApplicable: there is no assistant turn.
    """
    texts = tuple(turn.content for turn in _turns(case) if turn.role == "assistant")
    if not texts:
        raise NotApplicable("The conversation has no turn of the assistant: there is nothing to judge.")
    return texts


def assistant_turns_score(verdicts: Sequence[Verdict], good: str, intro: str) -> Score:
    """Return the share of replies with a yes as a score; at least one reply is required."""
    bad = [verdict for verdict in verdicts if verdict.verdict != "yes"]
    reason = f"{len(verdicts) - len(bad)} of {len(verdicts)} assistant turns {good}."
    metadata: dict[str, Any] = {"verdicts": verdict_dicts(verdicts)}
    return Score(
        share(verdicts, frozenset({"yes"})), reason + list_examples(intro, bad), metadata, findings(verdicts)
    )


def _turns(case: TestCase) -> tuple[Turn, ...]:
    return cast("tuple[Turn, ...]", case.get("turns"))
