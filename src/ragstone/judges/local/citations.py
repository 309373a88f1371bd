"""Citations: whether the passages that a sentence cites support it, together and each alone, as defined by ALCE.

A sentence is supported where every claim in it is found in its cited passages together. A citation is sufficient
if its passage alone supports the sentence, and needed if all passages together support it and the others do not.
Where the judge cannot tell whether a passage supports the sentence, it cannot tell what the citation is worth.
"""

from collections.abc import Sequence
from dataclasses import replace

from ragstone.judges.local.statements import claims
from ragstone.judges.local.support import Support, support
from ragstone.verdict import VerdictValue

_RANK = {"no": 0, "idk": 1, "undecided": 2, "yes": 3}


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
    results = support(claim_texts, [passages[number - 1] for number in cited])
    weakest = min(results, key=lambda result: (_RANK[result.verdict], result.probability))
    return replace(weakest, passage=None if weakest.passage is None else cited[weakest.passage - 1])


def citation_use(sentence: str, cited: Sequence[int], passages: Sequence[str]) -> tuple[VerdictValue, str]:
    """Return whether the first of the cited passages is sufficient (yes), needed (idk) or useless (no), and why."""

    def verdict(numbers: Sequence[int]) -> VerdictValue:
        result = cited_support(sentence, numbers, passages)
        return "no" if result is None else result.verdict

    alone = verdict(cited[:1])
    if alone == "yes":
        return "yes", "the passage alone supports the sentence"
    together, others = verdict(cited), verdict(cited[1:])
    if together == "yes" and others == "yes" and alone != "undecided":
        return "no", "the other cited passages support the sentence without it"
    if "undecided" in (alone, together, others):
        return "undecided", "too close to call whether the cited passages support the sentence"
    if together != "yes":
        return "no", "the cited passages do not support the whole sentence"
    return "idk", "only together with it do the cited passages support the sentence"
