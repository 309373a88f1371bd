"""Detectors behind a server: pairs of passage and statement go out in batches, probabilities come back.

Each statement is paired with each passage, and with all of them together, since two passages may support it only
together; the greatest probability counts. The passage comes first, as natural language inference is trained.

Text Embeddings Inference: `POST /predict` with pairs returns a score for each label, the greatest first. A pair that is
too long is refused instead of truncated. Format: https://huggingface.github.io/text-embeddings-inference, predict.

vLLM: `POST /score` for pairs, with a model of one label; `POST /classify` for texts made by a template. Of several
classes `/classify` names only the likeliest: a model of two supports by class 1, and for more write `supported=` with
the number of the class. Format: https://docs.vllm.ai, pooling models, scoring and classification.

llama.cpp: `POST /rerank` scores documents for a query; the passage is the query, the statements the documents. The
scores are the model's output before the logistic function; of the few architectures whose output llama.cpp normalises
itself, they are probabilities: write `scores=probability`. Format:
https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from math import exp, isfinite
from typing import ClassVar, Literal, NamedTuple, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, RootModel

from ragstone.errors import BadOption, ProviderError
from ragstone.judges.detection.detector import Detection
from ragstone.judges.detection.server import ProbabilityServer
from ragstone.providers.http.failures import clean, read_response

_PLACE = re.compile(r"\{(?:passage|statement)\}")
_MAX_LOG_ODDS = 700.0


class Pair(NamedTuple):
    """A passage, or several as one text, and a statement."""

    text: str
    statement: str


class _Item(BaseModel):
    index: int


I = TypeVar("I", bound=_Item)  # noqa: E741

Chances = tuple[float, float | None]
"""Probabilities that a statement is supported and that it is contradicted; None if the model has no such label."""

_SUPPORTED = frozenset((
    "entailment", "entailed", "supported", "supports", "consistent", "faithful", "factual", "label_1", "1", "yes",
))  # fmt: skip
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
            given = f"supported={self.supported!r} is none of them"
            problem = given if self.supported else "none is known to mean supported"
            labels = ", ".join(scores)
            raise self._unusable(f"the labels {labels}, and {problem}: name the label with supported=LABEL")
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


@dataclass(frozen=True, kw_only=True, repr=False)
class TEIDetector(ServedDetector):
    """A model of sequence classification that TEI serves, such as one of natural language inference."""

    vendor = "tei"
    path = "predict"
    key_variable = "TEI_API_KEY"

    async def _chances(self, pairs: Sequence[Pair]) -> Sequence[Chances]:
        inputs = [[text] for text in self._texts(pairs)] if self.template else [list(pair) for pair in pairs]
        body = await self.post({"inputs": inputs, "truncate": False, "raw_scores": False})
        rows = read_response(_Predictions, body, self.name, "list of predictions", self.secrets).root
        return [self._by_label({item.label: item.score for item in row}) for row in rows]


class _Prediction(BaseModel):
    score: float
    label: str


class _Predictions(RootModel[list[list[_Prediction]]]):
    pass


@dataclass(frozen=True, kw_only=True, repr=False)
class VLLMDetector(ServedDetector):
    """A classification model that vLLM serves."""

    vendor = "vllm"
    path = "score"
    key_variable = "VLLM_API_KEY"

    async def _chances(self, pairs: Sequence[Pair]) -> Sequence[Chances]:
        model, secrets = self.model or None, self.secrets
        if self.template:
            body = await self.post({"model": model, "input": self._texts(pairs)}, "classify")
            classified = read_response(_Classification, body, self.name, "classification", secrets)
            rows = [item.probs for item in self._in_order(classified.data)]
            return [self._by_label({str(number): value for number, value in enumerate(row)}) for row in rows]
        texts, statements = zip(*pairs, strict=True)
        body = await self.post({"model": model, "text_1": texts, "text_2": statements})
        scored = read_response(_Scores, body, self.name, "list of scores", secrets)
        return [(self._check(item.score), None) for item in self._in_order(scored.data)]


class _Score(_Item):
    score: float


class _Scores(BaseModel):
    data: list[_Score]


class _Class(_Item):
    probs: list[float]


class _Classification(BaseModel):
    data: list[_Class]


@dataclass(frozen=True, kw_only=True, repr=False)
class LlamaRerankDetector(ServedDetector):
    """A model with a classification head that llama.cpp's own server runs with `--rerank`.

    Attributes:
        scores: whether the server returns log odds, or probabilities.
    """

    vendor = "llama-rerank"
    path = "v1/rerank"
    key_variable = "LLAMA_API_KEY"

    scores: Literal["log_odds", "probability"] = "log_odds"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        if self.scores not in {"log_odds", "probability"}:
            raise BadOption(f"scores={self.scores!r}: write log_odds or probability")
        if self.template or self.supported or self.contradicted:
            raise BadOption(
                "llama-rerank sends pairs and has one score: leave out template, supported and contradicted"
            )

    def _batches(self, pairs: Sequence[Pair]) -> Iterable[Sequence[Pair]]:
        return (list(group) for _, group in groupby(pairs, key=lambda pair: pair.text))

    async def _chances(self, pairs: Sequence[Pair]) -> Sequence[Chances]:
        documents = [pair.statement for pair in pairs]
        sent = {"query": pairs[0].text, "documents": documents, "top_n": len(documents)}
        body = await self.post({"model": self.model or None, **sent})
        ranked = read_response(_Ranking, body, self.name, "ranking", self.secrets).results
        return [(self._probability(item.relevance_score), None) for item in self._in_order(ranked)]

    def _probability(self, score: float) -> float:
        if self.scores == "probability" or not isfinite(score):
            return self._check(score)
        return 1 / (1 + exp(-max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, score))))


class _Rank(_Item):
    relevance_score: float


class _Ranking(BaseModel):
    results: list[_Rank]
