"""Takes in what users say of answers, by the same rules on the pages' port and on that of the receiver of traces."""

from ragstone.dashboard.schemas.feedback import FeedbackIn, FeedbackKept
from ragstone.store.queue.feedback import Feedback, put_feedback
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.traces.redaction import Redaction


class FeedbackIntake:
    """Keeps feedback in a store; its method blocks, and may be called from several threads."""

    def __init__(self, queue: TraceQueue, redaction: Redaction) -> None:
        """Store beside `queue`, without what `redaction` replaces in comments and corrections."""
        self._queue = queue
        self._redact = redaction.text

    def keep(self, said: FeedbackIn) -> FeedbackKept:
        """Keep what somebody says, in the place of what was said under the same id."""
        kept = Feedback(
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
        return FeedbackKept(id=kept.known_by, replaced=put_feedback(self._queue.engine, kept))
