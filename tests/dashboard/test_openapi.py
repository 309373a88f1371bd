"""The description of the API is held against a file, so that a change of what clients get shows in the diff.

`RAGSTONE_UPDATE_REPORTS=1 pytest tests/dashboard/test_openapi.py` writes it anew.
"""

import json
import os
from pathlib import Path

from tests.dashboard import client
from tests.dashboard.site import Site

FROZEN = Path(__file__).with_name("openapi.json")


def test_the_description_of_the_api_is_the_frozen_one(site: Site) -> None:
    described = json.loads(client.get(f"{site.url}/api/openapi.json").text)
    del described["info"]["version"]
    text = f"{json.dumps(described, indent=1, sort_keys=True)}\n"
    if os.environ.get("RAGSTONE_UPDATE_REPORTS"):
        FROZEN.write_text(text, encoding="utf-8")
    frozen = FROZEN.read_text(encoding="utf-8")
    assert text == frozen, (
        f"{FROZEN} differs. If clients may get this, run this test with RAGSTONE_UPDATE_REPORTS=1"
    )
