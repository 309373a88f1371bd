"""The checks `supported` and `necessary` by rules: the words of the expected output in the quotes."""

import re

from ragstone.drafts.candidate import DraftCandidate
from ragstone.drafts.checks.outcome import CheckOutcome, passed
from ragstone.drafts.checks.statements import states
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.reading.markdown import plain_inline
from ragstone.drafts.words import content_set, names_in


def check_supported(candidate: DraftCandidate, index: CorpusIndex) -> CheckOutcome | None:
    """Check that the expected output is in the quotes; return None if only a judge can decide.

    The verdict is `no` if a number, name or code of the expected output is not in the quotes, the headings or the
    question, or if a value of the facts is missing. It is `yes` if the output is verbatim in the quotes, or if the
    values that it was built from are.
    """
    if candidate.kind == "unanswerable":
        return CheckOutcome("supported", "-")
    quotes = "\n".join(span.quote(index.passages) for span in candidate.evidence)
    headings = "\n".join("\n".join(index.passages[passage].headings) for passage in candidate.passages)
    allowed = content_set(f"{quotes}\n{headings}\n{candidate.question}")
    premise = content_set(candidate.question) if candidate.kind == "false_premise" else frozenset[str]()
    missing = names_in(candidate.answer) - allowed - premise
    if missing:
        return passed("supported", ok=False, why=f"not in the evidence: {', '.join(sorted(missing))}")
    plain = _normalized(plain_inline(quotes))
    if _normalized(candidate.answer) in plain:
        return passed("supported", ok=True)
    values = [fact.value for fact in candidate.facts]
    if not values:
        return None
    unstated = [value for value in values if not content_set(value) <= content_set(candidate.answer)]
    if unstated:
        return passed("supported", ok=False, why=f"the answer does not say {unstated[0]}")
    quoted = all(_normalized(value) in plain or content_set(value) <= content_set(quotes) for value in values)
    return passed("supported", ok=True) if quoted else None


def check_necessary(candidate: DraftCandidate, index: CorpusIndex) -> CheckOutcome | None:
    """Check that a question on several passages needs each of them; return None if only a judge can decide."""
    if len(candidate.passages) < 2 or candidate.kind not in ("multi", "comparison"):  # noqa: PLR2004
        return CheckOutcome("necessary", "-")
    if not candidate.facts:
        return None
    for fact in candidate.facts:
        for other in set(candidate.passages) - {fact.passage}:
            if states(index.passages[other], fact):
                return passed("necessary", ok=False, why=f"{index.passages[other].id} says it all")
    return passed("necessary", ok=True)


def _normalized(text: str) -> str:
    return re.sub(r"[\s`*|\\]+", " ", text).strip(" .").casefold()
