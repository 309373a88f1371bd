"""An application behind a URL: a POST of `{"input": "…"}`, answered with `{"answer": "…", "contexts": ["…"]}`.

Each question is sent once; a failure is not tried again, since the application may have acted on it. Redirections are
not followed.
"""

import json
from collections.abc import Mapping
from urllib.parse import urlsplit

from ragstone.applications.call import ApplicationCall
from ragstone.errors import ApplicationError
from ragstone.providers.http.endpoint import Endpoint, sending_headers
from ragstone.providers.http.failures import AttemptFailure, clean
from ragstone.providers.http.transport import borrow_transport

_SHOWN = 80


class HttpCaller:
    """Calls a URL, whose `name` has no user, password and query. A change of a service is not seen: no `source`."""

    source = ""
    takes_turns = True

    def __init__(self, url: str, paths: Mapping[str, str]) -> None:
        """Call `url`.

        Args:
            url: the URL; its query and its user are sent and not shown.
            paths: place of `input` and `turns` in the request's JSON, such as `messages.0.content` and `messages`. If
                only a place of `turns` is given, a question without a conversation is sent as its single turn.
        """
        parts = urlsplit(url)
        self.name = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._paths = paths
        secrets = tuple(text for text in (parts.password, parts.query) if text)
        self._endpoint = Endpoint("the application", "POST", url, secrets=secrets)

    async def call(self, call: ApplicationCall) -> object:
        """Return the JSON of the response."""
        body = json.dumps(_request(call, self._paths), ensure_ascii=False).encode()
        headers = {} if call.traceparent is None else {"traceparent": call.traceparent}
        async with borrow_transport() as transport:
            with sending_headers(headers):
                reply = await transport.attempt(self._endpoint, body)
        if isinstance(reply, AttemptFailure):
            raise ApplicationError(reply.message)
        return parse_reply(reply, f"the response of {self.name}")


def parse_reply(reply: bytes, what: str) -> object:
    """Return the JSON value of a reply."""
    try:
        return json.loads(reply)
    except (ValueError, RecursionError):
        beginning = clean(reply[: 4 * _SHOWN].decode("utf-8", "replace"))[:_SHOWN]
        shown = f"begins with {beginning!r}" if beginning else "is empty"
        raise ApplicationError(
            f'{what} is not JSON but {shown}: return {{"answer": "…", "contexts": ["…"]}}'
        ) from None


def _request(call: ApplicationCall, paths: Mapping[str, str]) -> dict[str, object]:
    """Return the JSON of a request, with question and conversation where the paths say."""
    fields: dict[str, object] = call.fields()
    if "turns" in paths and "input" not in paths:
        del fields["input"]
        fields["turns"] = call.messages()
    for name in ("input", "turns"):
        if name in paths and name in fields:
            fields |= _placed(paths[name], fields.pop(name))
    return fields


def _placed(path: str, value: object) -> dict[str, object]:
    """Return a JSON object with a value at a path; a number in the path stands for a list with it alone."""
    first, _, rest = path.partition(".")
    for name in reversed(rest.split(".") if rest else []):
        value = [value] if name.isdecimal() else {name: value}
    return {first: value}
