#!/usr/bin/env bash
# Makes .venv and installs the project into it: `setup.sh loop` what learning and playing need, `setup.sh dev` the
# tools of the tests too, `setup.sh docs` those of the documentation site. Does nothing if neither the requirements nor
# the pins changed since the last time: other tables of pyproject.toml are edited often.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A extras=([loop]=build,train [dev]=dev [docs]=docs)
profile=${1:-dev}
[[ -v extras[$profile] ]] || {
    echo "setup: expected one of ${!extras[*]}, got $profile" >&2
    exit 2
}
python=${PYTHON:-python3}
ready=.venv/.ready-$profile
# PyTorch's own index of CPU builds: elsewhere on Linux the same version brings gigabytes of CUDA.
cpu_index=${MILTON_TORCH_INDEX:-https://download.pytorch.org/whl/cpu}

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

# `dev` holds all that `loop` needs.
for stamp in "$ready" .venv/.ready-dev; do
    [[ $profile != docs || $stamp == "$ready" ]] || continue
    if [[ -f $stamp && $(cat "$stamp") == "$fingerprint" ]]; then
        echo "$fingerprint" >"$ready"
        exit 0
    fi
done

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
pip=(.venv/bin/pip --disable-pip-version-check)

# The distribution's former name; left behind, it would own the same command.
if compgen -G '.venv/lib/python3*/site-packages/milton-*.dist-info' >/dev/null; then
    "${pip[@]}" uninstall --quiet --yes milton
fi
echo "setup: installing the dependencies, profile $profile (a few minutes the first time)"
torch=$(grep -E '^torch==' constraints.txt)
if [[ $("${pip[@]}" freeze --all 2>/dev/null | grep -E '^torch==' || true) != "$torch"* ]]; then
    "${pip[@]}" install --quiet --no-compile --no-deps --timeout 5 --retries 0 --index-url "$cpu_index" "$torch" \
        >/dev/null 2>&1 || echo "setup: $cpu_index did not answer, so torch comes from pip's own index"
fi
# Without bytecode of modules that nobody imports: a seventh of the size.
report=$(mktemp)
trap 'rm -f "$report"' EXIT
"${pip[@]}" install --quiet --no-compile --report "$report" -c constraints.txt -e ".[${extras[$profile]}]"
# Wheels run nothing while they are installed: a file that is not the one of the lock is found before it is used.
.venv/bin/python scripts/check_hashes.py "$report" || {
    echo "setup: .venv is not to be trusted; remove it, and find out where those files came from" >&2
    exit 1
}
echo "$fingerprint" >"$ready"
