"""Citations: whether the passages that a sentence cites support it, together and each alone, as defined by ALCE.

A sentence is supported where every claim in it is found in its cited passages together. A citation is sufficient
if its passage alone supports the sentence, and needed if all passages together support it and the others do not.
Judged by word features alone, as in `contradiction`, since a sentence with two citations joins parts of two passages.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import Support, support

_RANK = {"no": 0, "idk": 1, "yes": 2}


def cited_support(sentence: str, cited: Sequence[int], passages: Sequence[str]) -> Support | None:
    """Return the verdict on the weakest claim of a sentence by its cited passages; None where it claims nothing.

    Args:
        sentence: the sentence without its markers.
        cited: the numbers of the passages that it cites, from 1.
        passages: all passages.
    """
    claim_texts = [claim.text for claim in claims(sentence)]
    if not claim_texts:
        return None
    if not cited:
        return Support("idk", 0.0, None, None, "it cites no passage")
    results = support(claim_texts, [passages[number - 1] for number in cited], by_words=True)
    weakest = min(results, key=lambda result: (_RANK[result.verdict], result.probability))
    return replace(weakest, passage=None if weakest.passage is None else cited[weakest.passage - 1])


def citation_use(
    sentence: str, cited: Sequence[int], passages: Sequence[str]
) -> tuple[Literal["yes", "no", "idk"], str]:
    """Return whether the first of the cited passages is sufficient (yes), needed (idk) or useless (no), and why."""

    def supported(numbers: Sequence[int]) -> bool:
        result = cited_support(sentence, numbers, passages)
        return result is not None and result.verdict == "yes"

    if supported(cited[:1]):
        return "yes", "the passage alone supports the sentence"
    if not supported(cited):
        return "no", "the cited passages do not support the whole sentence"
    if supported(cited[1:]):
        return "no", "the other cited passages support the sentence without it"
    return "idk", "only together with it do the cited passages support the sentence"
