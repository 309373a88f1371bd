from collections import Counter
from dataclasses import replace

from ragstone.drafts import CoverageLine, DraftCoverage, DraftFigures, YieldTable
from ragstone.drafts.candidate import QuestionKind
from ragstone.drafts.checks.outcome import CheckName
from ragstone.show.document import Row, Section, StyledText, Table
from ragstone.show.drafts import document, sentences, tables
from ragstone.show.render.html import render

FIGURES = DraftFigures(
    written_by="openai:gpt-4o-mini",
    corpus="c" * 16,
    yields=YieldTable(
        asked=20,
        candidates=Counter[QuestionKind]({"single": 30}),
        tried=Counter[QuestionKind]({"single": 16}),
        kept=Counter[QuestionKind]({"single": 12}),
        rejected=Counter[CheckName]({"complete": 3}),
        duplicates=1,
        calls=80,
        cost=0.5,
        stopped="the budget is spent",
    ),
    coverage=DraftCoverage(
        (CoverageLine("a.md", 4, 9, 4), CoverageLine("<b>.md", 40, 0, 1)),
        (CoverageLine("lamps, light", 44, 9, 5),),
        {"1": 11, "2-5": 1, "6-20": 0, "below 20": 0, "not found": 0},
    ),
)


def test_sentences_state_coverage_difficulty_and_stop_reason() -> None:
    covered, difficulty, calls, stopped = sentences(FIGURES)
    assert covered.startswith(
        "Covered: 1 of 2 documents and 1 of 1 topic have a question; 11 % of the passages"
    )
    assert "first for 92 % (95 %: 65 % to 99 %) of 12 answerable questions" in difficulty
    assert difficulty.endswith("That is too easy to tell retrievers apart.")
    assert (calls, stopped) == ("80 calls of the judge, $0.50.", "Stopped: the budget is spent")
    facts = "".join(span.text for span in document(FIGURES, "d" * 16).facts[0])
    assert facts.startswith("12 of 20 questions · written by openai:gpt-4o-mini")


def rows(section: Section) -> tuple[Row, ...]:
    (table,) = section.blocks
    assert isinstance(table, Table)
    return table.rows


def test_tables_list_the_least_covered_document_first() -> None:
    _, ranks, kinds, checks, documents = tables(FIGURES)
    assert rows(documents)[0].cells == (
        (StyledText("<b>.md"),),
        (StyledText("0"),),
        (StyledText("1 of 40", "share", 1 / 40),),
    )
    assert [span.text for cell in rows(ranks)[0].cells for span in cell if isinstance(span, StyledText)] == [
        "1",
        "11",
    ]
    assert [
        [span.text for span in cell if isinstance(span, StyledText)] for cell in rows(kinds)[0].cells
    ] == [
        ["single"],
        ["30"],
        ["16"],
        ["0"],
        ["12"],
    ]
    assert ((StyledText("complete"),), (StyledText("3"),), (StyledText("0"),)) in [
        row.cells for row in rows(checks)
    ]


def test_a_long_corpus_is_cut_and_says_so() -> None:
    lines = tuple(CoverageLine(f"{place}.md", 1, 0, 0) for place in range(600))
    (table,) = tables(replace(FIGURES, coverage=replace(FIGURES.coverage, documents=lines)))[-1].blocks
    assert isinstance(table, Table)
    assert (len(table.rows), table.note) == (500, "and 100 others with at least as many questions")


def test_the_page_loads_nothing_and_escapes_names() -> None:
    page = render(document(FIGURES, "d" * 16))
    assert "default-src &#x27;none&#x27;" in page
    assert "&lt;b&gt;.md" in page
    assert "<b>.md" not in page
    assert "<script" not in page
    assert page.count("<section") == 5
    assert 'class="share s1">1 of 40<' in page
