#!/usr/bin/env bash
# Builds the static site into web/dist: the pages, the core as WebAssembly and its networks. Needs build/wasm.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/node_modules.sh
.venv/bin/python scripts/site_data.py
cd web
npm run --silent build:site -- --logLevel warn
echo "site: web/dist, $(du -sh dist | cut -f1), $(find dist -type f | wc -l) files"
