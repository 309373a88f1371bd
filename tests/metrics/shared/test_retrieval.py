"""The numbers are those of trec_eval: the rankings are those of its own documentation of measures, by hand."""

import math
import random
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import MRR, NDCG, AveragePrecision, HitRate, Precision, Recall, parse

RETRIEVED = ("a", "b", "c", "d", "e")
RELEVANT = {"b": 1, "d": 3, "x": 1}


def dcg(grades: list[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


@for_each(
    "metric, score",
    [
        (Precision(k=2), 1 / 2),
        (Precision(k=10), 2 / 10),
        (Precision(), 2 / 5),
        (Recall(k=2), 1 / 3),
        (Recall(), 2 / 3),
        (HitRate(k=1), 0.0),
        (HitRate(k=2), 1.0),
        (HitRate(), 1.0),
        (MRR(), 1 / 2),
        (MRR(k=1), 0.0),
        (AveragePrecision(), (1 / 2 + 2 / 4) / 3),
        (AveragePrecision(k=3), (1 / 2) / 3),
        (NDCG(), dcg([0, 1, 0, 3]) / dcg([3, 1, 1])),
        (NDCG(k=2), dcg([0, 1]) / dcg([3, 1])),
    ],
)
def test_ranking_metrics_match_hand_calculated_scores(metric: Any, score: float) -> None:
    assert metric.score(RETRIEVED, RELEVANT).value == pytest.approx(score)


def test_ranking_metrics_match_trec_eval(tmp_path: Path) -> None:
    seeded = random.Random(7)
    documents = [f"d{number}" for number in range(60)]
    qrels = {f"q{n}": {d: seeded.choice([0, 1, 2]) for d in seeded.sample(documents, 12)} for n in range(50)}
    runs = {query: seeded.sample(documents, 30) for query in qrels}
    qrels_file, run_file = tmp_path / "topics.qrels", tmp_path / "system.run"
    qrels_file.write_text(
        "".join(f"{q} 0 {d} {grade}\n" for q, grades in qrels.items() for d, grade in grades.items())
    )
    run_file.write_text(
        "".join(f"{q} Q0 {d} {rank} {-rank} us\n" for q, run in runs.items() for rank, d in enumerate(run))
    )
    with qrels_file.open() as judged, run_file.open() as retrieved:
        relevant, scored = pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(retrieved)
    assert relevant == qrels
    names = {
        "P_10": Precision(k=10),
        "recall_10": Recall(k=10),
        "success_10": HitRate(k=10),
        "recip_rank": MRR(),
    }
    names |= {
        "map": AveragePrecision(),
        "map_cut_10": AveragePrecision(k=10),
        "ndcg": NDCG(),
        "ndcg_cut_10": NDCG(k=10),
    }
    wanted = {"P.10", "recall.10", "success.10", "recip_rank", "map", "map_cut.10", "ndcg", "ndcg_cut.10"}
    theirs = pytrec_eval.RelevanceEvaluator(relevant, wanted).evaluate(scored)
    for query, scores in scored.items():
        ranking = sorted(scores, key=lambda d: -scores[d])
        for name, metric in names.items():
            assert metric.score(ranking, relevant[query]).value == pytest.approx(
                theirs[query][name], abs=1e-12
            )


def test_an_id_that_comes_again_counts_once() -> None:
    assert Precision(k=2).score(["b", "b", "d"], RELEVANT).value == 1.0
    assert Recall().score(["b", "b"], RELEVANT).value == pytest.approx(1 / 3)


@for_each("relevant", [{"a": 0}, {}])
def test_topic_without_a_relevant_document_scores_zero_as_in_trec_eval(relevant: dict[str, int]) -> None:
    measures = {"map", "ndcg", "recip_rank", "set_recall", "set_P"}
    theirs = pytrec_eval.RelevanceEvaluator({"q": {"a": 0}}, measures).evaluate({"q": {"a": 2.0, "b": 1.0}})
    assert set(theirs["q"].values()) == {0.0}
    for metric in (MRR(), NDCG(), AveragePrecision(), HitRate(), Precision(), Recall()):
        score = metric.score(RETRIEVED, relevant)
        assert (score.value, "as in trec_eval" in score.reason) == (0.0, True)


def test_no_retrieved_ids_score_zero() -> None:
    case = TestCase(input="q", retrieved_ids=[], relevant_ids={"a": 1})
    result = NDCG(k=10).measure(case, ScriptedJudge())
    assert (result.score, result.metric, result.usage.calls) == (0.0, "NDCG@10", 0)
    with pytest.raises(MissingField, match="retrieved_ids"):
        NDCG().measure(TestCase(input="q", relevant_ids={"a": 1}), ScriptedJudge())


def test_spec_with_at_k_is_parsed() -> None:
    assert parse("ndcg@10") == NDCG(k=10)
    assert parse("hit-rate@3(threshold=1.0)") == HitRate(k=3, threshold=1.0)
    assert parse(repr(parse("mrr@5"))) == MRR(k=5)
    for wrong in ("ndcg@", "ndcg@ten", "ndcg@0", "faithfulness@3"):
        with pytest.raises(BadOption):
            parse(wrong)
