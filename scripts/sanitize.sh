#!/usr/bin/env bash
# Compiles the core and its tests with CMake, as `make test-core` does, and runs them under the sanitizers: address
# and undefined behaviour together, then threads. Python stays out of it: sanitizers and the interpreter do not mix.
set -euo pipefail
cd "$(dirname "$0")/.."

for sanitizer in address,undefined thread; do
    folder=build/sanitize/${sanitizer//,/-}
    echo "sanitize: $sanitizer"
    .venv/bin/cmake -S . -B "$folder" -G Ninja --log-level=WARNING \
        -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" \
        -DCMAKE_BUILD_TYPE=Debug -DMILTON_MODULES=OFF -DMILTON_VARIANTS=generic -DMILTON_OPTIMISATION=-O1 \
        -DCMAKE_CXX_FLAGS="-g -fno-omit-frame-pointer -fsanitize=$sanitizer -fno-sanitize-recover=all" >/dev/null
    .venv/bin/ninja -C "$folder" -j "${JOBS:-2}" --quiet core_tests
    .venv/bin/ctest --test-dir "$folder" --output-on-failure
done
