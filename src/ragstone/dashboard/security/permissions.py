"""What each role may do: one table, which the middleware applies to every request and templates ask before a button.

A request that is in no row reads if its method is GET, HEAD or OPTIONS; otherwise only an owner may make it.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple, get_args

from ragstone.store.read.audit_log import Role

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ROLES: tuple[Role, ...] = get_args(Role)


class Permission(NamedTuple):
    """An action, who may do it, and its routes.

    Attributes:
        meaning: the action in words, as messages and the documentation say it.
        roles: who may do it.
        routes: method and path of each route, as FastAPI has them.
        audited: whether each successful request is kept in the audit log.
    """

    meaning: str
    roles: tuple[Role, ...]
    routes: tuple[str, ...] = ()
    audited: bool = True


_READERS: tuple[Role, ...] = ("reader", "annotator", "owner")
_ANNOTATORS: tuple[Role, ...] = ("annotator", "owner")
_OWNERS: tuple[Role, ...] = ("owner",)
_SENDERS: tuple[Role, ...] = ("sender", "owner")

PERMISSIONS: Mapping[str, Permission] = {
    "read": Permission("see runs, cases, comparisons and the watch, and download them", _READERS, (), False),
    "annotate": Permission(
        "annotate answers, claims and causes",
        _ANNOTATORS,
        (
            "GET /annotate",
            "POST /annotate",
            "POST /annotate/{run}",
            "POST /runs/{run}/cases/{index}/verdict",
            "PUT /api/runs/{run}/annotations",
            "DELETE /api/runs/{run}/annotations",
            "GET /runs/{run}/why/checks",
            "POST /runs/{run}/why/checks",
        ),
    ),
    "review": Permission(
        "review drafted questions", _ANNOTATORS, ("GET /review", "POST /review", "POST /review/person")
    ),
    "add_question": Permission(
        "add a question to the test set", _ANNOTATORS, ("POST /test-set", "POST /api/test-set")
    ),
    "prepare": Permission(
        "prepare a run: see its form, preview a dataset, estimate the cost",
        _OWNERS,
        ("GET /evaluate", "POST /evaluate/preview", "POST /evaluate/estimate", "POST /api/estimates"),
        audited=False,
    ),
    "upload": Permission("upload a dataset", _OWNERS, ("POST /api/datasets",)),
    "start": Permission("start a run", _OWNERS, ("POST /evaluate", "POST /api/runs")),
    "stop": Permission("stop a run", _OWNERS, ("POST /runs/{run}/stop", "POST /api/runs/{run}/stop")),
    "resume": Permission(
        "resume a run, or measure again what failed",
        _OWNERS,
        ("POST /runs/{run}/resume", "POST /api/runs/{run}/resume"),
    ),
    "label": Permission("change name, tags and note of a run", _OWNERS, ("POST /runs/{run}/labels",)),
    "baseline": Permission(
        "set or remove a baseline",
        _OWNERS,
        ("POST /runs/{run}/baseline", "PUT /api/baselines/{name}", "DELETE /api/baselines/{name}"),
    ),
    "delete": Permission(
        "delete runs", _OWNERS, ("POST /runs/{run}/delete", "POST /runs/delete", "DELETE /api/runs/{run}")
    ),
    "send": Permission(
        "send traces and users' feedback",
        _SENDERS,
        ("POST /v1/traces", "POST /v1/logs", "POST /api/feedback", "GET /status"),
        audited=False,
    ),
    "delete_feedback": Permission("delete users' feedback", _OWNERS, ("DELETE /api/feedback/{feedback_id}",)),
    "make_token": Permission("make a token", _OWNERS, ("POST /tokens", "POST /api/tokens")),
    "revoke_token": Permission(
        "revoke a token", _OWNERS, ("POST /tokens/{name}/revoke", "DELETE /api/tokens/{name}")
    ),
    "see_access": Permission(
        "see the tokens and the audit log",
        _OWNERS,
        ("GET /tokens", "GET /api/tokens", "GET /audit", "GET /api/audit"),
        audited=False,
    ),
    "use_mcp": Permission("use ragstone mcp", _READERS, (), False),
    "use_mcp_write": Permission("use ragstone mcp --write", _OWNERS, (), False),
    "change": Permission("change anything else", _OWNERS),
}
"""Action → who may do it. `read` and `change` are the requests that are in no row."""


def action_of(method: str, path: str) -> str:
    """Return the action of a request."""
    method = "GET" if method == "HEAD" else method
    found = next((action for pattern, action in _PATTERNS if pattern.fullmatch(f"{method} {path}")), None)
    return found or ("read" if method in SAFE_METHODS else "change")


def may(role: Role, action: str) -> bool:
    """Return whether a role may do an action."""
    return role in PERMISSIONS[action].roles


_PATTERNS = tuple(
    (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(route))), action)
    for action, permission in PERMISSIONS.items()
    for route in permission.routes
)
