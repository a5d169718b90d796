#!/usr/bin/env bash
# Configures build/ for the instruction sets in $VARIANTS ("all", or names separated by commas).
# Does nothing if it is already configured for them.
set -euo pipefail
cd "$(dirname "$0")/.."

variants=${VARIANTS:-all}
mkdir -p build
exec 9>build/.lock
flock 9
if [[ -f build/build.ninja && -f build/.configured && $(cat build/.configured) == "$variants" ]]; then
    exit 0
fi

# A configuration that fails must not pass for the one before it.
rm -f build/.configured

# Unset rather than listed for "all": CMakeLists.txt knows which exist on this machine.
choice=(-U MILTON_VARIANTS)
if [[ $variants != all ]]; then
    choice=("-DMILTON_VARIANTS=${variants//,/;}")
fi
.venv/bin/cmake -S . -B build -G Ninja --log-level=WARNING \
    -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" \
    -DPython_EXECUTABLE="$PWD/.venv/bin/python" \
    -DMILTON_MODULE_DIR="$PWD/src/milton/_core" \
    "${choice[@]}" >build/configure.log
echo "$variants" >build/.configured
