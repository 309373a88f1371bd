from training.claims import HELD_OUT, Claim

from training import languages


def _claim(text: str, label: str, language: str, context: str) -> Claim:
    passage = {"en": "The bridge is 330 metres long.", "fr": "Le pont fait 330 mètres de long."}[language]
    return Claim(context, "w19", "bridges", language, (passage,), "How long?", text, label, "copy")  # pyright: ignore[reportArgumentType]


def test_each_language_has_a_row_of_its_own() -> None:
    rows = [
        _claim("The bridge is 330 metres long.", "yes", "en", "a"),
        _claim("The bridge is 450 metres long.", "no", "en", "a"),
        _claim("Le pont fait 330 mètres de long.", "yes", "fr", "b"),
        _claim("Le pont fait 450 mètres de long.", "no", "fr", "b"),
    ]
    found = [*languages.lines(rows)][2:]
    assert [line.split(" | ")[:3] for line in found] == [["| English", "2", "1"], ["| French", "2", "1"]]
    assert all("right 1.000 [1.000, 1.000]" in line for line in found)


def test_held_out_includes_left_out_writers_and_test_part() -> None:
    together = languages.held_out()
    part = languages.held_out(["w19"])
    assert {row.writer for row in part} == {"w19"}
    assert {row.writer for row in together} & set(HELD_OUT)
    assert {row.writer for row in together} - set(HELD_OUT)
    assert {row.language for row in together} == {"en", "de", "fr", "es"}


def test_an_unknown_writer_has_no_claims() -> None:
    assert languages.held_out(["nobody"]) == []
    assert len([*languages.lines([])]) == 2
