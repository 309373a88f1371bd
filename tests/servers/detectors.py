"""Servers of detectors: TEI's `/predict`, vLLM's `/score` and `/classify`, llama.cpp's `/v1/rerank`, spoken strictly.

Rules: TEI's router (`router/src/http/server.rs` and `types.rs`), vLLM's pooling protocols, llama.cpp's server README.
Scores come from a table: `scores` gives, for a passage and a statement, the probability of each label.
"""

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import Any, ClassVar

from tests.servers._delivery import Said
from tests.servers._fields import anything, flag, integer, listed, misfit, text
from tests.servers._server import JudgeServer
from tests.servers._traffic import Recorded, WireError
from tests.servers.script import Ask

Scores = Callable[[str, str], Mapping[str, float]]


class DetectorServer(JudgeServer):
    """What the three have in common: a table of scores, and a limit of words for passage and statement together."""

    fields: ClassVar[Mapping[str, Any]]
    status_of_misfit = 400

    def __init__(
        self, scores: Scores, *, max_words: int = 400, key: str | None = None, latency: float = 0.0
    ) -> None:
        super().__init__(latency=latency)
        self.scores, self.max_words, self.key = scores, max_words, key
        self.template_parts = ("Premise: ", " Hypothesis: ")
        self.reply: Any = None
        """Sent instead of the answer."""

    @property
    def base_url(self) -> str:
        return self.origin

    @property
    def pairs(self) -> int:
        """The number of pairs that were scored."""
        return self._pairs

    _pairs = 0

    def payload(self, ask: Ask, said: Said) -> Any:
        raise NotImplementedError

    async def _admit(self, recorded: Recorded, fields: Mapping[str, Any]) -> Any:
        if self.key is not None and recorded.headers.get("Authorization") != f"Bearer {self.key}":
            raise WireError(401, "Unauthorized")
        found = misfit(recorded.body, fields)
        if found is not None:
            raise WireError(self.status_of_misfit, f"{found.name}: {found.wrong} (got {found.value!r:.80})")
        await self.strike_other(recorded.text)
        return recorded.body

    def _scored(self, passage: str, statement: str) -> Mapping[str, float]:
        words = len(passage.split()) + len(statement.split())
        if words > self.max_words:
            raise WireError(422, f"`inputs` must have less than {self.max_words} tokens. Given: {words}")
        self._pairs += 1
        return self.scores(passage, statement)

    def _split(self, joined: str) -> tuple[str, str]:
        before, between = self.template_parts
        passage, separator, statement = joined.removeprefix(before).partition(between)
        if not separator:
            raise WireError(422, f"the model wants {before!r} and {between!r}, got {joined!r}")
        return passage, statement


