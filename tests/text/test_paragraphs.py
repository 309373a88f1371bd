"""The splitter on hand-made paragraphs in fifteen languages (`paragraphs/README.md` describes the files)."""

from collections.abc import Iterator
from pathlib import Path

from tests.testing.for_each import for_each

from ragstone.text.sentences import sentences

FOLDER = Path(__file__).with_name("paragraphs")
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.txt"))
UNSEPARATED = {"zh", "ja"}
MIN_SENTENCES = 400
KNOWN_ERRORS = {
    "Their paper appeared in J. Exp.",  # an abbreviated title of a journal
    "Bot. in 2017.",
    "誰も答えなかった……それから二人は帰った。",  # an ellipsis may also stand within a sentence
    "没有人回答……后来他们走了。",
}


def paragraphs(language: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each paragraph of a file with its expected sentences."""
    separator = "" if language in UNSEPARATED else " "
    for block in (FOLDER / f"{language}.txt").read_text("utf-8").strip().split("\n\n"):
        text, expected = "", list[str]()
        for line in block.split("\n"):
            sentence = line.removeprefix("%").rstrip("⏎").replace("↵", "\n")
            if not line.startswith("%"):
                expected.append(sentence)
            text += sentence + ("\n" * line.count("⏎") or separator)
        yield text.rstrip(), expected


@for_each("language", LANGUAGES)
def test_paragraph_is_split_as_a_reader_splits_it(language: str) -> None:
    for text, expected in paragraphs(language):
        pieces = (text[start:end] for start, end in sentences(text))
        found = [piece for piece in pieces if any(map(str.isalnum, piece))]
        if not KNOWN_ERRORS.intersection(found):
            assert found == expected


def test_paragraphs_hold_enough_sentences_and_all_known_errors() -> None:
    expected = [one for language in LANGUAGES for _, found in paragraphs(language) for one in found]
    assert len(expected) >= MIN_SENTENCES
    assert not KNOWN_ERRORS.intersection(expected)
