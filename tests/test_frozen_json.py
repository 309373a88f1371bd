import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from pydantic_core import to_json

from ragstone.frozen_json import FrozenArray, FrozenObject, freeze, thaw

SCHEMA = {"type": "object", "required": ["a"], "properties": {"a": {"enum": [1, 2], "type": "integer"}}}


def change_a_frozen_list(value: Any) -> None:
    value["required"].append("b")


CHANGES: list[Callable[[Any], object]] = [
    lambda value: value.update(type="array"),
    lambda value: value.pop("type"),
    lambda value: value.setdefault("new", 1),
    lambda value: value["properties"].clear(),
    lambda value: value["properties"]["a"].__setitem__("type", "string"),
    lambda value: value["properties"]["a"].__delitem__("type"),
    lambda value: value["properties"]["a"]["enum"].append(3),
    lambda value: value["properties"]["a"]["enum"].sort(),
    lambda value: value["required"].__iadd__(["b"]),
    change_a_frozen_list,
]


@pytest.mark.parametrize("change", CHANGES)
def test_frozen_json_cannot_be_changed(change: Callable[[Any], object]) -> None:
    frozen = freeze(SCHEMA)
    with pytest.raises(TypeError, match="cannot be changed"):
        change(frozen)
    assert frozen == SCHEMA


def test_frozen_json_serialises_like_plain_json() -> None:
    frozen = freeze(SCHEMA)
    assert isinstance(frozen, FrozenObject)
    assert json.dumps(frozen) == json.dumps(SCHEMA)
    assert to_json(frozen) == to_json(frozen.plain()) == to_json(SCHEMA)
    assert frozen.plain() is frozen.plain()
    assert {type(frozen.plain()), type(frozen.plain()["properties"]["a"])} == {dict}
    assert repr(frozen) == repr(SCHEMA)
    assert freeze({"a": (1, 2)}) == {"a": [1, 2]}


def test_copies_and_pickles_are_plain_and_can_be_changed() -> None:
    pickled = pickle.loads(pickle.dumps(freeze(SCHEMA)))  # noqa: S301  (our own bytes)
    for plain in (copy.deepcopy(freeze(SCHEMA)), pickled, thaw(freeze(SCHEMA))):
        assert plain == SCHEMA
        assert {type(plain), type(plain["properties"]["a"])} == {dict}
        plain["properties"]["a"]["enum"].append(3)
    assert type(copy.deepcopy(freeze([1]))) is list
    assert type(pickle.loads(pickle.dumps(freeze([1])))) is list  # noqa: S301  (our own bytes)


def test_equal_frozen_values_have_equal_hashes() -> None:
    assert {freeze(SCHEMA): 1}[freeze(dict(reversed(SCHEMA.items())))] == 1
    assert hash(freeze([1, {"a": []}])) == hash(freeze([1, {"a": []}]))
    assert isinstance(freeze([]), FrozenArray)
