#!/usr/bin/env bash
# Runs the learning loop from the project's folder; arguments go to `milton loop`.
set -euo pipefail
cd "$(dirname "$0")/.."
exec .venv/bin/milton loop "$@"
