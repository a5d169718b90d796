"""The file of `ray up`, read by Ray's own code and checked against the schema that Ray ships."""

import copy
import json
import re
from pathlib import Path

import jsonschema
import pytest
import ray.autoscaler
from deploy_files import ROOT, cluster_commands, documents, project
from ray.autoscaler._private.util import prepare_config, validate_config

SCHEMA = json.loads((Path(ray.autoscaler.__file__).parent / "ray-schema.json").read_text())


@pytest.fixture
def config():
    return documents("cluster.yaml")[0]


def test_it_fits_the_schema_that_ray_ships(config):
    jsonschema.validate(config, SCHEMA)


def test_the_schema_notices_mistakes(config):
    config["setup_comands"] = []
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(config, SCHEMA)


def test_ray_itself_accepts_it_and_uses_every_machine(config):
    prepared = prepare_config(copy.deepcopy(config))
    validate_config(prepared)
    [kind] = prepared["available_node_types"].values()
    assert kind["min_workers"] == kind["max_workers"] == len(config["provider"]["worker_ips"])


def test_the_head_binds_to_its_own_private_address(config):
    assert f"--node-ip-address={config['provider']['head_ip']}" in cluster_commands().head
    addresses = [config["provider"]["head_ip"], *config["provider"]["worker_ips"]]
    assert all(address.startswith("10.") for address in addresses)
    assert len(set(addresses)) == len(addresses)


def test_what_is_installed_is_what_is_sent(config):
    mounts = config["file_mounts"]
    install = config["setup_commands"][-1]
    assert mounts["~/milton/constraints.txt"] == "constraints.txt"
    assert (ROOT / "constraints.txt").is_file()
    assert mounts["~/milton/wheels"] == "dist"
    assert "-w dist" in (ROOT / "Makefile").read_text()  # where `make wheel` puts it
    assert "-c ~/milton/constraints.txt" in install
    extras = re.search(r'"\$\(ls ~/milton/wheels/milton_zero-\*\.whl\)\[([\w,]+)\]"', install)[1].split(",")
    assert extras == ["cluster", "onnx", "train"]  # as in the image: the head trains
    assert set(extras) <= set(project()["optional-dependencies"])


def test_the_token_comes_from_the_user_s_own_file(config):
    assert config["file_mounts"]["~/.ray/auth_token"] == "~/.ray/auth_token"
