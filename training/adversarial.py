"""Sentences of the evidence with one edit: detection rate, and rate of false alarms on unchanged copies.

    python -m training.adversarial       prints found / false alarms over 200 pairs an edit, then time against
    size

The sentences come from contexts of the test split, on which nothing was trained and which nobody inspected.
"""

import random
import time
from collections.abc import Iterator

from ragstone.judges.local.support import Support, support
from ragstone.judges.local.text.tokens import tokens
from ragstone.sentences import sentences
from training.labelled_data import TRAINED, Row, support_rows
from training.synthesise import Edit, name, negation, number, opposite

COUNT = 200
EDITS: dict[str, Edit] = {
    "number changed": number, "name swapped": name, '"not" added': negation, "opposite put": opposite,
}  # fmt: skip
_BEFORE = {"number changed": 0.985, "name swapped": 0.870, '"not" added': 0.955, "opposite put": 0.910}
"""Shares found by the judge that used words alone."""


def changed(edit: Edit, rows: list[Row], seed: int = 99) -> Iterator[tuple[str, str, str]]:
    """Yield (passage, sentence, edited sentence), one per context."""
    rng = random.Random(seed)
    for row in rng.sample(rows, len(rows)):
        passage = row.passages[0]
        spans = [(a, b) for a, b in sentences(passage) if 40 <= b - a <= 300]
        rng.shuffle(spans)
        for start, end in spans[:3]:
            text = passage[start:end]
            tokened = [token for sentence in tokens(text, [(0, len(text))]) for token in sentence]
            if edit is negation and any(token.norm in {"not", "never"} for token in tokened):
                continue
            if (made := edit(text, tokened, passage, rng)) and made != text:
                yield passage, text, made
                break


def verdicts(edit: Edit, rows: list[Row]) -> list[tuple[Support, Support, str, str]]:
    """Judge the first 200 pairs of an edit: the verdicts on the copy and on the edited sentence."""
    found: list[tuple[Support, Support, str, str]] = []
    for passage, text, made in changed(edit, rows):
        same, other = support([text, made], [passage])
        found.append((same, other, text, made))
        if len(found) == COUNT:
            break
    return found


def unseen() -> list[Row]:
    """Return one row for each context of the test split."""
    contexts = {row.group: row for set_name in TRAINED for row in support_rows(set_name) if row.test}
    return [contexts[group] for group in sorted(contexts)]


def lines() -> Iterator[str]:
    """Yield the share of edits of each kind that is found, with that of the judge that used words alone."""
    rows = unseen()
    for label, edit in EDITS.items():
        pairs = verdicts(edit, rows)
        found = sum(other.verdict != "yes" for _, other, _, _ in pairs)
        denied = sum(other.verdict == "no" for _, other, _, _ in pairs)
        alarms = sum(same.verdict != "yes" for same, _, _, _ in pairs)
        yield (
            f"{label:16} {len(pairs)} pairs: found {_BEFORE[label]:.1%} -> {found / len(pairs):.1%} "
            f"(as no {denied / len(pairs):.1%}), false alarms on copies {alarms / len(pairs):.1%}"
        )


def main() -> None:
    """Print both tables."""
    rows = unseen()
    for line in lines():
        print(line, flush=True)
    passage = "\n".join(row.passages[0] for row in rows)
    for size in (1_000, 10_000, 100_000, 1_000_000):
        began = time.process_time()
        support(["The company paid 3,800 dollars to Alice in 1999."] * 10, [passage[:size]])
        print(f"context of {size:9,} characters, 10 claims: {time.process_time() - began:.3f} s of CPU")
    for size in (10, 100, 1_000, 10_000):
        began = time.process_time()
        support(["The company paid 3,800 dollars to Alice in 1999."] * size, [passage[:2000]])
        print(f"{size:6,} claims, context of 2,000 characters: {time.process_time() - began:.3f} s of CPU")


if __name__ == "__main__":
    main()
