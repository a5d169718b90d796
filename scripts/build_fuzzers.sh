#!/usr/bin/env bash
# Compiles the fuzzers of the core, core/fuzz, into build/fuzz-core: with clang's libFuzzer, the address and the
# undefined-behaviour sanitizer, and assertions.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/fuzz-core
if ! command -v clang++ >/dev/null; then
    rm -rf "$folder"
    echo "fuzz: clang is not installed, so the core is not fuzzed by itself (Debian: apt-get install clang)"
    exit 0
fi
.venv/bin/cmake -S . -B "$folder" -G Ninja --log-level=WARNING \
    -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_BUILD_TYPE=Debug -DMILTON_MODULES=OFF -DMILTON_VARIANTS=generic -DMILTON_OPTIMISATION=-O1 \
    -DMILTON_FUZZ=ON >/dev/null
.venv/bin/ninja -C "$folder" -j "${JOBS:-2}" --quiet core_fuzzers
