"""Converts settings to the arguments of `evaluate`: builds named judges, sets thresholds, expands presets."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlsplit

from ragstone import judges  # lazy: only the judges in use are imported
from ragstone.config import NamedJudge, Settings
from ragstone.config.files import user_file
from ragstone.errors import BadOption, UsageError
from ragstone.judges import Judge, get_judge
from ragstone.judges.tuned import is_judge_file, read_judge_file
from ragstone.metrics import Metric, parse
from ragstone.metrics.base.catalog import DEFAULT_PRESET, PRESETS
from ragstone.metrics.base.parse import find_metric, split_specs
from ragstone.metrics.base.selection import preset_metrics, preset_names
from ragstone.options import RUN_OPTIONS, EngineOptions, Limits, PassingScore, engine_of
from ragstone.permissions import untrusted_host
from ragstone.providers import Price, get_provider
from ragstone.providers.find import split_address

_READS_KEYS_ITSELF = "litellm"
"""The provider whose library takes keys from the environment at each call, whatever server is named."""
_CONVERTED = (PassingScore, Limits, EngineOptions)
"""Options that `evaluate` takes in another shape: as thresholds of the metrics, `limits` and `engine`."""
_ADDRESS_OPTIONS = ("base", "url", "endpoint", "host", "proxy")


def arguments(settings: Settings) -> dict[str, Any]:
    """Return the arguments of `evaluate` for these settings.

    Raises:
        UsageError: there is no such judge, metric or preset.
    """
    result = judge_arguments(settings)
    result["metrics"] = configured_metrics(settings.metrics, settings)
    if settings.preset is not None or not settings.metrics:
        names = preset_names(settings.preset or DEFAULT_PRESET)
        result["preset"] = list(dict.fromkeys(metric for name in names for metric in _preset(name, settings)))
    return result


def judge_arguments(settings: Settings) -> dict[str, Any]:
    """Return the arguments of `evaluate` that need no metric.

    Raises:
        UsageError: there is no such judge, or it has no key.
    """
    return {**plain_arguments(settings), "judge": configured_judge(settings.judge, settings)}


def plain_arguments(settings: Settings) -> dict[str, Any]:
    """Return the arguments of `evaluate` that need no judge and no metric.

    Raises:
        BadOption: batches on another engine than this process.
    """
    groups = [group for group in RUN_OPTIONS if issubclass(Settings, group) and group not in _CONVERTED]
    names = [name for group in groups for name in group.model_fields]
    engine = engine_of(settings)
    return {
        **{name: getattr(settings, name) for name in names},
        "limits": Limits(**{name: getattr(settings, name) for name in Limits.model_fields}),
        "engine": None if engine == "local" else engine,  # a resumed run keeps the engine it had
    }


def configured_judge(name: str, settings: Settings, *, file: str | None = None) -> Judge:
    """Return the judge of that name: a named judge of the settings, a tuned judge, or the judge of a spec.

    Args:
        name: the name, spec or path.
        settings: the named judges, prices and trusted hosts.
        file: the file that names the judge, empty for none; None: taken from the settings.

    Raises:
        UsageError: there is no such judge, or it has no key.
    """
    named = settings.judges.get(name)
    if named is None and is_judge_file(name):
        # It may come with a project: the hosts that it names are not trusted either.
        tuning = read_judge_file(name)
        return judges.TunedJudge(configured_judge(tuning.judge, settings, file=name), tuning)
    if named is None:
        judge = get_judge(name, offline=settings.offline)
        if file is None:
            file = settings.judge_file if name == settings.judge else ""
        _refuse_untrusted_host("judge", file, name, judge, settings)
    else:
        judge = _build_judge(name, named, settings)
        _refuse_untrusted_host(
            f"judges.{name}",
            named.project_file,
            named.judge,
            judge,
            settings,
            base_url=named.base_url,
            own_key=named.api_key,
        )
    if settings.prices and isinstance(judge, judges.LLMJudge):
        prices = {
            model: Price(price.input, price.input if price.cached is None else price.cached, price.output)
            for model, price in settings.prices.items()
        }
        return replace(judge, prices=prices)
    return judge


def configured_metrics(specs: Iterable[str], settings: Settings) -> list[Metric]:
    """Return metrics by their specs, with the settings' thresholds where a spec names none."""
    return [
        with_threshold(parse(spec), settings, named="threshold" in spec)
        for text in specs
        for spec in split_specs(text)
    ]


