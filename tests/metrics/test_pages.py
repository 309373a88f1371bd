"""Each metric has a page that names what it needs and every option. (Its Python runs in tests/docs.)"""

from pathlib import Path

import pytest

from ragstone.metrics.base.catalog import BUILT_IN, PRESETS
from ragstone.plugins import load

DOCS = Path(__file__).parents[2] / "docs" / "metrics"
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_metric_has_a_page_with_all_its_options(name: str) -> None:
    page, metric = (DOCS / f"{name}.md").read_text(encoding="utf-8"), load(BUILT_IN[name])
    options = [
        option
        for option in vars(metric).get("__annotations__", {})
        if option not in {"threshold", "needs", "prompts"}
    ]
    assert all(f"| `{option}` |" in page for option in options)
    assert all(f"`{field}`" in page for field in metric.needs if name != "context_utilization")
    assert all(
        part in page for part in ("## Formula", "## Worked example", "## Reading the score", "## Elsewhere")
    )
    assert "assert isclose(result.score" in page
    assert f"[`{name}`]({name}.md)" in INDEX


def test_every_page_belongs_to_a_metric() -> None:
    assert {path.stem for path in DOCS.glob("*.md")} == {*BUILT_IN, "index"}


def test_the_index_names_every_preset() -> None:
    assert all(f"| `{preset}` |" in INDEX for preset in PRESETS)
