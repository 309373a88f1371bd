"""Detectors behind a server: pairs of passage and statement go out in batches, probabilities come back.

Each statement is paired with each passage, and with all of them together, since two passages may support it only
together; the greatest probability counts. The passage comes first, as natural language inference is trained.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from ragstone.errors import ProviderError
from ragstone.judges.detection.detector import Detection
from ragstone.providers.http.address import (
    check_base,
    check_key,
    from_environment,
    join,
    secrets_in,
    without_query,
)
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.wire.http_model import HttpModel
from ragstone.providers.wire.parameter_support import post_negotiated


class Pair(NamedTuple):
    """A passage, or several as one text, and a statement."""

    text: str
    statement: str


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
class ServedDetector(HttpModel):
    """Base of the detectors behind a server: a wire's subclass sends the pairs of one request and reads the answer.

    Attributes:
        base_url: the server, such as `http://127.0.0.1:8080`.
        model: the model, for a server that has several.
        api_key: a bearer token; by default the variable in `key_variable`.
        headers: further headers; their values count as secrets.
        options: further parameters of each request.
        max_tokens: most tokens of passages and statement that the model reads.
        template: how a passage and a statement make one text, such as `"Premise: {passage} Hypothesis: {statement}"`;
            empty to send pairs.
        supported: the label that means supported; by default the usual ones, such as `entailment` and `LABEL_1`.
        contradicted: the label that means contradicted; by default `contradiction` and the like.
        languages: English names of the languages that the model was measured on; all if empty.
    """

    vendor: ClassVar[str]
    path: ClassVar[str]
    key_variable: ClassVar[str]
    batch: ClassVar[int] = 32
    """Most pairs of a request: TEI's default limit."""
    works_offline: ClassVar[bool] = False

    max_tokens: int = 512
    template: str = ""
    supported: str = ""
    contradicted: str = ""
    languages: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Resolve address and key, so that the value means the same on every machine."""
        object.__setattr__(
            self, "base_url", check_base(self.base_url or "", f"the address of {self.vendor}").rstrip("/")
        )
        key = self.api_key or from_environment(self.key_variable)
        object.__setattr__(self, "api_key", key and check_key(key, self.key_variable))

    @property
    def name(self) -> str:
        """The spec, with the options that differ from their defaults; without what the address may hide."""
        address = without_query(self.base_url or "")
        changed = "&".join(
            f"{item.name}={value}"
            for item in fields(self)
            if item.name in SPEC_OPTIONS and (value := getattr(self, item.name)) != item.default
        )
        return f"{self.vendor}:{f'{self.model}@' if self.model else ''}{address}{'#' if changed else ''}{changed}"

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
        """Return each pair as one text, by the template."""
        return [
            self.template.replace("{statement}", pair.statement).replace("{passage}", pair.text)
            for pair in pairs
        ]

    async def _post(self, path: str, body: dict[str, Any]) -> bytes:
        sent = {name: value for name, value in {**body, **self.options}.items() if value is not None}
        return await post_negotiated(self._endpoint_of(path), lambda _: sent, {})

    def _find_endpoint(self) -> Endpoint:
        return self._endpoint_of(self.path)

    def _endpoint_of(self, path: str) -> Endpoint:
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        url = join(self.base_url or "", path)
        secrets = secrets_in(self.headers, self.api_key, url=url)
        return Endpoint(
            self.vendor, self.model or without_query(url), url, headers | dict(self.headers), secrets
        )

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
        return ProviderError(f"{self.name} returned {what}")


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
