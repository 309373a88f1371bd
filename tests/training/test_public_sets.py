"""The public sets: how their texts are brought into the form in which people write them."""

import json
import random
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.testing.for_each import for_each
from training.public_sets import Inference, as_text, inference, nearest, untokenised

from training import public_sets

TABLE = {"title": ["Harrow Bridge"], "Opened": ["1902"], "Carries": ["two tracks", "a footpath"], "Toll": []}


@for_each(
    "cut, whole",
    [
        (
            "Westlife sold under 23.5 million records in the UK .",
            "Westlife sold under 23.5 million records in the UK.",
        ),
        ("`` 2 Hearts '' is Minogue 's song , is n't it ?", "\" 2 Hearts \" is Minogue's song, isn't it?"),
        ("Kylie -LRB- a singer -RRB- earned $ 5 .", "Kylie (a singer) earned $5."),
        ("9.8�million singles", "9.8 million singles"),
        ("It was 'hot' there .", "It was 'hot' there."),
    ],
)
def test_untokenised_joins_split_words_and_punctuation(cut: str, whole: str) -> None:
    assert untokenised(cut) == whole


def test_as_text_writes_all_table_values_in_four_forms() -> None:
    forms = {as_text(TABLE, random.Random(seed)) for seed in range(40)}
    assert len(forms) == 4
    for form in forms:
        assert all(value in form for value in ("Harrow Bridge", "Opened", "1902", "two tracks, a footpath"))
        assert "Toll" not in form


@for_each(
    "answer, reference",
    [("It is Mount Kilimanjaro.", "Mt Kilimanjaro"), ("Kibo, I think.", "Kibo"), ("No idea.", "Uhuru Peak")],
)
def test_nearest_reference_shares_most_words_with_the_answer(answer: str, reference: str) -> None:
    assert nearest(answer, ["Uhuru Peak", "Mt Kilimanjaro", "Kibo"]) == reference


def each(pattern: str, parts: Iterable[str], text: str) -> dict[str, str]:
    return {pattern.format(part): text for part in parts}


