"""Training data of the encoder: labelled pairs of texts from public sets and from this project's own data.

    python -m training.pairs             writes build/training/pairs.jsonl and prints the count by task and source

Of the human-labelled sets that may train weights, ten contexts in sixteen are used, and no test contexts. Sets that are
measured only are not used. `training.public_sets` lists the public sets.
"""

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from ragstone.judges.local.matching.alignment import reading_window
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.measurement import analyse
from training.claims import HELD_OUT, Claim, claims
from training.judgements import judgements
from training.labelled_data import MEASURED, TRAINED, kept_from_encoder, read, support_rows
from training.paths import PAIRS, folder
from training.public_sets import inference, judged_answers, nearest, questions

LABELS = {"contradiction": 0, "neutral": 1, "entailment": 2, "not_entailment": 3, "no": 0, "idk": 1, "yes": 2}


CROSSED, REMOVED, CLAUSE = "crossed", "removed", "clause"
"""Kinds: texts of different contexts, a claim without the passage that supports it, a clause of the context."""
_SENTENCES_PER_CONTEXT = 2
"""Maximum number of sentences of a context that are paired with it."""
_PLAIN_SENTENCE = re.compile(r"""(?=[A-ZÄÖÜÉÈÀ])(?:[^\s|:"']+ ){5,27}[^\s|:"']+\.""").fullmatch
_FIRST_CLAUSE = re.compile(r"(.{25,}?)[,;] (?:but|and|while|which|as|so|or) .{10,}\.$")
_PARENTHESIS, _FILLER = (
    re.compile(r" \([^)]*\)"),
    re.compile(r"\b(?:also|still|already|usually|however|again|very|even) "),
)
_CONDITIONAL = re.compile(r"(?:If|When|Unless|Only|Whoever|Anyone|While|As|Where|Wer|Wenn|Si|Quand|Cuando)\b")
_CROSSED_SHARES = {"claims": 0.05, "judgements": 0.4}
"""Share of the project's own pairs that are crossed, by their source."""
_DEFAULT_CROSSED_SHARE = 0.05
"""Share of crossed pairs for all other sources."""
_REMOVED_SHARE = 0.15
"""Share of the supported claims with several passages for which `removed_pairs` yields a pair."""
_CROSSED_CANDIDATES = 12
_MAX_WHOLE_PREMISE = 400
"""Maximum characters of a premise that is used whole, not reduced to the part that the judge would read."""


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
    """Yield the pairs of the public sets, except pairs that share a text with a measured set."""
    premises, hypotheses = _measured_texts()
    for row in dict.fromkeys(inference()):
        if (
            row.label not in LABELS
            or _normalised(row.premise) in premises
            or _normalised(row.hypothesis) in hypotheses
        ):
            continue
        label = LABELS[row.label]
        if len(row.premise) <= _MAX_WHOLE_PREMISE:
            yield Pair("support", row.source, "", "", "", row.hypothesis, row.premise, label)
        else:
            yield from _with_evidence(
                row.hypothesis, [row.premise], Pair("support", row.source, "", "", "", "", "", label)
            )
    measured_questions = {_normalised(row["question"]) for row in read("openqa_nq301")}
    for answer in judged_answers():
        if _normalised(answer.question) not in measured_questions:
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
    for question, sentence, answered in questions():
        yield Pair("usefulness", "qnli", "", "", "", question, sentence, int(answered))


def _measured_texts() -> tuple[set[str], set[str]]:
    rows = [row for name in (*TRAINED, *MEASURED) for row in support_rows(name)]
    return {_normalised(" ".join(row.passages)) for row in rows}, {_normalised(row.text) for row in rows}


