"""The Kubernetes manifest: every document valid, limited, without privileges, closed to the outside."""

import json
from pathlib import Path

import jsonschema
import pytest
from deploy_files import documents, kuberay_commands

DEFINITIONS = json.loads((Path(__file__).parent / "schemas" / "kuberay.json").read_text())
KINDS = ("RayCluster", "PersistentVolumeClaim", "NetworkPolicy")


def check(document):
    jsonschema.validate(document, {**DEFINITIONS, "$ref": f"#/$defs/{document['kind']}"})


@pytest.fixture
def manifest():
    return {document["kind"]: document for document in documents("kuberay.yaml")}


@pytest.fixture
def pods(manifest):
    spec = manifest["RayCluster"]["spec"]
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]]
    return [group["template"]["spec"] for group in groups]


@pytest.mark.parametrize("kind", KINDS)
def test_every_document_is_valid(manifest, kind):
    check(manifest[kind])
    assert set(manifest) == set(KINDS)


def test_the_schema_notices_mistakes(manifest):
    cluster = manifest["RayCluster"]
    cluster["spec"]["headGroupSpec"]["rayStartParams"]["num-cpus"] = 0  # must be text
    with pytest.raises(jsonschema.ValidationError):
        check(cluster)
    claim = manifest["PersistentVolumeClaim"]
    claim["spec"]["resources"]["requests"]["storage"] = "20 gigabytes"
    with pytest.raises(jsonschema.ValidationError):
        check(claim)


def test_every_container_is_limited_and_unprivileged(pods):
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            resources = container["resources"]
            assert resources["limits"] == resources["requests"]
            assert {"cpu", "memory"} <= set(resources["limits"])
            assert container["securityContext"]["allowPrivilegeEscalation"] is False
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


def test_volumes_that_are_mounted_exist_and_the_claim_is_made(manifest, pods):
    for pod in pods:
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        for container in pod["containers"]:
            assert {mount["name"] for mount in container["volumeMounts"]} == set(volumes)
        claims = {volume["persistentVolumeClaim"]["claimName"] for volume in pod["volumes"][:-1]}
        assert claims <= {manifest["PersistentVolumeClaim"]["metadata"]["name"]}


def test_the_object_store_fits_into_shared_memory(manifest, pods):
    stores = [
        word.partition("=")[2]
        for command in (kuberay_commands().head, kuberay_commands().worker)
        for word in command
        if word.startswith("--object-store-memory=")
    ]
    assert len(stores) == 2
    for pod in pods:
        [limit] = [v["emptyDir"]["sizeLimit"] for v in pod["volumes"] if v["name"] == "shm"]
        assert max(map(int, stores)) < int(limit.removesuffix("Mi")) * 2**20


def test_only_nodes_of_the_cluster_reach_it(manifest):
    mine = {"matchLabels": {"ray.io/cluster": manifest["RayCluster"]["metadata"]["name"]}}
    policy = manifest["NetworkPolicy"]["spec"]
    assert policy["podSelector"] == mine
    assert policy["policyTypes"] == ["Ingress"]
    assert policy["ingress"] == [{"from": [{"podSelector": mine}]}]
    spec = manifest["RayCluster"]["spec"]
    assert spec["authOptions"] == {"mode": "token"}
    assert spec["headGroupSpec"]["serviceType"] == "ClusterIP"


def test_groups_of_workers_have_names_of_their_own_and_sensible_bounds(manifest):
    groups = manifest["RayCluster"]["spec"]["workerGroupSpecs"]
    assert len({group["groupName"] for group in groups}) == len(groups)
    assert all(group["minReplicas"] <= group["replicas"] <= group["maxReplicas"] for group in groups)


def test_gpus_are_asked_for_by_the_group_that_is_for_them(manifest):
    for group in manifest["RayCluster"]["spec"]["workerGroupSpecs"]:
        [container] = group["template"]["spec"]["containers"]
        assert ("nvidia.com/gpu" in container["resources"]["limits"]) == (group["groupName"] == "gpus")
        assert container["image"].endswith("-cuda") == (group["groupName"] == "gpus")
