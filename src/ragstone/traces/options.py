"""Options of the conversion of traces to test cases. This module does not import the readers of traces."""

from dataclasses import dataclass

from ragstone.errors import BadOption

NAMED = "span:"  # prefix of a unit that is every span of a name


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """Options of the conversion of traces to test cases.

    Attributes:
        unit: the unit of one test case: `trace`, `session`, or `span:NAME`, every span of that name.
        retrieval_tools: names of tools whose results are retrieved passages; a tool that is declared as a datastore
            is always included.
        user_salt: with it, `metadata.user` is a keyed hash of the user's id; without, users are left out.
    """

    unit: str = "trace"
    retrieval_tools: tuple[str, ...] = ()
    user_salt: str | None = None

    def __post_init__(self) -> None:
        """Check the unit. Raises BadOption: the unit is invalid."""
        named = self.unit.startswith(NAMED) and len(self.unit) > len(NAMED)
        if self.unit not in ("trace", "session") and not named:
            raise BadOption(
                f"unit={self.unit!r} is not a unit: give trace, session, or span:NAME with the name of a span."
            )
