"""Training data of the encoder: labelled pairs of texts, from public sets and from this project's own.

    python -m training.pairs             writes build/training/pairs.jsonl and prints how many there are of each

Of the human-labelled sets that may train weights it reads ten contexts in sixteen and none of their test contexts;
nothing of those that are measured only. `training.public_sets` lists the public sets.
"""

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from ragstone.judges.local.matching.alignment import reading_window
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.features import measure_statement
from training.claims import HELD_OUT, Claim, claims
from training.judgements import judgements
from training.labelled_data import MEASURED, TRAINED, kept_from_encoder, read, support_rows
from training.paths import PAIRS, folder
from training.public_sets import inference, judged_answers, nearest, questions

LABELS = {"contradiction": 0, "neutral": 1, "entailment": 2, "not_entailment": 3, "no": 0, "idk": 1, "yes": 2}


CROSSED, REMOVED, CLAUSE = "crossed", "removed", "clause"
"""Kinds: texts that do not belong together, a claim without the passage that supports it, a clause of the context."""
_CLAUSES = 2
"""Sentences of a context that are read beside it."""
_PLAIN_SENTENCE = re.compile(r"""(?=[A-ZÄÖÜÉÈÀ])(?:[^\s|:"']+ ){5,27}[^\s|:"']+\.""").fullmatch
_CLAUSE = re.compile(r"(.{25,}?)[,;] (?:but|and|while|which|as|so|or) .{10,}\.$")
_ASIDE, _FILLER = (
    re.compile(r" \([^)]*\)"),
    re.compile(r"\b(?:also|still|already|usually|however|again|very|even) "),
)
_CONDITION = re.compile(r"(?:If|When|Unless|Only|Whoever|Anyone|While|As|Where|Wer|Wenn|Si|Quand|Cuando)\b")
_CROSSED_SHARES = {"claims": 0.05, "judgements": 0.4}
"""Share of the project's own pairs that are crossed, by their source."""
_CROSSED = 0.05
"""The same of the other sources."""
_REMOVED = 0.15
"""Share of the supported claims over several passages that are read without the one nearest to them, too."""
_LOOKED_AT = 12
_WHOLE = 400
"""Most characters of a premise that is used whole, instead of the part that the judge would read."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts with a label.

    Attributes:
        task: one of `training.mpnet.OUTPUTS`.
        source: the set it comes from.
        writer: who wrote it, in the project's own data; else empty.
        kind: the phenomenon, if known.
        question: the question that the first text answers, or empty.
        first: the text that is judged.
        second: what it is judged by.
        label: 0, 1 or 2 (contradicted, not mentioned, supported) for support, 3 if it is only known that it is
            not supported; 0 or 1 for other tasks.
    """

    task: str
    source: str
    writer: str
    kind: str
    question: str
    first: str
    second: str
    label: int


def public_pairs() -> Iterator[Pair]:
    """Yield the pairs of the public sets, without those that share a text with a set that is measured."""
    premises, hypotheses = _measured_texts()
    for row in dict.fromkeys(inference()):
        if row.label not in LABELS or _plain(row.premise) in premises or _plain(row.hypothesis) in hypotheses:
            continue
        label = LABELS[row.label]
        if len(row.premise) <= _WHOLE:
            yield Pair("support", row.source, "", "", "", row.hypothesis, row.premise, label)
        else:
            yield from _beside(
                row.hypothesis, [row.premise], Pair("support", row.source, "", "", "", "", "", label)
            )
    asked = {_plain(row["question"]) for row in read("openqa_nq301")}
    for answer in judged_answers():
        if _plain(answer.question) not in asked:
            reference = nearest(answer.answer, answer.references)
            yield Pair(
                "correctness",
                answer.source,
                "",
                "",
                answer.question,
                reference,
                answer.answer,
                int(answer.right),
            )
    for question, sentence, fits in questions():
        yield Pair("usefulness", "qnli", "", "", "", question, sentence, int(fits))


def _measured_texts() -> tuple[set[str], set[str]]:
    rows = [row for name in (*TRAINED, *MEASURED) for row in support_rows(name)]
    return {_plain(" ".join(row.passages)) for row in rows}, {_plain(row.text) for row in rows}


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def claim_pairs() -> Iterator[Pair]:
    """Yield the project's own claims, each with the part of its context that the judge would read."""
    for claim in claims():
        yield from _beside(claim.text, claim.passages, _of_claim(claim, claim.kind, LABELS[claim.label]))


def removed_pairs(seed: int = 0) -> Iterator[Pair]:
    """Yield supported claims without the passage nearest to them, labelled not mentioned, which is usually true."""
    rng = random.Random(seed)
    for claim in claims():
        if claim.label == "yes" and len(claim.passages) > 1 and rng.random() < _REMOVED:
            nearest = max(claim.passages, key=lambda passage: _shared(claim.text, passage))
            others = [passage for passage in claim.passages if passage is not nearest]
            yield from _beside(claim.text, others, _of_claim(claim, REMOVED, LABELS["idk"]))


