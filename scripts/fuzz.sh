#!/usr/bin/env bash
# Fuzzes every format that Milton reads for so many seconds: `fuzz.sh 600`. Guided by coverage where atheris can be
# installed (extra `fuzz`), else by random changes.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! .venv/bin/python -c 'import atheris' 2>/dev/null; then
    .venv/bin/pip --disable-pip-version-check install --quiet -c constraints.txt -e '.[fuzz]' ||
        echo "fuzz: atheris cannot be installed here, so inputs are changed at random"
fi
exec .venv/bin/python tests/fuzz/run.py "${1:-60}"
