"""Metrics, judges, applications that a request to the page may name: those of this server, never code, files or URLs.

Users of the command line are trusted more than users of the page. Metric specs are checked by
`ragstone.metrics.base.outside` before they are parsed; judges are looked up by name.
"""

import os
import re
from typing import Any

from pydantic import BaseModel

from ragstone.applications.http import HttpCaller
from ragstone.arguments import arguments, configured_judge, configured_metrics
from ragstone.config import Settings
from ragstone.errors import BadOption, UnknownName, UsageError
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.metrics.base.catalog import PRESETS
from ragstone.metrics.base.outside import check_outside

_VENDOR_VARIABLES = {
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    "ollama": ("OLLAMA_HOST",),
}
"""Environment variables of each vendor; one of them must be set."""

_MODEL_NAME = re.compile(r"[\w][\w.:/+-]{0,119}")
"""Allowed model names. They contain no @: the server that a key is sent to would follow it, `model@http://…`."""


class JudgeOffer(BaseModel, frozen=True):
    """A judge that this server offers; with `takes_model`, `spec:model` names another model of the vendor."""

    spec: str
    about: str
    takes_model: bool = False


def judges(settings: Settings) -> list[JudgeOffer]:
    """Return the offered judges, the configured one first."""
    offered = [JudgeOffer(spec="local", about="embedded: needs no key, and no text leaves this machine")]
    for vendor, variables in _VENDOR_VARIABLES.items():
        present = next((variable for variable in variables if os.environ.get(variable, "").strip()), None)
        if present is not None:
            offered.append(JudgeOffer(spec=vendor, about=f"{present} is set", takes_model=True))
    named = [JudgeOffer(spec=name, about=chosen.judge) for name, chosen in settings.judges.items()]
    by_spec = {judge.spec: judge for judge in [*named, *offered]}
    first = by_spec.pop(settings.judge, None) or JudgeOffer(spec=settings.judge, about="as configured")
    return [first, *by_spec.values()]


def judge_for(wanted: str | None, settings: Settings) -> Judge:
    """Return an offered judge.

    Raises:
        UsageError: it is not offered, or has no key.
    """
    offered = {judge.spec: judge for judge in judges(settings)}
    spec = wanted or settings.judge
    vendor, _, model = spec.partition(":")
    names_model = vendor in offered and offered[vendor].takes_model and _MODEL_NAME.fullmatch(model)
    if spec not in offered and not names_model:
        raise UnknownName("judge on offer", spec[:100], offered)
    return configured_judge(spec, settings)


def judge_called(name: str, settings: Settings) -> Judge:
    """Return the offered judge that has this name in a run's plan.

    Raises:
        UsageError: there is none.
    """
    judges_by_name = (configured_judge(spec, settings) for spec in settings.judges)
    named = next((judge for judge in judges_by_name if judge.name == name), None)
    return named or judge_for(name, settings)


def app_called(name: str, settings: Settings) -> str:
    """Return the configured application that has this name in a run's plan.

    Raises:
        UsageError: there is none.
    """
    for app in settings.apps.values():
        is_url = app.startswith(("http://", "https://"))
        if name == (HttpCaller(app, {}).name if is_url else app):
            return app
    raise BadOption(
        f"The answers of the run come from the application {name[:100]!r}, which the configuration of this server does "
        "not name: resume the run where it was started, with ragstone run --resume."
    )


def metrics_for(specs: list[str], settings: Settings) -> list[Metric]:
    """Return built-in metrics by their specs.

    Raises:
        UsageError: there is no such metric, or it takes no such options.
    """
    metrics: list[Metric] = []
    for spec in specs:
        kind = check_outside(spec)
        try:
            metrics += configured_metrics([spec], settings)
        except UsageError:
            raise
        except Exception as error:
            raise BadOption(f"{spec[:100]!r} is not a valid {kind}: {str(error)[:200]}") from error
    return metrics


def presets(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the groups of metrics, the project's own first."""
    return {**settings.presets, **PRESETS}


def offered_arguments(
    settings: Settings, judge: str | None, metrics: list[str], preset: str | None
) -> dict[str, Any]:
    """Return the arguments of `evaluate` for a judge and metrics that are on offer; others are as configured.

    Raises:
        UsageError: one of them is not on offer.
    """
    chosen = arguments(settings.model_copy(update={"judge": "local"}))
    chosen["judge"] = judge_for(judge, settings)
    if not metrics and not preset:
        return chosen
    chosen["metrics"], chosen["preset"] = metrics_for(metrics, settings), None
    if preset is not None:
        if preset not in presets(settings):
            raise UnknownName("preset", preset, presets(settings))
        named = settings.model_copy(update={"judge": "local", "preset": preset})
        chosen["preset"] = arguments(named)["preset"]
    return chosen
