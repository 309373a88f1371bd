"""Find a judge by its spec: `local`, `openai:gpt-4o-mini`, `package.module:Class`, an entry point, a file of `tune`.

Several specs with commas between them, `local,openai:gpt-4o-mini`, are judges in a row, see `cascade`.

`tei:URL`, `vllm:URL` and `llama-rerank:URL` are detectors behind a server, see `detector`; `decisions:URL` is a
decision model, see `decision_model`.

Also accepted: a judge, a detector, a provider, and a function that takes the prompt as text and returns the answer.
"""

from typing import Any, cast

from ragstone.errors import BadOption, UsageError
from ragstone.judges.adapted import as_judge
from ragstone.judges.base import Judge, JudgeLike
from ragstone.judges.tuned import is_judge_file, read_judge_file
from ragstone.plugins import installed, load
from ragstone.providers import get_provider
from ragstone.providers.base import Provider
from ragstone.providers.find import BUILTIN as PROVIDERS
from ragstone.providers.find import find_member
from ragstone.providers.function import FunctionProvider, PromptFunction

_VENDORS = {
    "openai": ("gpt-", "chatgpt-", "o1", "o3", "o4-"),
    "anthropic": ("claude-",),
    "gemini": ("gemini-",),
    "mistral": ("mistral-", "magistral-", "ministral-", "codestral-"),
}
"""Beginnings of the names of models that only one vendor has."""

DETECTORS = {
    "tei": "ragstone.judges.detection.served:TEIDetector",
    "vllm": "ragstone.judges.detection.served:VLLMDetector",
    "llama-rerank": "ragstone.judges.detection.served:LlamaRerankDetector",
}
"""Wires of detectors behind a server, and where they are defined."""

BUILT_IN = {"local": "ragstone.judges.local:LocalJudge"}
"""Judges that are not language models behind a provider, and where they are defined."""


def get_judge(spec: str | JudgeLike | PromptFunction | None = None, *, offline: bool = False) -> Judge:
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
    if "," in spec:
        from ragstone.judges.cascade import CascadeJudge  # noqa: PLC0415  (few runs ask several judges)

        return CascadeJudge(judges=[get_judge(one.strip(), offline=offline) for one in spec.split(",")])
    return _named_judge(_with_vendor(spec), offline=offline)


def _named_judge(spec: str, *, offline: bool) -> Judge:
    head = spec.partition(":")[0]
    if head in DETECTORS:
        from ragstone.judges.detection.spec import served_detector  # noqa: PLC0415  (few judges are detectors)

        return served_detector(spec, load(DETECTORS[head]))
    if head == "decisions":
        from ragstone.judges.detection.spec import decision_judge  # noqa: PLC0415  (few judges are decision models)

        return decision_judge(spec)
    if spec.partition("@")[0].partition(":")[0] in PROVIDERS:
        return _language_model(_provider_without_key(spec) if offline else get_provider(spec))
    found, model = _find_plugin(spec)
    if not isinstance(found, type):
        return _to_judge(found, spec)
    try:
        made: object = found(**({"model": model} if model else {}))
    except TypeError as error:
        raise BadOption(
            f"{spec} is a class that cannot be created without arguments ({error}): pass an instance in Python, "
            "judge=MyJudge(…), or name one, my_module:my_judge."
        ) from error
    return _to_judge(made, spec)


def _with_vendor(spec: str) -> str:
    """Return a spec with its vendor, where it is only the name of a model: `openai:gpt-4o-mini` for `gpt-4o-mini`."""
    if ":" in spec.partition("@")[0]:
        return spec
    vendor = next((name for name, starts in _VENDORS.items() if spec.lower().startswith(starts)), None)
    return f"{vendor}:{spec}" if vendor else spec


def _find_plugin(spec: str) -> tuple[Any, str]:
    """Return the judge or provider of that name from an entry point or a module, and the model after its name.

    The group of entry points is `ragstone.judges`; providers in `ragstone.providers` are found too.
    """
    if spec.partition(":")[0] in BUILT_IN:  # the metadata of all installed packages need not be read
        return find_member("judge", spec, BUILT_IN)
    judges, providers = installed("judge"), installed("provider")
    named = {name: point.value for name, point in providers.items() if name not in judges}
    return find_member("judge", spec, {**named, **BUILT_IN, **PROVIDERS})


def _language_model(provider: Provider) -> Judge:
    from ragstone.judges.llm import LLMJudge  # noqa: PLC0415  (the embedded judge needs no language model)

    return LLMJudge(provider=provider)


def _provider_without_key(spec: str) -> Provider:
    try:
        return get_provider(spec)
    except UsageError:
        return get_provider(spec, api_key="offline")


def _to_judge(candidate: Any, spec: str) -> Judge:  # noqa: ANN401  (what a user hands in)
    if isinstance(candidate, type):
        name = candidate.__name__
        raise BadOption(f"judge={name} is a class, not a judge: write judge={name}(…), with its options")
    if callable(getattr(candidate, "ask", None)) or callable(getattr(candidate, "detect", None)):
        return as_judge(candidate)
    if callable(getattr(candidate, "complete", None)):
        return _language_model(cast("Provider", candidate))
    if callable(candidate):
        return _language_model(FunctionProvider(candidate))
    raise BadOption(
        f"{spec} is no judge: a judge has a method ask, a detector a method detect, a provider a method complete, and "
        "a function takes the prompt as text and returns the answer"
    )
