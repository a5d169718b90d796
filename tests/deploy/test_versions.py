"""The ready-made files agree with the project: one version of Milton, of Ray and of Python."""

import re

import pytest
from deploy_files import DEPLOY, ROOT, dockerfile_stages, documents, pinned, project

IMAGE = f"milton:{project()['version']}"


def images_of(node):
    """Every value of a key `image`, however deep."""
    if isinstance(node, dict):
        own = [node["image"]] if isinstance(node.get("image"), str) else []
        return own + [image for value in node.values() for image in images_of(value)]
    return [image for value in node for image in images_of(value)] if isinstance(node, list) else []


def test_kuberay_is_told_the_version_of_ray_that_is_pinned():
    assert documents("kuberay.yaml")[0]["spec"]["rayVersion"] == pinned("ray")


def test_no_other_file_repeats_the_version_of_ray():
    holders = [path.name for path in DEPLOY.iterdir() if pinned("ray") in path.read_text()]
    assert holders == ["kuberay.yaml"]


@pytest.mark.parametrize("name", ["compose.yaml", "kuberay.yaml"])
def test_images_are_of_this_version(name):
    images = {image for document in documents(name) for image in images_of(document)}
    assert images
    assert images <= {IMAGE, f"{IMAGE}-cuda"}


def test_the_dockerfile_says_how_to_build_that_image():
    assert f"docker build -f deploy/Dockerfile -t {IMAGE} ." in (DEPLOY / "Dockerfile").read_text()


def test_nodes_run_one_python():
    """Ray refuses to join nodes whose Python differs in its minor version."""
    image_versions = {re.match(r"python:(\d+\.\d+)-slim", stage.image)[1] for stage in dockerfile_stages()}
    [version] = image_versions
    assert f"python{version} -m venv" in documents("cluster.yaml")[0]["setup_commands"][0]
    needed = re.match(r">=(\d+)\.(\d+)", project()["requires-python"])
    assert tuple(map(int, version.split("."))) >= tuple(map(int, needed.groups()))


def test_the_pinned_ray_is_the_one_under_test():
    import ray

    assert ray.__version__ == pinned("ray")


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_files_hold_no_secrets(path):
    text = path.read_text()
    assert not re.search(r"(?i)(password|api[_-]?key|BEGIN .*PRIVATE KEY)", text)
    # A token is only ever named: taken from the environment, a file of the user, or made by an operator.
    for line in text.splitlines():
        if "RAY_AUTH_TOKEN" in line and not line.lstrip().startswith("#"):
            assert "${RAY_AUTH_TOKEN:?" in line


def test_the_files_are_in_the_repository():
    assert {path.name for path in DEPLOY.iterdir()} == {
        "Dockerfile",
        "Dockerfile.dockerignore",
        "cluster.yaml",
        "compose.yaml",
        "kuberay.yaml",
    }
    assert (ROOT / "docs" / "cluster.md").is_file()
