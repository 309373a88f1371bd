"""The comparison with others says nothing that it does not show."""

import re

from tests.docs._page import ROOT

PAGE = (ROOT / "docs" / "explanation" / "compared.md").read_text(encoding="utf-8")
FIGURES = (ROOT / "docs" / "explanation" / "performance.md").read_text(encoding="utf-8")
ROWS = [line.strip("|").split("|")[1:] for line in PAGE.splitlines() if line.startswith("| ")]
CELLS = [cell.strip() for row in ROWS[1:] for cell in row]


def test_every_table_cell_consists_of_links() -> None:
    said = [re.sub(r"\[[^\]]*\]\([^)]+\)", "", cell).strip("/ \N{EN DASH}") for cell in CELLS]
    assert len([cell for cell in CELLS if cell]) > 50
    assert [text for text in said if text] == []


def test_cited_figures_are_on_the_performance_page() -> None:
    cited = [match for cell in CELLS for match in re.findall(r"\[([^\]]+)\]\(performance\.md", cell)]
    numbers = [number for text in cited for number in re.findall(r"[\d,.]+", text)]
    assert len(numbers) >= 14
    assert [
        number for number in numbers if not re.search(rf"(?<![\d,.]){re.escape(number)}\b", FIGURES)
    ] == []


def test_every_note_is_cited_and_every_citation_has_its_note() -> None:
    assert set(re.findall(r"\(#([\w-]+)\)", PAGE)) - {"notes"} == set(re.findall(r'<a id="([\w-]+)">', PAGE))
