import sys
from pathlib import Path
from types import ModuleType

import pytest

from ragstone.errors import MissingExtra, UnknownName
from ragstone.metrics import Faithfulness
from ragstone.plugins import find, import_extra, load
from tests.testing.for_each import for_each

TABLE = {"faithfulness": "ragstone.metrics.faithfulness:Faithfulness"}


def test_load_and_find_a_built_in() -> None:
    assert load(TABLE["faithfulness"]) is Faithfulness
    assert find("metric", "faithfulness", TABLE) is Faithfulness


def test_find_a_users_own_class(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("my_metrics")
    module.Shout = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_metrics", module)
    assert find("metric", "my_metrics:Shout", TABLE) is object


@for_each("name", ["faithfullness", "no_such_package:Thing", "ragstone.case:Nothing"])
def test_unknown_metric_name_is_rejected(name: str) -> None:
    with pytest.raises(UnknownName, match="no metric named"):
        find("metric", name, TABLE)


def test_module_without_class_suggests_module_and_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kind_tone.py").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownName, match="this is the name of a module: write kind_tone:Class"):
        find("metric", "kind_tone", TABLE)


def test_missing_module_raises_missing_extra() -> None:
    assert import_extra("This", "x", "json").loads("1") == 1
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[x\]'"):
        import_extra("This", "x", "no_such_module_at_all")