def _normalised(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def claim_pairs() -> Iterator[Pair]:
    """Yield the project's own claims, each with the part of its context that the judge would read."""
    for claim in claims():
        yield from _with_evidence(
            claim.text, claim.passages, _claim_template(claim, claim.kind, LABELS[claim.label])
        )


def removed_pairs(seed: int = 0) -> Iterator[Pair]:
    """Yield supported claims without the passage with the most words in common, labelled not mentioned.

    The label is usually true.
    """
    rng = random.Random(seed)
    for claim in claims():
        if claim.label == "yes" and len(claim.passages) > 1 and rng.random() < _REMOVED_SHARE:
            nearest_passage = max(claim.passages, key=lambda passage: _word_overlap(claim.text, passage))
            others = [passage for passage in claim.passages if passage is not nearest_passage]
            yield from _with_evidence(claim.text, others, _claim_template(claim, REMOVED, LABELS["idk"]))


def clause_pairs(seed: int = 0) -> Iterator[Pair]:
    """Yield sentences of the contexts, labelled supported. Some are cut to their first clause or lack a parenthesis.

    Contradicted claims are often near copies. Without these pairs, the encoder predicts contradicted for near copies.
    """
    rng = random.Random(seed)
    for claim in {claim.passages: claim for claim in claims()}.values():
        sentences = [
            part
            for text in claim.passages
            for part in re.split(r"(?<=[.!?])\s+", text)
            if _PLAIN_SENTENCE(part)
        ]
        for sentence in rng.sample(sentences, min(_SENTENCES_PER_CONTEXT, len(sentences))):
            yield from _with_evidence(
                _shortened(sentence, rng), claim.passages, _claim_template(claim, CLAUSE, LABELS["yes"])
            )


def _shortened(sentence: str, rng: random.Random) -> str:
    draw, match = rng.random(), _FIRST_CLAUSE.match(sentence)
    if draw < 1 / 2 and match and not _CONDITIONAL.match(sentence):
        return match[1] + "."
    if draw < 3 / 4:
        return _FILLER.sub("", _PARENTHESIS.sub("", sentence), count=1)
    return sentence


def _claim_template(claim: Claim, kind: str, label: int) -> Pair:
    return Pair("support", "claims", claim.writer, kind, claim.question, "", "", label)


def _with_evidence(text: str, passages: Sequence[str], template: Pair) -> Iterator[Pair]:
    """Yield the template with its texts: a statement, and the part of its passages that the judge would read."""
    evidence = index_evidence(passages)
    if analysed := analyse(text, evidence):
        yield replace(template, first=text, second=reading_window(analysed.alignments[0], evidence))


def human_pairs() -> Iterator[Pair]:
    """Yield rows of the human-labelled sets that may train weights, sentence by sentence: ten contexts in sixteen.

    A text of several sentences that is not fully supported is left out, as the unsupported sentence is not known.
    """
    for name in TRAINED:
        for row in support_rows(name):
            if row.test or kept_from_encoder(row.group):
                continue
            evidence = index_evidence(row.passages)
            analysed = analyse(row.text, evidence)
            alignments = analysed.alignments if analysed else ()
            if len(alignments) == 1 or (alignments and row.label):
                label = 2 if row.label else 3 if row.contradicted is None else 1 - int(row.contradicted)
                for alignment in alignments:
                    text = (
                        row.text[alignment.tokens[0].start : alignment.tokens[-1].end]
                        if len(alignments) > 1
                        else row.text
                    )
                    yield Pair(
                        "support", name, "", "human", "", text, reading_window(alignment, evidence), label
                    )


def judgement_pairs() -> Iterator[Pair]:
    """Yield the project's own judgements of answers, passages and correctness."""
    for row in judgements():
        question, first = ("", row.question) if row.task != "correctness" else (row.question, row.expected)
        yield Pair(
            row.task, "judgements", row.writer, row.kind, question, first, row.text, int(row.label == "yes")
        )


def crossed_pairs(labelled_pairs: Sequence[Pair], seed: int = 0) -> Iterator[Pair]:
    """Yield pairs with the second text of another pair of their set, labelled not mentioned or no.

    Without them, the encoder only sees pairs of texts on one subject, in which few shared words indicate a paraphrase.
    It then predicts supported for claims about another subject. Half of the project's own crossed pairs get the text
    with the most words in common among `_CROSSED_CANDIDATES`, the others a random one.
    """
    rng = random.Random(seed)
    groups: dict[tuple[str, str, bool], list[Pair]] = defaultdict(list)
    for pair in labelled_pairs:
        groups[pair.task, pair.source, pair.writer in HELD_OUT].append(pair)
    for (task, source, _), group in groups.items():
        for pair in group:
            if rng.random() >= _CROSSED_SHARES.get(source, _DEFAULT_CROSSED_SHARE):
                continue
            candidates = [
                candidate
                for candidate in rng.sample(group, min(_CROSSED_CANDIDATES, len(group)))
                if _different_contexts(pair, candidate)
            ]
            if candidates:
                use_nearest = pair.writer and rng.random() < 1 / 2
                other = (
                    max(candidates, key=lambda candidate: _word_overlap(pair.first, candidate.second))
                    if use_nearest
                    else candidates[0]
                )
                label = LABELS["idk"] if task == "support" else 0
                yield Pair(task, source, pair.writer, CROSSED, pair.question, pair.first, other.second, label)


def _different_contexts(pair: Pair, other: Pair) -> bool:
    """Whether two pairs have different contexts. Claims of one context share their question."""
    return pair.second != other.second and pair.first != other.first and not (
        pair.question and pair.question == other.question
    )  # fmt: skip


def _word_overlap(first: str, second: str) -> int:
    return len({*_normalised(first).split()} & {*_normalised(second).split()})


def pairs() -> Iterator[Pair]:
    """Yield every pair."""
    labelled_pairs = [*public_pairs(), *human_pairs(), *claim_pairs(), *judgement_pairs()]
    yield from labelled_pairs
    yield from crossed_pairs(labelled_pairs)
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
