"""A test case that an address names; one that is not there is no fault of ours."""

from fastapi import HTTPException

from ragstone.errors import UsageError
from ragstone.store import Store, StoredCase, StoredRun


def case_or_404(store: Store, stored: StoredRun, index: int) -> StoredCase:
    """Return a test case of a run.

    Raises:
        HTTPException: 404, there is none, or nothing of it was measured yet.
    """
    try:
        return store.case(stored, index)
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
