"""A verdict: yes, no or idk on one statement or passage, with its reason and the evidence it rests on."""

from dataclasses import dataclass
from typing import Any, Literal, cast

VerdictValue = Literal["yes", "no", "idk"]
"""`yes` supported or relevant, `no` contradicted or irrelevant, `idk` not mentioned or undecided."""

_SYNONYMS: dict[str, VerdictValue] = {
    "yes": "yes",
    "no": "no",
    "idk": "idk",
    "borderline": "idk",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on one statement.

    Attributes:
        statement: the statement, claim or passage that was judged.
        verdict: yes, no or idk.
        reason: why, in the judge's words; None where a plain yes needs none.
        passage: number, from 1, of the passage that decides; None where none does.
        span: character offsets (start, end) in that passage; None where unknown.
        probability: probability of yes from the embedded judge; None from a language model.
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
        """Return the verdict that `as_dict` wrote; None for anything else: metadata may come from any file."""
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


def parse_verdict(text: object) -> VerdictValue:
    """Read a verdict word leniently: case, blanks, punctuation, a leading word ("Yes, because …").

    Raises:
        ValueError: for anything else; never a silent pass.
    """
    if isinstance(text, bool):
        return "yes" if text else "no"
    if isinstance(text, str):
        words = text.strip(" \t\r\n\"'`*_.,;:!?()[]{}").split(maxsplit=1)
        head = words[0].rstrip("\"'`*_.,;:!?()-\u2013\u2014").lower() if words else ""
        if head in _SYNONYMS:
            return _SYNONYMS[head]
    msg = f"{text!r} is no verdict: write yes, no or idk"
    raise ValueError(msg)
