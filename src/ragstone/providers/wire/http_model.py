"""Common base of providers and embedders behind a server: the options, and the endpoint."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar

from ragstone.providers.http.address import without_query
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.key_reference import from_state, state_by_reference


@dataclass(frozen=True, kw_only=True, repr=False)
class HttpModel(ABC):
    """A model behind a server.

    Attributes:
        model: the model.
        api_key: the key.
        base_url: URL of the server; its query may hold a key and is not shown.
        options: further parameters of each request; None removes one of ragstone's own.
        headers: further headers; their values count as secrets.
    """

    optional_parameters: ClassVar[Mapping[str, str]] = {}
    """Parameters that a server may reject, each with a pattern of its names in error messages."""

    model: str = ""
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __repr__(self) -> str:
        """Show the options without secrets."""
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.repr}
        if self.base_url:
            values["base_url"] = without_query(self.base_url)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the options; a key of the environment is pickled as the name of its variable."""
        return from_state, (type(self), state_by_reference(self))

    @abstractmethod
    def _find_endpoint(self) -> Endpoint:
        """Return the endpoint of the model."""

    @cached_property
    def _endpoint(self) -> Endpoint:
        return self._find_endpoint()
