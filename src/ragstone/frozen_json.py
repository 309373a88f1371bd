"""Immutable JSON values, so that many requests may share one: a schema, and the vendor's wrapper around it.

They are read and serialised like a dict and a list. Copies and pickles are plain, and may be changed.
"""

from collections.abc import Mapping
from typing import Any, NoReturn, cast


def freeze(value: Any) -> Any:  # noqa: ANN401  (any JSON value)
    """Return an immutable form of a JSON value: objects and arrays are frozen at any depth."""
    if type(value) in {FrozenObject, FrozenArray}:
        return value
    if isinstance(value, Mapping):
        return FrozenObject({key: freeze(part) for key, part in cast("Mapping[str, Any]", value).items()})
    if isinstance(value, list | tuple):
        return FrozenArray(map(freeze, cast("list[Any]", value)))
    return value


def thaw(value: Any) -> Any:  # noqa: ANN401  (any JSON value)
    """Return a plain copy of a JSON value, which may be changed."""
    if isinstance(value, dict):
        return {key: thaw(part) for key, part in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [thaw(part) for part in cast("list[Any]", value)]
    return value


def _refuse(self: object, *_args: object, **_options: object) -> NoReturn:
    raise TypeError(
        f"this {type(self).__name__} is shared and cannot be changed: change a copy, copy.deepcopy(it)"
    )


class FrozenObject(dict[str, Any]):
    """A JSON object that cannot be changed. Equal ones have equal hashes, which are computed once."""

    __slots__ = ("_hash", "_plain")

    __setitem__ = __delitem__ = __ior__ = _refuse  # pyright: ignore[reportAssignmentType]
    clear = pop = popitem = setdefault = update = _refuse  # pyright: ignore[reportAssignmentType]

    def plain(self) -> dict[str, Any]:
        """Return the content as a plain dict, for a serialiser that is slow with subclasses; do not change it."""
        try:
            return self._plain
        except AttributeError:
            self._plain: dict[str, Any] = thaw(self)
            return self._plain

    def __hash__(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return a hash of the content, independent of the order of the names."""
        try:
            return self._hash
        except AttributeError:
            self._hash: int = hash(frozenset(self.items()))
            return self._hash

    def __deepcopy__(self, memo: object) -> dict[str, Any]:
        """Return a plain copy."""
        return cast("dict[str, Any]", thaw(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a plain dict."""
        return dict, (list(self.items()),)


class FrozenArray(list[Any]):
    """A JSON array that cannot be changed."""

    __slots__ = ()

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse  # pyright: ignore[reportAssignmentType]
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse  # pyright: ignore[reportAssignmentType]

    def __hash__(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return a hash of the content."""
        return hash(tuple(self))

    def __deepcopy__(self, memo: object) -> list[Any]:
        """Return a plain copy."""
        return cast("list[Any]", thaw(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a plain list."""
        return list, (list(iter(self)),)
