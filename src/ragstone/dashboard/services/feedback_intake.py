"""Accept feedback of users, by the same rules on the port of the pages and on that of the trace receiver."""

from ragstone.dashboard.schemas.feedback import FeedbackIn, FeedbackKept
from ragstone.store.queue.feedback import Feedback, put_feedback
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.traces.redaction import Redaction


class FeedbackIntake:
    """Stores feedback. Its method blocks, and may be called from several threads."""

    def __init__(self, queue: TraceQueue, redaction: Redaction) -> None:
        """Store in the database of `queue`; comments and corrections are redacted by `redaction`."""
        self._queue = queue
        self._redact = redaction.text

    def keep(self, said: FeedbackIn) -> FeedbackKept:
        """Store feedback; it replaces earlier feedback of the same id."""
        feedback = Feedback(
            name=said.name,
            trace_id=said.trace,
            span_id=said.span,
            session=said.session_id,
            thumb=said.thumb or "",
            score=said.score,
            comment=self._redact(said.comment),
            correction=self._redact(said.correction),
            author=said.by,
            id=said.id,
        )
        return FeedbackKept(id=feedback.known_by, replaced=put_feedback(self._queue.engine, feedback))
