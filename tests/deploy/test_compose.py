"""The compose file: valid, limited, and closed to the outside."""

import json
from pathlib import Path

import jsonschema
import pytest
from deploy_files import DEPLOY, documents

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "compose.json").read_text())


@pytest.fixture
def compose():
    return documents("compose.yaml")[0]


def test_it_is_a_valid_compose_file(compose):
    jsonschema.validate(compose, SCHEMA)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("services", "head", "comand"), ["ray"]),
        (("services", "worker", "depends_on", "head", "condition"), "healthy"),
        (("services", "worker", "deploy", "replicas"), "two"),
        (("services", "head", "healthcheck", "interval"), 30),
    ],
)
def test_the_schema_notices_mistakes(compose, path, value):
    node = compose
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(compose, SCHEMA)


def test_networks_volumes_and_services_that_are_named_exist(compose):
    for service in compose["services"].values():
        assert set(service["networks"]) <= set(compose["networks"])
        assert {volume.split(":")[0] for volume in service.get("volumes", [])} <= set(compose["volumes"])
        assert set(service.get("depends_on", {})) <= set(compose["services"])
        build = service["build"]
        assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"


def test_nothing_is_published_and_the_network_has_no_way_out(compose):
    assert not any(
        "ports" in service or "network_mode" in service for service in compose["services"].values()
    )
    assert all(network["internal"] for network in compose["networks"].values())


def test_every_service_is_limited_and_gives_up_privileges(compose):
    for service in compose["services"].values():
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert service["environment"]["RAY_AUTH_MODE"] == "token"


def test_a_worker_offers_the_cores_it_may_use(compose):
    worker = compose["services"]["worker"]
    assert f"--num-cpus={worker['deploy']['resources']['limits']['cpus']}" in worker["command"]


def test_the_object_store_fits_into_shared_memory(compose):
    for service in compose["services"].values():
        [store] = [word for word in service["command"] if word.startswith("--object-store-memory=")]
        assert service["shm_size"].endswith("mb")
        assert int(store.partition("=")[2]) < int(service["shm_size"].removesuffix("mb")) * 2**20


def test_workers_look_for_the_head_where_it_listens(compose):
    services = compose["services"]
    [port] = [word.partition("=")[2] for word in services["head"]["command"] if word.startswith("--port=")]
    assert f"--address=head:{port}" in services["worker"]["command"]
    assert services["head"]["healthcheck"]["test"][-1] == f"127.0.0.1:{port}"
