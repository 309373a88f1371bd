"""Values as a JSON document: fields of dataclasses and named tuples by name; NaN and infinity are null."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from ragstone.stats.figure import Figure
    from ragstone.stats.interval import Interval
    from ragstone.stats.shares import Shares


def render(values: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return the values as a JSON document."""
    return f"{json.dumps(plain(values), ensure_ascii=True, indent=1, allow_nan=False)}\n"


def plain(value: Any, *names: str) -> Any:  # noqa: ANN401  (whatever a document holds)
    """Return a value as JSON has it; with names, these attributes of it."""
    if names:
        return {name: plain(getattr(value, name)) for name in names}
    if is_dataclass(value):
        return plain(value, *(each.name for each in fields(value)))
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return value
    by_name: Any = getattr(value, "_asdict", None)  # pyright: ignore[reportUnknownArgumentType]  (of any parts)
    return plain(by_name()) if by_name else [plain(part) for part in cast("Iterable[Any]", value)]


def figure_values(figure: "Figure") -> dict[str, Any]:
    """Return a metric's figure as JSON has it: the same fields in every document."""
    return {
        "mean": figure.mean,
        "interval": interval_values(figure.interval),
        **plain(figure, "low", "high", "n", "decided"),
        **figure.counts,
        **plain(figure, "groups", "pass_rate"),
        "pass_interval": interval_values(figure.pass_interval),
        "too_few": figure.too_few,
        **({"labels": share_values(figure.shares)} if figure.shares else {}),
    }


def share_values(shares: "Shares") -> dict[str, Any]:
    """Return the shares of a metric's labels as JSON has them."""
    return {
        **plain(shares, "n", "undecided", "groups", "level", "too_few"),
        "shares": [
            {**plain(share, "label", "count", "low", "high"), "interval": interval_values(share.interval)}
            for share in shares.labels
        ],
    }


def interval_values(interval: "Interval") -> dict[str, Any]:
    """Return an interval as JSON has it."""
    return plain(interval, "low", "high", "level", "method")
