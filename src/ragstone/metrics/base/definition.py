"""Checks of metric classes and options.

A mistake is reported where the class is defined or an instance is made; the message says what to write instead.
"""

import inspect
import types
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Any, ClassVar, Literal, Union, cast, get_args, get_origin, get_type_hints

from ragstone.case import TestCase
from ragstone.errors import BadOption, UnknownName
from ragstone.metrics.base.catalog import BUILT_IN

MAX_LABEL = 100
"""Most characters of a label."""

_NAMES = {path: name for name, path in BUILT_IN.items()}


def check_definition(cls: type[Any]) -> None:
    """Reject an unusable metric class: no `needs`, unknown fields in `needs`, or the wrong parameters of `assess`.

    Raises:
        BadOption: naming the class, what is wrong with it, and what to write.
    """
    assess = next((vars(kind)["assess"] for kind in cls.__mro__[:-2] if "assess" in vars(kind)), None)
    if "assess" in vars(cls):
        _check_assess(cls, assess)
    needs: object = getattr(cls, "needs", None)
    if needs is None and assess is not None:
        raise BadOption(
            f"class {cls.__name__} does not define needs: write needs = ('actual_output',), the fields of a test "
            "case that it requires, or needs = () for none"
        )
    if isinstance(needs, str) or (needs is not None and not isinstance(needs, Collection)):
        raise BadOption(
            f"class {cls.__name__}: needs={needs!r}: write a tuple of names, such as ({needs!r},)"
        )
    for name in cast("Collection[object]", needs or ()):
        if name not in TestCase.model_fields:
            raise BadOption(
                f"class {cls.__name__}: "
                + str(UnknownName("field of a test case", str(name), TestCase.model_fields))
            )


def check_categories(title: str, categories: Sequence[object], passing: Collection[str] | None) -> None:
    """Reject labels that cannot be told apart, and passing labels that do not exist.

    Raises:
        BadOption: naming the metric, the labels and what to write.
    """
    names = [name for name in categories if isinstance(name, str) and name.strip() and name.isprintable()]
    if isinstance(categories, str) or len(names) != len(categories) or len(set(names)) != len(names):
        raise BadOption(
            f"{title}: categories={categories!r}: write different names, such as ('refused', 'answered')"
        )
    if any(len(name) > MAX_LABEL for name in names):
        raise BadOption(
            f"{title}: the label {max(names, key=len)!r} is too long: write at most {MAX_LABEL} characters"
        )
    if isinstance(passing, str):
        raise BadOption(f"{title}: passing={passing!r}: write a list of labels, such as ({passing!r},)")
    for name in passing or ():
        if name not in names:
            raise BadOption(f"{title}: passing: {UnknownName('label', str(name), names)}")


def annotate_overrides(cls: type[Any]) -> None:
    """Make `threshold = 0.8`, written without a type, the new default of the inherited option."""
    annotations = inspect.get_annotations(cls)
    inherited: Mapping[str, Field[Any]] = getattr(cls, "__dataclass_fields__", {})
    for name in vars(cls).keys() & inherited.keys() - annotations.keys():
        if str(inherited[name].type).startswith(("ClassVar", "typing.ClassVar")) or isinstance(
            vars(cls)[name], property
        ):
            continue
        annotations = {**annotations, name: inherited[name].type}
    cls.__annotations__ = annotations


