#!/usr/bin/env bash
# Checks (or with --fix rewrites) the layout of the C++ sources, if clang-format is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v clang-format >/dev/null; then
    echo "clang-format is not installed: the layout of C++ sources was not checked"
    exit 0
fi
action=(--dry-run --Werror)
if [[ ${1:-} == --fix ]]; then
    action=(-i)
fi
find core \( -name '*.h' -o -name '*.cpp' \) -print0 | xargs -0 clang-format "${action[@]}"
