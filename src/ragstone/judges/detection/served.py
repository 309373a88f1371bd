"""Detectors behind a server: pairs of passage and statement go out in batches, probabilities come back.

Each statement is paired with each passage, and with all of them together, since two passages may support it only
together; the greatest probability counts. The passage comes first, as natural language inference is trained.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import ClassVar, NamedTuple, Protocol, TypeVar
from urllib.parse import quote

from ragstone.errors import ProviderError
from ragstone.judges.detection.detector import Detection
from ragstone.judges.detection.server import ProbabilityServer
from ragstone.providers.http.failures import clean


class Pair(NamedTuple):
    """A passage, or several as one text, and a statement."""

    text: str
    statement: str


_PLACE = re.compile(r"\{(?:passage|statement)\}")


class _Indexed(Protocol):
    @property
    def index(self) -> int:
        """The place in the request, from 0."""
        ...


I = TypeVar("I", bound=_Indexed)  # noqa: E741

Chances = tuple[float, float | None]
"""Probabilities that a statement is supported and that it is contradicted; None if the model has no such label."""

_SUPPORTED = frozenset(
    {
        "entailment",
        "entailed",
        "supported",
        "supports",
        "consistent",
        "faithful",
        "factual",
        "label_1",
        "1",
        "yes",
    }
)
_CONTRADICTED = frozenset({"contradiction", "contradicted", "refuted", "refutes"})
"""Labels that published detectors use, in lower case."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ServedDetector(ProbabilityServer):
    """Base of the detectors behind a server: a wire's subclass sends the pairs of one request and reads the answer.

    Attributes:
        max_tokens: most tokens of passages and statement that the model reads.
        template: how a passage and a statement make one text, such as `"Premise: {passage} Hypothesis: {statement}"`;
            empty to send pairs.
        supported: the label that means supported; by default the usual ones, such as `entailment` and `LABEL_1`.
        contradicted: the label that means contradicted; by default `contradiction` and the like.
        languages: English names of the languages that the model was measured on; all if empty.
    """

    batch: ClassVar[int] = 32
    """Most pairs of a request: TEI's default limit."""
    works_offline: ClassVar[bool] = False

    max_tokens: int = 512
    template: str = ""
    supported: str = ""
    contradicted: str = ""
    languages: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The spec, with the options that differ from their defaults."""
        changed = "&".join(
            f"{item.name}={quote(str(value), safe=' {}:.,?')}"
            for item in fields(self)
            if item.name in SPEC_OPTIONS and (value := getattr(self, item.name)) != item.default
        )
        return f"{super().name}{'#' if changed else ''}{changed}"

    @property
    def fingerprint(self) -> str:
        """Everything that decides the probabilities."""
        return f"{self.name} {sorted(self.options.items())} {list(self.languages)}"

    async def detect(
        self, statements: Sequence[str], passages: Sequence[str], question: str
    ) -> Sequence[Detection]:
        """Return one detection for each statement; see `Detector.detect`."""
        del question
        texts = [*passages, *(["\n".join(passages)] if len(passages) > 1 else [])]
        pairs = [Pair(text, statement) for text in texts for statement in statements]
        chances: list[Chances] = []
        for batch in self._batches(pairs):
            found = await self._chances(batch)
            if len(found) != len(batch):
                raise self._unusable(f"{len(found)} scores for {len(batch)} pairs")
            chances += found
        count = len(statements)
        return [_detection(chances[place::count], len(passages)) for place in range(count)]

    @abstractmethod
    async def _chances(self, pairs: Sequence[Pair]) -> Sequence[Chances]:
        """Send the pairs of one request, and return their probabilities in order."""

    def _batches(self, pairs: Sequence[Pair]) -> Iterable[Sequence[Pair]]:
        return (pairs[start : start + self.batch] for start in range(0, len(pairs), self.batch))

    def _texts(self, pairs: Sequence[Pair]) -> list[str]:
        """Return each pair as one text, by the template; braces in the texts themselves stay as they are."""
        places = {"{passage}": 0, "{statement}": 1}
        return [_PLACE.sub(lambda found: pair[places[found[0]]], self.template) for pair in pairs]  # noqa: B023  (called at once)

    def _by_label(self, scores: dict[str, float]) -> Chances:
        """Return the probabilities of the labels that mean supported and contradicted; of a single label, its own."""
        for label, score in scores.items():
            self._check(score, label)
        if len(scores) == 1 and not self.supported:
            return next(iter(scores.values())), None
        supported = _find(scores, self.supported, _SUPPORTED)
        if supported is None:
            named = (
                f"supported={self.supported!r} is none of them"
                if self.supported
                else "none is known to mean supported"
            )
            raise self._unusable(
                f"the labels {', '.join(scores)}, and {named}: name the label with supported=LABEL"
            )
        return supported, _find(scores, self.contradicted, _CONTRADICTED)

    def _in_order(self, items: Sequence[I]) -> list[I]:
        """Return the items of an answer by their indices, which must be those of the request."""
        ordered = sorted(items, key=lambda item: item.index)
        if any(item.index != place for place, item in enumerate(ordered)):
            raise self._unusable(f"the indices {[item.index for item in ordered]}")
        return ordered

    def _check(self, score: float, label: str = "") -> float:
        if not isfinite(score) or not 0 <= score <= 1:
            raise self._unusable(f"{score!r}{f' for {label}' if label else ''}, which is no probability")
        return score

    def _unusable(self, what: str) -> ProviderError:
        return ProviderError(f"{self.name} returned {clean(what, self.secrets)}")


SPEC_OPTIONS = ("max_tokens", "template", "supported", "contradicted", "scores")
"""Options of a detector that a spec may set behind `#`."""


def _find(scores: dict[str, float], label: str, usual: frozenset[str]) -> float | None:
    if label:
        return next((score for name, score in scores.items() if name.lower() == label.lower()), None)
    return next((score for name, score in scores.items() if name.lower() in usual), None)


def _detection(chances: Sequence[Chances], passages: int) -> Detection:
    """Return the greatest probabilities of a statement's pairs, and the passage that has the greatest alone."""
    against = [contradicted for _, contradicted in chances if contradicted is not None]
    surest = max(range(passages), key=lambda place: max(chances[place][0], chances[place][1] or 0.0))
    return Detection(max(supported for supported, _ in chances), max(against, default=None), surest + 1)
