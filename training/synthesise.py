"""Synthetic pairs: sentences of the allowed contexts with edits that make them false, and harmless variants.

    python -m training.synthesise        writes build/training/synthetic.jsonl

Harmful edits change one number, insert another name of the same document, add or remove "not", replace a word by its
opposite, or append a clause of another document. Harmless variants keep the meaning: the sentence unchanged, a clause
removed at its end, numbers spelled out, contractions expanded, or two neighbouring sentences joined.
"""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from ragstone.judges.local.matching.alignment import is_content_word
from ragstone.text.lexicon import VERBS, is_negation
from ragstone.text.sentences import sentences
from ragstone.text.tokens import WordToken, tokens
from training.labelled_data import TRAINED, Row, support_rows
from training.paths import SYNTHETIC, folder

SEED = 20
SENTENCES_PER_CONTEXT = 4
_AUXILIARIES = frozenset(
    (
        "is",
        "are",
        "was",
        "were",
        "has",
        "had",
        "have",
        "will",
        "would",
        "can",
        "could",
        "may",
        "should",
        "does",
        "did",
    )
)
_NUMBER_WORDS = {
    str(value): word
    for value, word in enumerate(("zero", "one", "two", "three", "four", "five", "six", "seven"))
}
_CONTRACTIONS = {"isn't": "is not", "don't": "do not", "doesn't": "does not", "didn't": "did not", "wasn't": "was not",
           "aren't": "are not", "can't": "cannot", "it's": "it is", "won't": "will not"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """An edited sentence and the passage it was taken from.

    Attributes:
        passage: the evidence.
        text: the edited sentence.
        edit: which edit made it.
        label: 1 when it is still supported.
        contradicted: whether the passage speaks against it.
        source: the set of the passage.
        group: the hash of the passage.
    """

    passage: str
    text: str
    edit: str
    label: int
    contradicted: bool
    source: str
    group: str


Edit = Callable[[str, list[WordToken], str, random.Random], str | None]


def number(text: str, sentence_tokens: list[WordToken], _: str, rng: random.Random) -> str | None:
    """Change one number by a small or large amount, and keep its format."""
    candidates = [token for token in sentence_tokens if token.word.replace(",", "").isdigit()]
    if not candidates:
        return None
    token = rng.choice(candidates)
    value = int(token.word.replace(",", ""))
    step = rng.choice([1, 2, 3, 10, max(1, value // 10), max(2, value // 2)])
    changed = value + step if rng.random() < 0.5 or value <= step else value - step
    return _replaced(text, token, f"{changed:,}" if "," in token.word else str(changed))


def name(text: str, sentence_tokens: list[WordToken], passage: str, rng: random.Random) -> str | None:
    """Replace a name by another name of the same passage.

    A name is a word that is capitalised inside sentences and never occurs in lower case.
    """
    passage_tokens = [token for sentence in tokens(passage) for token in sentence]
    lowercase_norms = {token.norm for token in passage_tokens if not token.is_capitalised}
    sentence_norms = {token.norm for token in sentence_tokens}
    names = [token for token in sentence_tokens if _is_name(token, lowercase_norms)]
    other_names = sorted(
        {
            token.word
            for token in passage_tokens
            if _is_name(token, lowercase_norms) and token.norm not in sentence_norms
        }
    )
    return _replaced(text, rng.choice(names), rng.choice(other_names)) if names and other_names else None


def _is_name(token: WordToken, lowercase_norms: set[str]) -> bool:
    return (
        token.is_capitalised
        and not token.starts_sentence
        and is_content_word(token)
        and not token.is_number
        and len(token.word) > len("Al")
        and "'" not in token.norm
        and token.norm not in lowercase_norms
    )


def negation(text: str, sentence_tokens: list[WordToken], _: str, rng: random.Random) -> str | None:
    """Add "not" after an auxiliary, or remove an existing one."""
    negations = [token for token in sentence_tokens if token.norm in {"not", "never"}]
    if negations:
        token = negations[0]
        return text[: token.start].rstrip() + text[token.end :]
    candidates = [
        token for token in sentence_tokens[1:] if token.norm in _AUXILIARIES and not is_negation(token.norm)
    ]
    if not candidates:
        return None
    token = rng.choice(candidates[:2])
    return f"{text[: token.end]} not{text[token.end :]}"


def opposite(text: str, sentence_tokens: list[WordToken], _: str, rng: random.Random) -> str | None:
    """Replace a word by its opposite."""
    candidates = [token for token in sentence_tokens if token.norm in _OPPOSITES and not token.is_capitalised]
    if not candidates:
        return None
    token = rng.choice(candidates)
    return _replaced(text, token, rng.choice(_OPPOSITES[token.norm]))


def copy(text: str, _tokens: list[WordToken], _passage: str, _rng: random.Random) -> str | None:
    """Return the sentence unchanged."""
    return text


def spelled(text: str, sentence_tokens: list[WordToken], _: str, _rng: random.Random) -> str | None:
    """Spell out a small number, or expand a contraction."""
    for token in sentence_tokens:
        if token.word in _NUMBER_WORDS:
            return _replaced(text, token, _NUMBER_WORDS[token.word])
        if token.norm in _CONTRACTIONS:
            return _replaced(text, token, _CONTRACTIONS[token.norm])
    return None


def shortened(text: str, sentence_tokens: list[WordToken], _: str, _rng: random.Random) -> str | None:
    """Drop the text after the last comma if a finite clause precedes it."""
    head, comma, tail = text.rpartition(",")
    kept = [token for token in sentence_tokens if token.end <= len(head)]
    has_verb = any(token.norm in VERBS or token.norm.endswith("ed") for token in kept)
    continues = re.match(r"\s*(?:and|or|but|not|if|unless|except)\b", tail)
    return f"{head}." if comma and has_verb and not continues and len(kept) > 5 and "," not in head else None


HARMFUL: tuple[Edit, ...] = (number, name, negation, opposite)
HARMLESS: tuple[Edit, ...] = (copy, spelled, shortened)
_OPPOSITE_PAIRS = """
before/after after/before more/less less/more increased/decreased decreased/increased rose/fell fell/rose
won/lost lost/won high/low low/high higher/lower lower/higher first/last early/late late/early old/new new/old
largest/smallest smallest/largest accepted/rejected rejected/accepted good/bad bad/good up/down down/up
open/closed closed/open north/south south/north east/west west/east male/female female/male many/few few/many
always/never never/always best/worst worst/best alive/dead dead/alive increase/decrease decrease/increase
husband/wife wife/husband son/daughter daughter/son father/mother mother/father brother/sister sister/brother
large/small small/large long/short short/long strong/weak weak/strong major/minor minor/major true/false
inside/outside above/below below/above private/public public/private possible/impossible easy/difficult
all/some most/few all/few support/oppose supported/opposed approved/rejected positive/negative
married/divorced
"""
_OPPOSITES = {word: [other] for word, _, other in (pair.partition("/") for pair in _OPPOSITE_PAIRS.split())}


def pairs(rows: Sequence[Row], seed: int = SEED) -> Iterator[Pair]:
    """Yield the pairs made from the contexts of some rows, each context once."""
    rng = random.Random(seed)
    contexts = {row.group: row for row in rows}
    ordered = [contexts[group] for group in sorted(contexts)]
    for row in ordered:
        passage = row.passages[0]
        spans = [span for span in sentences(passage) if 40 <= span[1] - span[0] <= 300]
        for start, end in rng.sample(spans, min(SENTENCES_PER_CONTEXT, len(spans))):
            yield from _edited_pairs(row, passage[start:end], rng, ordered)


def _edited_pairs(row: Row, text: str, rng: random.Random, others: Sequence[Row]) -> Iterator[Pair]:
    passage = row.passages[0]
    sentence_tokens = [token for sentence in tokens(text, [(0, len(text))]) for token in sentence]
    edits = [(rng.choice(HARMLESS), 1), *((edit, 0) for edit in rng.sample(HARMFUL, 2))]
    for edit, label in edits:
        edited = edit(text, sentence_tokens, passage, rng)
        if edited and (edited != text or edit is copy):
            yield Pair(passage, edited, edit.__name__, label, label == 0, row.name, row.group)
    if rng.random() < 0.3:
        other_passage = rng.choice(others).passages[0]
        spans = [span for span in sentences(other_passage) if 40 <= span[1] - span[0] <= 200]
        if spans and other_passage != passage:
            start, end = rng.choice(spans)
            grafted = (
                f"{text.rstrip('.!?')}, and {other_passage[start:end]}"
                if rng.random() < 0.6
                else other_passage[start:end]
            )
            yield Pair(passage, grafted, "graft", 0, contradicted=False, source=row.name, group=row.group)


def _replaced(text: str, token: WordToken, word: str) -> str:
    return text[: token.start] + word + text[token.end :]


def main() -> None:
    """Write the pairs made from the training split of every allowed set."""
    folder()
    rows = [row for set_name in TRAINED for row in support_rows(set_name) if not row.test]
    edited = list(pairs(rows))
    with SYNTHETIC.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in edited)
    counts = {
        edit: sum(pair.edit == edit for pair in edited) for edit in sorted({pair.edit for pair in edited})
    }
    print(f"{len(edited)} pairs: {counts}")


if __name__ == "__main__":
    main()
