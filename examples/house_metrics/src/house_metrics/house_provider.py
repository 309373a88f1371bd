"""A provider of a house's own: whatever answers text with text can judge.

This one asks a local HTTP service: `POST {base_url}` with `{"system", "user", "schema"}`, answered by `{"text"}`.
"""

import json
from dataclasses import dataclass

from ragstone.providers import Completion, Endpoint, Request, post_json
from ragstone.result import Usage


@dataclass(frozen=True, kw_only=True)
class HouseProvider:
    """A model behind a wire of the house's own. Retries, time-outs and connections are ragstone's.

    Attributes:
        model: the model.
        base_url: the service's address.
    """

    model: str = "house-model"
    base_url: str = "http://localhost:9000/answer"

    name = "house"
    supports_structured_outputs = False  # the schema is then written into the prompt
    supports_log_probs = False
    supports_multimodal = False

    async def complete(self, request: Request) -> Completion:
        """Return the service's answer."""
        body = json.dumps({"system": request.system, "user": request.user, "schema": dict(request.schema)})
        endpoint = Endpoint(provider=self.name, model=self.model, url=self.base_url)
        answer = json.loads(await post_json(endpoint, body.encode()))
        return Completion(text=answer["text"], usage=Usage(calls=1), model=self.model)
