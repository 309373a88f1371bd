"""A judge made of a detector: probabilities of support become verdicts for all prompts about support.

    yes         probability of support at or above threshold + band
    undecided   within the band around the threshold
    no          below it, and the probability of a contradiction is at least .5 + band
    idk         below it otherwise; `contradiction_unknown` where the detector cannot tell a contradiction

Texts are cut into claims, and terse answers completed, by the rules of the embedded judge. Prompts about anything else
than support go to another judge, the embedded one by default; `judge_of` names it.
"""

import asyncio
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from ragstone import prompts
from ragstone.errors import BadOption, ProviderError
from ragstone.judges.asking.fingerprint import fingerprint
from ragstone.judges.base import Reply
from ragstone.judges.delegating import DelegatingJudge
from ragstone.judges.detection.detector import Detection, Detector
from ragstone.judges.detection.windows import EvidencePiece, count_tokens, windows
from ragstone.judges.local.answers import answer_prompt
from ragstone.judges.local.judgement import Judgement, not_judged
from ragstone.judges.local.support import support_by
from ragstone.prompts import Prompt
from ragstone.result import Usage
from ragstone.text.languages import count_words, unsupported_language
from ragstone.verdict import VerdictValue

SUPPORT_PROMPTS: tuple[type[Prompt[Any]], ...] = (
    prompts.AttributeStatements,
    prompts.JudgeAgreement,
    prompts.JudgeCitations,
    prompts.JudgeCitedSentences,
    prompts.JudgeClaims,
    prompts.LocateClaims,
    prompts.RateGrounding,
    prompts.RateStatement,
)
"""The prompts that ask whether passages support statements."""

_EQUAL_CHANCE = 0.5
_NO_EVIDENCE = Judgement("idk", 0.0, "not mentioned: there is no evidence")

_Query = tuple[str, tuple[str, ...]]
"""A statement and its passages."""


