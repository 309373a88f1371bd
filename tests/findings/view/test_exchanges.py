"""Recorded answers are shown as text, not as JSON within JSON."""

import json

from ragstone.findings.view.exchanges import readable_lines


def test_json_document_is_shown_as_indented_lines() -> None:
    document = {
        "verdicts": [{"reason": 'it says "3"', "verdict": "no"}, {"reason": None, "verdict": "yes"}],
        "n": 2,
    }
    assert list(readable_lines(json.dumps(document))) == [
        "verdicts:",
        '  - reason: it says "3"',
        "    verdict: no",
        "  - reason: null",
        "    verdict: yes",
        "n: 2",
    ]


def test_lists_of_texts_and_empty_ones() -> None:
    assert list(readable_lines('{"claims": ["one", "two"], "truths": []}')) == [
        "claims:",
        "  - one",
        "  - two",
        "truths: []",
    ]


def test_other_text_stays_as_it_is() -> None:
    assert list(readable_lines("I cannot say.\nSorry.")) == ["I cannot say.", "Sorry."]
