"""Put a gate's decision into a pull request: one comment, found by its marker and replaced.

Usage: post_comment.py FILE. Reads what GitHub Actions sets: GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL and
GITHUB_EVENT_PATH. Nothing that happens here changes the gate's decision. A token that may not write comments, as in
pull requests from forks, is reported; an answer of GitHub that cannot be used is a warning; the exit code is 0. Needs
nothing but Python.
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

PER_PAGE, MOST_PAGES = 100, 50
TIMEOUT = 30
REFUSED = (401, 403, 404)
"""What GitHub answers to a token that may not write: 404 where it may not even know."""


def main(file: str) -> int:
    """Post the text of `file`, or replace the comment that begins with the same marker; return 0."""
    try:
        _post(_shortened(Path(file).read_text(encoding="utf-8")))
    except Exception as error:  # noqa: BLE001  (GitHub's failures, and whatever else it answers)
        if isinstance(error, HTTPError) and error.code in REFUSED:
            print(f"The token may not write comments here ({error.code}): see the summary of the job.")
        else:
            cause = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            print(f"::warning::The comment was not written ({cause}): see the summary of the job.")
    return 0


def _post(text: str) -> None:
    marker = text.partition("\n")[0]
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = event["pull_request"]["number"]
    comment = next((one for one in _comments(number) if _is_ours(one, marker)), None)
    if comment is None:
        _call("POST", f"issues/{number}/comments", {"body": text})
    else:
        _call("PATCH", f"issues/comments/{comment['id']}", {"body": text})


def _is_ours(comment: dict[str, Any], marker: str) -> bool:
    """Return whether it is a decision of this gate; a person who quotes one is left alone."""
    author = comment.get("user") or {}  # null where the account was deleted
    return author.get("type") == "Bot" and str(comment.get("body")).startswith(marker)


def _comments(number: int) -> Iterator[dict[str, Any]]:
    for page in range(1, MOST_PAGES + 1):
        found = _call("GET", f"issues/{number}/comments?per_page={PER_PAGE}&page={page}")
        yield from found
        if len(found) < PER_PAGE:
            return


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