@dataclass(frozen=True, kw_only=True)
class DetectorJudge(DelegatingJudge):
    """Judges support with a detector, and has another judge answer the other prompts.

    Attributes:
        detector: the detector.
        threshold: the probability of support that counts as supported, above 0 and below 1.
        band: half the width of the range around the threshold in which the verdict is undecided; 0 to decide always.
        name: by default that of the detector, with threshold and band if they were set.
    """

    detector: Detector
    threshold: float = 0.5
    band: float = 0.1

    def __post_init__(self) -> None:
        """Check the numbers, and find the other judge."""
        if not 0 < self.threshold < 1:
            raise BadOption(f"threshold={self.threshold!r} is no probability: write a number between 0 and 1")
        if not 0 <= self.band < min(self.threshold, 1 - self.threshold):
            raise BadOption(
                f"band={self.band!r} leaves no verdict at threshold {self.threshold:g}: write less"
            )
        super().__post_init__()
        offline = bool(getattr(self.detector, "works_offline", True)) and self._others.works_offline
        own = {
            "name": self.name or f"{self._detector_name}{self._changed_numbers()}",
            "works_offline": offline,
            "blind_spots": getattr(self.detector, "blind_spots", ()),
            "cacheable": bool(getattr(self.detector, "fingerprint", "")),
        }
        for name, value in own.items():
            object.__setattr__(self, name, value)

    def answers(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether prompts of a kind are about support."""
        return issubclass(prompt, SUPPORT_PROMPTS)

    def own_fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return what decides the answer: detector, numbers and prompt; None if the detector has no fingerprint."""
        if not self.cacheable:
            return None
        identity = f"{cast('Any', self.detector).fingerprint} {self.threshold} {self.band}"
        return fingerprint(identity, prompt, prompt.render(), 0.0)

    async def answer(self, prompt: Prompt[Any]) -> Reply[Any]:
        """Return the answer; see `Judge.ask`.

        The rules that make an answer of verdicts on support are run until each of these verdicts is known: whether a
        citation is needed depends on whether its passage alone is sufficient.
        """
        known: dict[_Query, Judgement] = {}
        calls = 0
        while True:
            missing: dict[_Query, None] = {}

            def look_up(statements: Sequence[str], passages: Sequence[str]) -> list[Judgement]:
                queries = [(statement, tuple(passages)) for statement in statements]
                missing.update(dict.fromkeys(query for query in queries if query not in known))  # noqa: B023  (called in this round alone)
                return [known.get(query, _NO_EVIDENCE) for query in queries]

            with support_by(look_up):
                answer = answer_prompt(prompt)
            if not missing:
                return Reply(answer, Usage(calls=calls), cost=0.0)
            for passages in dict.fromkeys(passages for _, passages in missing):
                statements = [statement for statement, of in missing if of == passages]
                found, made = await self._support(statements, passages, getattr(prompt, "input", ""))
                known.update(zip(((statement, passages) for statement in statements), found, strict=True))
                calls += made

    async def _support(
        self, statements: Sequence[str], passages: Sequence[str], question: str
    ) -> tuple[list[Judgement], int]:
        if not any(map(str.strip, passages)):
            return [_NO_EVIDENCE] * len(statements), 0
        if reason := self._why_not_read((*statements, *passages)):
            return [not_judged(reason)] * len(statements), 0
        best: list[tuple[Detection, EvidencePiece | None]] = [(Detection(-1.0), None)] * len(statements)
        parts = windows(passages, self._room_beside(statements))
        for pieces in parts:
            texts = [piece.text for piece in pieces]
            detections = await _called(self.detector, statements, texts, question)
            found = self._checked(detections, len(statements), len(texts))
            best = [_better(old, new, pieces) for old, new in zip(best, found, strict=True)]
        return [self._verdict(detection, piece) for detection, piece in best], len(parts)

    def _room_beside(self, statements: Sequence[str]) -> int | None:
        limit: int | None = getattr(self.detector, "max_tokens", None)
        return None if limit is None else max(1, limit - max(map(count_tokens, statements)))

    def _why_not_read(self, texts: Sequence[str]) -> str:
        """Return why texts are in none of the detector's languages; empty if they may be, or none is declared."""
        languages: Sequence[str] = getattr(self.detector, "languages", ())
        count = count_words(*texts)
        language = unsupported_language(count) or ("" if count.is_latin else "in another script")
        if not languages or not language or language in languages:
            return ""
        return (
            f"not judged: the text seems to be {language}; {self._detector_name} reads {', '.join(languages)}"
        )

    def _checked(self, found: Sequence[Detection], count: int, passages: int) -> Sequence[Detection]:
        if len(found) != count:
            raise ProviderError(
                f"{self._detector_name} returned {len(found)} detections for {count} statements"
            )
        for item in found:
            if not all(0 <= value <= 1 for value in (item.supported, item.contradicted or 0.0)):
                raise ProviderError(f"{self._detector_name} returned {item!r}: probabilities are 0 to 1")
            if item.passage is not None and not 1 <= item.passage <= passages:
                raise ProviderError(f"{self._detector_name} returned {item!r}: passages are 1 to {passages}")
        return found

    def _verdict(self, found: Detection, piece: EvidencePiece | None) -> Judgement:
        passage, span = (None, None) if piece is None else (piece.passage, piece.span)
        chance = f"{found.supported:.0%} likely to be supported"
        against = found.contradicted
        denial = "" if against is None else f"contradicted: {against:.0%} likely"
        verdict: VerdictValue = "idk"
        unknown: bool | None = None
        if found.supported >= self.threshold + self.band:
            verdict, reason = "yes", f"supported: {chance}"
        elif found.supported > self.threshold - self.band:
            verdict, reason = "undecided", f"too close to call, {chance}"
        elif against is None:
            reason, unknown = f"not supported: {chance}", True
        elif against >= _EQUAL_CHANCE + self.band:
            verdict, reason = "no", denial
        else:
            reason = f"not mentioned: {chance}, {denial}"
            unknown = against > _EQUAL_CHANCE - self.band or None
        return Judgement(verdict, found.supported, reason, passage, span, unknown)

    @property
    def _detector_name(self) -> str:
        return str(getattr(self.detector, "name", type(self.detector).__name__))

    def _changed_numbers(self) -> str:
        changed = [
            f"{name}={getattr(self, name):g}"
            for name in ("threshold", "band")
            if getattr(self, name) != getattr(type(self), name)
        ]
        separator = "&" if "#" in self._detector_name else "#"
        return separator + "&".join(changed) if changed else ""


async def _called(
    detector: Detector, statements: Sequence[str], passages: Sequence[str], question: str
) -> Sequence[Detection]:
    """Return what a detector finds; one that is not async runs in a thread."""
    if inspect.iscoroutinefunction(detector.detect):
        return await detector.detect(statements, passages, question)
    found = await asyncio.to_thread(detector.detect, statements, passages, question)
    return await found if inspect.isawaitable(found) else found


def _better(
    old: tuple[Detection, EvidencePiece | None], new: Detection, pieces: Sequence[EvidencePiece]
) -> tuple[Detection, EvidencePiece | None]:
    """Return the greater chance of each kind of two detections, with the piece of the one that is surer."""
    before, piece = old
    if _sureness(new) > _sureness(before):
        piece = _piece_of(new, pieces)
    chances = [value for value in (before.contradicted, new.contradicted) if value is not None]
    return Detection(max(before.supported, new.supported), max(chances, default=None)), piece


def _sureness(found: Detection) -> float:
    return max(found.supported, found.contradicted or 0.0)


def _piece_of(found: Detection, pieces: Sequence[EvidencePiece]) -> EvidencePiece | None:
    if found.passage is not None:
        return pieces[found.passage - 1]
    return pieces[0] if len(pieces) == 1 else None
