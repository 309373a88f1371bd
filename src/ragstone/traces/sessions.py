"""The session that the attributes of a span name."""

from hashlib import blake2b

from ragstone.traces.span import Record

_SESSION_ATTRIBUTES = (
    "session.id",
    "langfuse.session.id",
    "gen_ai.conversation.id",
    "mlflow.trace.session",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.chat_id",
    "traceloop.association.properties.conversation_id",
)


def session_of(record: Record) -> str | None:
    """Return the session id in the attributes of a span; None without one."""
    for name in _SESSION_ATTRIBUTES:
        value = getattr(record, "attributes", {}).get(name)
        if isinstance(value, str | int) and str(value).strip():
            return str(value)
    return None


def session_key(record: Record) -> str | None:
    """Return a hash of the session id of a span, 32 hexadecimal digits; None without a session.

    A trace with several sessions takes the smallest hash.
    """
    session = session_of(record)
    if session is None:
        return None
    return blake2b(session.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
