"""Candidates written by a judge: it selects sentences by number, then writes a question that they answer."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice, pairwise

from ragstone.drafts.candidate import KINDS, DraftCandidate, DraftSlot, EvidenceSpan, QuestionKind
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.judged.asker import DraftAsker
from ragstone.drafts.plan import sampling_order
from ragstone.drafts.questions import rule_slots
from ragstone.drafts.reading.markdown import list_items, prose, tables
from ragstone.drafts.words import names_in
from ragstone.errors import AccessRefused, JudgeError
from ragstone.prompts import DraftedQuestion, SelectDraftEvidence, WriteDraftQuestion

_ONE_PASSAGE_KINDS: tuple[QuestionKind, ...] = ("single", "false_premise", "unanswerable")
_TWO_PASSAGE_KINDS: tuple[QuestionKind, ...] = ("multi", "comparison", "follow_up")
_RULES_FIRST_KINDS: tuple[QuestionKind, ...] = ("unanswerable", "known_item")
"""Kinds for which candidates of the rules are tried first: strict rules confirm that no passage answers a question, and
search words need no judge."""

_MIN_NAME_PASSAGES, _MAX_NAME_PASSAGES = 2, 8
_MAX_PAIRS_PER_NAME = 2


def judge_slots(
    index: CorpusIndex, seed: int, withheld: frozenset[int]
) -> dict[QuestionKind, list[DraftSlot | DraftCandidate]]:
    """Return the slots of each kind in the plan's order; the kinds start at different passages or pairs.

    Unanswerable questions written by rules are tried before the judge's own, and only rules write questions about
    passages in `withheld`.
    """
    originals = [i for i, family in enumerate(index.families) if i == family and i not in withheld]
    ordered = sampling_order(originals, int, index, seed)
    by_kind: dict[QuestionKind, list[DraftSlot | DraftCandidate]] = {kind: [] for kind in KINDS}
    by_rules = rule_slots(index, seed, withheld)
    for kind in _RULES_FIRST_KINDS:
        by_kind[kind] += by_rules[kind]
    for number, kind in enumerate(_ONE_PASSAGE_KINDS):
        start = number * len(ordered) // len(_ONE_PASSAGE_KINDS)
        by_kind[kind] += [DraftSlot(kind, (i,)) for i in ordered[start:] + ordered[:start]]
    by_kind["table"] += [DraftSlot("table", (i,)) for i in ordered if _row_spans(index.passages[i].text)]
    pairs = sampling_order(_pairs(index, originals), lambda pair: pair[0], index, seed)
    for number, kind in enumerate(_TWO_PASSAGE_KINDS):
        by_kind[kind] += [DraftSlot(kind, pair) for pair in pairs[number :: len(_TWO_PASSAGE_KINDS)]]
    return by_kind


class QuestionWriter:
    """Writes candidates through a judge."""

    def __init__(self, asker: DraftAsker, index: CorpusIndex) -> None:
        self._asker, self._index = asker, index

    async def write(self, slot: DraftSlot) -> DraftCandidate | None:
        """Return the candidate that the judge writes; None if it finds no evidence, or fails."""
        try:
            return await self._write(slot)
        except AccessRefused:
            raise
        except JudgeError:
            return None

    async def _write(self, slot: DraftSlot) -> DraftCandidate | None:
        kind = slot.kind
        selected = [await self._select_evidence(passage, rows=kind == "table") for passage in slot.passages]
        if not all(selected):
            return None
        opening = None
        if kind == "follow_up":
            first = await self._write_question(selected.pop(0), "single", "")
            opening = first.question, first.answer
        evidence = [span for spans in selected for span in spans]
        written = await self._write_question(evidence, kind, " ".join(opening or ()))
        answer = "" if kind == "unanswerable" else written.answer
        language = self._index.languages[slot.passages[0]]
        return DraftCandidate(
            kind, written.question, answer, tuple(evidence), language, "judge", opening=opening
        )

    async def _select_evidence(self, passage: int, *, rows: bool) -> list[EvidenceSpan]:
        text = self._index.passages[passage].text
        spans = _row_spans(text) if rows else sorted({*prose(text), *list_items(text), *_row_spans(text)})
        if not spans:
            return []
        answer = await self._asker.ask(SelectDraftEvidence(sentences=tuple(text[a:b] for a, b in spans)))
        numbers = sorted(set(answer.sentences)) if answer.found == "yes" else []
        return [EvidenceSpan(passage, *spans[number - 1]) for number in numbers]

    async def _write_question(
        self, evidence: Sequence[EvidenceSpan], kind: QuestionKind, earlier: str
    ) -> DraftedQuestion:
        passages = self._index.passages
        headings = dict.fromkeys(" > ".join(passages[span.passage].headings) for span in evidence)
        quotes, above = tuple(span.quote(passages) for span in evidence), "\n".join(filter(None, headings))
        return await self._asker.ask(
            WriteDraftQuestion(passages=quotes, headings=above, earlier_turn=earlier, kind=kind)
        )


def _row_spans(text: str) -> list[tuple[int, int]]:
    return [span for table in tables(text) for span in table.spans]


def _pairs(index: CorpusIndex, originals: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of passages that share a rare name, at most two pairs for each name; near copies are left out."""
    named: defaultdict[str, list[int]] = defaultdict(list)
    for passage in originals:
        for name in sorted(names_in(index.passages[passage].text)):
            if _MIN_NAME_PASSAGES <= index.bm25.frequency(name) <= _MAX_NAME_PASSAGES:
                named[name].append(passage)
    pairs = (pair for passages in named.values() for pair in islice(pairwise(passages), _MAX_PAIRS_PER_NAME))
    return list(dict.fromkeys(pairs))
