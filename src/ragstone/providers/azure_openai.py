"""Azure OpenAI: a deployment of one of OpenAI's models, under a resource of your own."""

from dataclasses import dataclass
from urllib.parse import quote

from ragstone.errors import BadOption, UsageError
from ragstone.providers.http.address import check_base, check_key, from_environment, join
from ragstone.providers.openai import OpenAI

_API_VERSION = "2024-10-21"


@dataclass(frozen=True, kw_only=True, repr=False)
class AzureOpenAI(OpenAI):
    """A deployment at Azure OpenAI.

    Attributes:
        model: the deployment's name.
        api_key: the key; by default AZURE_OPENAI_API_KEY.
        base_url: the resource, such as `https://my-resource.openai.azure.com`; by default AZURE_OPENAI_ENDPOINT.
        api_version: version of the API; by default OPENAI_API_VERSION, else the newest stable one.
        key_header: header of the key; `Authorization` for a token of Entra ID.
        options: further parameters of each request; None removes one of ragstone's own.
        headers: further headers.

    Raises:
        UsageError: there is no key, no resource or no deployment.
    """

    name = "azure_openai"
    schema_dialect = "azure_openai"

    model: str = ""
    key_header: str = "api-key"
    api_version: str = ""

    def __post_init__(self) -> None:
        resource = self.base_url or from_environment("AZURE_OPENAI_ENDPOINT")
        key = self.api_key or from_environment("AZURE_OPENAI_API_KEY")
        if not self.model:
            raise BadOption("Azure OpenAI needs a deployment: write azure_openai:my-deployment.")
        if not resource or not key:
            raise UsageError(
                "Azure OpenAI needs a resource and a key: set AZURE_OPENAI_ENDPOINT (such as "
                "https://my-resource.openai.azure.com) and AZURE_OPENAI_API_KEY."
            )
        version = self.api_version or from_environment("OPENAI_API_VERSION") or _API_VERSION
        object.__setattr__(self, "base_url", check_base(resource, "AZURE_OPENAI_ENDPOINT"))
        object.__setattr__(self, "api_key", check_key(key, "AZURE_OPENAI_API_KEY"))
        object.__setattr__(self, "api_version", version)

    @property
    def _base(self) -> str:
        deployment = f"openai/deployments/{quote(self.model, safe='')}"
        url = join(self.base_url or "", deployment)
        return f"{url}{'&' if '?' in url else '?'}api-version={quote(self.api_version)}"