def checked_options(cls: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options, with lists as tuples where the type allows both, so that a metric can be hashed.

    Raises:
        BadOption: an option is unknown, missing or of the wrong type; naming it, its value and what to write.
    """
    check_option_names(cls, given, cls.__name__)
    checked = dict(given)
    for name, value in given.items():
        hint = _hints(cls).get(name, Any)
        if not fits(value, hint):
            raise BadOption(f"{cls.__name__}: {name}={value!r}: write {spelled(hint)}")
        if isinstance(value, list) and _is_tuple_allowed(hint):
            checked[name] = tuple(cast("list[object]", value))
    return checked


def check_option_names(cls: type[Any], given: Collection[str], written: str) -> None:
    """Reject unknown options and missing required ones; messages call the metric by its name as `written`.

    Raises:
        BadOption: naming the option and what to write.
    """
    known = options(cls)
    for name in given:
        if name not in known:
            raise BadOption(str(UnknownName(f"option of {written}", name, known)))
    missing = [name for name, item in known.items() if default_of(item) is MISSING and name not in given]
    if missing:
        raise BadOption(f"{written} needs {' and '.join(missing)}: write {written}({missing[0]}='…', …)")


def _is_tuple_allowed(hint: Any) -> bool:  # noqa: ANN401  (a hint is any type)
    """Return whether a type, or one of a union, is a sequence that a tuple is too."""
    is_union = get_origin(hint) in (Union, types.UnionType)
    return any(
        (get_origin(part) or part) in (tuple, Sequence) for part in (get_args(hint) if is_union else (hint,))
    )


def spec(metric: Any) -> str:  # noqa: ANN401  (a Metric, which is defined above this module)
    """Return the canonical text of a metric, `faithfulness(threshold=0.8)`: options at their default are left out.

    `parse(repr(metric)) == metric` holds for every metric.
    """
    given = [
        f"{item.name}={getattr(metric, item.name)!r}"
        for item in fields(metric)
        if item.repr and getattr(metric, item.name) != default_of(item)
    ]
    name = spec_name(cast("type[Any]", type(metric)))
    return f"{name}({', '.join(given)})" if given else name


def spec_name(metric: type[Any]) -> str:
    """Return the name of a metric class in a spec: a built-in's file name, `module:Class` for any other."""
    path = f"{metric.__module__}:{metric.__qualname__}"
    return _NAMES.get(path, path)


@cache
def options(cls: type[Any]) -> dict[str, Field[Any]]:
    """Return the options of a metric class, by name."""
    return {item.name: item for item in fields(cls) if item.init}


def default_of(item: Field[Any]) -> Any:  # noqa: ANN401  (a default is any value)
    """Return the default of an option, or MISSING without one."""
    if item.default is not MISSING:
        return item.default
    return item.default_factory() if item.default_factory is not MISSING else MISSING


def fits(value: object, hint: Any) -> bool:  # noqa: ANN401, PLR0911  (a hint is any type; one return a kind)
    """Return whether a value fits a type. A list fits a tuple type; any value fits a type that cannot be checked."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, part) for part in inner)
    if origin is Literal:
        return value in inner and not (isinstance(value, bool) and True not in inner and False not in inner)
    if origin is ClassVar or hint is Any or hint is object:
        return True
    if hint is None or hint is types.NoneType:
        return value is None
    if hint in (int, float):
        return isinstance(value, int | hint) and not isinstance(value, bool)
    kind = origin or hint
    if not isinstance(kind, type):
        return True
    if issubclass(kind, str) or not issubclass(kind, Sequence):
        return isinstance(value, kind)
    if not isinstance(value, list | tuple | kind) or isinstance(value, str):
        return False
    items = cast("Sequence[object]", value)
    if kind is tuple and inner and inner[-1] is not Ellipsis:
        return len(items) == len(inner) and all(map(fits, items, inner))
    return not inner or all(fits(item, inner[0]) for item in items)


def spelled(hint: Any) -> str:  # noqa: ANN401, PLR0911  (a hint is any type; one return a kind)
    """Return the words for a type in an error message: "a number", "'relevant' or 'irrelevant'"."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(spelled(part) for part in inner))
    if origin is Literal:
        *others, last = map(repr, inner)
        return f"{', '.join(others)} or {last}" if others else last
    names: dict[Any, str] = {
        int: "a whole number",
        float: "a number",
        bool: "True or False",
        str: "a text",
        types.NoneType: "None",
        None: "None",
    }
    if hint in names:
        return names[hint]
    kind: Any = origin or hint
    if isinstance(kind, type) and issubclass(kind, Sequence):
        if kind is tuple and inner and inner[-1] is not Ellipsis:
            return f"a list of {len(inner)}"
        return "a list of texts" if inner and inner[0] is str else "a list"
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return "a mapping"
    return str(getattr(cast("object", kind), "__name__", hint))


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    """Return the types of the options; empty if a name in an annotation cannot be resolved from here."""
    try:
        return get_type_hints(cls)
    except (NameError, TypeError):
        return {}


def _check_assess(cls: type[Any], function: Any) -> None:  # noqa: ANN401  (any value of the attribute)
    advice = "write def assess(self, case, ctx), sync or async, that returns a number from 0 to 1 or a Score"
    if not inspect.isfunction(function):
        raise BadOption(f"class {cls.__name__}: assess is not a method: {advice}")
    parameters = inspect.signature(function).parameters.values()
    required = [p for p in parameters if p.default is p.empty]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return
    if len(required) != len(("self", "case", "ctx")) or any(p.kind is p.KEYWORD_ONLY for p in required):
        names = ", ".join(p.name for p in parameters)
        raise BadOption(f"class {cls.__name__}: assess takes ({names}): {advice}")
