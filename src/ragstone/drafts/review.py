"""Human review of a drafted test set: keep, edit or drop questions in random order, and estimate the share of bad ones.

Decisions are appended as lines to a file next to the set. The set itself does not change until it is written again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, get_args

from ragstone.case import TestCase
from ragstone.datasets import load_dataset
from ragstone.drafts.journal import RowFile
from ragstone.errors import BadDataset, BadOption
from ragstone.stats.interval import Interval, rate_interval

ReviewState = Literal["keep", "edit", "drop", "open"]
"""The question is good, was changed, is removed from the set, or has no decision."""

SAMPLE = 50
"""Number of reviewed questions that suffices to estimate the share of bad ones."""


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """A reviewer's decision on a question.

    Attributes:
        case_id: the question's id.
        state: the decision.
        by: the reviewer.
        at: time of the decision in UTC, as ISO 8601.
        input: the edited question; empty if unchanged.
        expected_output: the edited expected output; empty if unchanged.
    """

    case_id: str
    state: ReviewState
    by: str
    at: str
    input: str = ""
    expected_output: str = ""


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """Progress of a review, and the estimated share of bad questions.

    Attributes:
        reviewed: number of questions with a decision.
        total: number of questions of the set.
        bad: number of reviewed questions that were edited or dropped.
        interval: 95 % interval of the share of bad questions; None before the first decision.
    """

    reviewed: int
    total: int
    bad: int
    interval: Interval | None

    def accepts(self, most: float) -> bool:
        """Return whether the upper end of the interval of the share of bad questions is at most `most`."""
        return self.interval is not None and self.interval.high <= most

    def __str__(self) -> str:
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
            BadDataset: it is not a drafted test set.
            BadOption: the file beside it is not a review.
        """
        self.path = path
        cases = load_dataset(path).cases
        if not all("draft" in case.metadata for case in cases):
            raise BadDataset(f"{path} is not a drafted test set: create one with `ragstone draft`.")
        self.cases = {case.id: case for case in sorted(cases, key=_random_key)}
        self._file = RowFile(path.with_name(f"{path.name}.review"), _is_decision, "the review of a test set")
        self._decisions: dict[str, ReviewDecision] = {}
        for row in self._file.rows:
            self._store_decision(ReviewDecision(**row))

    def decide(self, case_id: str, state: str, by: str, changed: Mapping[str, str] | None = None) -> None:
        """Store a decision; it replaces an earlier one on the same question.

        Raises:
            BadOption: the question or state does not exist, the reviewer's name is empty, or an edit has no question.
        """
        if case_id not in self.cases or state not in get_args(ReviewState) or not by.strip():
            raise BadOption(
                f"The decision {state!r} by {by!r} on {case_id!r} is invalid: give the id of a question in the set, "
                "keep, edit or drop, and the reviewer's name."
            )
        texts = {name: text.strip() for name, text in (changed or {}).items()} if state == "edit" else {}
        if state == "edit" and not texts.get("input"):
            raise BadOption("An edited question must not be empty: write the question.")
        decided_at = datetime.now(UTC).isoformat(timespec="seconds")
        decision = ReviewDecision(case_id, state, by.strip(), decided_at, **texts)  # pyright: ignore[reportArgumentType]
        self._file.append({name: getattr(decision, name) for name in decision.__slots__})
        self._store_decision(decision)

    def decision(self, case_id: str) -> ReviewDecision | None:
        """Return the decision on a question, or None."""
        return self._decisions.get(case_id)

    def next(self, skipped: Iterable[str] = ()) -> TestCase | None:
        """Return the next question to decide on, in random order; None where none is left."""
        left_out = {*skipped, *self._decisions}
        return next((case for name, case in self.cases.items() if name not in left_out), None)

    def summary(self) -> ReviewSummary:
        """Return the progress of the review and the share of bad questions."""
        bad = sum(decision.state != "keep" for decision in self._decisions.values())
        reviewed = len(self._decisions)
        interval = rate_interval(bad, reviewed) if reviewed else None
        return ReviewSummary(reviewed, len(self.cases), bad, interval)

    def reviewed_cases(self) -> tuple[TestCase, ...]:
        """Return the test cases without the dropped ones, with the edits applied."""
        order = [case.id for case in load_dataset(self.path).cases]
        reviewed = (_apply_decision(self.cases[name], self._decisions.get(name)) for name in order)
        return tuple(case for case in reviewed if case is not None)

    def _store_decision(self, decision: ReviewDecision) -> None:
        if decision.state == "open":
            self._decisions.pop(decision.case_id, None)
        elif decision.case_id in self.cases:
            self._decisions[decision.case_id] = decision


def _is_decision(row: dict[str, Any]) -> bool:
    fields = ReviewDecision.__slots__
    texts = all(name in fields and isinstance(value, str) for name, value in row.items())
    return texts and {"case_id", "by", "at"} <= row.keys() and row.get("state") in get_args(ReviewState)


def _apply_decision(case: TestCase, decision: ReviewDecision | None) -> TestCase | None:
    if decision is None:
        return case
    if decision.state == "drop":
        return None
    changed: dict[str, Any] = {}
    if decision.state == "edit":
        changed = {
            "input": decision.input,
            "expected_output": decision.expected_output or case.expected_output,
        }
        if case.turns:  # of a follow-up
            last = case.turns[-1].model_copy(update={"content": decision.input})
            changed["turns"] = (*case.turns[:-1], last)
    review = {"state": decision.state, "by": decision.by, "at": decision.at}
    draft = {**case.metadata["draft"], "review": review}
    return case.model_copy(update={**changed, "metadata": {**case.metadata, "draft": draft}})


def _random_key(case: TestCase) -> bytes:
    return blake2b(f"review:{case.id}".encode(), digest_size=8).digest()
