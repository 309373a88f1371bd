"""Detection rate on sentences of the evidence with one edit, and rate of false alarms on unchanged copies.

    python -m training.adversarial       prints both rates over 200 pairs for each edit, then time by size

The sentences come from contexts of the test split, on which nothing was trained and which nobody inspected.
"""

import random
import time
from collections.abc import Iterator

from ragstone.judges.local.judgement import Judgement
from ragstone.judges.local.support import support
from ragstone.text.sentences import sentences
from ragstone.text.tokens import tokens
from training.labelled_data import TRAINED, Row, support_rows
from training.synthesise import Edit, name, negation, number, opposite

PAIRS_PER_EDIT = 200
EDITS: dict[str, Edit] = {
    "number changed": number, "name swapped": name, '"not" added': negation, "opposite put": opposite,
}  # fmt: skip
_WORDS_ALONE = {"number changed": 0.985, "name swapped": 0.870, '"not" added': 0.955, "opposite put": 0.910}
"""Detection rates of the judge that used words alone."""


def edited_sentences(edit: Edit, rows: list[Row], seed: int = 99) -> Iterator[tuple[str, str, str]]:
    """Yield (passage, sentence, edited sentence), at most one per context."""
    rng = random.Random(seed)
    for row in rng.sample(rows, len(rows)):
        passage = row.passages[0]
        spans = [(a, b) for a, b in sentences(passage) if 40 <= b - a <= 300]
        rng.shuffle(spans)
        for start, end in spans[:3]:
            text = passage[start:end]
            sentence_tokens = [token for sentence in tokens(text, [(0, len(text))]) for token in sentence]
            if edit is negation and any(token.norm in {"not", "never"} for token in sentence_tokens):
                continue
            if (edited := edit(text, sentence_tokens, passage, rng)) and edited != text:
                yield passage, text, edited
                break


def verdicts(edit: Edit, rows: list[Row]) -> list[tuple[Judgement, Judgement, str, str]]:
    """Return verdicts and texts of the first 200 pairs of an edit: copy and edited sentence."""
    result: list[tuple[Judgement, Judgement, str, str]] = []
    for passage, text, edited in edited_sentences(edit, rows):
        copy_support, edited_support = support([text, edited], [passage])
        result.append((copy_support, edited_support, text, edited))
        if len(result) == PAIRS_PER_EDIT:
            break
    return result


def test_rows() -> list[Row]:
    """Return one row for each context of the test split."""
    contexts = {row.group: row for set_name in TRAINED for row in support_rows(set_name) if row.test}
    return [contexts[group] for group in sorted(contexts)]


def lines() -> Iterator[str]:
    """Yield the detection rate of each kind of edit, after that of the judge that used words alone."""
    rows = test_rows()
    for label, edit in EDITS.items():
        pairs = verdicts(edit, rows)
        detected = sum(edited.verdict != "yes" for _, edited, _, _ in pairs)
        contradicted = sum(edited.verdict == "no" for _, edited, _, _ in pairs)
        false_alarms = sum(copy.verdict != "yes" for copy, _, _, _ in pairs)
        yield (
            f"{label:16} {len(pairs)} pairs: found {_WORDS_ALONE[label]:.1%} -> {detected / len(pairs):.1%} "
            f"(as no {contradicted / len(pairs):.1%}), false alarms on copies {false_alarms / len(pairs):.1%}"
        )


def main() -> None:
    """Print both tables."""
    rows = test_rows()
    for line in lines():
        print(line, flush=True)
    passage = "\n".join(row.passages[0] for row in rows)
    for size in (1_000, 10_000, 100_000, 1_000_000):
        start = time.process_time()
        support(["The company paid 3,800 dollars to Alice in 1999."] * 10, [passage[:size]])
        print(f"context of {size:9,} characters, 10 claims: {time.process_time() - start:.3f} s of CPU")
    for size in (10, 100, 1_000, 10_000):
        start = time.process_time()
        support(["The company paid 3,800 dollars to Alice in 1999."] * size, [passage[:2000]])
        print(f"{size:6,} claims, context of 2,000 characters: {time.process_time() - start:.3f} s of CPU")


if __name__ == "__main__":
    main()
