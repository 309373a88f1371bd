"""The public sets that the encoder learns from: sentence pairs for natural language inference, and judged answers.

They are read from copies of these repositories in the folder RAGSTONE_NLI_DATA:

    e-SNLI               github.com/OanaMariaCamburu/e-SNLI: SNLI's dev and test parts (CC-BY-SA-4.0)
    NLI_datasets         github.com/felipessalvatore/NLI_datasets: QNLI's dev part, questions of SQuAD beside sentences
                         (CC-BY-SA-4.0)
    counterfactually-augmented-data     github.com/acmi-lab/counterfactually-augmented-data (Apache-2.0)
    ConjNLI              github.com/swarnaHub/ConjNLI: its adversarial pairs (MIT)
    talschuster.github.io    github.com/TalSchuster/talschuster.github.io: VitaminC's test parts, claims beside
                         sentences of Wikipedia before and after an edit (CC-BY-SA-3.0)
    infotabs             github.com/infotabs/infotabs: statements about tables of Wikipedia (Apache-2.0)
    fool-me-twice        github.com/google-research/fool-me-twice: claims made to mislead, dev and test (Apache-2.0)
    Generative-NLI       github.com/technion-cs-nlp/Generative-NLI: MultiNLI's dev parts, FEVER's claims beside their
                         evidence (OANC and others, CC-BY-SA-3.0)
    DocNLI               github.com/salesforce/DocNLI: FEVER's claims beside several sentences
                         (BSD-3-Clause, CC-BY-SA-3.0)
    CNLI-generalization, cat      github.com/nyu-mll/CNLI-generalization, github.com/academic-repository/cat: a tenth of
                         SNLI's training part (CC-BY-SA-4.0)
    LLMsKnow, O-LoRA     github.com/technion-cs-nlp/LLMsKnow, github.com/cmnfriend/O-LoRA: pieces of MultiNLI's training
                         part (OANC and others)
    negation-and-nli     github.com/mosharafhossain/negation-and-nli: pairs with a "not" put in (MIT)
    Breaking_NLI         github.com/BIU-NLP/Breaking_NLI: captions with one word exchanged (CC-BY-SA-4.0)
    FOLIO                github.com/Yale-LILY/FOLIO: conclusions from several sentences (CC-BY-SA-4.0)
    rte3-french          github.com/mskandalis/rte3-french: RTE-3 in French (BSD-2-Clause)
    QA-Eval              github.com/wangcunxiang/QA-Eval: EVOUNA, answers of five systems judged by people (Apache-2.0)
"""

import csv
import io
import json
import os
import random
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

NLI = Path(os.environ.get("RAGSTONE_NLI_DATA", "../shared/nli"))
_REPLACEMENTS = {"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")", "�": " "}


class Inference(NamedTuple):
    """A premise and a hypothesis.

    Attributes:
        source: the set.
        premise: the evidence.
        hypothesis: the statement judged by it.
        label: entailment, neutral or contradiction, or not_entailment if the set does not distinguish the last two;
            other values are rows without a gold label.
    """

    source: str
    premise: str
    hypothesis: str
    label: str


class JudgedAnswer(NamedTuple):
    """An answer that a person judged.

    Attributes:
        source: the set.
        question: what was asked.
        references: right answers.
        answer: what is judged.
        right: whether the person judged it correct.
    """

    source: str
    question: str
    references: tuple[str, ...]
    answer: str
    right: bool


def inference() -> Iterator[Inference]:
    """Yield every pair for inference, set by set."""
    yield from _sentence_pairs()
    yield from _parts_of_multi_nli()
    yield from _snli_and_breaking_nli()
    yield from _fever()
    yield from _negated()
    yield from _reasoning()
    yield from _vitamin_c()
    yield from _infotabs()
    yield from _fool_me_twice()


def _sentence_pairs() -> Iterator[Inference]:
    for part in ("dev", "test"):
        columns = [
            (NLI / "e-SNLI" / "dataset" / "eSNLI" / f"{name}.{part}").read_text("utf-8").splitlines()
            for name in ("s1", "s2", "labels")
        ]
        for premise, hypothesis, label in zip(*columns, strict=True):
            yield Inference("snli", premise, hypothesis, label)
    for row in _rows("counterfactually-augmented-data/NLI/all_combined/train.tsv", "\t"):
        yield Inference("counterfactual", row["sentence1"], row["sentence2"], row["gold_label"])
    for row in _rows("ConjNLI/data/NLI/adversarial_train_15k.tsv", "\t", csv.QUOTE_NONE):
        yield Inference("conjunctions", row["Premise"], row["Hypothesis"], row["Label"])


