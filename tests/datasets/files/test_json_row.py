from tests.testing.for_each import for_each

from ragstone.datasets import BadRow
from ragstone.datasets.files.text import parse_row
from ragstone.datasets.rows.row import RawRow


def test_an_object_is_a_row() -> None:
    assert parse_row("f", "line 1", ' {"a": [1, null]}\n') == RawRow("line 1", {"a": [1, None]})


@for_each(
    "text, problem",
    [
        ('{"a": }', "this is not valid JSON: Expecting value at character 7, in '{\"a\": }'."),
        ("input,answer", "this is not valid JSON: Expecting value at character 1, in 'input,answer'."),
        ('["a"]', "a JSON object is expected, not '[\"a\"]'."),
        ("null", "a JSON object is expected, not 'null'."),
        ("9" * 5000, "this JSON cannot be read: Exceeds the limit"),
    ],
)
def test_line_that_is_not_a_json_object_is_a_bad_row(text: str, problem: str) -> None:
    bad = parse_row("f", "line 1", text)
    assert isinstance(bad, BadRow)
    assert bad.problem.startswith(problem)
