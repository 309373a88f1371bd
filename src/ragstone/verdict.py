"""A verdict: yes, no or idk on one statement or passage, with its reason and the evidence it rests on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, cast

VerdictValue = Literal["yes", "no", "idk"]
"""`yes` supported or relevant, `no` contradicted or irrelevant, `idk` not mentioned or undecided."""

PLAIN_LABELS: Mapping[str, VerdictValue] = {"yes": "yes", "no": "no", "idk": "idk"}
"""Labels of a prompt that defines none of its own."""

_SYNONYMS: dict[str, VerdictValue] = {**PLAIN_LABELS, "borderline": "idk"}

_SURROUNDING_MARKS = " \t\r\n\"'`*_.,;:!?()[]{}-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on one statement.

    Attributes:
        statement: the statement, claim or passage that was judged.
        verdict: yes, no or idk.
        reason: why, in the judge's words; None where the judge gave none.
        passage: number, from 1, of the passage that decides; None where none does.
        span: character offsets (start, end) in that passage; None where unknown.
        probability: probability of yes; None where the judge does not know it.
    """

    statement: str
    verdict: VerdictValue
    reason: str | None = None
    passage: int | None = None
    span: tuple[int, int] | None = None
    probability: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the form in which `Result.metadata` keeps a verdict."""
        return {
            "statement": self.statement,
            "verdict": self.verdict,
            "reason": self.reason,
            "passage": self.passage,
            "span": self.span,
            "probability": self.probability,
        }

    @classmethod
    def from_dict(cls, value: object) -> "Verdict | None":
        """Return the verdict that `as_dict` wrote; None for any other value, as metadata may come from any file."""
        if not isinstance(value, dict):
            return None
        fields = cast("dict[str, object]", value)
        verdict, statement, reason = fields.get("verdict"), fields.get("statement"), fields.get("reason")
        passage, probability = fields.get("passage"), fields.get("probability")
        if verdict not in ("yes", "no", "idk"):
            return None
        return cls(
            statement=statement if isinstance(statement, str) else "",
            verdict=verdict,
            reason=reason if isinstance(reason, str) else None,
            passage=passage if isinstance(passage, int) else None,
            span=_span(fields.get("span")),
            probability=float(probability) if isinstance(probability, int | float) else None,
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
