"""Generated cases: a judge's answers, as plain data that every tool can read. Seeded: the cases never change."""

import random
from collections.abc import Iterator
from typing import Any

EACH = 15
WORDS = ("yes", "no", "borderline")
SENTENCES = (
    "The tower was built in 1889.",
    "It stands in Paris.",
    "It is made of iron.",
    "Gustave Eiffel's company built it.",
    "Seven million people visit it every year.",
)


def cases() -> list[dict[str, Any]]:
    """Return all cases, each with an id, a peer, a metric and the judge's answers."""
    makers = [maker for name, maker in sorted(globals().items()) if name.startswith(("ragas_", "deepeval_"))]
    found: list[dict[str, Any]] = []
    for maker in makers:
        peer, _, metric = maker.__name__.partition("_")
        seeded = random.Random(maker.__name__)
        for number in range(EACH):
            found.extend(
                {"id": f"{peer}.{metric}.{number}", "peer": peer, "metric": metric, **said}
                for said in maker(seeded, number)
            )
    return found


def bits(seeded: random.Random, least: int = 1, most: int = 7) -> list[int]:
    return [seeded.randint(0, 1) for _ in range(seeded.randint(least, most))]


def words(seeded: random.Random, least: int = 1, most: int = 7, known: tuple[str, ...] = WORDS) -> list[str]:
    return [seeded.choice(known) for _ in range(seeded.randint(least, most))]


def ragas_faithfulness(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    said = bits(seeded)
    yield {"claims": len(said) + (number % 5 == 0), "verdicts": said}  # every fifth judge drops a verdict


def ragas_context_precision(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"verdicts": bits(seeded)}


def ragas_context_recall(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"verdicts": bits(seeded)}


def ragas_answer_relevancy(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    low = -0.5 if number % 4 == 0 else 0.1
    yield {"cosines": [round(seeded.uniform(low, 1), 3) for _ in range(3)], "noncommittal": number % 7 == 3}


def ragas_answer_correctness(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"said": bits(seeded, 0), "wanted": bits(seeded, 0), "similarity": round(seeded.random(), 3)}


def ragas_factual_correctness(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    said, wanted = bits(seeded), bits(seeded)
    yield {"said": said, "wanted": wanted, "mode": ("precision", "recall", "f1")[number % 3]}


def ragas_noise_sensitivity(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    passages, said, wanted = seeded.randint(1, 4), seeded.randint(1, 6), seeded.randint(1, 4)
    yield {
        "mode": ("relevant", "irrelevant")[number % 2],
        "right": [seeded.randint(0, 1) for _ in range(said)],
        "said_by": [[seeded.randint(0, 1) for _ in range(passages)] for _ in range(said)],
        "wanted_by": [[seeded.randint(0, 1) for _ in range(passages)] for _ in range(wanted)],
    }


def ragas_context_entity_recall(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    names = ["Paris", "Eiffel", "1889", "France", "paris"]
    yield {"wanted": seeded.choices(names, k=seeded.randint(1, 5)), "found": seeded.sample(names, 3)}


def ragas_summarization_score(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    lengths = {"summary": seeded.randint(20, 200), "source": seeded.randint(100, 400)}
    yield {"verdicts": bits(seeded), "length_penalty": number % 3 != 0, **lengths}


def ragas_aspect_critique(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    strictness = (1, 3, 5)[number % 3]
    yield {"strictness": strictness, "votes": [seeded.randint(0, 1) for _ in range(strictness)]}


def ragas_answer_accuracy(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    ratings = [seeded.choice([0, 2, 4]) for _ in range(2)]
    suffix = ", no fault (0 errors)" if number % 3 == 0 else ""
    yield {"ratings": ratings, "texts": [f"{rating}{suffix}" for rating in ratings]}


def _texts(seeded: random.Random) -> dict[str, str]:
    actual = seeded.sample(SENTENCES, seeded.randint(1, 4))
    return {"actual": " ".join(actual), "expected": " ".join(seeded.sample(SENTENCES, len(actual)))}


def ragas_bleu(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield _texts(seeded)


def ragas_rouge(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield _texts(seeded)


def ragas_chrf(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield _texts(seeded)


def ragas_edit_similarity(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    yield {**_texts(seeded), "distance": ("levenshtein", "hamming", "jaro", "jaro_winkler")[number % 4]}


def ragas_string_presence(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    texts = _texts(seeded)
    yield {"actual": texts["actual"], "expected": seeded.choice(SENTENCES)}


def deepeval_answer_relevancy(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"verdicts": words(seeded, 0)}


def deepeval_faithfulness(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    said = words(seeded, 0)
    dropped = number % 5 == 0 and bool(said)
    yield {"claims": len(said) + 2 * dropped, "verdicts": said, "penalize": number % 2 == 1}


def deepeval_contextual_precision(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    said = words(seeded, known=("yes", "no"))
    yield {
        "passages": max(1, len(said) - (number % 5 == 0)),
        "verdicts": said,
    }  # every fifth judge adds a verdict


def deepeval_contextual_recall(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"verdicts": words(seeded, known=("yes", "no"))}


def deepeval_contextual_relevancy(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"verdicts": [words(seeded, 1, 4, ("yes", "no")) for _ in range(seeded.randint(1, 3))]}


def deepeval_hallucination(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"verdicts": words(seeded, known=("yes", "no"))}


def deepeval_bias(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    yield {"verdicts": words(seeded, 0, known=("yes", "no"))}


def deepeval_prompt_alignment(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    said = words(seeded, known=("yes", "no"))
    yield {"instructions": len(said) + (number % 5 == 0), "verdicts": said}


def deepeval_summarization(seeded: random.Random, _: int) -> Iterator[dict[str, Any]]:
    count = seeded.randint(1, 5)
    answers = [[seeded.choice(["yes", "no"]) for _ in range(count)] for _ in range(2)]
    yield {"verdicts": words(seeded, 0), "by_source": answers[0], "by_summary": answers[1]}


def deepeval_g_eval(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    yield {"score": seeded.choice([15, -2, 100]) if number % 5 == 0 else seeded.randint(0, 10)}


def deepeval_tool_correctness(seeded: random.Random, number: int) -> Iterator[dict[str, Any]]:
    def call() -> dict[str, Any]:
        parameters = dict.fromkeys(seeded.sample("ab", seeded.randint(1, 2)), 1)
        return {"name": seeded.choice(["search", "read"]), "input_parameters": parameters}

    expected = [call() for _ in range(seeded.randint(1, 4))]
    called = (
        seeded.sample(expected, len(expected))
        if number % 3 == 0
        else [call() for _ in range(seeded.randint(1, 4))]
    )
    yield {"expected": expected, "called": called, "mode": ("any", "any", "ordered", "exact")[number % 4]}
