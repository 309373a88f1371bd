"""Checks of metric specs that come from outside, shared by the page and its API.

A user of the command line may name files, modules and URLs; a user of the page may not. A spec from outside is
therefore checked before any part of it is built, and each value is checked against the rules for its option. An option
that is not listed here takes only its default, plain values and the choices of its type: a new option with other values
is refused until it is listed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from ragstone.errors import BadOption, UnknownName
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.definition import default_of, options
from ragstone.metrics.base.parse import find_metric, normalized, split_spec

WITHHELD = frozenset({"pattern_match"})
"""Metrics that a spec from outside may not name: a regular expression may run for years."""

WORDS = frozenset(
    {
        "allowed",
        "assessment_questions",
        "criteria",
        "definition",
        "denied",
        "evaluation_params",
        "evaluation_steps",
        "instructions",
        "labels",
        "name",
        "passing",
        "question",
        "role",
        "rubric",
        "task",
    }
)
"""Options whose texts are shown to a judge or compared with names: no code opens, imports or fetches them."""

LONGEST = 4_000
_MAX_NUMBER = 1_000
_MAX_DEPTH = 8
_MAX_VALUES = 500


def offered_metrics() -> list[str]:
    """Return the names of the metrics that a spec from outside may name."""
    return [name for name in BUILT_IN if name not in WITHHELD]


def check_outside(spec: str) -> str:
    """Check all of a spec from outside, and return the name of its metric.

    The check builds, imports, opens and fetches nothing that the spec names beyond the built-in metric's class; error
    messages repeat at most the beginning of the spec.

    Raises:
        UsageError: a part of the spec is not allowed.
    """
    return _check_spec(spec, 0)


def _check_spec(spec: str, depth: int) -> str:
    if len(spec) > LONGEST or depth > _MAX_DEPTH:
        raise BadOption(f"{spec[:60]!r} is too long or too deeply nested here: use `ragstone run`.")
    try:
        written_name, given = split_spec(spec)
    except (RecursionError, MemoryError):
        raise BadOption(f"{spec[:60]!r} is nested too deeply: use `ragstone run`.") from None
    name = _offered_name(written_name)
    metric = find_metric(name)
    known, types = options(metric), get_type_hints(metric)
    for option, value in given.items():
        if option in known and value != default_of(known[option]):
            _check_option(name, option, value, types[option], depth)
    return name


def _offered_name(written_name: str) -> str:
    offered = {normalized(name): name for name in offered_metrics()}
    name = offered.get(normalized(written_name.partition("@")[0]))
    if name is None:
        raise UnknownName("metric on offer", written_name[:100], offered_metrics())
    return name


def _check_option(name: str, option: str, value: object, kind: object, depth: int) -> None:
    if option == "tree":
        _check_tree(name, value, depth)
    elif option in WORDS:
        _check_texts(name, option, value)
    elif not (_is_plain(value) or value in _choices(kind)):
        raise BadOption(f"{option} of {name} cannot be set to a text here: use `ragstone run`.")


def _check_texts(name: str, option: str, value: object) -> None:
    values = list(_scalar_values(value))
    if len(values) > _MAX_VALUES or not all(isinstance(part, str) or _is_plain(part) for part in values):
        raise BadOption(
            f"{option} of {name} accepts only a limited number of texts and numbers here: use `ragstone run`."
        )


def _check_tree(name: str, tree: object, depth: int) -> None:
    """Check a tree of questions. A text in place of a tree would be a path and is rejected; a leaf may be a spec."""
    if depth > _MAX_DEPTH:
        raise BadOption(f"the tree of {name} is deeper than {_MAX_DEPTH} questions: use `ragstone run`.")
    if not isinstance(tree, Mapping):
        raise BadOption(f"the tree of {name} must be written out here: {{'question': …, 'answers': {{…}}}}.")
    values = cast("Mapping[object, object]", tree)
    if set(values) == {"metric"}:
        _check_spec(str(values["metric"]), depth + 1)
        return
    answers = values.get("answers")
    for node in cast("Mapping[object, object]", answers).values() if isinstance(answers, Mapping) else ():
        if not _is_plain(node):
            _check_tree(name, node, depth + 1)


def _scalar_values(value: object) -> list[object]:
    """Return the scalar values in nested lists and mappings, keys included, up to a limit."""
    values: list[object] = []
    pending: list[object] = [value]
    while pending and len(values) <= _MAX_VALUES:
        part = pending.pop()
        if isinstance(part, Mapping):
            pending += [
                *cast("Mapping[object, object]", part).keys(),
                *cast("Mapping[object, object]", part).values(),
            ]
        elif isinstance(part, Sequence) and not isinstance(part, str | bytes):
            pending += cast("Sequence[object]", part)
        else:
            values.append(part)
    return values


def _is_plain(value: object) -> bool:
    """Return whether a value is a boolean, None, a number small enough to limit the work, or a list of such values."""
    if isinstance(value, tuple | list):
        return len(cast("Sequence[object]", value)) <= _MAX_NUMBER and all(
            map(_is_plain, cast("Sequence[object]", value))
        )
    if isinstance(value, int | float):
        return -_MAX_NUMBER <= value <= _MAX_NUMBER
    return value is None


def _choices(kind: Any) -> tuple[object, ...]:  # noqa: ANN401  (a type as written)
    """Return the words that a `Literal`, alone or in a union, allows."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(
        choice for part in get_args(kind) if get_origin(part) is Literal for choice in get_args(part)
    )
