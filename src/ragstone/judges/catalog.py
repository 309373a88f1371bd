"""Find a judge by its spec: `local`, `openai:gpt-4o-mini`, `package.module:Class`, an entry point, a file of `tune`."""

from typing import Any, cast

from ragstone.errors import BadOption, UsageError
from ragstone.judges.base import Judge, JudgeLike, as_judge
from ragstone.judges.tuning.judge_file import is_judge_file, read_judge_file
from ragstone.plugins import find
from ragstone.providers import get_provider
from ragstone.providers.base import Provider
from ragstone.providers.find import BUILTIN as PROVIDERS

BUILT_IN = {"local": "ragstone.judges.local:LocalJudge"}
"""Judges that are not language models behind a provider, and where they are defined."""


def get_judge(spec: str | JudgeLike | None = None, *, offline: bool = False) -> Judge:
    """Return the judge that `spec` names; None means `local`, and a judge is returned as it is.

    Args:
        spec: the judge, or its spec.
        offline: only recorded answers are replayed, so no key is needed.

    Raises:
        UnknownName: there is no such judge.
        BadOption: the spec names an object that is neither a judge nor a provider, or a file that holds no tuned judge.
    """
    if spec is None:
        spec = "local"
    if not isinstance(spec, str):
        return _to_judge(spec, repr(spec))
    if is_judge_file(spec):
        from ragstone.judges.tuned import TunedJudge  # noqa: PLC0415  (few judges are tuned)

        tuning = read_judge_file(spec)
        return TunedJudge(get_judge(tuning.judge, offline=offline), tuning)
    if spec.partition(":")[0] in PROVIDERS:
        return _language_model(_provider_without_key(spec) if offline else get_provider(spec))
    found = find("judge", spec, {**BUILT_IN, **PROVIDERS})
    return _to_judge(found() if isinstance(found, type) else found, spec)


def _language_model(provider: Provider) -> Judge:
    from ragstone.judges.llm import LLMJudge  # noqa: PLC0415  (the embedded judge needs no language model)

    return LLMJudge(provider=provider)


def _provider_without_key(spec: str) -> Provider:
    """Return the provider that `spec` names, with a dummy key where none is set."""
    try:
        return get_provider(spec)
    except UsageError:
        return get_provider(spec, api_key="offline")


def _to_judge(candidate: Any, spec: str) -> Judge:  # noqa: ANN401  (what a user hands in)
    if callable(getattr(candidate, "ask", None)):
        return as_judge(candidate)
    if callable(getattr(candidate, "complete", None)):
        return _language_model(cast("Provider", candidate))
    raise BadOption(f"{spec} is neither a judge (a method ask) nor a provider (a method complete)")
