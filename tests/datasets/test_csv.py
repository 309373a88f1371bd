from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, csv
from ragstone.errors import BadDataset

Read = Callable[[str, str | bytes], list[TestCase | BadRow]]


def problems(rows: list[TestCase | BadRow]) -> list[str]:
    return [str(row) for row in rows if isinstance(row, BadRow)]


def inputs(rows: list[TestCase | BadRow]) -> list[str]:
    return [row.input for row in rows if isinstance(row, TestCase)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("prefix", ["", "\ufeff", "sep={}\n", "\n"])
def test_separator_is_detected_from_the_header(read: Read, separator: str, prefix: str) -> None:
    lines = ["question,answer,note", '"a, b; c | d",yes,"1\t2"', "e,no,"]
    text = (
        lines[0].replace(",", separator)
        + "\n"
        + lines[1]
        .replace('",', f'"{separator}')
        .replace(",yes", f"{separator}yes")
        .replace('yes,"', f'yes{separator}"')
        + "\n"
        + lines[2].replace(",", separator)
    )
    rows = read("a.csv", prefix.format(separator) + text)
    assert problems(rows) == []
    assert inputs(rows) == ["a, b; c | d", "e"]
    assert isinstance(rows[0], TestCase)
    assert rows[0].metadata == {"note": "1\t2"}
    assert isinstance(rows[1], TestCase)
    assert rows[1].metadata == {}


def test_utf16_as_spreadsheets_write_it(read: Read) -> None:
    assert inputs(read("a.tsv", "question\tanswer\r\nwhät\tyes\r\n".encode("utf-16"))) == ["whät"]


def test_a_ragas_csv_as_pandas_writes_it(read: Read) -> None:
    text = (
        ",user_input,retrieved_contexts,response,reference,faithfulness\r\n"
        "0,q1,\"['it''s one', \"\"two's\"\", 'a\\nb']\",r1,g1,0.5\r\n".replace("''", "\\'")
        + "1,q2,\"['first passage'\n 'second, passage']\",r2,g2,\r\n"
    )
    rows = read("ragas.csv", text)
    assert problems(rows) == []
    first, second = rows
    assert isinstance(first, TestCase)
    assert first.retrieval_context == ("it's one", "two's", "a\nb")
    assert (first.input, first.actual_output, first.expected_output) == ("q1", "r1", "g1")
    assert first.metadata == {"column 1": "0", "faithfulness": "0.5"}
    assert isinstance(second, TestCase)
    assert second.retrieval_context == ("first passage", "second, passage")


def test_a_cell_without_brackets_is_one_passage_and_never_split(read: Read) -> None:
    (case,) = read("a.csv", 'input,retrieval_context,context\nq,"one | two\nthree; four",\n')
    assert isinstance(case, TestCase)
    assert case.retrieval_context == ("one | two\nthree; four",)
    assert case.context is None


def test_rows_of_the_wrong_width_and_broken_quotes_are_reported_by_line(read: Read) -> None:
    rows = read("a.csv", 'input,answer\n"two\nlines",x\na,b,c\n\nd\n"e"f,g\nh,i\n')
    assert inputs(rows) == ["two\nlines", "h"]
    wide, narrow, quotes = problems(rows)
    assert "a.csv, line 4: the row has 3 cells, but the header has 2." in wide
    assert "a.csv, line 6: the row has 1 cells" in narrow
    assert "a.csv, line 7: the quotes do not match: ',' expected after '\"'." in quotes


def test_a_quote_that_is_never_closed_is_reported_where_it_opens(read: Read) -> None:
    rows = read("a.csv", 'input,answer\na,b\nc,"d\ne,f\n')
    assert inputs(rows) == ["a"]
    assert "a.csv, line 3: the quotes do not match: unexpected end of data." in problems(rows)[0]


def test_invalid_list_cell_is_reported(read: Read) -> None:
    rows = read("a.csv", 'input,contexts\na,"[\'x\', oops]"\nb,"[""y""]"\n')
    assert inputs(rows) == ["b"]
    assert "a.csv, line 2: a list is expected, not \"['x', oops]\". Write it as JSON" in problems(rows)[0]


def test_a_cell_of_200_kilobytes(read: Read) -> None:
    (case,) = read("a.csv", f"input,answer\nq,{'long ' * 40_000}\n")
    assert isinstance(case, TestCase)
    assert len(case.text("actual_output")) == 200_000


@pytest.mark.parametrize("cell", [b"caf\xe9 \xc3\xa9", b"\xd6\xd0\xce\xc4", b"caf\x81", b"a\0b"])
def test_a_bad_byte_names_line_and_column(read: Read, cell: bytes) -> None:
    rows = read("a.csv", b"input,answer\nq," + cell + b"\nr,ok\n")
    assert inputs(rows) == ["r"]
    assert "a.csv, line 2, column 'answer': " in problems(rows)[0]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "foo,bar",
            "line 1: the header 'foo', 'bar' contains no field of a test case. Name the columns input",
        ),
        ("input,answer,input", "line 1: the header contains 'input' twice"),
    ],
)
def test_a_header_that_cannot_be_used(read: Read, header: str, message: str) -> None:
    with pytest.raises(BadDataset, match=message):
        read("a.csv", f"{header}\n1,2,3\n")


