"""One test of many values: each is tried, and those that fail are named together.

`pytest.mark.parametrize` makes a test of each value, which costs some milliseconds in each process of a session, for
its collection, fixtures and reports. A law over all members of a package takes less than that for a member.
"""

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

import pytest


def for_each(
    name: str,
    values: Iterable[Any],
    *,
    ids: Callable[[Any], object] = lambda value: getattr(value, "__name__", value),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a test to be tried with each of some values; its fixtures are the same for all of them.

    Args:
        name: The argument that takes the value; several names, separated by commas, take the parts of a tuple.
        values: The values, at least one.
        ids: Names a value in messages.
    """
    names = [part.strip() for part in name.split(",")]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def all_of_them(**fixtures: Any) -> None:
            failed: dict[str, Exception] = {}
            for value in tried:
                given = dict(zip(names, value, strict=True)) if len(names) > 1 else {name: value}
                try:
                    test(**fixtures, **given)
                except Exception as error:  # noqa: BLE001  (it is raised again, below)
                    failed[str(ids(value))] = error
                except pytest.fail.Exception as error:
                    failed[str(ids(value))] = AssertionError(str(error))
            if failed:
                said = f"{len(failed)} of {len(tried)} failed, with {name} = {'; '.join(failed)}"
                raise ExceptionGroup(said, list(failed.values()))

        tried = list(values)
        assert tried, f"{test.__name__} is tried with no value"
        whole = signature(test)
        kept = [part for key, part in whole.parameters.items() if key not in names]
        all_of_them.__signature__ = whole.replace(parameters=kept)  # type: ignore[attr-defined]
        all_of_them.__name__, all_of_them.__qualname__ = test.__name__, test.__qualname__
        all_of_them.__module__, all_of_them.__doc__ = test.__module__, test.__doc__
        all_of_them.__dict__["pytestmark"] = list(getattr(test, "pytestmark", ()))
        return all_of_them

    return decorate
