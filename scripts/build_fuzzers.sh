#!/usr/bin/env bash
# Compiles the fuzzers of the core, core/fuzz, into build/fuzz-core: with clang's libFuzzer, the address and the
# undefined-behaviour sanitizer, and assertions.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/fuzz-core
# clang may be there without the libraries that -fsanitize=fuzzer links.
probe='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
if ! clang++ -x c++ -fsanitize=fuzzer - -o /dev/null <<<"$probe" 2>/dev/null; then
    rm -rf "$folder"
    echo "fuzz: clang with libFuzzer is not installed, so the core is not fuzzed by itself" \
        "(Debian: apt-get install clang libclang-rt-dev)"
    exit 0
fi
.venv/bin/cmake -S . -B "$folder" -G Ninja --log-level=WARNING \
    -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_BUILD_TYPE=Debug -DMILTON_MODULES=OFF -DMILTON_VARIANTS=generic -DMILTON_OPTIMISATION=-O1 \
    -DMILTON_FUZZ=ON >/dev/null
.venv/bin/ninja -C "$folder" -j "${JOBS:-2}" --quiet core_fuzzers
