"""The answers of an application in a run, read page by page: ten thousand take no more memory than five hundred."""

from collections.abc import Iterator

from sqlalchemy import Engine, select

from ragstone.case import TestCase
from ragstone.store.schema.tables import ANSWERS, CASES

_PAGE_SIZE = 500


class StoredAnswers:
    """The test cases of a run that its application has answered, or failed to answer, in input order."""

    def __init__(self, engine: Engine, run: int, *, retry_failed: bool = False) -> None:
        """Read which questions of the run of that number are answered; with `retry_failed`, failures do not count."""
        self._engine = engine
        self._run = run
        query = select(ANSWERS.c.case_index).where(ANSWERS.c.run == run)
        if retry_failed:
            query = query.where(ANSWERS.c.failed.is_(False))
        self._places = bytearray()
        with engine.connect() as connection:
            for place in connection.execute(query.execution_options(yield_per=_PAGE_SIZE)).scalars():
                self._places.extend(bytes(max(0, place + 1 - len(self._places))))
                self._places[place] = 1

    def __len__(self) -> int:
        """Return the number of answered questions."""
        return self._places.count(1)

    def __contains__(self, case_index: object) -> bool:
        """Return whether the question at a place is answered."""
        return (
            isinstance(case_index, int) and case_index < len(self._places) and bool(self._places[case_index])
        )

    def __iter__(self) -> Iterator[TestCase]:
        """Yield the test cases, in input order."""
        c, last = ANSWERS.c, -1
        query = (
            select(c.case_index, CASES.c.body)
            .join(CASES, CASES.c.key == c.case_key)
            .where(c.run == self._run)
        )
        while True:
            page = query.where(c.case_index > last).order_by(c.case_index).limit(_PAGE_SIZE)
            with self._engine.connect() as connection:
                rows = connection.execute(page).all()
            if not rows:
                return
            yield from (TestCase.model_validate_json(body) for _, body in rows)
            last = rows[-1][0]
