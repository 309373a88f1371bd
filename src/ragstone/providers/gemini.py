"""Google's Gemini API: `generateContent` with a JSON schema for the answer.

Format: https://ai.google.dev/api/generate-content.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from ragstone.providers.base import Completion, Request, Token
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import clean, read_response, unusable_answer
from ragstone.providers.wire.http_provider import HttpProvider
from ragstone.providers.wire.parameter_support import merge_options, schema_in_prompt
from ragstone.providers.wire.replies import TokenCount, as_json_text, token_of
from ragstone.result import Usage

_DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com"
_OPTIONAL_PARAMETERS: Mapping[str, str] = {
    "responseJsonSchema": r"response_?[jJ]son_?[sS]chema|responseMimeType|response_mime_type|JSON mode",
    "logprobs": r"[lL]og_?probs",
}
_STOP_MESSAGES = {
    "MAX_TOKENS": "reached its token limit before the answer was complete: set a higher max_tokens"
}


@dataclass(frozen=True, kw_only=True, repr=False)
class Gemini(HttpProvider):
    """A model of Google's.

    Attributes:
        model: the model.
        api_key: the key; by default GEMINI_API_KEY, else GOOGLE_API_KEY.
        base_url: the URL below which `/v1beta/models` is; by default Google's own.
        options: further fields of `generationConfig`, such as `{"seed": 7}`; None removes one of ragstone's own.
        headers: further headers.

    Raises:
        UsageError: there is no key and the server is Google's own.
        BadOption: the base URL is invalid.
    """

    name = "gemini"
    optional_parameters = _OPTIONAL_PARAMETERS
    supports_multimodal = True

    model: str = "gemini-2.5-flash"

    def __post_init__(self) -> None:
        self._resolve("Gemini", _DEFAULT_BASE_URL, "GEMINI_API_KEY", "GOOGLE_API_KEY")

    def encode(self, request: Request, unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request without the unsupported parameters."""
        without_schema = "responseJsonSchema" in unsupported
        log_probs = request.top_logprobs > 0 and "logprobs" not in unsupported
        config: dict[str, Any] = {
            "temperature": request.temperature,
            "maxOutputTokens": request.max_tokens,
            "responseMimeType": None if without_schema else "application/json",
            "responseJsonSchema": request.schema,
            "responseLogprobs": log_probs or None,
            "logprobs": request.top_logprobs if log_probs else None,
        }
        system = schema_in_prompt(request.system, request.schema) if without_schema else request.system
        return {
            "systemInstruction": {"parts": [{"text": system}]},
            "contents": [{"role": "user", "parts": [{"text": request.user}]}],
            "generationConfig": merge_options(config, self.options, unsupported),
        }

    def decode(self, body: bytes) -> Completion:
        """Return the answer.

        Raises:
            ProviderError: it is not a candidate, is cut off, or the model refused.
        """
        name, secrets = f"gemini: {self.model}", self._endpoint.secrets
        reply = read_response(_GeminiReply, body, name, "candidate", secrets)
        usage = reply.usage_metadata.total()
        if not reply.candidates:
            problem = clean(reply.prompt_feedback.block_reason or "no reason given", secrets)
            raise unusable_answer(f"{name} gave no candidate: {problem}", usage)
        candidate = reply.candidates[0]
        parts = [part for part in candidate.content.parts if not part.thought]
        text = "".join(part.text or as_json_text(part.function_call.args) for part in parts)
        reason = clean(candidate.finish_reason or "STOP", secrets)
        if reason not in {"STOP", "FINISH_REASON_UNSPECIFIED"}:
            problem = _STOP_MESSAGES.get(reason, f"stopped in the middle of the answer: {reason}")
            partial = text if reason == "MAX_TOKENS" else None
            raise unusable_answer(f"{name} {problem}", usage, partial=partial)
        return Completion(text, usage, reply.model_version or self.model, candidate.tokens())

    def _find_endpoint(self) -> Endpoint:
        path = f"v1beta/models/{quote(self.model, safe='')}:generateContent"
        return self._endpoint_at(self.base_url, path, {"x-goog-api-key": self.api_key})

    def _rejectable(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        config: Mapping[str, Any] = body["generationConfig"]
        return config


class _Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class _GeminiCall(_Camel):
    args: object = None


class _GeminiPart(_Camel):
    text: str = ""
    function_call: _GeminiCall = _GeminiCall()
    thought: bool = False


class _GeminiContent(_Camel):
    parts: tuple[_GeminiPart, ...] = ()


class _GeminiCandidateToken(_Camel):
    token: str = ""
    log_probability: float = 0.0


class _GeminiAlternatives(_Camel):
    candidates: tuple[_GeminiCandidateToken, ...] = ()


class _GeminiLogProbs(_Camel):
    chosen_candidates: tuple[_GeminiCandidateToken, ...] = ()
    top_candidates: tuple[_GeminiAlternatives, ...] = ()


class _GeminiCandidate(_Camel):
    content: _GeminiContent = _GeminiContent()
    finish_reason: str | None = None
    logprobs_result: _GeminiLogProbs | None = None

    def tokens(self) -> tuple[Token, ...]:
        """Return the answer token by token."""
        probs = self.logprobs_result or _GeminiLogProbs()
        tops = [top.candidates for top in probs.top_candidates] or [()] * len(probs.chosen_candidates)
        return tuple(
            token_of(
                chosen.token, chosen.log_probability, [(top.token, top.log_probability) for top in others]
            )
            for chosen, others in zip(probs.chosen_candidates, tops, strict=False)
        )


class _GeminiUsage(_Camel):
    prompt_token_count: TokenCount = None
    candidates_token_count: TokenCount = None
    thoughts_token_count: TokenCount = None
    cached_content_token_count: TokenCount = None

    def total(self) -> Usage:
        """Return the tokens; those of thoughts are charged as output."""
        prompt_tokens = self.prompt_token_count or 0
        return Usage(
            calls=1,
            input_tokens=prompt_tokens,
            output_tokens=(self.candidates_token_count or 0) + (self.thoughts_token_count or 0),
            cached_tokens=min(prompt_tokens, self.cached_content_token_count or 0),
        )


class _GeminiFeedback(_Camel):
    block_reason: str | None = None


class _GeminiReply(_Camel):
    candidates: tuple[_GeminiCandidate, ...] = ()
    model_version: str | None = None
    usage_metadata: _GeminiUsage = _GeminiUsage()
    prompt_feedback: _GeminiFeedback = _GeminiFeedback()