class TEIServer(DetectorServer):
    """`POST /predict`: a list of lists of one or two texts, at most 32; predictions from the greatest to the least."""

    vendor = "tei"
    status_of_misfit = 422
    fields: ClassVar[Mapping[str, Any]] = {
        "inputs": listed(required=True),
        "truncate": flag(),
        "raw_scores": flag(),
        "truncation_direction": text(),
    }

    def routes(self) -> Mapping[str, Any]:
        return {"/predict": self._predict}

    def other_routes(self) -> Mapping[tuple[str, str], Any]:
        return {("GET", "/info"): self._info}

    async def _info(self, _: Recorded) -> tuple[Any, Mapping[str, str]]:
        kind = {"classifier": {"id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}}
        return {
            "model_id": "vectara/hhem",
            "model_type": kind,
            "max_input_length": 512,
            "version": "1.8.3",
        }, {}

    def error(self, status: int, message: str, **_: Any) -> Mapping[str, Any]:
        return {"error": message, "error_type": {422: "Validation", 429: "Overloaded"}.get(status, "Backend")}

    async def _predict(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = await self._admit(recorded, self.fields)
        inputs: Sequence[Any] = body["inputs"]
        if not inputs:
            raise WireError(400, "`inputs` cannot be empty")
        if len(inputs) > 32:
            raise WireError(422, f"batch size {len(inputs)} > maximum allowed batch size 32")
        if not all(
            isinstance(row, list) and len(row) in {1, 2} and all(isinstance(part, str) for part in row)
            for row in inputs
        ):
            raise WireError(422, "inputs: data did not match a batch of mixed strings and pairs")
        pairs = [row if len(row) == 2 else self._split(row[0]) for row in inputs]
        answer = [
            sorted(
                ({"score": score, "label": label} for label, score in self._scored(*pair).items()),
                key=lambda item: -item["score"],
            )
            for pair in pairs
        ]
        return self.reply or answer, {}


class VLLMServer(DetectorServer):
    """`POST /score` for pairs with a model of one label; `POST /classify` for texts, with the classes by number."""

    vendor = "vllm"
    fields: ClassVar[Mapping[str, Any]] = {
        "model": text(),
        "text_1": anything(),
        "text_2": anything(),
        "user": text(),
        "priority": integer(0),
    }
    classified: ClassVar[Mapping[str, Any]] = {
        "model": text(),
        "input": anything(),
        "user": text(),
        "priority": integer(0),
    }

    def routes(self) -> Mapping[str, Any]:
        return {"/score": self._score, "/classify": self._classify}

    def error(self, status: int, message: str, **_: Any) -> Mapping[str, Any]:
        return {"error": {"message": message, "type": "BadRequestError", "param": None, "code": status}}

    async def _score(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = await self._admit(recorded, self.fields)
        first, second = body.get("text_1"), body.get("text_2")
        if not isinstance(first, list) or not isinstance(second, list) or len(first) != len(second):
            raise WireError(400, "Input lengths must be either 1:1, 1:N or N:N")
        scored = [self._scored(*pair) for pair in zip(first, second, strict=True)]
        data = [
            {"index": i, "object": "score", "score": next(iter(row.values()))} for i, row in enumerate(scored)
        ]
        usage = {"prompt_tokens": 9, "total_tokens": 9}
        answer = {"id": "embd-1", "object": "list", "created": 1, "model": "m", "data": data, "usage": usage}
        return self.reply or answer, {}

    async def _classify(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = await self._admit(recorded, self.classified)
        scored = [list(self._scored(*self._split(joined)).values()) for joined in body["input"]]
        data = [
            {"index": i, "label": f"LABEL_{row.index(max(row))}", "probs": row, "num_classes": len(row)}
            for i, row in enumerate(scored)
        ]
        return {
            "id": "classify-1",
            "object": "list",
            "created": 1,
            "model": "m",
            "data": data,
            "usage": {},
        }, {}


class LlamaRerankServer(DetectorServer):
    """`POST /v1/rerank`: log odds for each document, from the greatest to the least, at most `top_n`."""

    vendor = "llama-rerank"
    fields: ClassVar[Mapping[str, Any]] = {
        "model": text(),
        "query": text(required=True),
        "documents": listed(required=True),
        "top_n": integer(1),
    }

    def routes(self) -> Mapping[str, Any]:
        return dict.fromkeys(("/rerank", "/reranking", "/v1/rerank", "/v1/reranking"), self._rerank)

    def error(self, status: int, message: str, **_: Any) -> Mapping[str, Any]:
        return {"error": {"code": status, "message": message, "type": "invalid_request_error"}}

    async def _rerank(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = await self._admit(recorded, self.fields)
        documents: Sequence[str] = body["documents"]
        if not documents:
            raise WireError(400, "documents must be a non-empty string array")
        chances = [next(iter(self._scored(body["query"], document).values())) for document in documents]
        ranked = [
            {"index": i, "relevance_score": log(chance / (1 - chance))} for i, chance in enumerate(chances)
        ]
        ranked.sort(key=lambda item: -item["relevance_score"])
        results = ranked[: body.get("top_n", len(ranked))]
        return {
            "model": "m",
            "object": "list",
            "usage": {"prompt_tokens": 9, "total_tokens": 9},
            "results": results,
        }, {}