PAIR = (
    json.dumps({"sentence1": "A man eats.", "sentence2": "A man sleeps.", "gold_label": "contradiction"})
    + "\n"
)
ASKED = 'For the statement, ""Cats purr."", does the hypothesis ""Dogs bark."" represent entailment, or what?'
SENTENCES = json.dumps([{"sentence": "sentence 1: Up.\nsentence 2: Down.", "label": "contradiction"}])
FOLIO = {"premises": ["All a are b.", "c is a."], "conclusion": "c is b.", "label": "True"}
FOOL = {"label": "REFUTES", "text": "It was low.", "gold_evidence": [{"text": "It is high."}]}
VITAMIN = {"label": "NOT ENOUGH INFO", "evidence": "It sold .", "claim": "It was sold ."}
FILES = {
    **each("e-SNLI/dataset/eSNLI/{}", ("s1.dev", "s2.dev", "s1.test", "s2.test"), "x\n"),
    **each("e-SNLI/dataset/eSNLI/labels.{}", ("dev", "test"), "neutral\n"),
    "counterfactually-augmented-data/NLI/all_combined/train.tsv": "sentence1\tsentence2\tgold_label\np\th\tneutral\n",
    "ConjNLI/data/NLI/adversarial_train_15k.tsv": "Premise\tHypothesis\tLabel\np\th\tentailment\n",
    "Generative-NLI/data/mnli/cl_multinli_dev_matched_source_file": "It rains.|||It is wet.\n",
    "Generative-NLI/data/mnli/cl_multinli_dev_matched_lbl_file": "entailment\n",
    **each("Generative-NLI/data/mnli/cl_multinli_dev_mismatched_{}_file", ("source", "lbl"), "\n"),
    "Generative-NLI/data/fever/fever_val_source_file": "Bo -LRB- a king -RRB- died .|||Bo lives.\n",
    "Generative-NLI/data/fever/fever_val_lbl_file": "REFUTES\n",
    "DocNLI/Data/binary-FEVER-NLI/dev.txt": "not_entailment\tBo was king .\tBo was poor.\n",
    "DocNLI/Data/binary-FEVER-NLI/test.txt": "",
    "LLMsKnow/data/mnli_train.csv": f'Question,Answer\n"{ASKED}",neutral\n',
    "O-LoRA/CL_Benchmark/NLI/MNLI/train.json": SENTENCES,
    **each("CNLI-generalization/data/preprocessed/data/snlisub{}/train.jsonl", "12", PAIR),
    "cat/data/snli/train.csv": "3\t0\tA dog runs.\tAn animal moves.\n",
    "cat/data/snli/test.csv": "",
    **each(
        "negation-and-nli/data/new_benchmarks/clean_data/{}.txt",
        ("RTE", "MNLI", "SNLI"),
        "head\n1\tNot so.\tSo.\tnot_entailment\n",
    ),
    "FOLIO/data/v0.0/folio-train.jsonl": json.dumps(FOLIO) + "\n",
    "FOLIO/data/v0.0/folio-validation.jsonl": "",
    **each(
        "rte3-french/RTE3-FR-{}-3class.tsv",
        ("dev-set", "test-gold"),
        "premise\thypothesis\tlabel\nIl pleut.\tIl neige.\t2\n",
    ),
    **each(
        "infotabs/data/maindata/infotabs_{}.tsv",
        ("dev", "test_alpha1", "test_alpha2", "test_alpha3"),
        "table_id\thypothesis\tlabel\n",
    ),
    "infotabs/data/maindata/infotabs_train.tsv": "table_id\thypothesis\tlabel\nT1\tIt is old.\tE\n",
    "infotabs/data/tables/json/T1.json": json.dumps(TABLE),
    "fool-me-twice/dataset/dev.jsonl": json.dumps(FOOL) + "\n",
    "fool-me-twice/dataset/test.jsonl": "",
}
ARCHIVES = {
    "talschuster.github.io/static/vitaminc_real.zip": {"vitaminc_real/test.jsonl": json.dumps(VITAMIN)},
    "talschuster.github.io/static/vitaminc_synthetic.zip": {
        "vitaminc_synthetic/test.jsonl": json.dumps(VITAMIN)
    },
    "Breaking_NLI/breaking_nli_dataset.zip": {
        "data/dataset.jsonl": PAIR,
        "__MACOSX/dataset.jsonl": "not JSON",
    },
}


def test_inference_reads_each_set_from_its_own_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row of every set, in the files and columns that its repository has."""
    for name in (*FILES, *ARCHIVES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, members in ARCHIVES.items():
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for member, text in members.items():
                archive.writestr(member, text)
    monkeypatch.setattr(public_sets, "NLI", tmp_path)
    found = list(dict.fromkeys(inference()))
    opened = [row for row in found if row.source == "infotabs"]
    assert [(row.hypothesis, row.label) for row in opened] == [("It is old.", "entailment")]
    assert [row for row in found if row.source != "infotabs"] == [
        Inference("snli", "x", "x", "neutral"),
        Inference("counterfactual", "p", "h", "neutral"),
        Inference("conjunctions", "p", "h", "entailment"),
        Inference("mnli", "It rains.", "It is wet.", "entailment"),
        Inference("mnli", "Cats purr.", "Dogs bark.", "neutral"),
        Inference("mnli", "Up.", "Down.", "contradiction"),
        Inference("snli_train", "A man eats.", "A man sleeps.", "contradiction"),
        Inference("snli_train", "A dog runs.", "An animal moves.", "entailment"),
        Inference("breaking_nli", "A man eats.", "A man sleeps.", "contradiction"),
        Inference("fever", "Bo (a king) died.", "Bo lives.", "contradiction"),
        Inference("fever_documents", "Bo was king.", "Bo was poor.", "not_entailment"),
        Inference("negated", "Not so.", "So.", "not_entailment"),
        Inference("folio", "All a are b. c is a.", "c is b.", "entailment"),
        Inference("rte3_french", "Il pleut.", "Il neige.", "contradiction"),
        Inference("vitaminc_real", "It sold.", "It was sold.", "neutral"),
        Inference("vitaminc_synthetic", "It sold.", "It was sold.", "neutral"),
        Inference("fool_me_twice", "It is high.", "It was low.", "contradiction"),
    ]
