#!/usr/bin/env bash
# Compiles the core and its tests with CMake, as `make test-core` does, and runs them under the sanitizers: address
# and undefined behaviour together, then threads. Both run the best variant that this machine can run, the first also
# the generic one. Python stays out of it: sanitizers and the interpreter do not mix.
set -euo pipefail
cd "$(dirname "$0")/.."

all_variants='generic;avx2;avx512'
[[ $(uname -m) =~ x86_64|amd64 ]] || all_variants=generic

for run in address,undefined:generic "address,undefined:$all_variants" "thread:$all_variants"; do
    sanitizer=${run%%:*} variants=${run#*:}
    folder=build/sanitize/${sanitizer//,/-}
    [ "$variants" = generic ] || folder+=-best
    echo "sanitize: $sanitizer, the best of $variants"
    # Only the variant that the tests run is compiled.
    .venv/bin/cmake -S . -B "$folder" -G Ninja --log-level=WARNING \
        -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" \
        -DCMAKE_BUILD_TYPE=Debug -DMILTON_MODULES=OFF "-DMILTON_VARIANTS=$variants" -DMILTON_OPTIMISATION=-O1 \
        -DCMAKE_CXX_FLAGS="-g -fno-omit-frame-pointer -fsanitize=$sanitizer -fno-sanitize-recover=all" >/dev/null
    .venv/bin/ninja -C "$folder" -j "${JOBS:-2}" --quiet core_tests
    .venv/bin/ctest --test-dir "$folder" --output-on-failure
done
