"""The spec of a metric, its canonical text: `faithfulness(threshold=0.8)`. Options at their default are left out.

`parse(repr(metric)) == metric` holds for every metric; `parse` is in the module beside this one.
"""

from dataclasses import fields
from functools import cache
from typing import Any, cast

from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.definition import default_of


def spec(metric: Any) -> str:  # noqa: ANN401  (a Metric, which is defined above this module)
    """Return the spec of a metric."""
    options = [
        f"{item.name}={getattr(metric, item.name)!r}"
        for item in fields(metric)
        if item.repr and getattr(metric, item.name) != default_of(item)
    ]
    name = spec_name(cast("type[Any]", type(metric)))
    return f"{name}({', '.join(options)})" if options else name


def spec_name(metric: type[Any]) -> str:
    """Return the name of a metric class in a spec: a built-in's file name, `module:Class` for any other."""
    path = f"{metric.__module__}:{metric.__qualname__}"
    return _names_by_path().get(path, path)


@cache
def _names_by_path() -> dict[str, str]:
    return {path: name for name, path in BUILT_IN.items()}
