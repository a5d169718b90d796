"""The Dockerfile, parsed: its stages, what it copies, what it installs, and as whom it runs."""

import fnmatch
import re
import shlex
import tomllib

import pytest
from deploy_files import DEPLOY, ROOT, dockerfile_instructions, dockerfile_stages, documents, pinned, project

KNOWN = {"FROM", "RUN", "COPY", "ARG", "ENV", "WORKDIR", "USER", "CMD"}


@pytest.fixture
def stages():
    return {stage.name: stage for stage in dockerfile_stages()}


def copies_from_the_repository():
    """Sources of every COPY that does not take from another stage."""
    found = []
    for stage in dockerfile_stages():
        for value in stage.values("COPY"):
            *sources, _target = shlex.split(value)
            if not sources[0].startswith("--from="):
                found += sources
    return found


def test_it_consists_of_known_instructions_in_named_stages(stages):
    assert {instruction.name for instruction in dockerfile_instructions()} <= KNOWN
    assert list(stages) == ["wheel", "runtime"]
    image = r"python:\d+\.\d+-slim-\w+(@sha256:[0-9a-f]{64})?"
    assert all(re.fullmatch(image, stage.image) for stage in stages.values())


@pytest.mark.parametrize("source", copies_from_the_repository())
def test_what_is_copied_exists(source):
    assert (ROOT / source).exists()


def test_what_is_copied_reaches_the_builder():
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    let_in = {rule[1:] for rule in rules if rule.startswith("!")}
    assert let_in == set(copies_from_the_repository())
    kept_out = [rule.removeprefix("**/") for rule in rules[1:] if not rule.startswith("!")]
    assert any(fnmatch.fnmatch("_avx2.cpython-311-x86_64-linux-gnu.so", rule) for rule in kept_out)


def test_everything_the_wheel_is_built_from_is_copied(stages):
    """Files that pyproject.toml and CMakeLists.txt name; a wheel without them would not build."""
    copied = set(copies_from_the_repository())
    assert {"pyproject.toml", "CMakeLists.txt", "core", "src"} <= copied
    assert {project()["readme"], *project()["license-files"]} <= copied
    recipe = (ROOT / "CMakeLists.txt").read_text()
    sources = re.findall(r"(?:GLOB|GLOB_RECURSE) \w+ CONFIGURE_DEPENDS (\w+)/", recipe)
    assert set(sources) <= copied


def test_the_wheel_is_built_with_pinned_tools(stages):
    [install] = [run for run in stages["wheel"].values("RUN") if run.startswith("pip install")]
    words = shlex.split(install)
    assert words[words.index("-c") + 1] == "constraints.txt"
    tools = words[words.index("-c") + 2 :]
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert {re.split("[<>=]", each)[0] for each in requires} <= set(tools)
    for tool in tools:
        assert pinned(tool.replace("scikit-build-core", "scikit_build_core"))
    assert any("pip wheel" in run and "--no-build-isolation" in run for run in stages["wheel"].values("RUN"))


def test_the_runtime_installs_the_wheel_with_an_extra_that_exists(stages):
    [install] = [run for run in stages["runtime"].values("RUN") if "pip install" in run]
    extras = re.search(r"milton_zero-\*\.whl\)\[([\w,]+)\]", install)[1].split(",")
    assert extras == ["cluster", "onnx", "train"]  # every node may be the one that trains
    assert set(extras) <= set(project()["optional-dependencies"])
    assert "-c /tmp/milton/constraints.txt" in install
    assert any(value.startswith("--from=wheel") for value in stages["runtime"].values("COPY"))


def test_compilers_stay_behind(stages):
    assert not any("apt-get" in run for run in stages["runtime"].values("RUN"))


def test_the_image_runs_as_a_numbered_user_who_is_not_root(stages):
    instructions = stages["runtime"].instructions
    names = [instruction.name for instruction in instructions]
    [user] = stages["runtime"].values("USER")
    number = user.split(":")[0]
    assert int(number) > 0
    assert "RUN" not in names[names.index("USER") :], "something is installed after root was given up"
    assert any(f"--uid {number}" in run for run in stages["runtime"].values("RUN"))
    security = documents("kuberay.yaml")[0]["spec"]["headGroupSpec"]["template"]["spec"]["securityContext"]
    assert security["runAsUser"] == int(number)


def test_runs_are_mounted_where_the_user_may_write(stages):
    home = stages["runtime"].values("WORKDIR")[-1]
    assert any(f"{home}/runs" in run for run in stages["runtime"].values("RUN"))
    head = documents("compose.yaml")[0]["services"]["head"]
    assert head["volumes"] == [f"runs:{home}/runs"]
    kube_head = documents("kuberay.yaml")[0]["spec"]["headGroupSpec"]["template"]["spec"]["containers"][0]
    assert f"{home}/runs" in {mount["mountPath"] for mount in kube_head["volumeMounts"]}
