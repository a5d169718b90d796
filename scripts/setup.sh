#!/usr/bin/env bash
# Makes .venv and installs the project into it. Does nothing if neither the requirements nor the pins changed
# since the last time: other tables of pyproject.toml are edited often.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
ready=.venv/.ready

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "setup: Python 3.11 or newer is needed, $python is $("$python" --version 2>&1)" >&2
    exit 1
}
fingerprint=$("$python" - <<'PY'
import hashlib, json, pathlib, tomllib
tables = tomllib.loads(pathlib.Path("pyproject.toml").read_text())
wanted = json.dumps([tables["build-system"], tables["project"]]) + pathlib.Path("constraints.txt").read_text()
print(hashlib.sha256(wanted.encode()).hexdigest())
PY
)
if [[ -f $ready && $(cat "$ready") == "$fingerprint" ]]; then
    touch "$ready"
    exit 0
fi

headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h
if [[ ! -f $headers ]]; then
    echo "setup: $headers is missing; install it with: apt-get install python3-dev" >&2
    exit 1
fi
if [[ ! -x .venv/bin/python ]]; then
    echo "setup: making .venv"
    "$python" -m venv .venv || {
        echo "setup: no virtual environment; on Debian: apt-get install python3-venv" >&2
        exit 1
    }
fi
echo "setup: installing the dependencies (a few minutes the first time)"
.venv/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
echo "$fingerprint" >"$ready"
