"""A few causes checked by people: which cases to check, the file to fill in, and the shares corrected by it.

The file is CSV: a row a case, with the question, the answers and the passages, and an empty column `cause`. The judge's
cause is not in it, since people tend to agree with a verdict that they have seen.
"""

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ragstone.errors import BadDataset, BadOption
from ragstone.reports.diagnosis.causes import CAUSES
from ragstone.reports.diagnosis.model import PASSED, Diagnosis, Outcome
from ragstone.stats.corrected_shares import correct_shares, draw_checks

CHECKS = 40
"""How many cases are drawn unless told otherwise."""

COLUMNS = ("case", "id", "cause", "note", "input", "actual_output", "expected_output", "passages")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def checks_table(diagnosis: Diagnosis, size: int = CHECKS, *, seed: int = 0) -> str:
    """Return the file for people to fill in: cases drawn at random within each cause that the judge found.

    Args:
        diagnosis: of the run.
        size: how many cases; every cause has two where there are as many.
        seed: draws them.
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

    Rows without a cause are taken for cases that were not drawn.

    Raises:
        BadDataset: the file cannot be read, or does not belong to this run.
        BadOption: nothing is filled in, or the test cases are grouped.
    """
    if diagnosis.cluster is not None:
        raise BadOption("Shares are not corrected where test cases are grouped: leave --cluster out")
    checked = _read(diagnosis, Path(path))
    if not checked:
        known = ", ".join((PASSED, *CAUSES))
        raise BadOption(f"{path}: no cause is filled in. Write one of these in the column cause: {known}")
    found = correct_shares(_outcomes(diagnosis), checked, [PASSED, *CAUSES])
    return replace(diagnosis, checked=found)


def _outcomes(diagnosis: Diagnosis) -> list[Outcome]:
    return [PASSED if case.cause is None else case.cause.name for case in diagnosis.cases]


def _read(diagnosis: Diagnosis, path: Path) -> Mapping[int, Outcome]:
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadDataset(f"{path} cannot be read: {error}") from None
    known: dict[str, Outcome] = {PASSED: PASSED, **{name: name for name in CAUSES}}
    found: dict[int, Outcome] = {}
    for line, row in enumerate(rows, 2):
        said = (row.get("cause") or "").strip().lower()
        place = (row.get("case") or "").strip()
        if not said:
            continue
        if said not in known:
            raise BadDataset(f"{path}, row {line}: there is no cause {said!r}. Known: {', '.join(known)}")
        number = int(place) - 1 if place.isdecimal() else -1
        if not 0 <= number < len(diagnosis.cases) or row.get("id") != _plain(diagnosis.cases[number].case.id):
            raise BadDataset(
                f"{path}, row {line}: case {place!r} with id {row.get('id')!r} is not in this run: name the run "
                "that the file was written for"
            )
        found[number] = known[said]
    return found


def _plain(text: str) -> str:
    """Return a text that a spreadsheet takes for no formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