def clause_pairs(seed: int = 0) -> Iterator[Pair]:
    """Yield sentences of the contexts, labelled supported; some are cut to their first clause or lack an aside.

    Contradicted claims are often near copies: without these pairs, the encoder takes near copies for contradicted.
    """
    rng = random.Random(seed)
    for claim in {claim.passages: claim for claim in claims()}.values():
        sentences = [
            one for text in claim.passages for one in re.split(r"(?<=[.!?])\s+", text) if _PLAIN_SENTENCE(one)
        ]
        for sentence in rng.sample(sentences, min(_CLAUSES, len(sentences))):
            yield from _beside(
                _shortened(sentence, rng), claim.passages, _of_claim(claim, CLAUSE, LABELS["yes"])
            )


def _shortened(sentence: str, rng: random.Random) -> str:
    form, clause = rng.random(), _CLAUSE.match(sentence)
    if form < 1 / 2 and clause and not _CONDITION.match(sentence):
        return clause[1] + "."
    if form < 3 / 4:
        return _FILLER.sub("", _ASIDE.sub("", sentence), count=1)
    return sentence


def _of_claim(claim: Claim, kind: str, label: int) -> Pair:
    return Pair("support", "claims", claim.writer, kind, claim.question, "", "", label)


def _beside(text: str, passages: Sequence[str], pair: Pair) -> Iterator[Pair]:
    """Yield the pair with its texts set: a statement, and the part of its passages that the judge would read."""
    evidence = index_evidence(passages)
    found = measure_statement(text, evidence).alignments
    if found:
        yield replace(pair, first=text, second=reading_window(found[0], evidence))


def human_pairs() -> Iterator[Pair]:
    """Yield rows of the human-labelled sets that may train weights, sentence by sentence: ten contexts in sixteen.

    A text of several sentences that is not fully supported is left out, as the unsupported sentence is not known.
    """
    for name in TRAINED:
        for row in support_rows(name):
            if row.test or kept_from_encoder(row.group):
                continue
            evidence = index_evidence(row.passages)
            found = measure_statement(row.text, evidence).alignments
            if len(found) == 1 or (found and row.label):
                label = 2 if row.label else 3 if row.contradicted is None else 1 - int(row.contradicted)
                for part in found:
                    text = (
                        row.text[part.tokens[0].start : part.tokens[-1].end] if len(found) > 1 else row.text
                    )
                    yield Pair("support", name, "", "human", "", text, reading_window(part, evidence), label)


def judgement_pairs() -> Iterator[Pair]:
    """Yield the project's own judgements of answers, passages and correctness."""
    for row in judgements():
        question, first = ("", row.question) if row.task != "correctness" else (row.question, row.expected)
        yield Pair(
            row.task, "judgements", row.writer, row.kind, question, first, row.text, int(row.label == "yes")
        )


def crossed(known: Sequence[Pair], seed: int = 0) -> Iterator[Pair]:
    """Yield pairs with the second text of another pair of their set, labelled not mentioned or no.

    Without them the encoder only sees texts on one subject, in which few shared words indicate a paraphrase,
    and takes claims about another subject for supported. Half of the project's own pairs get the text with the most
    words in common among `_LOOKED_AT`, the others a random one.
    """
    rng = random.Random(seed)
    groups: dict[tuple[str, str, bool], list[Pair]] = defaultdict(list)
    for pair in known:
        groups[pair.task, pair.source, pair.writer in HELD_OUT].append(pair)
    for (task, source, _), own in groups.items():
        for pair in own:
            if rng.random() >= _CROSSED_SHARES.get(source, _CROSSED):
                continue
            others = [one for one in rng.sample(own, min(_LOOKED_AT, len(own))) if _apart(pair, one)]
            if others:
                nearest = pair.writer and rng.random() < 1 / 2
                other = max(others, key=lambda one: _shared(pair.first, one.second)) if nearest else others[0]
                label = LABELS["idk"] if task == "support" else 0
                yield Pair(task, source, pair.writer, CROSSED, pair.question, pair.first, other.second, label)


def _apart(pair: Pair, other: Pair) -> bool:
    """Whether two pairs are of different contexts: claims of one context share their question."""
    return pair.second != other.second and pair.first != other.first and not (
        pair.question and pair.question == other.question
    )  # fmt: skip


def _shared(first: str, second: str) -> int:
    return len({*_plain(first).split()} & {*_plain(second).split()})


def pairs() -> Iterator[Pair]:
    """Yield every pair."""
    known = [*public_pairs(), *human_pairs(), *claim_pairs(), *judgement_pairs()]
    yield from known
    yield from crossed(known)
    yield from removed_pairs()
    yield from clause_pairs()


def load() -> list[Pair]:
    """Return the pairs that `python -m training.pairs` wrote."""
    with PAIRS.open(encoding="utf-8") as file:
        return [Pair(**json.loads(line)) for line in file]


def main() -> None:
    """Write all pairs and count them."""
    folder()
    counts: Counter[tuple[str, str]] = Counter()
    with PAIRS.open("w", encoding="utf-8") as file:
        for pair in pairs():
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            counts[pair.task, pair.source] += 1
    for (task, source), count in sorted(counts.items()):
        print(f"{task:12} {source:16} {count:6,}")


if __name__ == "__main__":
    main()
