"""The options of a run, each defined once: its type, default, bounds, meaning and place on the command line.

`evaluate`, the flags of the command, the settings, the plan of a run and the form of the page are derived from the
classes here. The docstring of each class describes its fields; the command and the reference read it from there.
"""

import inspect
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragstone.errors import BadOption

OnMissing = Literal["error", "skip", "raise"]
EngineName = Literal["local", "ray"]
Details = Literal["all", "flagged", "none"]
_DOC_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Flag:
    """How an option is spelt outside Python.

    Attributes:
        metavar: stands for the value in the command's help.
        switch: the command spells it --x/--no-x.
        form_label: label of the field in the form of the page; only the page's API takes an option without one.
        form_least: smallest whole number that the form accepts; 0 for any number above 0.
        form_most: largest value that the page accepts; None where the page does not offer the option.
        form_placeholder: stands in the empty field.
    """

    metavar: str = ""
    switch: bool = False
    form_label: str = ""
    form_least: int = 1
    form_most: float | None = None
    form_placeholder: str = "\N{EN DASH}"


class OptionGroup(BaseModel):
    """Base of the groups of options: frozen, and strict about names."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def read(cls, **values: object) -> Self:
        """Return the group with these values.

        Raises:
            BadOption: an unknown name, or a value out of bounds.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise BadOption(problem_of(error)) from None


class Limits(OptionGroup):
    """How fast the judge is asked, and what a run may cost. None: no limit.

    Attributes:
        rpm: judge calls per minute.
        tpm: tokens per minute, sent and received.
        max_cost: budget of a run in US dollars. Once it is spent, the run stops incomplete; resume it with a higher
            budget.
    """

    rpm: Annotated[float | None, Field(gt=0, strict=True), Flag("N")] = None
    tpm: Annotated[float | None, Field(gt=0, strict=True), Flag("N")] = None
    max_cost: Annotated[
        float | None, Field(gt=0, strict=True), Flag("USD", form_label="Most $", form_least=0, form_most=1e6)
    ] = None

    @property
    def budget(self) -> float | None:
        """The US dollars that may be spent."""
        return self.max_cost


class Pace(OptionGroup):
    """How many judge calls are made at once, by how many processes, and how long each may take.

    Attributes:
        concurrency: maximum number of concurrent judge calls.
        timeout: timeout of one judge call, in seconds.
        measurement_timeout: timeout of one metric on one test case, including all its calls, in seconds. If not given,
            ten times `timeout`.
        workers: number of processes of the embedded judge, started once a run has work for them. If not given, one per
            core; 1 uses only the process of the run.
    """

    concurrency: Annotated[int, Field(ge=1, strict=True), Flag("N", form_most=64)] = 16
    timeout: Annotated[float, Field(gt=0, strict=True), Flag("SECONDS")] = 60.0
    measurement_timeout: Annotated[float | None, Field(gt=0, strict=True), Flag("SECONDS")] = None
    workers: Annotated[int | None, Field(ge=1, strict=True), Flag("N")] = None


class Repetition(OptionGroup):
    """How often everything is measured, and which test cases belong together.

    Attributes:
        repeats: how often each metric measures each test case. The judge is called each time; a result's score is
            the mean, and the report shows the judge's own spread. A case passes only if the whole interval of its
            score is on the passing side of the threshold.
        cluster: metadata key by which test cases are grouped, such as document. Cases of one group are not independent,
            and the intervals take that into account.
    """

    repeats: Annotated[
        int, Field(ge=1, strict=True), Flag("K", form_label="Repeats", form_most=20, form_placeholder="1")
    ] = 1
    cluster: Annotated[str | None, Flag("KEY")] = None


APP_CONCURRENCY = 4
APP_TIMEOUT = 60.0


class ApplicationCalls(OptionGroup):
    """The application that answers the questions of a dataset, and how it is called.

    Attributes:
        app: the application that answers the questions: module:function, a URL that takes {"input": …} as JSON, or a
            command that reads such a line. It returns {"answer": …, "contexts": […]}. Answers in the dataset are not
            used.
        app_map: where a URL's request has the question (input=PATH), and where the reply has the answer, its passages
            and its usage, such as input=messages.0.content,answer=choices.0.message.content.
        app_concurrency: maximum number of concurrent calls of the application.
        app_timeout: timeout of one call of the application, in seconds.
        app_repeats: how often the application is asked each question. Each answer is a test case.
        app_rpm: calls of the application per minute. If not given, there is no limit.
        app_settings: a setting of the application, such as top_k=5: a keyword of a function, a value under "settings"
            in the JSON of a URL or a command. A value that is not JSON is a text.
        app_traces: join each answer with the OpenTelemetry spans of its call, by trace id: passages, tools, tokens.
            Those of a function are read in this process, others from the store, where `ragstone serve --otlp` receives
            them.
    """

    app: Annotated[str | None, Flag("APP")] = None
    app_map: Annotated[tuple[str, ...], Flag("FIELD=PATH,…")] = ()
    app_concurrency: Annotated[int, Field(ge=1, strict=True), Flag("N")] = APP_CONCURRENCY
    app_timeout: Annotated[float, Field(gt=0, strict=True), Flag("SECONDS")] = APP_TIMEOUT
    app_repeats: Annotated[int, Field(ge=1, strict=True), Flag("N")] = 1
    app_rpm: Annotated[float | None, Field(gt=0, strict=True), Flag("N")] = None
    app_settings: Annotated[tuple[str, ...], Flag("NAME=VALUE")] = ()
    app_traces: Annotated[bool, Flag()] = False


