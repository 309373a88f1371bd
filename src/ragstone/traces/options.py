"""How traces become test cases, as a value that imports nothing of what reads them."""

from dataclasses import dataclass

from ragstone.errors import BadOption

NAMED = "span:"
"""How a unit begins that is every span of a name."""


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """How traces become test cases.

    Attributes:
        unit: what one test case is: `trace`, `session`, or `span:NAME`, every span of that name.
        retrieval_tools: names of tools whose results are retrieved passages; a tool that is declared as a datastore
            is one of them anyway.
        user_salt: with it, `metadata.user` is a keyed hash of the user's id; without, users are left out.
    """

    unit: str = "trace"
    retrieval_tools: tuple[str, ...] = ()
    user_salt: str | None = None

    def __post_init__(self) -> None:
        """Check the unit.

        Raises:
            BadOption: it is none.
        """
        named = self.unit.startswith(NAMED) and len(self.unit) > len(NAMED)
        if self.unit not in ("trace", "session") and not named:
            raise BadOption(
                f"unit={self.unit!r}: write trace, session, or span:NAME with the name of a span."
            )
