import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.cli.command import forked, invoke
from tests.testing.for_each import for_each

from ragstone.metrics.base.catalog import BUILT_IN


@for_each("columns", ["60", "110"])
def test_the_list_names_every_metric_and_what_it_asks(columns: str) -> None:
    shown = invoke("metrics", env={"COLUMNS": columns}).stdout
    assert all(name in shown for name in BUILT_IN)
    assert "preset rag" in shown
    flat = " ".join(shown.split())
    if columns == "60":
        assert "Does the actual output say only what the passages bear out?" in flat


@for_each("name", BUILT_IN)
def test_every_metric_is_explained(name: str) -> None:
    done = invoke("metrics", name, env={"COLUMNS": "120"})
    assert done.exit_code == 0
    for part in ("needs", "judge calls", "better", "OPTIONS", "threshold = "):
        assert part in done.stdout
    assert "score = " in done.stdout


def test_a_page_tells_formula_options_defaults_and_source() -> None:
    shown = invoke("metrics", "Faithfulness", env={"COLUMNS": "120"}).stdout
    assert "score = supported claims / all claims" in shown
    assert "penalize_ambiguous_claims = True" in shown
    assert "arXiv:2309.15217" in shown


def test_a_misspelt_name_is_guessed() -> None:
    done = forked("metrics", "faithfulnes")
    assert done.returncode == 2
    assert "Did you mean 'faithfulness'?" in done.stderr


def test_custom_metric_is_described_by_its_docstring(tmp_path: Path) -> None:
    (tmp_path / "my_metric.py").write_text(
        "from dataclasses import dataclass\n"
        "from ragstone.metrics import Metric\n"
        "@dataclass(frozen=True, kw_only=True, repr=False)\n"
        "class Shout(Metric):\n"
        '    """Is the answer loud? No judge.\n\n    Attributes:\n        loudness: how loud.\n    """\n'
        "    needs = ('actual_output',)\n"
        "    loudness: int = 11\n"
    )
    done = forked("metrics", "my_metric:Shout", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Is the answer loud?" in done.stdout
    assert "loudness = 11" in done.stdout
    assert "how loud." in done.stdout


def test_class_that_is_not_a_metric_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("not_a_metric")
    module.Thing = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "not_a_metric", module)
    done = invoke("metrics", "not_a_metric:Thing")
    assert done.exit_code == 2
    assert "is not a metric" in done.stderr
