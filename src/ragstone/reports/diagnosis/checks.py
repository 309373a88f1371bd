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
from ragstone.reports.diagnosis.causes import CAUSES
from ragstone.reports.diagnosis.model import PASSED, Diagnosis, Outcome, cause_share
from ragstone.stats.corrected_shares import correct_shares, draw_checks
from ragstone.stats.estimate import Estimate
from ragstone.store import CAUSE, Annotation

CHECKS = 40
"""Default number of cases to check."""

OUTCOMES: dict[str, Outcome] = {PASSED: PASSED, **{name: name for name in CAUSES}}
"""The outcomes that people can choose for a case."""

COLUMNS = ("case", "id", "cause", "note", "input", "actual_output", "expected_output", "passages")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def checks_table(diagnosis: Diagnosis, size: int = CHECKS, *, seed: int = 0) -> str:
    """Return the file for people to fill in: cases drawn at random within each cause that the judge found.

    Args:
        diagnosis: of the run.
        size: number of cases; every cause has at least two where there are as many.
        seed: seed of the random draw.
    """
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow(COLUMNS)
    for place in draw_checks(_outcomes(diagnosis), size, seed=seed):
        case = diagnosis.cases[place].case
        passages = "\n".join(
            f"[{number}] {one}" for number, one in enumerate(case.retrieval_context or (), 1)
        )
        texts = (case.input, case.actual_output or "", case.expected_output or "", passages)
        written.writerow([place + 1, _plain(case.id), "", "", *map(_plain, texts)])
    return text.getvalue()


def with_checks(diagnosis: Diagnosis, path: str | Path) -> Diagnosis:
    """Return the diagnosis with its shares corrected by a file that people filled in.

    Rows without a cause count as cases that were not drawn.

    Raises:
        BadDataset: the file cannot be read, or does not belong to this run.
        BadOption: nothing is filled in, or the test cases are grouped.
    """
    _refuse_groups(diagnosis)
    checked = _read(diagnosis, Path(path))
    if not checked:
        raise BadOption(
            f"{path}: no cause is filled in. Write one of these in the column cause: {', '.join(OUTCOMES)}"
        )
    return with_causes(diagnosis, checked)


def with_causes(diagnosis: Diagnosis, checked: Mapping[int, Outcome]) -> Diagnosis:
    """Return the diagnosis with its shares, and the share that passed, corrected by human checks of some cases.

    Args:
        diagnosis: of the run, by the judge alone.
        checked: human outcome by the place of a case in the diagnosis.

    Raises:
        BadOption: the test cases are grouped.
    """
    _refuse_groups(diagnosis)
    found = correct_shares(_outcomes(diagnosis), checked, [PASSED, *CAUSES])
    passed = found.shares[PASSED]
    judged = {share.cause.name: share for share in diagnosis.shares}
    shares = [
        cause_share(
            cause,
            judged[name].count if name in judged else 0,
            found.shares[name],
            passed.value or 0.0,
            diagnosis.generator_rate,
            judged[name].share if name in judged else Estimate(0.0, None),
        )
        for name, cause in CAUSES.items()
        if name in judged or found.shares[name].value
    ]
    ordered = tuple(sorted(shares, key=lambda one: -(one.share.value or 0.0)))
    return replace(diagnosis, checked=found, shares=ordered, passed=passed, judged_passed=diagnosis.passed)


def with_annotations(
    diagnosis: Diagnosis, annotations: Iterable[Annotation], places: Sequence[int]
) -> Diagnosis:
    """Return the diagnosis corrected by the causes that people chose on the page, or unchanged if they chose none.

    If several people checked a case, the most frequent cause counts; a tie is ignored. A diagnosis with grouped test
    cases is not corrected.

    Args:
        diagnosis: of the run, by the judge alone.
        annotations: all annotations of the run.
        places: the place in the run of each case of the diagnosis.
    """
    here = {place: number for number, place in enumerate(places)}
    words: dict[int, list[str]] = {}
    for one in annotations:
        if one.target == CAUSE and one.case_index in here and one.note in OUTCOMES:
            words.setdefault(here[one.case_index], []).append(one.note)
    checked: dict[int, Outcome] = {
        place: OUTCOMES[name] for place, said in words.items() if (name := _majority(said)) is not None
    }
    return with_causes(diagnosis, checked) if checked and diagnosis.cluster is None else diagnosis


def check_order(diagnosis: Diagnosis, size: int = CHECKS) -> list[int]:
    """Return the places of the cases to check, in random order, so that any prefix is a random sample."""
    drawn = draw_checks(_outcomes(diagnosis), size)
    return Random(diagnosis.report.run.id).sample(drawn, len(drawn))  # noqa: S311  (a sample, no secret)


def _majority(said: Sequence[str]) -> str | None:
    """Return the most frequent outcome, or None in case of a tie."""
    (first, times), *others = Counter(said).most_common(2)
    return None if others and others[0][1] == times else first


def _refuse_groups(diagnosis: Diagnosis) -> None:
    if diagnosis.cluster is not None:
        raise BadOption("Shares are not corrected when test cases are grouped: omit --cluster")


def _outcomes(diagnosis: Diagnosis) -> list[Outcome]:
    return [PASSED if case.cause is None else case.cause.name for case in diagnosis.cases]


def _read(diagnosis: Diagnosis, path: Path) -> Mapping[int, Outcome]:
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadDataset(f"{path} cannot be read: {error}") from None
    found: dict[int, Outcome] = {}
    for line, row in enumerate(rows, 2):
        said = (row.get("cause") or "").strip().lower()
        place = (row.get("case") or "").strip()
        if not said:
            continue
        if said not in OUTCOMES:
            raise BadDataset(f"{path}, row {line}: there is no cause {said!r}. Known: {', '.join(OUTCOMES)}")
        number = int(place) - 1 if place.isdecimal() else -1
        if not 0 <= number < len(diagnosis.cases) or row.get("id") != _plain(diagnosis.cases[number].case.id):
            raise BadDataset(
                f"{path}, row {line}: case {place!r} with id {row.get('id')!r} is not in this run: name the run "
                "that the file was written for"
            )
        found[number] = OUTCOMES[said]
    return found


def _plain(text: str) -> str:
    """Return the text such that a spreadsheet does not read it as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