class RunLabels(OptionGroup):
    """Labels by which a run is found.

    Attributes:
        name: a name for the run.
        tags: labels to find the run by in a store.
    """

    name: Annotated[str | None, Flag("NAME")] = None
    tags: Annotated[tuple[str, ...], Flag("TAG")] = ()


class Storage(OptionGroup):
    """Where runs and the judge's answers are kept.

    Attributes:
        store: where runs are stored: a file, postgresql://user@host/database, or True (default on the command line) for
            the file in the user's data folder. If not given, commands store runs in that file; the pytest plug-in and
            `evaluate` store none. A path in a configuration file is relative to that file.
        cache: cache the judge's answers, in a file, or with True in the user's cache folder. The command reads the path
            of the file from the variable RAGSTONE_CACHE or the configuration.
        offline: answer from the cache only and send nothing; an answer that is not in the cache becomes an error. No
            key is needed.
    """

    store: Annotated[bool | str | Path | None, Flag("WHERE")] = None
    cache: Annotated[bool | str | Path | None, Flag(switch=True)] = None
    offline: Annotated[bool, Flag()] = False


class Continuation(OptionGroup):
    """Which stored run is continued.

    Attributes:
        resume: the run to continue: an id, a name, or last. Existing results are not measured again, and answered
            prompts are not sent again. Dataset, metrics and judge are those of the original run.
        retry_failed: with resume, measure results that ended in an error again.
    """

    resume: Annotated[str | None, Flag("RUN")] = None
    retry_failed: Annotated[bool, Flag()] = False


class RowSelection(OptionGroup):
    """Which rows of the dataset are read.

    Attributes:
        limit: read only the first N rows.
    """

    limit: Annotated[
        int | None,
        Field(ge=1, strict=True),
        Flag("N", form_label="Most cases", form_most=1e7, form_placeholder="all"),
    ] = None


class MissingFields(OptionGroup):
    """Handling of test cases that lack a field.

    Attributes:
        on_missing: result of a metric on a test case that lacks a field it needs: error, skip, or raise to stop before
            any judge call. By default error, and skip for the metrics of a preset.
    """

    on_missing: Annotated[OnMissing | None, Flag()] = None


class PassingScore(OptionGroup):
    """Which scores pass.

    Attributes:
        threshold: the score that passes, from 0 to 1, for every metric that does not set its own, as in
            `faithfulness(threshold=0.8)`.
    """

    threshold: Annotated[float | None, Field(ge=0, le=1, strict=True), Flag("SCORE")] = None


class EngineOptions(OptionGroup):
    """Where a run is measured, as flags and settings spell it; `evaluate` takes one value, `engine`.

    Attributes:
        engine: where to measure: local (this process) or ray (a Ray cluster). The results are the same.
        ray_address: address of the Ray cluster, such as auto or 10.0.0.1:6379. If not given, a cluster is started for
            the run.
        ray_workers: number of worker processes on Ray. If not given, one per core of the cluster.
        ray_send_keys: send the judge's key to the workers on Ray. If not given, each worker reads the environment
            variable that holds the key. A project's file cannot set it.
        batch: send the requests to OpenAI or Anthropic in batches: half the price, answers within a day, usually within
            the hour. The run is stored and can be resumed while batches are pending. The limits do not apply to
            batches.
        batch_interval: longest pause in seconds between two polls of a batch. If not given, a minute.
    """

    engine: Annotated[EngineName, Flag()] = "local"
    ray_address: Annotated[str | None, Flag("ADDRESS")] = None
    ray_workers: Annotated[int | None, Field(ge=1, strict=True), Flag("N")] = None
    ray_send_keys: Annotated[bool, Flag()] = False
    batch: Annotated[bool, Flag(switch=True)] = False
    batch_interval: Annotated[float | None, Field(gt=0, strict=True), Flag("SECONDS")] = None


