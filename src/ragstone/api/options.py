"""The options of `evaluate`: one class, from which its signature is derived."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, cast

from ragstone import options as groups
from ragstone.errors import BadOption

if TYPE_CHECKING:
    from ragstone.applications.call import ApplicationObject
    from ragstone.event import EventListener
    from ragstone.judges import JudgeLike
    from ragstone.metrics import Metric
    from ragstone.providers.function import PromptFunction
    from ragstone.store import Store

    Metrics = str | Metric | Iterable[str | Metric]
    PresetOption = str | Sequence[Metric] | None
    JudgeOption = str | JudgeLike | PromptFunction | None
    EngineOption = groups.Engine | None
    StoreOption = bool | str | Path | Store | None
    Listeners = Sequence[EventListener]
    AppOption = str | Callable[..., Any] | ApplicationObject | None
else:  # checked where they are used: `from ragstone import evaluate` imports no metric and no judge
    Metrics = PresetOption = JudgeOption = EngineOption = StoreOption = Listeners = AppOption = Any

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
_ENGINE_KEYWORDS = tuple(name for name in groups.EngineOptions.model_fields if name != "engine")


class EvaluateOptions(
    groups.Pace,
    groups.MissingFields,
    groups.PassingScore,
    groups.RowSelection,
    groups.RunLabels,
    groups.Repetition,
    groups.Storage,
    groups.Continuation,
    groups.Combination,
    groups.DetailLevel,
    groups.ApplicationCalls,
):
    """The options of `evaluate`.

    Attributes:
        preset: a group of metrics, such as `rag`, or its metrics as values. Those that no test case can feed are left
            out, and where a single test case lacks a field, they are skipped. `rag` where neither metrics nor preset
            are given.
        judge: a judge or its spec, or a function or coroutine from prompt to answer; None: the embedded judge, which
            needs no key and sends no text anywhere.
        limits: how fast the judge is asked, and what the run may cost.
        engine: `local` measures in this process, `ray` or `Ray(…)` on a Ray cluster, `Batch()` in the vendor's batches.
            None: `local`, or as a resumed run was started.
        app: the application that answers the questions of the dataset: a function of a question, an object with a
            method `answer`, `module:function`, a URL or a command. None: the dataset has the answers.
        store: as a file, a URL or True, see `Storage`; or a store that is open already, as `open_store` returns it.
        progress: show on standard error how far the run is; None: only where that is a terminal, or in a notebook.
        listeners: called with every event of the run.
    """

    preset: PresetOption = None
    judge: JudgeOption = None
    # Validating would build the schema: a quarter of the import.
    limits: groups.Limits = groups.Limits.model_construct()
    engine: EngineOption = None
    app: AppOption = None  # pyright: ignore[reportIncompatibleVariableOverride]  (the fields are frozen)
    store: StoreOption = None  # pyright: ignore[reportIncompatibleVariableOverride]  (the fields are frozen)
    progress: bool | None = None
    listeners: Listeners = ()


class TakesOptions(Protocol[P, R_co]):
    """A function of a dataset, metrics, and the options of `evaluate` as keywords."""

    def __call__(self, data: object, metrics: Metrics = (), *args: P.args, **options: P.kwargs) -> R_co:
        """Call the function."""
        ...


def with_options(options: Callable[P, Any]) -> Callable[[Callable[..., R_co]], TakesOptions[P, R_co]]:
    """Return a decorator that gives a function the keywords of a class of options as its signature.

    Type checkers read the keywords from the class, `help` and editors from the signature: no option is written twice.
    """
    fields = cast("type[EvaluateOptions]", options).model_fields
    keywords = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.annotation
        )
        for name, field in fields.items()
    ]

    def decorate(function: Callable[..., R_co]) -> TakesOptions[P, R_co]:
        signature = inspect.signature(function)
        positional = [
            item for item in signature.parameters.values() if item.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        cast("Any", function).__signature__ = signature.replace(parameters=[*positional, *keywords])
        return cast("TakesOptions[P, R_co]", function)

    return decorate


def read_options(function: str, values: Mapping[str, Any]) -> EvaluateOptions:
    """Return the options that were given as keywords.

    The flat spelling of `limits` and `engine` is read too: `max_cost=5`, `engine="ray", ray_workers=8`, `batch=True`.

    Args:
        function: its name, for messages.
        values: the keywords.

    Raises:
        TypeError: there is no such option.
        BadOption: a value is out of bounds, or two options exclude each other.
    """
    given = dict(values)
    limits = {name: given.pop(name) for name in groups.Limits.model_fields if name in given}
    engine = {name: given.pop(name) for name in _ENGINE_KEYWORDS if name in given}
    for name in given.keys() - EvaluateOptions.model_fields.keys():
        matches = get_close_matches(name, [*EvaluateOptions.model_fields, *groups.Limits.model_fields], n=1)
        hint = f". Did you mean {matches[0]!r}?" if matches else ""
        raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")
    options = EvaluateOptions.read(**given)
    if any(value is not None for value in engine.values()):
        options = options.model_copy(update={"engine": _engine_of_keywords(options.engine, engine)})
    if limits:
        merged = groups.Limits.read(**{**options.limits.model_dump(), **limits})
        options = options.model_copy(update={"limits": merged})
    return options


def _engine_of_keywords(engine: groups.Engine | None, keywords: Mapping[str, Any]) -> groups.Engine:
    """Return the engine that several keywords describe."""
    given = {name: value for name, value in keywords.items() if value is not None}
    if isinstance(engine, groups.Ray | groups.Batch):
        names = ", ".join(f"{name}={value!r}" for name, value in given.items())
        raise BadOption(
            f"{names} cannot be combined with engine={engine!r}: give it as an argument of the engine"
        )
    for name in ("ray_address", "ray_workers"):
        if name in given and engine != "ray":
            raise BadOption(f"{name}={given[name]!r} applies only to Ray: add engine='ray'")
    return groups.engine_of(groups.EngineOptions.read(engine=engine or "local", **given))
