#!/usr/bin/env bash
# Compiles core/tests/ with the core and runs it under the sanitizers: address and undefined behaviour
# together, then threads. Python stays out of it: sanitizers and the interpreter do not mix well.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t tests < <(find core/tests -name '*.cpp' 2>/dev/null | sort)
if ((${#tests[@]} == 0)); then
    echo "sanitize: there are no C++ tests in core/tests, nothing to run"
    exit 0
fi
mapfile -t sources < <(find core -name '*.cpp' -not -path 'core/bindings/*' -not -path 'core/tests/*' \
    -not -path 'core/wasm/*' | sort)

compiler=${CXX:-g++}
for sanitizer in address,undefined thread; do
    folder=build/sanitize/${sanitizer//,/-}
    rm -rf "$folder"
    mkdir -p "$folder"
    echo "sanitize: $sanitizer"
    flags=(-std=c++20 -O1 -g -fno-omit-frame-pointer -Wall -Wextra -pthread -Icore
        "-fsanitize=$sanitizer" -fno-sanitize-recover=all)
    printf '%s\n' "${sources[@]}" "${tests[@]}" |
        xargs -P "${JOBS:-2}" -I{} bash -c \
            'out=$0/${1//\//_}.o; shift; "$@" -c "{}" -o "$out"' "$folder" {} "$compiler" "${flags[@]}"
    "$compiler" "${flags[@]}" "$folder"/*.o -o "$folder/tests"
    "$folder/tests"
done
