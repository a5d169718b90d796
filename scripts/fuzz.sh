#!/usr/bin/env bash
# Fuzzes every format that Milton reads for so many seconds: `fuzz.sh 600`. The Python around the core is guided by
# coverage where atheris can be installed (extra `fuzz`), else inputs are changed at random; the core by itself is
# guided by coverage where clang is installed, else it is left out.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! .venv/bin/python -c 'import atheris' 2>/dev/null; then
    .venv/bin/pip --disable-pip-version-check install --quiet -c constraints.txt -e '.[fuzz]' ||
        echo "fuzz: atheris cannot be installed here, so inputs are changed at random"
fi
scripts/build_fuzzers.sh
exec .venv/bin/python tests/fuzz/run.py "${1:-60}"
