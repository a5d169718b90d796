#!/usr/bin/env bash
# Runs the learning loop; while that command does not exist, says so and runs what there is.
set -euo pipefail
cd "$(dirname "$0")/.."

if .venv/bin/milton loop --help >/dev/null 2>&1; then
    exec .venv/bin/milton loop "$@"
fi
echo "The learning loop is not built yet. What there is: a rules core, checked by the doctor."
exec .venv/bin/milton doctor
