"""Mistral's API: OpenAI's wire format without log-probabilities and batches of its kind."""

from dataclasses import dataclass, replace

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
        self._resolve("Mistral", _DEFAULT_BASE_URL, "MISTRAL_API_KEY")

    @property
    def supports_log_probs(self) -> bool:
        """The API has none."""
        return False

    def _find_endpoint(self) -> Endpoint:
        return replace(super()._find_endpoint(), batches=None)
