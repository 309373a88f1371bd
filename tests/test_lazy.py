import pytest

from ragstone.lazy import lazy_exports


def test_a_name_is_imported_when_it_is_asked_for() -> None:
    export = lazy_exports("some_package", {"sqrt": "math", "root": "math:sqrt"})
    assert export("sqrt") is export("root")
    assert export("root")(9.0) == 3.0


def test_unknown_lazy_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'some_package' has no attribute 'sqrtt'"):
        lazy_exports("some_package", {"sqrt": "math"})("sqrtt")
