#!/usr/bin/env bash
# Builds the static site into web/dist: the pages, the core as WebAssembly, its networks and the service worker. Needs
# build/wasm. Does nothing if neither the pages nor the engine changed. --compress adds .gz and .br files.
set -euo pipefail
cd "$(dirname "$0")/.."

exec 9>build/.site-lock
flock 9
scripts/node_modules.sh dev
"${PYTHON:-.venv/bin/python}" scripts/site_data.py
fingerprint=$(find web/src web/public-site web/scripts web/index.html web/package-lock.json web/vite.config.ts web/tsconfig.json \
    -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)" $*"
if [[ -f web/dist/index.html && -f build/.site && $(cat build/.site) == "$fingerprint" ]]; then
    exit 0
fi
(cd web && npm run --silent build:site -- --logLevel warn && node scripts/site_files.mjs "$@")
echo "$fingerprint" >build/.site
cd web
echo "site: web/dist, $(du -sh dist | cut -f1), $(find dist -type f | wc -l) files"
