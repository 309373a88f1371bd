"""A metric's spec, its one spelling everywhere: `faithfulness(threshold=0.8)`. Defaults are unsaid.

Law: `parse(repr(metric)) == metric`. Options are literals; nothing is evaluated.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from ragstone.errors import BadOption, UnknownName
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.plugins import find

if TYPE_CHECKING:
    from ragstone.metrics.base.metric import Metric


def spec(metric: "Metric") -> str:
    """Return the spelling of a metric, options that have their default value left out."""
    said = [
        f"{item.name}={getattr(metric, item.name)!r}"
        for item in fields(metric)
        if item.repr and getattr(metric, item.name) != _default(item)
    ]
    name = spec_name(type(metric))
    return f"{name}({', '.join(said)})" if said else name


def spec_name(metric: type["Metric"]) -> str:
    """Return the name that a metric class has in a spec: of a built-in its file's, of others `module:Class`."""
    path = f"{metric.__module__}:{metric.__qualname__}"
    return _names().get(path, path)


@cache
def _names() -> dict[str, str]:
    return {path: name for name, path in BUILT_IN.items()}


def parse(text: str) -> "Metric":
    """Return the metric that a spec describes.

    Names are read leniently (`Faithfulness`, `contextual-recall`); `ndcg@10` is short for `ndcg(k=10)`.

    Raises:
        UnknownName: there is no metric of that name.
        BadOption: it has no such option, or the option's value makes no sense.
    """
    name, options = _split(text)
    name, at, cut = name.partition("@")
    if at:
        options.setdefault("k", _cut_off(cut, text))
    made = find_metric(name)
    _check_options(name, made, options)
    try:
        return made(**options)
    except TypeError as error:  # a value of a type that the metric does not expect
        raise BadOption(f"{text}: {error}") from error


def find_metric(name: str) -> type["Metric"]:
    """Return the class of a metric; its name is read leniently.

    Raises:
        UnknownName: there is no metric of that name.
        BadOption: what stands there is no metric.
    """
    found = find("metric", _canonical(name), BUILT_IN)
    if not (isinstance(found, type) and callable(getattr(found, "measure_by", None))):
        raise BadOption(
            f"{name} is no metric: write package.module:Class of a subclass of ragstone.metrics.Metric"
        )
    return cast("type[Metric]", found)


def _check_options(name: str, made: type["Metric"], options: Mapping[str, Any]) -> None:
    """Refuse options that a metric does not have, and demand those that it cannot do without."""
    known = {item.name: item for item in fields(made) if item.init}
    for option in options:
        if option not in known:
            raise BadOption(str(UnknownName(f"option of {name}", option, known)))
    needed = [key for key, item in known.items() if _default(item) is MISSING and key not in options]
    if needed:
        raise BadOption(f"{name} needs {' and '.join(needed)}: write {name}({needed[0]}='…', …)")


def _cut_off(text: str, spec: str) -> int:
    if not text.strip().isdecimal():
        raise BadOption(f"{spec!r}: after the @ stands a whole number, as in ndcg@10")
    return int(text)


def _canonical(name: str) -> str:
    """Return the known spelling of a name, or the name itself."""
    squeezed = _squeeze(name)
    return next((known for known in BUILT_IN if _squeeze(known) == squeezed), name)


def _squeeze(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def _split(text: str) -> tuple[str, dict[str, Any]]:
    """Return name and options of a spec."""
    name, opened, rest = text.strip().partition("(")
    if not opened:
        return name.strip(), {}
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError(text)  # noqa: TRY301  (the one place that says how a spec is written)
        return name.strip(), {_option(keyword): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError) as error:
        raise BadOption(
            f"{text!r} is no metric: write name or name(option=value), values as in Python"
        ) from error


def _option(keyword: ast.keyword) -> str:
    if keyword.arg is None:
        raise ValueError(keyword)
    return keyword.arg


def _default(item: Field[Any]) -> Any:  # noqa: ANN401  (a default is any value)
    if item.default is not MISSING:
        return item.default
    return item.default_factory() if item.default_factory is not MISSING else MISSING
