#!/usr/bin/env bash
# Style of the TypeScript sources: eslint for what the compiler does not see, prettier for the layout.
# --fix lays them out. Says so and goes on where the tools are not installed, as `make web` does.
set -euo pipefail
cd "$(dirname "$0")/../web"

if [[ ! -x node_modules/.bin/prettier || ! -x node_modules/.bin/eslint ]]; then
    echo "web/node_modules has no prettier or eslint (make web installs them): TypeScript sources were not checked"
    exit 0
fi
if [[ ${1:-} == --fix ]]; then
    npm run --silent format
else
    npm run --silent lint || { echo "TypeScript sources: run 'make format', or mend what eslint names"; exit 1; }
fi
