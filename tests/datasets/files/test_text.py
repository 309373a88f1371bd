from tests.testing.for_each import for_each

from ragstone.datasets.files.text import find_text_problem


@for_each("text", ["", "plain", "ünïcode 🙂", "right\u200fto\u202eleft"])
def test_valid_text_has_no_problem(text: str) -> None:
    assert find_text_problem("f", "line 1", text) is None


def test_a_foreign_byte_is_named_with_its_place() -> None:
    text = b"caf\xe9".decode("utf-8", "surrogateescape")
    bad = find_text_problem("f.csv", "line 3", text)
    assert str(bad).startswith("f.csv, line 3: byte 0xe9 at character 4 is not UTF-8. Save the file as UTF-8")


def test_a_nul_byte_is_named_with_its_place() -> None:
    assert str(find_text_problem("f", "line 1", "ab\0")).startswith(
        "f, line 1: there is a NUL byte at character 3. Remove it"
    )