def _rows(path: str, delimiter: str, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL) -> Iterator[dict[str, str]]:
    with (NLI / path).open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file, delimiter=delimiter, quoting=quoting)


def _parts_of_multi_nli() -> Iterator[Inference]:
    for part in ("matched", "mismatched"):
        for premise, hypothesis, label in _generative_nli(f"mnli/cl_multinli_dev_{part}"):
            yield Inference("mnli", premise, hypothesis, label)
    prompt = re.compile(
        r'For the statement, "(.*)", does the hypothesis "(.*)" represent entailment, .*', re.DOTALL
    )
    for row in _rows("LLMsKnow/data/mnli_train.csv", ","):
        if match := prompt.fullmatch(row["Question"]):
            yield Inference("mnli", match[1], match[2], row["Answer"])
    path = NLI / "O-LoRA" / "CL_Benchmark" / "NLI" / "MNLI" / "train.json"
    for row in json.loads(path.read_text("utf-8")):
        premise, hypothesis = row["sentence"].split("\nsentence 2: ")
        yield Inference("mnli", premise.partition(": ")[2], hypothesis, row["label"])


def _generative_nli(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield premise, hypothesis and label of a part of Generative-NLI."""
    folder = NLI / "Generative-NLI" / "data"
    texts, labels = (
        (folder / f"{name}_{kind}_file").read_text("utf-8").split("\n") for kind in ("source", "lbl")
    )
    for text, label in zip(texts, labels, strict=True):
        premise, separator, hypothesis = text.partition("|||")
        if separator:
            yield premise, hypothesis, label.strip()


def _snli_and_breaking_nli() -> Iterator[Inference]:
    for path in sorted((NLI / "CNLI-generalization").glob("data/preprocessed/data/snlisub?/train.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").split("\n")[:-1]):
            yield Inference("snli_train", row["sentence1"], row["sentence2"], row["gold_label"])
    labels = {"1": "neutral", "2": "contradiction", "3": "entailment"}
    for part in ("train", "test"):
        for line in (NLI / "cat" / "data" / "snli" / f"{part}.csv").read_text("utf-8").split("\n"):
            fields = line.split("\t")
            if len(fields) == 4:
                yield Inference("snli_train", fields[2], fields[3], labels[fields[0]])
    with zipfile.ZipFile(NLI / "Breaking_NLI" / "breaking_nli_dataset.zip") as archive:
        for name in archive.namelist():
            if name.endswith(".jsonl") and "MACOSX" not in name:
                for row in map(json.loads, archive.read(name).decode("utf-8").splitlines()):
                    yield Inference("breaking_nli", row["sentence1"], row["sentence2"], row["gold_label"])


def _fever() -> Iterator[Inference]:
    for premise, hypothesis, label in _generative_nli("fever/fever_val"):
        yield Inference("fever", untokenised(premise), hypothesis, _VERDICTS[label])
    for part in ("dev", "test"):
        path = NLI / "DocNLI" / "Data" / "binary-FEVER-NLI" / f"{part}.txt"
        for line in path.read_text("utf-8").split("\n")[:-1]:
            label, premise, hypothesis = line.split("\t")
            yield Inference("fever_documents", untokenised(premise), hypothesis, label)


def _negated() -> Iterator[Inference]:
    for part in ("RTE", "MNLI", "SNLI"):
        path = NLI / "negation-and-nli" / "data" / "new_benchmarks" / "clean_data" / f"{part}.txt"
        for line in path.read_text("latin-1").split("\n")[1:]:
            fields = line.split("\t")
            if len(fields) > 3:
                yield Inference("negated", fields[1], fields[2], fields[3].strip())


def _reasoning() -> Iterator[Inference]:
    verdicts = {"True": "entailment", "False": "contradiction", "Unknown": "neutral", "Uncertain": "neutral"}
    for part in ("train", "validation"):
        path = NLI / "FOLIO" / "data" / "v0.0" / f"folio-{part}.jsonl"
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            yield Inference("folio", " ".join(row["premises"]), row["conclusion"], verdicts[row["label"]])
    labels = ("entailment", "neutral", "contradiction")
    for part in ("dev-set", "test-gold"):
        for row in _rows(f"rte3-french/RTE3-FR-{part}-3class.tsv", "\t"):
            yield Inference("rte3_french", row["premise"], row["hypothesis"], labels[int(row["label"])])


_VERDICTS = {"SUPPORTS": "entailment", "REFUTES": "contradiction", "NOT ENOUGH INFO": "neutral"}


def _vitamin_c() -> Iterator[Inference]:
    for part in ("real", "synthetic"):
        with zipfile.ZipFile(NLI / "talschuster.github.io" / "static" / f"vitaminc_{part}.zip") as archive:
            lines = io.TextIOWrapper(archive.open(f"vitaminc_{part}/test.jsonl"), "utf-8")
            for row in map(json.loads, lines):
                label = _VERDICTS[row["label"]]
                yield Inference(
                    f"vitaminc_{part}", untokenised(row["evidence"]), untokenised(row["claim"]), label
                )


def untokenised(text: str) -> str:
    """Return a tokenised text, with words and punctuation separated by blanks, in normal spelling."""
    for token, replacement in _REPLACEMENTS.items():
        text = text.replace(token, replacement)
    text = re.sub(r"\s+([.,;:!?%)\]]|n't\b|'(?:s|re|ve|ll|d|m)\b)", r"\1", text)
    return re.sub(r"([(\[$£€])\s+", r"\1", re.sub(r"\s+", " ", text)).strip()


def _infotabs(seed: int = 0) -> Iterator[Inference]:
    labels = {"E": "entailment", "N": "neutral", "C": "contradiction"}
    folder, rng = NLI / "infotabs" / "data", random.Random(seed)
    for part in ("train", "dev", "test_alpha1", "test_alpha2", "test_alpha3"):
        for row in _rows(f"infotabs/data/maindata/infotabs_{part}.tsv", "\t", csv.QUOTE_NONE):
            table = json.loads((folder / "tables" / "json" / f"{row['table_id']}.json").read_text("utf-8"))
            yield Inference("infotabs", as_text(table, rng), row["hypothesis"], labels.get(row["label"], ""))


def as_text(table: dict[str, Any], rng: random.Random) -> str:
    """Return a table of names and values as a passage, in one of four forms found in documents."""
    title = ", ".join(table.get("title", []))
    fields = [(name, ", ".join(values)) for name, values in table.items() if name != "title" and values]
    form = rng.randrange(4)
    if form == 0:
        return "\n".join([title, *(f"{name}: {value}" for name, value in fields)])
    if form == 1:
        return f"{title}. " + " ".join(f"{name}: {value}." for name, value in fields)
    if form == 2:
        return "\n".join([f"| {title} | |", *(f"| {name} | {value} |" for name, value in fields)])
    return " ".join(f"{name} of {title}: {value}." for name, value in fields)


def _fool_me_twice() -> Iterator[Inference]:
    for part in ("dev", "test"):
        for line in (NLI / "fool-me-twice" / "dataset" / f"{part}.jsonl").read_bytes().splitlines():
            row = json.loads(line)
            evidence = " ".join(sentence["text"] for sentence in row["gold_evidence"])
            yield Inference("fool_me_twice", evidence, row["text"], _VERDICTS.get(row["label"], ""))


def judged_answers() -> Iterator[JudgedAnswer]:
    """Yield EVOUNA's answers to natural questions and trivia questions that are proper, with people's judgements."""
    for part in ("NQ", "TQ"):
        for row in json.loads((NLI / "QA-Eval" / "EVOUNA" / f"{part}.json").read_text("utf-8")):
            for field in () if row["improper"] else [name for name in row if name.startswith("judge_")]:
                answer = row[field.replace("judge_", "answer_")]
                if answer and row[field] is not None:
                    references = tuple(filter(None, map(str.strip, row["golden_answer"].split("/"))))
                    yield JudgedAnswer("evouna", row["question"], references, answer, row[field])


def questions() -> Iterator[tuple[str, str, bool]]:
    """Yield QNLI's questions, each with a sentence and whether the sentence answers it."""
    for row in _rows("NLI_datasets/nli_datasets/qnli/dev.csv", ","):
        yield row["premise"], row["hypothesis"], row["label"] == "entailment"


def nearest(answer: str, references: Sequence[str]) -> str:
    """Return the reference that shares the largest part of its words with an answer."""
    answer_words = set(re.findall(r"\w+", answer.lower()))

    def share(reference: str) -> float:
        reference_words = set(re.findall(r"\w+", reference.lower()))
        return len(reference_words & answer_words) / max(1, len(reference_words))

    return max(references, key=share)
