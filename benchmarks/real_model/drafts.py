"""A test set drafted by the model: every candidate is kept or rejected with a reason, and drafts resume.

The quality of the questions is not assessed: a model of this size writes hardly any that pass the checks.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from benchmarks.llama import WITHOUT_REPETITION, LlamaServer
from benchmarks.real_model.figures import judge
from ragstone.drafts import DraftSet, draft
from ragstone.drafts.checks.outcome import RULES, TAGGED, CheckedCandidate
from ragstone.drafts.checks.run_checks import run_checks
from ragstone.drafts.corpus.index import CorpusIndex
from ragstone.drafts.judged.asker import DraftAsker, DraftOptions
from ragstone.drafts.judged.checks import DraftJudge
from ragstone.drafts.questions import write_by_rules
from ragstone.drafts.reading.documents import read_documents
from ragstone.options import Pace

DOCUMENTS = (
    {
        "id": "lamps-1",
        "document": "lamps.md",
        "text": "The price of Zenith 3 is 490 euros. Zenith 3 was launched in 2014. It is made of glass and brass.",
    },
    {
        "id": "shop-1",
        "document": "shop.md",
        "text": "The shop opens at nine on every day of the week but Sunday. A voucher takes ten euros off one order.",
    },
    {
        "id": "post-1",
        "document": "post.md",
        "text": "A parcel to France takes three days. The parcels of Zenith 3 weigh 12 kg and are sent by train.",
    },
)
MOST_TRIED = 3
"""Candidates for each requested question."""


def run(options: argparse.Namespace) -> bool:
    """Draft a few questions twice with one journal: the second time makes no calls. Check one that rules wrote."""
    with LlamaServer(WITHOUT_REPETITION) as server, tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "draft.jsonl.journal"
        first = _drafted(server, journal, min(options.rows, 4))
        second = _drafted(server, journal, min(options.rows, 4))
        checked = asyncio.run(_checked(server))
    print("  ".join(f"{one.check} {one.verdict}" for one in checked.outcomes))
    asked = {one.check for one in checked.outcomes if one.judge != RULES}
    return (
        {"round_trip", "closed_book"} <= asked
        and is_honest(first)
        and second.cases == first.cases
        and second.yields == first.yields
    )


def _drafted(server: LlamaServer, journal: Path, size: int) -> DraftSet:
    begin = time.monotonic()
    found = draft(
        DOCUMENTS,
        size=size,
        judge=judge(server),
        kinds=("single", "false_premise"),
        journal=journal,
        options=DraftOptions(pace=Pace(concurrency=2, timeout=300)),
    )
    table = found.yields
    print(
        f"{len(found.cases)} of {size} questions, {sum(table.tried.values())} tried, {sum(table.unwritten.values())} "
        f"not written, rejected {dict(table.rejected)}, {table.duplicates} duplicates, {table.calls} calls, "
        f"{time.monotonic() - begin:.0f} s"
    )
    for case in found.cases:
        print(f"  {case.input} {case.expected_output}")
    return found


async def _checked(server: LlamaServer) -> CheckedCandidate:
    """Let the model run every check on a sound question that rules wrote."""
    index = CorpusIndex(read_documents(DOCUMENTS), 0)
    asker = DraftAsker(judge(server), None)
    async with asker.opened(DraftOptions(pace=Pace(concurrency=2, timeout=300))):
        candidate = next(one for one in write_by_rules(index) if one.kind == "single")
        checks = DraftJudge(asker, index, frozenset())
        found = await run_checks(candidate, index, frozenset(), checks, thorough=True)
    print(f"{candidate.question}: {asker.usage.calls} calls")
    return found


def is_honest(found: DraftSet) -> bool:
    """Return whether every candidate is accounted for, and each kept one rests on quotes and has its verdicts."""
    table = found.yields
    tried, unwritten = sum(table.tried.values()), sum(table.unwritten.values())
    texts = {str(one["id"]): str(one["text"]) for one in DOCUMENTS}
    drafts = [case.metadata["draft"] for case in found.cases]
    verbatim = all(
        one["quote"] == texts[one["passage"]][one["start"] : one["end"]]
        for draft in drafts
        for one in draft["evidence"]
    )
    checked = all(
        one["verdict"] != "no"
        for draft in drafts
        for name, one in draft["checks"].items()
        if name not in TAGGED
    )
    accounted = tried - unwritten <= len(found.cases) + table.duplicates + sum(table.rejected.values())
    return verbatim and checked and accounted and tried <= MOST_TRIED * table.asked