def with_threshold(metric: Metric, settings: Settings, *, named: bool) -> Metric:
    """Return the metric with the threshold that the settings have for it, unless it was `named` already."""
    by_class = {find_metric(name): value for name, value in settings.thresholds.items()}
    threshold = by_class.get(type(metric), settings.threshold)
    return metric if named or threshold is None else replace(metric, threshold=threshold)


def _preset(name: str, settings: Settings) -> list[Metric]:
    if name in settings.presets:
        return configured_metrics(settings.presets[name], settings)
    if name not in PRESETS and settings.presets:
        configured = ", ".join(sorted(settings.presets))
        raise BadOption(
            f"There is no preset named {name!r}. Known: {', '.join(PRESETS)}; in the configuration: {configured}."
        )
    return [with_threshold(metric, settings, named=False) for metric in preset_metrics(name)]


def _build_judge(name: str, named: NamedJudge, settings: Settings) -> Judge:
    """Return the judge that the settings define under a name."""
    server = {"base_url": named.base_url, "api_key": _key(name, named, settings), "headers": named.headers}
    options = {key: value for key, value in {**server, "options": named.options}.items() if value}
    kwargs = {key: value for key in ("temperature", "attempts") if (value := getattr(named, key)) is not None}
    if not options and not kwargs:
        return get_judge(named.judge, offline=settings.offline)
    try:
        return judges.LLMJudge(provider=get_provider(named.judge, **options), **kwargs)
    except TypeError as error:
        raise BadOption(f"judges.{name}: {named.judge} does not accept this option ({error})") from error


def _refuse_untrusted_host(
    place: str,
    file: str,
    spec: str,
    judge: Judge,
    settings: Settings,
    *,
    base_url: str | None = None,
    own_key: str | None = None,
) -> None:
    """Refuse to send the user's key or token to a host that a project file names.

    A key from the same file may be sent to any host. The vendor's own host, and the host from its environment variable,
    are trusted.
    """
    if settings.offline or not file:
        return
    vendor, address = split_address(spec)
    provider = judge.provider if isinstance(judge, judges.LLMJudge) else None
    hosts = {_host(base_url or address), *_hosts_of_options(provider)} - {""}
    if not hosts:
        return
    secrets = {getattr(provider, name, None) for name in ("api_key", "auth_token")} - {None, "", own_key}
    reads_keys = getattr(provider, "name", "") == _READS_KEYS_ITSELF
    if not secrets and (not reads_keys or own_key):
        return
    vendor_host = "" if reads_keys else _host(getattr(get_provider(vendor, api_key="none"), "base_url", None))
    for host in hosts - {vendor_host, *settings.trusted_hosts}:
        raise UsageError(
            f"{untrusted_host(f'{place}: {file}', host, user_file())} For a server that needs no key, write a table "
            '[judges.NAME] with base_url and api_key = "none".'
        )


def _host(url: str | None) -> str:
    return (urlsplit(url).hostname or url) if url else ""


def _hosts_of_options(provider: object) -> Iterator[str]:
    """Yield the hosts among the options of LiteLLM, which are arguments of its call, such as `api_base`."""
    waiting: list[Any] = [getattr(provider, "options", {})]
    while waiting and getattr(provider, "name", "") == _READS_KEYS_ITSELF:
        item = waiting.pop()
        if isinstance(item, dict):
            for key, value in cast("dict[str, Any]", item).items():
                if isinstance(value, str) and ("://" in value or str(key).endswith(_ADDRESS_OPTIONS)):
                    yield _host(value)
                waiting.append(value)
        elif isinstance(item, list):
            waiting.extend(cast("list[Any]", item))


def _key(name: str, named: NamedJudge, settings: Settings) -> str | None:
    if named.api_key_env is None:
        return named.api_key
    key = os.environ.get(named.api_key_env, "").strip()
    if key:
        return key
    if settings.offline:
        return "offline"
    raise UsageError(
        f"judges.{name}: the variable {named.api_key_env} must contain the key, but is not set: set it."
    )
