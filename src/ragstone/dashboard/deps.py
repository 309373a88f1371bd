"""Shared dependencies of routes: find a case or a run, name a dataset, identify the annotator, open a review."""

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, HTTPException, Request
from starlette.responses import Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.security.access import ANNOTATOR_COOKIE, clean_name
from ragstone.dashboard.services.uploads import Uploads
from ragstone.drafts.review import DraftReview
from ragstone.errors import UsageError
from ragstone.store import Store, StoredCase, StoredRun
from ragstone.store.read.audit_log import Actor

_ONE_YEAR_SECONDS = 365 * 24 * 3600


def case_or_404(store: Store, stored: StoredRun, index: int) -> StoredCase:
    """Return a test case of a run.

    Raises:
        HTTPException: 404, there is no such case, or nothing of it was measured yet.
    """
    try:
        return store.case(stored, index)
    except UsageError as error:
        raise HTTPException(404, str(error)) from None


def run_of_id(store: Store, run: str) -> StoredRun:
    """Return the run of exactly that id. For routes that delete: they take no name, no prefix and no `last`.

    Raises:
        HTTPException: 404, there is none.
    """
    try:
        stored = store.find(run) if run else None
    except UsageError:
        stored = None
    if stored is None or stored.run.id != run:
        raise HTTPException(
            404, f"There is no run with the id {run[:100]!r}. To remove a run, give its whole id."
        )
    return stored


def dataset_name(dataset: str | None, folder: Path) -> str | None:
    """Return the name of a run's dataset: for an upload its original name, never a path of the server.

    `folder` is the folder of the uploads.
    """
    if dataset is None:
        return None
    uploads = Uploads(folder)
    upload_id = uploads.known(dataset)
    if upload_id is None:
        return dataset
    return next((upload.name for upload in uploads.list() if upload.id == upload_id), "an uploaded dataset")


def _actor(request: Request) -> Actor:
    return request.state.actor


ActorDep = Annotated[Actor, Depends(_actor)]
"""Who makes the request."""


def _annotator(actor: ActorDep) -> str:
    return "" if actor.kind == "token" and actor.role == "owner" else actor.name


AnnotatorDep = Annotated[str, Depends(_annotator)]
"""Name of the annotator: of the person who is logged in, or of the token unless it is an owner's, which may write for
anybody; else from the cookie, which nobody verified. It may be empty."""


def signed_name(actor: Actor, given: str) -> str:
    """Return the name under which a verdict is kept: `given`, or the annotator's.

    People who are logged in, and tokens but those of owners, write under their own names alone.

    Raises:
        HTTPException: 403, `given` is the name of somebody else.
    """
    name = clean_name(given)
    own = actor.kind == "person" or (actor.kind == "token" and actor.role != "owner")
    if own and name not in ("", actor.name):
        who = "you are logged in as" if actor.kind == "person" else "this is the token"
        raise HTTPException(403, f"No verdict is kept under the name {name!r}: {who} {actor.name!r}.")
    return name or _annotator(actor)


def remember(answer: Response, name: str) -> Response:
    """Set the cookie with the annotator's name."""
    answer.set_cookie(
        ANNOTATOR_COOKIE, quote(name), max_age=_ONE_YEAR_SECONDS, path="/", httponly=True, samesite="strict"
    )
    return answer


def _review(ctx: ContextDep) -> DraftReview:
    if ctx.draft is None:
        raise HTTPException(
            404, "No drafted test set is open. Open one with `ragstone serve --review draft.jsonl`."
        )
    return DraftReview(ctx.draft)


ReviewDep = Annotated[DraftReview, Depends(_review)]
"""The review of the drafted set that the pages were opened on; 404 without one."""
