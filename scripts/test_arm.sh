#!/usr/bin/env bash
# Compiles the core and its tests for 64-bit ARM with the compiler of the Python package ziglang, into build/aarch64,
# and runs them under qemu: the vector code for NEON, and whether search visits the same nodes as on x86-64.
set -euo pipefail
cd "$(dirname "$0")/.."

emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static || true)
if [[ -z $emulator && $(uname -m) != aarch64 ]]; then
    echo "test-arm: qemu-aarch64 is missing. To install it: sudo apt-get install qemu-user" >&2
    exit 1
fi
folder=build/aarch64
export ZIG_LOCAL_CACHE_DIR=$PWD/$folder/zig-cache
if [[ ! -f $folder/build.ninja ]]; then
    CXX="$PWD/.venv/bin/python -m ziglang c++" .venv/bin/cmake -S . -B "$folder" -G Ninja --log-level=WARNING \
        -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_CXX_FLAGS="-target aarch64-linux-musl" -DCMAKE_EXE_LINKER_FLAGS=-static \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$emulator" -DMILTON_MODULES=OFF
fi
.venv/bin/ninja -C "$folder" -j "${JOBS:-2}" --quiet core_tests
.venv/bin/ctest --test-dir "$folder" --output-on-failure -j "${JOBS:-2}"
