"""What routes are given: the application context with its services, who makes the request, the open review."""

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, HTTPException, Request
from platformdirs import user_data_path
from starlette.responses import Response

from ragstone.config import Settings
from ragstone.dashboard.security.access import ANNOTATOR_COOKIE, clean_name
from ragstone.dashboard.services.comparison_jobs import Comparisons, RunChanges, WhyPages
from ragstone.dashboard.services.feedback import FeedbackIntake
from ragstone.dashboard.services.figures_cache import FiguresCache
from ragstone.dashboard.services.run_feed import RunFeed
from ragstone.dashboard.services.run_manager import RunManager
from ragstone.dashboard.services.uploads import Uploads
from ragstone.drafts.review import DraftReview
from ragstone.errors import UsageError
from ragstone.store import Store, StoredCase, StoredRun
from ragstone.store.read.audit_log import Actor
from ragstone.traces.redaction import Redaction
from ragstone.watch.overview import alarm_count

_ONE_YEAR_SECONDS = 365 * 24 * 3600
_ALARM_SECONDS = 2.0


@dataclass(eq=False)
class AppContext:
    """The store, the settings and the files of the application, and its services, which outlive a request.

    Attributes:
        address: what the store was opened with; None: the file in the user's data folder.
        draft: the drafted test set to review, None without one.
        test_set: the file to which questions are added from the pages.
        redaction: the replacements in texts of users before they are stored.
        folder: folder of uploaded datasets, stored under generated names, so that a run can be resumed.
    """

    store: Store
    settings: Settings = field(default_factory=Settings)
    address: bool | str | Path | None = None
    draft: Path | None = None
    test_set: Path = field(default_factory=lambda: user_data_path("ragstone") / "test-set.jsonl")
    redaction: Redaction = field(default_factory=Redaction)
    folder: Path = field(default_factory=lambda: user_data_path("ragstone") / "datasets")

    def __post_init__(self) -> None:
        self.uploads = Uploads(self.folder)
        self.run_manager = RunManager(self.address)
        self.figures_cache = FiguresCache(self.store)
        self.run_feed = RunFeed(self.store, self.figures_cache)
        self.comparisons = Comparisons(self.store)
        self.run_changes = RunChanges(self.store)
        self.why_pages = WhyPages(self.store)
        self.feedback = FeedbackIntake(self.store.traces, self.redaction)
        self._lock, self._alarms, self._counted = Lock(), 0, float("-inf")

    def alarms(self) -> int:
        """Return how many alarms of watches are on; they are counted every two seconds at most."""
        with self._lock:
            if monotonic() - self._counted > _ALARM_SECONDS:
                self._alarms, self._counted = alarm_count(self.store.traces), monotonic()
            return self._alarms

    def case(self, stored: StoredRun, index: int) -> StoredCase:
        """Return a test case of a run.

        Raises:
            HTTPException: 404, there is no such case, or nothing of it was measured yet.
        """
        try:
            return self.store.case(stored, index)
        except UsageError as error:
            raise HTTPException(404, str(error)) from None

    def run_of_id(self, run: str) -> StoredRun:
        """Return the run of exactly that id. For routes that delete: they take no name, no prefix and no `last`.

        Raises:
            HTTPException: 404, there is none.
        """
        try:
            stored = self.store.find(run) if run else None
        except UsageError:
            stored = None
        if stored is None or stored.run.id != run:
            raise HTTPException(
                404, f"There is no run with the id {run[:100]!r}. To remove a run, give its whole id."
            )
        return stored


async def _context(request: Request) -> AppContext:
    return request.app.state.ctx


ContextDep = Annotated[AppContext, Depends(_context)]


def _run(run: str, ctx: ContextDep) -> StoredRun:
    return ctx.store.find(run)


RunDep = Annotated[StoredRun, Depends(_run)]
"""The run that a path names by its id, the beginning of it, its name, or `last`."""


async def _actor(request: Request) -> Actor:
    return request.state.actor


ActorDep = Annotated[Actor, Depends(_actor)]  # who makes the request


def _annotator_of(actor: Actor) -> str:
    return "" if actor.kind == "token" and actor.role == "owner" else actor.name


async def _annotator(actor: ActorDep) -> str:
    return _annotator_of(actor)


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
    return name or _annotator_of(actor)


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