def test_a_header_without_rows(read: Read) -> None:
    with pytest.raises(BadDataset, match="contains no rows"):
        read("a.csv", "input,answer\n")


def test_a_header_of_many_columns_is_read_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are counted once, not once for each name: 200,000 columns are done at once."""
    asked: list[str] = []

    class Counted(Counter[str]):
        def update(self, *given: Any, **more: Any) -> None:
            asked.append("once")
            super().update(*given, **more)

    monkeypatch.setattr(csv, "Counter", Counted)
    names = csv._names("f.csv", ["input", *map(str, range(200_000))])
    assert (len(names), asked) == (200_001, ["once"])
    with pytest.raises(BadDataset, match="contains 'a' twice"):
        csv._names("f.csv", ["input", "a", "a"])


def test_empty_list_in_a_cell_is_an_empty_list(read: Read) -> None:
    header = "question,contexts,tools_called,tags,retrieved_ids,relevant_ids\n"
    (case,) = read("rows.csv", header + "When?,[],[],[],[ ],[]\n")
    assert isinstance(case, TestCase)
    assert (case.retrieval_context, case.tools_called, case.retrieved_ids) == ((), (), ())
    assert (case.tags, case.relevant_ids) == ((), {})
    (case,) = read("rows.csv", header + "When?,,,,,\n")
    assert isinstance(case, TestCase)
    assert (case.retrieval_context, case.tools_called, case.retrieved_ids) == (None, None, None)


def test_a_table_that_excel_wrote_in_windows_1252(read: Read) -> None:
    rows = read(
        "a.csv",
        "sep=;\nquestion;answer;note d'été\nQuand ?;Dès l'été, à 9 €;ok\nÀ midi ?;Non;ok\n".encode("cp1252"),
    )
    assert [(row.input, row.actual_output, row.metadata) for row in rows if isinstance(row, TestCase)] == [
        ("Quand ?", "Dès l'été, à 9 €", {"note d'été": "ok"}),
        ("À midi ?", "Non", {"note d'été": "ok"}),
    ]


DEEPEVAL = "input,actual_output,expected_output,retrieval_context,context"


@pytest.mark.parametrize(
    ("cell", "passages"),
    [
        ("The lamp is tall.|The quay is old.", ("The lamp is tall.", "The quay is old.")),
        ("Lamps|Quays", ("Lamps", "Quays")),
        ("The flag --a|b is off.", ("The flag --a|b is off.",)),
        ("| Lamp | Height |", ("| Lamp | Height |",)),
        ("one passage", ("one passage",)),
    ],
)
def test_passages_that_deepeval_joined_are_separated(
    read: Read, cell: str, passages: tuple[str, ...]
) -> None:
    (case,) = read("g.csv", f"{DEEPEVAL}\nWhy?,A.,B.,{cell},\n")
    assert isinstance(case, TestCase)
    assert case.retrieval_context == passages
    (case,) = read("g.csv", f"question,contexts\nWhy?,{cell}\n")
    assert isinstance(case, TestCase)
    assert case.retrieval_context == (cell,)


def test_file_that_deepeval_saved_is_always_separated(read: Read) -> None:
    (case,) = read("g.csv", f"{DEEPEVAL},custom_column_key_values\nWhy?,A.,B.,a|b,,\n")
    assert isinstance(case, TestCase)
    assert case.retrieval_context == ("a", "b")
