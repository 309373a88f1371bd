"""Human checks of causes: the cases to check, the file to fill in, and the corrected shares.

People check cases on the page of `ragstone serve`, which stores their answers as annotations, or in a CSV file with one
row for each case: the question, the answers and the passages, and an empty column `cause`. The judge's cause is not
shown, since people tend to agree with a verdict that they have seen.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from ragstone.errors import BadDataset, BadOption
from ragstone.findings.diagnosis.causes import CAUSES
from ragstone.findings.diagnosis.model import (
    PASSED,
    SKIPPED,
    UNDECIDED,
    CauseShare,
    Diagnosis,
    Outcome,
    cause_share,
)
from ragstone.stats.corrected_shares import correct_shares, draw_checks
from ragstone.stats.estimate import Estimate
from ragstone.store import CAUSE, Annotation

CHECKS = 40
"""Default number of cases to check."""

OUTCOMES: dict[str, Outcome] = {PASSED: PASSED, **{name: name for name in CAUSES}}
"""The outcomes that people can choose for a case."""

COLUMNS = ("case", "id", "cause", "note", "input", "actual_output", "expected_output", "passages")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def checks_table(diagnosis: Diagnosis, size: int = CHECKS, *, seed: int = 0) -> str:
    """Return the file for people to fill in: cases drawn at random within each cause that the judge found.

    Of `size` cases, every cause has at least two where there are as many.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for place in draw_checks([case.outcome for case in diagnosis.cases], size, seed=seed):
        case = diagnosis.cases[place].case
        numbered = enumerate(case.retrieval_context or (), 1)
        passages = "\n".join(f"[{number}] {passage}" for number, passage in numbered)
        texts = (case.input, case.actual_output or "", case.expected_output or "", passages)
        writer.writerow([place + 1, _escape(case.id), "", "", *map(_escape, texts)])
    return text.getvalue()


def with_checks(diagnosis: Diagnosis, path: str | Path) -> Diagnosis:
    """Return the diagnosis with its shares corrected by a file that people filled in.

    Rows without a cause count as cases that were not drawn.

    Raises:
        BadDataset: the file cannot be read, or does not belong to this run.
        BadOption: nothing is filled in, or the test cases are grouped.
    """
    _refuse_groups(diagnosis)
    checked = _read_checks(diagnosis, Path(path))
    if not checked:
        raise BadOption(
            f"{path}: no cause is filled in. Write one of these in the column cause: {', '.join(OUTCOMES)}"
        )
    return with_causes(diagnosis, checked)


def with_causes(diagnosis: Diagnosis, checked: Mapping[int, Outcome]) -> Diagnosis:
    """Return the diagnosis with its shares, and the share that passed, corrected by people, by place of the case.

    Raises:
        BadOption: the test cases are grouped.
    """
    _refuse_groups(diagnosis)
    result = correct_shares(
        [case.outcome for case in diagnosis.cases], checked, [PASSED, UNDECIDED, SKIPPED, *CAUSES]
    )
    passed = result.shares[PASSED]
    judged = {share.cause.name: share for share in diagnosis.shares}
    decided = 1 - (result.shares[UNDECIDED].value or 0.0) - (result.shares[SKIPPED].value or 0.0)
    shares: list[CauseShare] = []
    for name, cause in CAUSES.items():
        if name in judged or result.shares[name].value:
            count, by_judge = 0, Estimate(0.0, None)
            if name in judged:
                count, by_judge = judged[name].count, judged[name].share
            rates = passed.value or 0.0, diagnosis.generator_rate, decided
            shares.append(cause_share(cause, count, result.shares[name], *rates, by_judge))
    ordered = tuple(sorted(shares, key=lambda share: -(share.share.value or 0.0)))
    return replace(diagnosis, checked=result, shares=ordered, passed=passed, judged_passed=diagnosis.passed)


def with_annotations(
    diagnosis: Diagnosis, annotations: Iterable[Annotation], places: Sequence[int]
) -> Diagnosis:
    """Return the diagnosis corrected by the causes that people chose on the page, or unchanged if they chose none.

    If several people checked a case, the most frequent cause counts; a tie is ignored. A diagnosis with grouped test
    cases is not corrected. `places` are the places in the run of the cases of the diagnosis.
    """
    indices = {place: index for index, place in enumerate(places)}
    chosen: dict[int, list[str]] = {}
    for annotation in annotations:
        if annotation.target == CAUSE and annotation.case_index in indices and annotation.note in OUTCOMES:
            chosen.setdefault(indices[annotation.case_index], []).append(annotation.note)
    checked: dict[int, Outcome] = {}
    for place, names in chosen.items():
        (first, votes), *others = Counter(names).most_common(2)
        if not others or others[0][1] < votes:
            checked[place] = OUTCOMES[first]
    return with_causes(diagnosis, checked) if checked and diagnosis.cluster is None else diagnosis


def check_order(diagnosis: Diagnosis, size: int = CHECKS) -> list[int]:
    """Return the places of the cases to check, in random order, so that any prefix is a random sample."""
    drawn = draw_checks([case.outcome for case in diagnosis.cases], size)
    return Random(diagnosis.report.run.id).sample(drawn, len(drawn))  # noqa: S311  (a sample, no secret)


def _refuse_groups(diagnosis: Diagnosis) -> None:
    if diagnosis.cluster is not None:
        raise BadOption("Shares are not corrected when test cases are grouped: omit --cluster")


def _read_checks(diagnosis: Diagnosis, path: Path) -> Mapping[int, Outcome]:
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadDataset(f"{path} cannot be read: {error}") from None
    checked: dict[int, Outcome] = {}
    for line, row in enumerate(rows, 2):
        name = (row.get("cause") or "").strip().lower()
        case_number = (row.get("case") or "").strip()
        if not name:
            continue
        if name not in OUTCOMES:
            raise BadDataset(f"{path}, row {line}: there is no cause {name!r}. Known: {', '.join(OUTCOMES)}")
        index = int(case_number) - 1 if case_number.isdecimal() else -1
        if not 0 <= index < len(diagnosis.cases) or row.get("id") != _escape(diagnosis.cases[index].case.id):
            raise BadDataset(
                f"{path}, row {line}: case {case_number!r} with id {row.get('id')!r} is not in this run: name the run "
                "that the file was written for"
            )
        checked[index] = OUTCOMES[name]
    return checked


def _escape(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
