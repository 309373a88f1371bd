"""Review of a drafted test set by people: keep, edit or drop, in random order, and the share of bad questions.

Decisions are appended to a file beside the set, a line each; the set itself is not changed before it is written anew.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, get_args

from ragstone.case import TestCase, Turn
from ragstone.datasets import load_dataset
from ragstone.errors import BadDataset, BadOption
from ragstone.stats.interval import Interval, rate_interval

ReviewState = Literal["keep", "edit", "drop", "open"]
"""A good question, one that had to be changed, one that is left out, one that nobody has decided on."""

SAMPLE = 50
"""Questions that are enough to say how many of a set are bad."""


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """What a person decided on a question.

    Attributes:
        case_id: the question's id.
        state: the decision.
        by: who decided.
        at: when, in UTC, as ISO 8601.
        input: the question as it was changed; empty where it was not.
        expected_output: the expected output as it was changed; empty where it was not.
    """

    case_id: str
    state: ReviewState
    by: str
    at: str
    input: str = ""
    expected_output: str = ""


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """How far a review is, and what it says of the set.

    Attributes:
        reviewed: questions that were decided on.
        total: questions of the set.
        bad: those of them that were edited or dropped.
        interval: of the share of bad questions, 95 %; None before the first decision.
    """

    reviewed: int
    total: int
    bad: int
    interval: Interval | None

    def accepts(self, most: float) -> bool:
        """Return whether the share of bad questions is at most that, by the upper end of its interval."""
        return self.interval is not None and self.interval.high <= most

    def __str__(self) -> str:
        """Return it in a sentence."""
        if self.interval is None:
            return f"0 of {self.total:,} questions reviewed"
        low, high = f"{self.interval.low:.0%}", f"{self.interval.high:.0%}"
        share = self.bad / self.reviewed
        return (
            f"{self.reviewed:,} of {self.total:,} questions reviewed: {share:.0%} bad (95 %: {low} to {high})"
        )


class DraftReview:
    """The review of one drafted test set.

    Attributes:
        path: the test set.
        cases: its questions by id, in random order: the first ones are a sample of the set.
    """

    def __init__(self, path: Path) -> None:
        """Open the review of the set at `path`, with the decisions made so far.

        Raises:
            BadDataset: it is no drafted test set.
        """
        self.path = path
        cases = load_dataset(path).cases
        if not all("draft" in case.metadata for case in cases):
            raise BadDataset(f"{path} was not drafted: write one with `ragstone draft`.")
        self.cases = {case.id: case for case in sorted(cases, key=_random_key)}
        self._file = path.with_name(f"{path.name}.review")
        self._decisions: dict[str, ReviewDecision] = {}
        for line in self._file.read_text(encoding="utf-8").splitlines() if self._file.exists() else ():
            self._take(ReviewDecision(**json.loads(line)))

    def decide(self, case_id: str, state: str, by: str, changed: Mapping[str, str] | None = None) -> None:
        """Store a decision in the place of an earlier one.

        Raises:
            BadOption: there is no such question or state, nobody is named, or an edit changes nothing.
        """
        if case_id not in self.cases or state not in get_args(ReviewState) or not by.strip():
            raise BadOption(
                f"{state!r} by {by!r} on {case_id!r}: name a question of the set, keep, edit or drop, and who."
            )
        texts = {name: text.strip() for name, text in (changed or {}).items()} if state == "edit" else {}
        if state == "edit" and not texts.get("input"):
            raise BadOption("An edited question needs words: write the question.")
        at = datetime.now(UTC).isoformat(timespec="seconds")
        decision = ReviewDecision(case_id, state, by.strip(), at, **texts)  # pyright: ignore[reportArgumentType]
        with self._file.open("a", encoding="utf-8") as file:
            file.write(
                json.dumps({name: getattr(decision, name) for name in decision.__slots__}, ensure_ascii=False)
                + "\n"
            )
        self._take(decision)

    def decision(self, case_id: str) -> ReviewDecision | None:
        """Return the decision on a question, or None."""
        return self._decisions.get(case_id)

    def next(self, skipped: Iterable[str] = ()) -> TestCase | None:
        """Return the next question to decide on, in random order; None where none is left."""
        left_out = {*skipped, *self._decisions}
        return next((case for name, case in self.cases.items() if name not in left_out), None)

    def summary(self) -> ReviewSummary:
        """Return how far the review is, and the share of bad questions."""
        bad = sum(one.state != "keep" for one in self._decisions.values())
        reviewed = len(self._decisions)
        interval = rate_interval(bad, reviewed) if reviewed else None
        return ReviewSummary(reviewed, len(self.cases), bad, interval)

    def reviewed_cases(self) -> tuple[TestCase, ...]:
        """Return the set without the dropped questions, with the edited ones as they were changed."""
        order = [case.id for case in load_dataset(self.path).cases]
        found = (_apply(self.cases[name], self._decisions.get(name)) for name in order)
        return tuple(case for case in found if case is not None)

    def _take(self, decision: ReviewDecision) -> None:
        if decision.state == "open":
            self._decisions.pop(decision.case_id, None)
        elif decision.case_id in self.cases:
            self._decisions[decision.case_id] = decision


def _apply(case: TestCase, decision: ReviewDecision | None) -> TestCase | None:
    if decision is None:
        return case
    if decision.state == "drop":
        return None
    changed: dict[str, Any] = {}
    if decision.state == "edit":
        changed = {
            "input": decision.input,
            "expected_output": decision.expected_output or case.expected_output,
            "turns": _ask_last(case.turns, decision.input),
        }
    said = {"state": decision.state, "by": decision.by, "at": decision.at}
    draft = {**case.metadata["draft"], "review": said}
    return case.model_copy(update={**changed, "metadata": {**case.metadata, "draft": draft}})


def _ask_last(turns: Sequence[Turn] | None, question: str) -> tuple[Turn, ...] | None:
    """Return the turns of a follow-up with another last question; None where there are none."""
    return (*turns[:-1], turns[-1].model_copy(update={"content": question})) if turns else None


def _random_key(case: TestCase) -> bytes:
    return blake2b(f"review:{case.id}".encode(), digest_size=8).digest()
