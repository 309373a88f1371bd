"""Selection of the metrics and the judge of a call."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragstone.api.options import JudgeOption, Metrics
from ragstone.errors import BadOption
from ragstone.judges import Judge, get_judge
from ragstone.metric_label import ACCEPTANCE, base_name, is_review
from ragstone.metrics import Metric
from ragstone.metrics.base.catalog import DEFAULT_PRESET
from ragstone.metrics.base.selection import MetricSelection, parse_metrics, preset_metrics
from ragstone.options import Details
from ragstone.prompts import Prompt
from ragstone.prompts.base.combined import CombinedPrompt


def select_metrics(
    metrics: Metrics, preset: str | Sequence[Metric] | None, threshold: float | None = None
) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
    """Return the metrics that are named, and those of the preset.

    `threshold` is that of the named metrics without their own, and of all metrics of a preset given by its name.
    """
    named = parse_metrics(metrics, threshold)
    if preset is None and not named:
        preset = DEFAULT_PRESET
    optional = (
        preset_metrics(preset, threshold)
        if isinstance(preset, str)
        else parse_metrics(preset or (), threshold)
    )
    return named, tuple(metric for metric in optional if metric not in named)


def resolve_judge(
    judge: JudgeOption,
    *,
    cache: bool | str | Path | None,
    offline: bool,
    batch: bool,
    keyless: bool = False,
) -> Judge:
    """Return the judge with its cache, in batch mode if `batch` is set; `keyless` creates one that is not called."""
    resolved = get_judge(judge, offline=offline or keyless)
    if batch and offline:
        raise BadOption(
            "offline=True sends no requests, but batch=True sends them to the vendor: leave one of them out."
        )
    if batch:
        resolved = resolved.in_batches()
    if cache in (None, False) and not offline:
        return resolved
    from ragstone.judges.cached import with_cache  # noqa: PLC0415  (few runs have a cache)

    return with_cache(resolved, cache, offline=offline)


def with_tuned_thresholds(metrics: Sequence[Metric], judge: Judge) -> tuple[Metric, ...]:
    """Return the metrics, each with the threshold that was tuned with this judge for exactly its spec."""
    return tuple(
        metric if threshold is None else replace(metric, threshold=threshold)
        for metric in metrics
        for threshold in (judge.tuned_threshold(metric.spec),)
    )


def answerable(selection: MetricSelection, optional: Sequence[Metric], judge: Judge) -> MetricSelection:
    """Return the metrics that the judge can measure; those of a preset that it cannot are left out, with a note."""
    refused = [
        metric
        for metric in selection.metrics
        if not all(judge.can_answer(prompt) for prompt in metric.prompts)
    ]
    left = tuple(metric for metric in selection.metrics if metric not in refused)
    if refused and (not left or any(metric not in optional for metric in refused)):
        raise BadOption(
            f"The judge {judge.name} cannot measure {', '.join(metric.full_title for metric in refused)}: that needs a "
            "language model. Choose one, such as --judge ollama:llama3.1 or openai (judge='openai'), or leave "
            "the metric out. `ragstone metrics` says which metrics the embedded judge measures."
        )
    notes = [
        f"{metric.full_title} is left out: the judge {judge.name} cannot measure it." for metric in refused
    ]
    notes += [f"The judge {judge.name}: {sentence}" for sentence in judge.blind_spots]
    return MetricSelection(left, (*selection.notes, *notes))


def with_details(selection: MetricSelection, details: Details) -> MetricSelection:
    """Return the metrics that are measured at a level of detail."""
    if details == "all":
        return selection
    if not any(base_name(metric.spec) == ACCEPTANCE for metric in selection.metrics):
        raise BadOption(
            f"details={details!r} needs the metric {ACCEPTANCE}, which this run does not measure: add "
            f"-m {ACCEPTANCE}, use the preset rag, or leave --details out"
        )
    if details == "flagged":
        return selection
    left_out = flagged_only(selection)
    return selection._replace(
        metrics=tuple(metric for metric in selection.metrics if metric.spec not in left_out)
    )


def flagged_only(selection: MetricSelection) -> tuple[str, ...]:
    """Return the specs of the metrics that tell details of a case: those that ask a judge, without the reviews."""
    return tuple(metric.spec for metric in selection.metrics if metric.prompts and not is_review(metric.spec))


def check_combination(judge: Judge, engine: object) -> None:
    """Refuse to combine prompts if the judge or the engine sends each prompt separately."""
    if not judge.combines:
        why = (
            f"the judge {judge.name} answers in this process, so combining prompts saves no calls"
            if judge.works_offline
            else f"the judge {judge.name} answers each prompt separately"
        )
        raise BadOption(f"combine=True: {why}. Leave combine out (--no-combine).")
    if engine not in (None, "local"):
        raise BadOption(
            f"combine=True with engine={engine!r}: prompts are combined only in runs of one process without batches. "
            "Leave one of them out (--no-combine)."
        )


def prompts_of(selection: MetricSelection) -> set[type[Prompt[Any]]]:
    """Return the prompts that the metrics ask."""
    return {prompt for metric in selection.metrics for prompt in metric.prompts}


def prompt_digests(selection: MetricSelection, judge: Judge, *, combine: bool = False) -> dict[str, str]:
    """Return the digest of each prompt's wording, for a judge that depends on the wording."""
    prompts = prompts_of(selection)
    if combine:
        prompts.add(CombinedPrompt)
    digests = {prompt.__name__: judge.wording(prompt) for prompt in prompts}
    return {name: digest for name, digest in sorted(digests.items()) if digest is not None}
