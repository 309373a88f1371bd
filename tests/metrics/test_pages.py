"""Each metric has a page; the build adds what its class says. (Its Python runs in tests/docs.)"""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tests.testing.for_each import for_each

from ragstone.metrics.base.catalog import BUILT_IN, PRESETS
from ragstone.metrics.base.documentation import options
from ragstone.plugins import load

DOCS = Path(__file__).parents[2] / "docs" / "metrics"
_SPEC = spec_from_file_location("metric_facts", DOCS.parent / "_hooks" / "metric_facts.py")
assert _SPEC is not None
assert _SPEC.loader is not None
HOOK = module_from_spec(_SPEC)
_SPEC.loader.exec_module(HOOK)
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")


def page_of(name: str) -> str:
    path = DOCS / f"{name}.md"
    assert path.exists(), f"the metric has no page: write docs/metrics/{name}.md (step 5 in CONTRIBUTING.md)"
    return path.read_text(encoding="utf-8")


@for_each("name", BUILT_IN)
def test_page_of_a_metric_says_what_it_needs_and_how_it_is_computed(name: str) -> None:
    page, metric = page_of(name), load(BUILT_IN[name])
    built = HOOK.completed(page, name)
    needs = page.partition("\nNeeds ")[2].partition("\n\n")[0]
    assert all(f"`{field}`" in needs for field in metric.needs if name != "context_utilization")
    parts = ("## Formula\n\n```text\n", "## Worked example", "## Reading the score", "**Source.** ")
    assert all(built.count(part) == 1 for part in parts)
    assert "\nscore = " in built
    assert "**Source.**" not in page
    assert built.splitlines()[2].endswith((".", "?"))
    assert f"result = {metric.__name__}(" in page
    assert "\nprint(result" in page
    assert f"- [`{name}`]({name}.md)\n" in INDEX
    assert f"| [`{name}`]({name}.md)" in HOOK.with_tables(INDEX)


@for_each("name", BUILT_IN)
def test_options_are_on_the_page_only_from_the_class(name: str) -> None:
    page = page_of(name)
    assert "## Options" not in page
    built = HOOK.completed(page, name)
    table = dict(re.findall(r"^\| `(\w+)` \| (?:`.*`|required) \| (\S.*) \|$", built, re.MULTILINE))
    own = [option for option in options(load(BUILT_IN[name])) if option.name not in HOOK.COMMON]
    assert table.items() >= {option.name: option.meaning.replace("|", r"\|") for option in own}.items()
    assert built.index("## Reading the score") < built.index("## Options") < built.index("**Source.**")


def test_every_page_belongs_to_a_metric() -> None:
    assert {path.stem for path in DOCS.glob("*.md")} == {*BUILT_IN, "index"}


def test_the_index_names_every_preset() -> None:
    assert all(f"| `{preset}` |" in INDEX for preset in PRESETS)
