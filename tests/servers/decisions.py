"""Decision models, spoken strictly: llama.cpp's `/v1/systemone` and OpenAI's `/v1/decisions`.

Rules: llama.cpp's server README, "TypeSafe-compatible API"; openai-python, `types/decision_create_params.py` and
`types/decision.py`. The model is a function: it gives the weight of each option of a question.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from tests.servers._delivery import Said
from tests.servers._fields import Field, anything, listed, mapping, misfit, text
from tests.servers._server import JudgeServer
from tests.servers._traffic import Recorded, WireError
from tests.servers.script import Ask

Weigh = Callable[[str, str, Sequence[str]], Mapping[str, float] | None]
"""The weights of the options, by state, instructions and options; None declines."""


class DecisionModelServer(JudgeServer):
    """Both wires in front of one model.

    Args:
        weigh: The model.
        key: A key that is wanted as a bearer token; None wants none.
    """

    vendor = "decisions"
    system_one: ClassVar[Mapping[str, Field]] = {
        "model": text(),
        "state": Field((str, dict, list), required=True),
        "files": listed(),
        "images": listed(),
        "questions": mapping(required=True),
    }
    decisions: ClassVar[Mapping[str, Field]] = {
        "model": text(required=True),
        "input": Field((str, list), required=True),
        "questions": listed(required=True),
        "safety_identifier": text(),
    }

    def __init__(self, weigh: Weigh, *, key: str | None = None) -> None:
        super().__init__()
        self.weigh, self.key = weigh, key
        self.reply: Any = None
        """Sent instead of the answer."""

    @property
    def base_url(self) -> str:
        return self.origin

    def routes(self) -> Mapping[str, Any]:
        return {"/v1/systemone": self._system_one, "/v1/decisions": self._decisions}

    def error(self, status: int, message: str, **_: Any) -> Mapping[str, Any]:
        return {"error": {"code": status, "message": message, "type": "invalid_request_error"}}

    def payload(self, ask: Ask, said: Said) -> Any:
        raise NotImplementedError

    async def _admit(self, recorded: Recorded, fields: Mapping[str, Field]) -> Any:
        if self.key is not None and recorded.headers.get("Authorization") != f"Bearer {self.key}":
            raise WireError(401, "Unauthorized")
        found = misfit(recorded.body, fields)
        if found is not None:
            raise WireError(400, f"{found.name}: {found.wrong}")
        if not recorded.body["questions"]:
            raise WireError(400, "questions must not be empty")
        await self.strike_other(recorded.text)
        return recorded.body

    def _chances(
        self, state: str, question: Mapping[str, Any], options: Sequence[str]
    ) -> dict[str, float] | None:
        weights = self.weigh(state, question["instructions"], options)
        if weights is None:
            return None
        total = sum(weights.get(option, 0.0) for option in options)
        return {option: weights.get(option, 0.0) / total for option in options}

    async def _system_one(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = await self._admit(recorded, self.system_one)
        answers = {
            name: self._answer(body["state"], question) for name, question in body["questions"].items()
        }
        usage = {"input_tokens": len(body["state"]) // 4, "output_tokens": 0}
        return self.reply or {"model": "openjev", "answers": answers, "usage": usage}, {}

    def _answer(self, state: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        self._check(
            question, {"type": text("choice", "score"), "instructions": anything(), "criteria": anything()}
        )
        criteria = question["criteria"]
        if question["type"] == "choice":
            if not isinstance(criteria, dict) or len(criteria) < 2:
                raise WireError(400, "criteria of a choice must be an object with 2 options or more")
            chances = self._chances(state, question, list(criteria)) or {}
            best = max(chances, key=chances.__getitem__)
            return {"type": "choice", "choice": best, "probabilities": chances, "confidence": 0.5}
        if not isinstance(criteria, list) or not 2 <= len(criteria) <= 10:
            raise WireError(400, "criteria of a score must be an array of 2 to 10 levels")
        chances = self._chances(state, question, criteria) or {}
        by_index = {str(index): chances[level] for index, level in enumerate(criteria)}
        mean = sum(int(index) * chance for index, chance in by_index.items())
        return {"type": "score", "score": mean, "legend": {}, "probabilities": by_index, "confidence": 0.5}

    async def _decisions(self, recorded: Recorded) -> tuple[Any, Mapping[str, str]]:
        body = await self._admit(recorded, self.decisions)
        answers = [self._listed(body["input"], question) for question in body["questions"]]
        usage = {
            "input_tokens": 9,
            "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
            "output_tokens": 2,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 11,
        }
        return self.reply or {"model": body["model"], "answers": answers, "usage": usage}, {}

    def _listed(self, state: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        kind = question.get("type")
        options = "levels" if kind == "score" else "choices"
        item = "label" if kind == "score" else "value"
        asked = {"type": text("choice", "score"), "instructions": text(required=True), "name": text()}
        self._check(question, {**asked, options: listed(required=True)})
        names = [entry[item] for entry in question[options]]
        chances = self._chances(state, question, names)
        if chances is None:
            return {"type": "refusal", "name": None}
        if kind == "score":
            rows = [
                {"label": name, "value": place, "probability": chances[name]}
                for place, name in enumerate(names)
            ]
            return {"type": "score", "name": None, "score": 1.0, "confidence": 0.5, "probabilities": rows}
        rows = [{"value": name, "probability": chances[name]} for name in names]
        return {"type": "choice", "name": None, "choice": names[0], "confidence": 0.5, "probabilities": rows}

    def _check(self, question: Mapping[str, Any], fields: Mapping[str, Field]) -> None:
        found = misfit(question, fields)
        if found is not None:
            raise WireError(400, f"question: {found.name}: {found.wrong}")