class Combination(OptionGroup):
    """How prompts about the same evidence are asked.

    Attributes:
        combine: send a language model several prompts about the same evidence of a test case in one call: seven calls
            per case for the preset rag instead of nine. Its verdicts may differ from those of separate calls.
    """

    combine: Annotated[bool, Flag(switch=True)] = False


class DetailLevel(OptionGroup):
    """On which test cases the metrics beside the review of the case are measured.

    Attributes:
        details: on which test cases metrics that ask a judge are measured, beside answer_acceptance and
            context_sufficiency: all; flagged: only where the answer does not hold or is undecided, and they are shown
            with the case, not as means; none.
    """

    details: Annotated[Details, Flag()] = "all"


RUN_OPTIONS: tuple[type[OptionGroup], ...] = (
    Pace,
    PassingScore,
    RowSelection,
    ApplicationCalls,
    MissingFields,
    RunLabels,
    Limits,
    Storage,
    Continuation,
    EngineOptions,
    Repetition,
    Combination,
    DetailLevel,
)
"""The groups of options of `ragstone run`, in the order of its help."""


class Ray(OptionGroup):
    """Measure on a Ray cluster: `evaluate(…, engine=Ray(workers=8))`.

    Attributes:
        address: the cluster to join, such as `auto` or `10.0.0.1:6379`. None: the one that RAY_ADDRESS names, or one
            that is started for the run.
        workers: processes that measure; one for each core of the cluster where None.
        send_keys: send the judge's key to the workers. Otherwise each worker reads the environment variable that holds
            the key; a key that is in no variable is always sent.
    """

    address: str | None = None
    workers: Annotated[int | None, Field(ge=1, strict=True)] = None
    send_keys: bool = False


class Batch(OptionGroup):
    """Ask OpenAI or Anthropic in batches, at half the price: `evaluate(…, engine=Batch())`.

    Answers come within a day, usually within the hour. The run is kept in a store, so that it can be resumed while its
    batches are with the vendor; resumed, it goes on in batches.

    Attributes:
        interval: longest pause in seconds between two polls of a batch; a minute where None.
    """

    interval: Annotated[float | None, Field(gt=0, strict=True)] = None


Engine = EngineName | Ray | Batch


def engine_of(options: EngineOptions) -> Engine:
    """Return the engine that flags or settings describe.

    Raises:
        BadOption: batches on Ray.
    """
    if options.batch:
        if options.engine != "local":
            raise BadOption(
                f"batch=True cannot be combined with engine={options.engine!r}: a batch is collected in one process. "
                "Leave one of them out."
            )
        return Batch(interval=options.batch_interval)
    if options.engine == "ray":
        return Ray(address=options.ray_address, workers=options.ray_workers, send_keys=options.ray_send_keys)
    return options.engine


def flag_of(model: type[BaseModel], name: str) -> Flag | None:
    """Return the flag of a field; None for an option that exists in Python only."""
    return next((item for item in model.model_fields[name].metadata if isinstance(item, Flag)), None)


def meanings(model: type[BaseModel]) -> dict[str, str]:
    """Return the description of each field from the docstrings of a class and its bases, without the full stop."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        found |= described(inspect.cleandoc(vars(base).get("__doc__") or ""))
    return {name: found[name].removesuffix(".") for name in model.model_fields if name in found}


def described(docstring: str) -> dict[str, str]:
    """Return the texts of the names that a section of a docstring lists, each as one line."""
    return {name: " ".join(meaning.split()) for name, meaning in _DOC_ATTRIBUTE.findall(docstring)}


def problem_of(error: ValidationError) -> str:
    """Return the first problem of a group of options as one sentence."""
    first = error.errors(include_url=False)[0]
    name, message = ".".join(map(str, first["loc"])), first["msg"]
    return f"{name}={first['input']!r}: {message[:1].lower()}{message[1:]}"


_FORM_GROUPS: tuple[type[OptionGroup], ...] = (RowSelection, Repetition, Limits, Pace)


def form_options() -> dict[str, Flag]:
    """Return the options that the page offers, beside dataset, metrics, judge, name and tags."""
    flags = {name: flag_of(group, name) for group in _FORM_GROUPS for name in group.model_fields}
    return {name: flag for name, flag in flags.items() if flag is not None and flag.form_most is not None}


def form_fields() -> dict[str, Any]:
    """Return the fields of a model that reads those options from the page; None stands for the configured value."""
    known = {name: field for group in _FORM_GROUPS for name, field in group.model_fields.items()}
    fields: dict[str, Any] = {}
    for name, flag in form_options().items():
        bounds = [item for item in known[name].metadata if item is not flag]
        kind: Any = Annotated[known[name].annotation, *bounds, Field(le=flag.form_most)]  # pyright: ignore[reportInvalidTypeForm]
        fields[name] = (kind | None, None)
    return fields
