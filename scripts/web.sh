#!/usr/bin/env bash
# Builds the page that `milton serve` hands out, into src/milton/webapi/static. Does nothing if no source changed.
# Without Node.js it says what is missing and goes on: every command works without the page.
set -euo pipefail
cd "$(dirname "$0")/.."

static=src/milton/webapi/static
if ! command -v npm >/dev/null; then
    echo "web: npm is not installed, so the web page was not built and its tests will skip." \
        "To have it: apt-get install nodejs npm, then make web"
    exit 0
fi
mkdir -p build
exec 9>build/.web-lock
flock 9
fingerprint=$(find web/src web/public web/index.html web/package-lock.json web/vite.config.ts web/tsconfig.json \
    -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
if [[ -f $static/index.html && -f build/.web && $(cat build/.web) == "$fingerprint" ]]; then
    exit 0
fi
scripts/node_modules.sh "${NODE_PROFILE:-page}"
echo "web: building the page"
(cd web && npm run --silent build -- --logLevel warn)
echo "$fingerprint" >build/.web
