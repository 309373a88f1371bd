"""Comparison of our scores with the peers': the same scripted judge, and a reason for each disagreement.

    benchmarks/peers/build.sh && python -m benchmarks.peers.differential

The exit code is 1 if a disagreement has no reason. A reason is a claim about the peer that is checked on the case:
the missing verdict is counted, the defect is reproduced with `compat`, the direction is reversed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.peers import ours
from benchmarks.peers.cases import cases
from ragstone.errors import NotApplicable, RagstoneError, UnreadableAnswer

Case = dict[str, Any]
Number = float | str
HERE = Path(__file__).parent
CLOSE = 1e-6


def peer_scores(root: Path, peer: str, said: list[Case]) -> dict[str, Number]:
    """Run the peer's own code on the cases, in its environment and in an empty folder.

    With -P, so that files beside the script that are named after a peer are not imported in its place.
    """
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(
            [root / peer / "bin" / "python", "-P", HERE / f"{peer}_scores.py"],
            input=json.dumps(said),
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": ""},
        )
    if ran.returncode:
        raise SystemExit(f"{peer} failed:\n{ran.stderr[-2000:]}")
    return json.loads(ran.stdout[ran.stdout.index("{") :])


def our_score(case: Case) -> Number:
    """Return our score, or the type of the error if there is none."""
    try:
        score = getattr(ours, f"{case['peer']}_{case['metric']}")(case)
    except RagstoneError as error:
        return type(error).__name__
    return "none" if score is None else float(score)


def same(one: Number, other: Number) -> bool:
    return isinstance(one, float) and isinstance(other, float) and abs(one - other) < CLOSE


def reproduced(case: Case, theirs: Number) -> bool:
    """Whether our score with the peer's defect enabled equals the peer's score."""
    function = getattr(ours, f"{case['peer']}_{case['metric']}")
    return same(float(function(case, compat=case["peer"])), theirs)


Reason = tuple[str, Callable[[Case, Number, Number], bool]]


def _few(case: Case, mine: Number, _: Number) -> bool:
    items = case.get("claims", case.get("passages", case.get("instructions")))
    return mine == UnreadableAnswer.__name__ and items != len(case["verdicts"])


def _entities(case: Case, mine: Number, theirs: Number) -> bool:
    names = case["wanted"]
    exact = len(set(names) & set(case["found"])) / len(names)
    plain = {name.casefold() for name in names}
    found = {name.casefold() for name in case["found"]}
    return same(theirs, exact) and same(mine, len(plain & found) / len(plain))


REASONS: dict[str, list[Reason]] = {
    "ragas.faithfulness": [("the judge dropped a verdict; the peer divides by those it returned", _few)],
    "ragas.answer_relevancy": [
        (
            "a negative cosine counts below 0; ours counts it 0, so that scores stay in [0, 1]",
            lambda case, *_: min(case["cosines"]) < 0,
        )
    ],
    "ragas.factual_correctness": [
        (
            "recall mixes the directions and two decimals are kept; compat='ragas' gives the peer's number",
            lambda case, _, theirs: reproduced(case, theirs),
        )
    ],
    "ragas.context_entity_recall": [
        ("an entity named twice, or in other capitals, counts as missing", _entities),
    ],
    "ragas.summarization_score": [
        (
            "without the length penalty the score is halved; compat='ragas' gives the peer's number",
            lambda case, _, theirs: not case["length_penalty"] and reproduced(case, theirs),
        )
    ],
    "ragas.aspect_critique": [
        (
            "one ask whatever the strictness: the first of several votes decides",
            lambda case, mine, theirs: (
                case["strictness"] > 1
                and same(theirs, float(case["votes"][0]))
                and same(mine, float(sum(case["votes"]) * 2 > len(case["votes"])))
            ),
        )
    ],
    "ragas.answer_accuracy": [
        (
            "the first digit found in the text is the rating: “4, no fault (0 errors)” is 0",
            lambda case, mine, _: "(0 errors)" in case["texts"][0] and same(mine, sum(case["ratings"]) / 8),
        )
    ],
    "ragas.bleu": [
        (
            "only the first sentence is scored; compat='ragas' gives the peer's number",
            lambda case, _, theirs: reproduced(case, theirs),
        )
    ],
    "deepeval.faithfulness": [("the judge dropped verdicts; the peer divides by those it returned", _few)],
    "deepeval.contextual_precision": [("more verdicts than passages; the peer scores them all", _few)],
    "deepeval.prompt_alignment": [
        ("the judge dropped a verdict; the peer divides by those it returned", _few)
    ],
    "deepeval.hallucination": [
        (
            "4.2 turned the score round (1 is good); ours is 4.1's and the name's: more is worse",
            lambda _, mine, theirs: same(1.0 - float(mine), theirs),
        )
    ],
    "deepeval.bias": [
        (
            "4.2 turned the score round (1 is good); ours is 4.1's and the name's: more is worse",
            lambda _, mine, theirs: same(1.0 - float(mine), theirs),
        )
    ],
    "deepeval.g_eval": [
        (
            "a rating outside 0 to 10 becomes a score outside 0 to 1; ours is unreadable",
            lambda case, mine, _: not 0 <= case["score"] <= 10 and mine == UnreadableAnswer.__name__,
        )
    ],
    "deepeval.summarization": [
        (
            "the source answers no question with yes: a share of nothing, which the peer calls 0",
            lambda case, mine, theirs: (
                mine == NotApplicable.__name__ and "yes" not in case["by_source"] and theirs == 0
            ),
        ),
        (
            "the summary makes no claim: nothing in it is false, which the peer calls 0",
            lambda case, _, theirs: not case["verdicts"] and theirs == 0,
        ),
    ],
    "deepeval.tool_correctness": [
        (
            "pairs are made greedily and equal calls count once; compat='deepeval' gives the peer's number",
            lambda case, mine, theirs: (
                case["mode"] == "any" and float(mine) > float(theirs) and reproduced(case, theirs)
            ),
        )
    ],
}


def reason_of(case: Case, mine: Number, theirs: Number) -> str | None:
    """Return the reason of a disagreement that holds for this case, None without one."""
    known = REASONS.get(f"{case['peer']}.{case['metric']}", [])
    return next((text for text, holds in known if holds(case, mine, theirs)), None)


def main() -> int:
    """Compare and print."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "ragstone-peers")
    said = cases()
    theirs = {
        peer: peer_scores(root, peer, [c for c in said if c["peer"] == peer])
        for peer in ("ragas", "deepeval")
    }
    agreed: Counter[str] = Counter()
    differing: dict[str, Counter[str]] = defaultdict(Counter)
    unexplained: list[str] = []
    for case in said:
        name, mine, other = (
            f"{case['peer']}.{case['metric']}",
            our_score(case),
            theirs[case["peer"]][case["id"]],
        )
        if same(mine, other):
            agreed[name] += 1
            continue
        reason = reason_of(case, mine, other)
        differing[name][reason or "NO REASON"] += 1
        if reason is None:
            unexplained.append(f"{case['id']}: ours {mine}, theirs {other}, {case}")
    for name in sorted({f"{case['peer']}.{case['metric']}" for case in said}):
        print(f"{name:32} {agreed[name]:3} equal")
        for reason, count in differing[name].items():
            print(f"{'':32} {count:3} differ: {reason}")
    total = sum(sum(counter.values()) for counter in differing.values())
    print(
        f"\n{len(said)} cases: {sum(agreed.values())} equal, {total} differ, {len(unexplained)} without a reason"
    )
    print("\n".join(unexplained))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
