#!/usr/bin/env bash
# The core stays free of Python: nanobind is included in core/bindings/ and nowhere else.
set -euo pipefail
cd "$(dirname "$0")/.."

if grep -rnE 'nanobind|Python\.h' core --include='*.h' --include='*.cpp' --exclude-dir=bindings; then
    echo "only core/bindings/ may know nanobind or Python" >&2
    exit 1
fi
