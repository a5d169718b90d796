#!/usr/bin/env bash
# Types and style of the TypeScript sources: tsc, eslint for what the compiler does not see, prettier for the layout.
# --fix lays them out. Says so and continues where npm is not installed, as `make web` does.
set -euo pipefail
cd "$(dirname "$0")/../web"

if ! command -v npm >/dev/null; then
    echo "npm is not installed: TypeScript sources were not checked"
    exit 0
fi
../scripts/node_modules.sh dev
if [[ ${1:-} == --fix ]]; then
    npm run --silent format
else
    npm run --silent check || exit 1
    npm run --silent lint || { echo "TypeScript sources: run 'make format', or mend what eslint names"; exit 1; }
fi
