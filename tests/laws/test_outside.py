"""A spec from outside reaches no file, code, URL or pattern, whatever metric, option and depth it is put at."""

import sys
from itertools import product
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import UsageError
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.definition import options
from ragstone.metrics.base.outside import WITHHELD, WORDS, check_outside
from ragstone.metrics.base.parse import find_metric

FORBIDDEN: tuple[Any, ...] = (
    "/planted/passwd",
    "../planted.yaml",
    "planted_module:Attack",
    "planted_module",
    "http://127.0.0.1:1/planted",
    "(a|aa)+planted",
    {"metric": "planted_module:Attack"},
    {"question": "q", "answers": {"a": {"metric": "planted_module:Attack"}, "b": 1}},
    {"question": "q", "answers": {"a": {"metric": "pattern_match(pattern='(a|aa)+')"}, "b": 1}},
    ["/planted/passwd", {"metric": "planted_module:Attack"}],
    10**12,
)
OPTIONS = [(name, option) for name in BUILT_IN for option in options(find_metric(name))]
DEPTHS = 3


def _nested(spec: str, depth: int) -> str:
    """Put a spec at the leaf of so many decision trees."""
    for _ in range(depth):
        tree = {"question": "q", "answers": {"a": {"metric": spec}, "b": 1}}
        spec = f"decision_tree(name='x', tree={tree!r})"
    return spec


@pytest.fixture(scope="module")
def opened() -> list[str]:
    """Names of all files and modules that were opened or imported since."""
    found: list[str] = []
    sys.addaudithook(
        lambda event, given: found.append(str(given[0])) if event in {"open", "import"} else None
    )
    return found


def test_a_forbidden_value_is_refused_at_every_option_and_depth(opened: list[str]) -> None:
    assert len(OPTIONS) > 200
    for (name, option), value, depth in product(OPTIONS, FORBIDDEN, range(DEPTHS)):
        spec = _nested(f"{name}({option}={value!r})", depth)
        try:
            check_outside(spec)
        except UsageError:
            continue
        assert option in WORDS, f"{spec} is let through"
    assert not [place for place in opened if "planted" in place]


@for_each("name", [*WITHHELD, "planted_module:Attack", "/planted/x:Y", ""])
def test_withheld_or_imported_metric_is_refused_at_every_depth(name: str) -> None:
    for depth in range(DEPTHS):
        with pytest.raises(UsageError):
            check_outside(_nested(name, depth))


@for_each("name", [name for name in BUILT_IN if name not in WITHHELD])
def test_offered_metric_with_plain_options_is_allowed(name: str) -> None:
    for depth in range(DEPTHS):
        check_outside(_nested(f"{name}(threshold=0.7, include_reason=False)", depth))


def test_deeply_nested_spec_is_refused() -> None:
    for spec in (
        "faithfulness(" + "(" * 900,
        "faithfulness(threshold=" + "-" * 3_000 + "1)",
        _nested("faithfulness", 9),
    ):
        with pytest.raises(UsageError):
            check_outside(spec)
