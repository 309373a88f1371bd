"""Models that return probabilities from a server: address, key and call, and the two wires of decision models.

System One, `POST /v1/systemone`: questions by name, as llama.cpp, TypeSafe and others serve it. Format:
https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md, TypeSafe-compatible API.

Decisions, `POST /v1/decisions`: questions in a list, as OpenAI serves it. Format: openai-python, `types/decision.py`
and `types/decision_create_params.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel

from ragstone.errors import ProviderError
from ragstone.providers.http import address
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import clean, read_response
from ragstone.providers.wire.http_provider import HttpModel
from ragstone.providers.wire.parameter_support import post_negotiated
from ragstone.providers.wire.replies import TokenCount
from ragstone.result import Usage


@dataclass(frozen=True, kw_only=True, repr=False)
class ProbabilityServer(HttpModel):
    """Base of detectors and decision models behind a server.

    Attributes:
        base_url: the server, such as `http://127.0.0.1:8080`.
        model: the model, for a server that has several.
        api_key: a bearer token; by default that in a variable of the server's.
        headers: further headers; their values count as secrets.
        options: further parameters of each request.
    """

    vendor: ClassVar[str]
    key_variable: ClassVar[str]
    path: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Resolve address and key, so that the value means the same on every machine."""
        base = address.check_base(self.base_url or "", f"the address of {self.vendor}").rstrip("/")
        object.__setattr__(self, "base_url", base)
        key = self.api_key or address.from_environment(self.key_variable)
        object.__setattr__(self, "api_key", key and address.check_key(key, self.key_variable))

    @property
    def name(self) -> str:
        """The spec, without what the address may hide."""
        return f"{self.vendor}:{f'{self.model}@' if self.model else ''}{address.without_query(self.base_url or '')}"

    async def post(self, body: dict[str, Any], path: str | None = None) -> bytes:
        """Return the body of the response to a request, with the user's options; see `post_negotiated`."""
        sent = {name: value for name, value in {**body, **self.options}.items() if value is not None}
        endpoint = self._endpoint if path is None else self._endpoint_at(path)
        return await post_negotiated(endpoint, lambda _: sent, {})

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may show."""
        return self._endpoint.secrets

    def _find_endpoint(self) -> Endpoint:
        return self._endpoint_at(self.path)

    def _endpoint_at(self, path: str) -> Endpoint:
        url = address.join(self.base_url or "", path) if path else self.base_url or ""
        key_header = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        secrets = address.secrets_in(self.headers, self.api_key, url=url)
        headers = key_header | dict(self.headers)
        return Endpoint(self.vendor, self.model or address.without_query(url), url, headers, secrets)


Chosen = Mapping[str, float]
"""The probability of each option of a question; empty where the model declined to answer it."""

_SYSTEM_ONE, _DECISIONS = "systemone", "decisions"


class Question(NamedTuple):
    """A question about the state.

    Attributes:
        instructions: the question.
        options: what may be chosen; of an ordered question the levels, the lowest first.
        ordered: whether the options are levels of a scale.
    """

    instructions: str
    options: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True, kw_only=True, repr=False)
class DecisionServer(ProbabilityServer):
    """A decision model behind a server.

    Attributes:
        base_url: the server, or the whole address if it ends with `/systemone` or `/decisions`, which names the wire;
            System One by default.
        api_key: a bearer token; by default DECISIONS_API_KEY, and for OpenAI's own server OPENAI_API_KEY.
    """

    vendor = "decisions"
    key_variable = "DECISIONS_API_KEY"

    def __post_init__(self) -> None:
        """Resolve address and key, so that the value means the same on every machine."""
        super().__post_init__()
        url = self.base_url or ""
        if urlsplit(url).path.rpartition("/")[2] not in {_SYSTEM_ONE, _DECISIONS}:
            object.__setattr__(self, "base_url", address.join(url, f"v1/{_SYSTEM_ONE}"))
        if self.api_key is None and urlsplit(url).hostname == "api.openai.com":
            key = address.from_environment("OPENAI_API_KEY")
            object.__setattr__(self, "api_key", key and address.check_key(key, "OPENAI_API_KEY"))

    async def ask(self, state: str, questions: Sequence[Question]) -> tuple[list[Chosen], Usage]:
        """Return the probabilities for each question, in order, and the usage.

        Raises:
            ProviderError: the server refused or failed, or answered something else.
            TimedOut: no answer in time.
        """
        is_list = urlsplit(self.base_url or "").path.endswith(f"/{_DECISIONS}")
        body = (
            {"input": state, "questions": list(map(_list_entry, questions))}
            if is_list
            else _by_name(state, questions)
        )
        reply = await self.post({"model": self.model or None, **body})
        kind = _DecisionList if is_list else _SystemOneReply
        found = read_response(kind, reply, self.name, "list of decisions", self.secrets)
        chosen, usage = found.chosen(questions), found.usage
        if len(chosen) != len(questions):
            raise ProviderError(f"{self.name} answered {len(chosen)} of {len(questions)} questions")
        for question, chances in zip(questions, chosen, strict=True):
            self._check(question, chances)
        sent, received = usage.input_tokens or 0, usage.output_tokens or 0
        return chosen, Usage(calls=1, input_tokens=sent, output_tokens=received)

    def _check(self, question: Question, chances: Chosen) -> None:
        if not chances:
            return
        if set(chances) != set(question.options) or not all(0 <= chance <= 1 for chance in chances.values()):
            answered, asked = clean(repr(dict(chances)), self.secrets), ", ".join(question.options)
            raise ProviderError(f"{self.name} answered {answered}, not a probability for each of {asked}")


def _by_name(state: str, questions: Sequence[Question]) -> dict[str, Any]:
    return {
        "state": state,
        "questions": {
            f"q{number}": {
                "type": "score" if question.ordered else "choice",
                "instructions": question.instructions,
                "criteria": list(question.options) if question.ordered else dict.fromkeys(question.options),
            }
            for number, question in enumerate(questions, 1)
        },
    }


def _list_entry(question: Question) -> dict[str, Any]:
    entry = {"type": "score" if question.ordered else "choice", "instructions": question.instructions}
    if question.ordered:
        return {**entry, "levels": [{"label": option} for option in question.options]}
    return {**entry, "choices": [{"value": option} for option in question.options]}


class _Usage(BaseModel):
    input_tokens: TokenCount = None
    output_tokens: TokenCount = None


def _by_level(options: Sequence[str], probabilities: Chosen) -> Chosen:
    """Return the probabilities of levels, which the answer names by their index, by their names."""
    names = {str(level): option for level, option in enumerate(options)}
    return {names.get(level, f"level {level}"): chance for level, chance in probabilities.items()}


class _SystemOneAnswer(BaseModel):
    probabilities: dict[str, float]


class _SystemOneReply(BaseModel):
    answers: dict[str, _SystemOneAnswer]
    usage: _Usage = _Usage()

    def chosen(self, questions: Sequence[Question]) -> list[Chosen]:
        """Return the probabilities in the order of the questions; levels are named by their index."""
        found = [self.answers.get(f"q{number}") for number in range(1, len(questions) + 1)]
        return [
            _by_level(question.options, answer.probabilities) if question.ordered else answer.probabilities
            for question, answer in zip(questions, found, strict=True)
            if answer is not None
        ]


class _Probability(BaseModel):
    probability: float
    value: str | int | bool
    label: str | None = None


class _DecisionAnswer(BaseModel):
    type: str
    probabilities: tuple[_Probability, ...] = ()


class _DecisionList(BaseModel):
    answers: tuple[_DecisionAnswer, ...]
    usage: _Usage = _Usage()

    def chosen(self, questions: Sequence[Question]) -> list[Chosen]:
        """Return the probabilities in the order of the questions, which is that of the answers."""
        del questions
        return [
            {
                str(item.value if item.label is None else item.label): item.probability
                for item in answer.probabilities
            }
            for answer in self.answers
        ]
