"""The shipped claims: their form, and that nothing but their meaning tells the label."""

import re
from collections import Counter
from pathlib import Path

import pytest
from training.claims import Claim, claims, overlap, overlap_auroc, summary


@pytest.fixture(scope="module")
def shipped() -> list[Claim]:
    return list(claims())


def claim(text: str, *passages: str) -> Claim:
    return Claim("w-1", "w", "gym", "en", passages, "When?", text, "yes", "paraphrase")


def test_overlap_counts_content_words_alone() -> None:
    assert overlap(claim("The gym opens at seven.", "A gym opens early.")) == pytest.approx(2 / 3)
    assert overlap(claim("It is.", "A gym.")) == 0


def test_malformed_claim_line_is_reported_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "w.jsonl").write_text('{"id": "w-1", "context": "no list"}\n')
    with pytest.raises(ValueError, match=r"w\.jsonl:1"):
        list(claims(tmp_path))


def test_word_overlap_does_not_predict_the_claim_label(shipped: list[Claim]) -> None:
    assert 0.45 <= overlap_auroc(shipped) <= 0.55


def test_shipped_claims_are_unique_per_context(shipped: list[Claim]) -> None:
    counts = Counter((row.passages, row.text) for row in shipped)
    assert [key for key, count in counts.items() if count > 1] == []


def test_claim_labels_and_kinds_are_balanced(shipped: list[Claim]) -> None:
    labels = Counter(row.label for row in shipped)
    assert all(count >= 0.2 * len(shipped) for count in labels.values())
    assert max(Counter(row.kind for row in shipped).values()) <= 0.25 * len(shipped)


def test_negation_does_not_predict_the_label(shipped: list[Claim]) -> None:
    negation = re.compile(r"\b(?:not|no|never|without|none|nobody)\b|n't", re.IGNORECASE)
    english = [row for row in shipped if row.language == "en"]
    shares = {
        label: sum(bool(negation.search(row.text)) for row in english if row.label == label)
        / sum(row.label == label for row in english)
        for label in ("yes", "no", "idk")
    }
    assert max(shares.values()) - min(shares.values()) < 0.15


def test_each_language_has_at_least_two_percent_of_claims(shipped: list[Claim]) -> None:
    languages = Counter(row.language for row in shipped)
    assert all(languages[language] >= 0.02 * len(shipped) for language in ("de", "fr", "es"))


def test_the_summary_counts_every_claim(shipped: list[Claim]) -> None:
    assert next(summary(shipped)).startswith(f"{len(shipped)} claims over ")
