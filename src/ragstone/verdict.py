"""A verdict: yes, no, idk or undecided on one statement or passage, with its reason and the evidence it rests on.

`idk` is a finding: the evidence does not mention the statement. `undecided` is none: the judge cannot tell. A score is
computed from findings alone; verdicts that are undecided widen the range in which it may lie (see `ragstone.score`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

VerdictValue = Literal["yes", "no", "idk", "undecided"]
"""`yes` supported or relevant, `no` contradicted or irrelevant, `idk` not mentioned, `undecided`: the judge cannot
tell."""

VERDICT_VALUES: frozenset[str] = frozenset(get_args(VerdictValue))
"""All verdict values."""

PLAIN_LABELS: Mapping[str, VerdictValue] = {"yes": "yes", "no": "no", "idk": "idk"}
"""Labels of a prompt that defines none of its own."""

JUDGE_LABELS: Mapping[str, VerdictValue] = {**PLAIN_LABELS, "undecided": "undecided"}
"""What a judge that is code may answer. A language model is never offered `undecided`."""

_SYNONYMS: dict[str, VerdictValue] = {**PLAIN_LABELS, "borderline": "idk"}

_SURROUNDING_MARKS = " \t\r\n\"'`*_.,;:!?()[]{}-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on one statement.

    Attributes:
        statement: the statement, claim or passage that was judged.
        verdict: yes, no, idk or undecided.
        reason: why, in the judge's words; of an undecided one, why the judge cannot tell. None where it gave none.
        passage: number, from 1, of the passage that decides; None where none does.
        span: character offsets (start, end) in that passage; None where unknown.
        probability: probability of yes; None where the judge does not know it.
        judge: the judge that decided, where several judges in a row answered; None for the judge of the result.
        contradiction_unknown: True for an idk that may also be a contradiction: the judge cannot tell them apart.
    """

    statement: str
    verdict: VerdictValue
    reason: str | None = None
    passage: int | None = None
    span: tuple[int, int] | None = None
    probability: float | None = None
    judge: str | None = None
    contradiction_unknown: bool | None = None

    @property
    def is_decided(self) -> bool:
        """Whether the judge could tell."""
        return self.verdict != "undecided"

    def as_dict(self) -> dict[str, Any]:
        """Return the form in which `Result.metadata` keeps a verdict."""
        fields = {
            "statement": self.statement,
            "verdict": self.verdict,
            "reason": self.reason,
            "passage": self.passage,
            "span": self.span,
            "probability": self.probability,
        }
        known = {"judge": self.judge, "contradiction_unknown": self.contradiction_unknown}
        return {**fields, **{name: value for name, value in known.items() if value is not None}}

    @classmethod
    def from_dict(cls, value: object) -> "Verdict | None":
        """Return the verdict that `as_dict` wrote; None for any other value, as metadata may come from any file."""
        if not isinstance(value, dict):
            return None
        fields = cast("dict[str, object]", value)
        verdict, statement, reason = fields.get("verdict"), fields.get("statement"), fields.get("reason")
        passage, probability, judge = fields.get("passage"), fields.get("probability"), fields.get("judge")
        if not isinstance(verdict, str) or verdict not in VERDICT_VALUES:
            return None
        return cls(
            statement=statement if isinstance(statement, str) else "",
            verdict=cast("VerdictValue", verdict),
            reason=reason if isinstance(reason, str) else None,
            passage=passage if isinstance(passage, int) else None,
            span=_span(fields.get("span")),
            probability=float(probability) if isinstance(probability, int | float) else None,
            judge=judge if isinstance(judge, str) else None,
            contradiction_unknown=fields.get("contradiction_unknown") is True or None,
        )


def _span(value: object) -> tuple[int, int] | None:
    match cast("list[object] | tuple[object, ...]", value) if isinstance(value, list | tuple) else ():
        case [int(start), int(end)]:
            return start, end
        case _:
            return None


def verdict_labels(*, yes: str, no: str, idk: str | None = None) -> Mapping[str, VerdictValue]:
    """Return descriptive labels, each with its verdict value; without `idk` there are two."""
    labels: dict[str, VerdictValue] = {yes: "yes", no: "no"}
    if idk is not None:
        labels[idk] = "idk"
    return MappingProxyType(labels)


def parse_verdict(text: object, labels: Mapping[str, VerdictValue] = PLAIN_LABELS) -> VerdictValue:
    """Parse a label, or yes, no or idk, leniently: case, blanks, punctuation, a leading word ("Yes, because …").

    Args:
        text: what the judge wrote.
        labels: the labels that were offered, each with the value it stands for. Only these values are accepted.

    Raises:
        ValueError: for anything else; never a silent pass. The message does not repeat the text.
    """
    if isinstance(text, str) and text in labels:
        return labels[text]
    value = ""
    if isinstance(text, bool):
        value = "yes" if text else "no"
    elif isinstance(text, str):
        label = re.sub(r"[\s_-]+", "_", text.strip(_SURROUNDING_MARKS).lower())
        words = text.strip(_SURROUNDING_MARKS).split(maxsplit=1)
        first_word = words[0].rstrip(_SURROUNDING_MARKS).lower() if words else ""
        accepted = {**_SYNONYMS, **labels}
        value = accepted.get(label, accepted.get(first_word, ""))
    if value not in labels.values():
        *others, last = labels
        raise ValueError(f"that is no verdict: write {', '.join(others)} or {last}")
    return cast("VerdictValue", value)
