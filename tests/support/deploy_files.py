"""What stands in deploy/, read as the programs that use it would: YAML, the Dockerfile, start commands."""

import re
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def project() -> dict[str, Any]:
    tables: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return tables


def pinned(package: str) -> str:
    """The version constraints.txt gives a package."""
    match = re.search(rf"^{re.escape(package)}==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert match, f"{package} is not pinned in constraints.txt"
    return match.group(1)


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


@dataclass(frozen=True)
class Instruction:
    name: str
    value: str


@dataclass(frozen=True)
class Stage:
    name: str
    image: str
    instructions: tuple[Instruction, ...]

    def values(self, name: str) -> list[str]:
        return [each.value for each in self.instructions if each.name == name]


def dockerfile_instructions() -> list[Instruction]:
    text = (DEPLOY / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    found = []
    for line in filter(str.strip, joined.splitlines()):
        name, _, value = line.strip().partition(" ")
        found.append(Instruction(name, " ".join(value.split())))
    return found


def dockerfile_stages() -> list[Stage]:
    stages: list[tuple[str, str, list[Instruction]]] = []
    for instruction in dockerfile_instructions():
        if instruction.name == "FROM":
            image, _, name = instruction.value.partition(" AS ")
            stages.append((name, image, []))
        else:
            stages[-1][2].append(instruction)
    return [Stage(name, image, tuple(instructions)) for name, image, instructions in stages]


@dataclass(frozen=True)
class StartCommands:
    """The words after `ray` that make a head and a worker."""

    head: tuple[str, ...]
    worker: tuple[str, ...]


def compose_commands() -> StartCommands:
    services = documents("compose.yaml")[0]["services"]
    head, worker = (tuple(services[name]["command"]) for name in ("head", "worker"))
    assert head[0] == worker[0] == "ray"
    return StartCommands(head[1:], worker[1:])


def cluster_commands() -> StartCommands:
    """The last command on each kind of machine; the one before it ends a Ray that ran there."""
    config = documents("cluster.yaml")[0]
    words = []
    for key in ("head_start_ray_commands", "worker_start_ray_commands"):
        stop, start = config[key]
        assert stop.endswith("/ray stop")
        prefix, _, arguments = start.partition("/ray ")
        assert prefix == stop.removesuffix("/ray stop").join(["RAY_AUTH_MODE=token ", ""])
        words.append(tuple(shlex.split(arguments)))
    return StartCommands(*words)


def kuberay_commands() -> StartCommands:
    """As the operator makes them of `rayStartParams`, with what it adds by itself."""
    spec = documents("kuberay.yaml")[0]["spec"]

    def words(parameters: dict[str, str]) -> tuple[str, ...]:
        return tuple(
            f"--{key}" if value == "true" else f"--{key}={value}" for key, value in sorted(parameters.items())
        )

    head = words(spec["headGroupSpec"]["rayStartParams"])
    worker = words(spec["workerGroupSpecs"][0]["rayStartParams"])
    return StartCommands(
        ("start", "--head", *head, "--block"), ("start", "--address=head:6379", *worker, "--block")
    )
