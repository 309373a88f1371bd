"""A webhook: signed JSON, posted to the URL that the user gave, with retries after server errors.

Source of headers and signature: Standard Webhooks 1.0, `webhook-id`, `webhook-timestamp`, `webhook-signature`. The
message's id is the same for each attempt, so that the receiver can drop duplicates.
"""

import base64
import binascii
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ragstone.errors import BadOption
from ragstone.providers.http.address import check_base
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure
from ragstone.providers.http.retry import Retry
from ragstone.providers.http.transport import open_transport

_BASE64_PREFIX = "whsec_"
_TIMEOUT_SECONDS = 10.0
_RETRY = Retry(attempts=3, limited=3, unreached=2, patience=30.0)


@dataclass(frozen=True, slots=True)
class WebhookAddress:
    """URL and secret of a webhook, neither of which is shown; without a secret messages are not signed."""

    url: str = field(repr=False)
    secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Check URL and secret.

        Raises:
            BadOption: the URL or the secret is invalid.
        """
        check_base(self.url, "webhook")
        _signing_key(self.secret)


@dataclass(frozen=True, slots=True)
class WebhookMessage:
    """A message: id by which the receiver recognises duplicates, time in seconds since 1970, content sent as JSON."""

    id: str
    seconds: int
    content: Mapping[str, Any]


def signed_headers(message: WebhookMessage, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers of a message, with an HMAC-SHA256 signature of id, time and body if there is a secret."""
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message.id,
        "webhook-timestamp": str(message.seconds),
    }
    if secret:
        signed = f"{message.id}.{message.seconds}.".encode() + body
        digest = hmac.new(_signing_key(secret), signed, sha256).digest()
        headers["webhook-signature"] = f"v1,{base64.b64encode(digest).decode()}"
    return headers


async def send_webhook(address: WebhookAddress, message: WebhookMessage) -> str | None:
    """Send a message, with at most three attempts; return None on success, else the reason of the failure."""
    body = json.dumps(message.content, sort_keys=True).encode()
    headers = signed_headers(message, body, address.secret)
    endpoint = Endpoint("webhook", "alarms", address.url, headers)
    async with open_transport(timeout=_TIMEOUT_SECONDS, retry=_RETRY) as transport:
        response = await transport.send(endpoint, body)
    # Any status from 200 to 299 is success, such as 201, 202 and 204.
    if not isinstance(response, AttemptFailure) or (response.status or 0) // 100 == 2:  # noqa: PLR2004
        return None
    # Told in our own words: path and query of the URL may be secrets, which the receiver may repeat in any form.
    if response.status is not None:
        return f"the webhook answered {response.status}"
    return f"the webhook gave no answer ({response.kind.value})"


def _signing_key(secret: str) -> bytes:
    """Return the bytes of a secret: base64-decoded after the prefix `whsec_`, else encoded as UTF-8.

    Raises:
        BadOption: the secret begins with `whsec_`, and the rest is not base64.
    """
    if not secret.startswith(_BASE64_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_BASE64_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise BadOption(
            "The secret of the webhook begins with whsec_, but the rest is not valid base64."
        ) from None
