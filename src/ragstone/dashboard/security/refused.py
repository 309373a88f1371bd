"""The refusal of a request, as an exception."""


class Refused(Exception):  # noqa: N818  (reads as what happened)
    """A request is refused; the message says why, and what to do.

    Attributes:
        status: the HTTP status.
        cause: what is written to the log in addition, and not told to the client.
    """

    def __init__(self, status: int, message: str, cause: str = "") -> None:
        """Keep status, message and cause."""
        super().__init__(message)
        self.status = status
        self.cause = cause
