"""Put a gate's decision into a pull request: one comment, found by its marker and replaced.

Usage: post_comment.py FILE. Reads what GitHub Actions sets: GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL and
GITHUB_EVENT_PATH. A token that may not write comments, as in pull requests from forks, is no error. Needs nothing but
Python.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

MOST_CHARACTERS = 65_000
"""GitHub refuses a longer comment."""

PER_PAGE = 100
TIMEOUT = 30
REFUSED = (401, 403, 404)
"""What GitHub answers to a token that may not write: 404 where it may not even know."""


def main(file: str) -> int:
    """Post the text of `file`, or replace the comment that begins with the same marker; return the exit code."""
    text = _shortened(Path(file).read_text(encoding="utf-8"))
    marker = text.partition("\n")[0]
    try:
        event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        number = event["pull_request"]["number"]
        comment = next((one for one in _comments(number) if _is_ours(one, marker)), None)
        if comment is None:
            _call("POST", f"issues/{number}/comments", {"body": text})
        else:
            _call("PATCH", f"issues/comments/{comment['id']}", {"body": text})
    except HTTPError as error:
        if error.code not in REFUSED:
            raise
        print(f"The token may not write comments here ({error.code}): see the summary of the job.")
    return 0


def _is_ours(comment: dict[str, Any], marker: str) -> bool:
    """Return whether it is a decision of this gate; a person who quotes one is left alone."""
    return comment["user"]["type"] == "Bot" and str(comment["body"]).startswith(marker)


def _comments(number: int) -> Iterator[dict[str, Any]]:
    page = 1
    while True:
        found = _call("GET", f"issues/{number}/comments?per_page={PER_PAGE}&page={page}")
        yield from found
        if len(found) < PER_PAGE:
            return
        page += 1


def _call(method: str, path: str, body: object = None) -> Any:  # noqa: ANN401  (JSON)
    url = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}"
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method), timeout=TIMEOUT) as answer:  # noqa: S310  (GitHub's own address)
        return json.load(answer)


def _shortened(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[:MOST_CHARACTERS].rpartition("\n")[0] + "\n\n(cut: the summary of the job has all)\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
