"""The files in deploy/ are valid by the schemas, seal each container, and name only variables and paths that exist."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import kubernetes_validate
import yaml

from ragstone.cli import ragstone
from ragstone.cli._group import variables
from ragstone.config import Settings
from ragstone.dashboard.monitoring import HEALTH, READY
from ragstone.watch.plan import read_plan

DEPLOY = Path(__file__).parents[1] / "deploy"
FILES = [path for path in DEPLOY.rglob("*") if path.is_file()]
KUBERNETES_VERSION = "1.31"


def manifests() -> Iterator[dict[str, Any]]:
    for path in sorted(DEPLOY.glob("kubernetes/*.yaml")):
        if path.name != "kustomization.yaml":
            yield from yaml.safe_load_all(path.read_text(encoding="utf-8"))


def pods() -> Iterator[dict[str, Any]]:
    yield from (
        found["spec"]["template"]["spec"] for found in manifests() if "template" in found.get("spec", {})
    )


def test_manifests_follow_the_schemas_and_are_all_listed() -> None:
    for found in manifests():
        kubernetes_validate.validate(found, KUBERNETES_VERSION, strict=True)
    listed = yaml.safe_load((DEPLOY / "kubernetes/kustomization.yaml").read_text(encoding="utf-8"))
    assert {*listed["resources"], "kustomization.yaml"} == {
        path.name for path in DEPLOY.glob("kubernetes/*.yaml")
    }
    assert read_plan(DEPLOY / "kubernetes/watch.toml").name == "production"


def test_every_container_is_sealed_and_probed() -> None:
    images = set[str]()
    for pod in pods():
        assert pod["automountServiceAccountToken"] is pod["enableServiceLinks"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in pod["containers"]:
            images.add(container["image"])
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            if container["image"] == "ragstone":
                paths = [container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("liveness", "readiness")]
                assert paths == [HEALTH, READY]
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert {service["image"] for service in composed.values()} == images
    for service in composed.values():
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_nothing_leaves_a_pod_but_what_is_named() -> None:
    policies = [found for found in manifests() if found["kind"] == "NetworkPolicy"]
    closed = [found["spec"] for found in policies if found["metadata"]["name"] == "nothing"]
    assert closed == [{"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}]
    out = [rule for found in policies for rule in found["spec"].get("egress", [])]
    assert [[port["port"] for port in rule["ports"]] for rule in out] == [[53, 53], [5432]]
    assert all("ipBlock" not in str(rule) and rule["to"] for rule in out)


def test_every_variable_in_deploy_is_one_that_ragstone_reads() -> None:
    known = {f"RAGSTONE_{name.upper()}" for name in Settings.model_fields}
    for name in ("run", "serve", "watch"):
        command = ragstone.get_command(click.Context(ragstone), name)
        assert command is not None
        known |= variables(name, command).keys()
    named = {word for path in FILES for word in re.findall(r"RAGSTONE_\w+", path.read_text(encoding="utf-8"))}
    assert named - known == set()
    assert named
