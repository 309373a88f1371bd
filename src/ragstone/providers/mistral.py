"""Mistral's API: OpenAI's wire format without log-probabilities and batches of its kind."""

from dataclasses import dataclass, replace

from ragstone.providers.http.address import check_base, check_key, from_environment, missing_key
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.openai import OpenAI

_DEFAULT_BASE_URL = "https://api.mistral.ai/v1"


@dataclass(frozen=True, kw_only=True, repr=False)
class Mistral(OpenAI):
    """A model of Mistral's.

    Attributes:
        model: the model.
        api_key: the key; by default MISTRAL_API_KEY.
        base_url: the URL below which `/chat/completions` is; by default Mistral's own.
        key_header: header of the key.
        options: further parameters of each request; None removes one of ragstone's own.
        headers: further headers.

    Raises:
        UsageError: there is no key and the server is Mistral's own.
    """

    name = "mistral"

    model: str = "mistral-small-latest"

    def __post_init__(self) -> None:
        """Resolve key and base URL, so that the value means the same on every machine."""
        base = check_base(self.base_url or _DEFAULT_BASE_URL, "base_url")
        key = self.api_key or from_environment("MISTRAL_API_KEY")
        if key is None and base == _DEFAULT_BASE_URL:
            raise missing_key("Mistral", "MISTRAL_API_KEY", "base_url")
        object.__setattr__(self, "base_url", base)
        object.__setattr__(self, "api_key", key and check_key(key, "MISTRAL_API_KEY"))

    @property
    def supports_log_probs(self) -> bool:
        """The API has none."""
        return False

    def _find_endpoint(self) -> Endpoint:
        return replace(super()._find_endpoint(), batches=None)
