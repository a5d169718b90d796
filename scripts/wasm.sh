#!/usr/bin/env bash
# Compiles the core to WebAssembly with the compiler that comes as the Python package ziglang, into build/wasm:
# milton.wasm, and milton-threads.wasm, which is alpha-beta for pages that may share memory between threads.
# Only what changed is compiled again: each object remembers the headers it was made from.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/wasm
mkdir -p "$folder"
exec 9>"$folder/.lock"
flock 9
export ZIG_LOCAL_CACHE_DIR=$PWD/$folder/zig-cache

flags=(-target wasm32-wasi -std=c++20 -O3 -DNDEBUG -fno-exceptions -fno-rtti -Wall -Wextra -Icore)
link_flags=(-mexec-model=reactor -s -Wl,-z,stack-size=1048576)
# Shared memory comes from the page, which must name the same limit (web/src/wasm/instance.ts). A thread that the page
# lends sets its stack and its thread-local storage itself.
thread_link_flags=(-Wl,--import-memory -Wl,--shared-memory -Wl,--max-memory=536870912
    -Wl,--export=__stack_pointer -Wl,--export=__wasm_init_tls -Wl,--export=__tls_size)

# The rooms with sources that play, and of those what alpha-beta needs.
mapfile -t sources < <(find core/base core/games core/encode core/nets core/alphabeta core/wasm -name '*.cpp' \
    ! -name locked_memory.cpp | sort)
mapfile -t thread_sources < <(find core/base core/games/chess core/encode/chess core/nets core/alphabeta core/wasm \
    -name '*.cpp' ! -name tree_abi.cpp | sort)

# Does the object have to be made? Yes if it is missing, or older than anything it was made from.
is_stale() {
    local object=$1 dependency
    [[ -f $object && -f ${object%.o}.d ]] || return 0
    for dependency in $(sed -e 's/^[^:]*://' -e 's/\\$//' "${object%.o}.d"); do
        [[ $dependency == core/* || $dependency == scripts/* ]] || continue
        [[ -f $dependency && ! $dependency -nt $object ]] || return 0
    done
    [[ ! $0 -nt $object ]] || return 0
    return 1
}

# build NAME FEATURES LINK_FLAG… -- SOURCE…
build() {
    local name=$1 objects=() stale=() linking=("${link_flags[@]}")
    local compiling=("${flags[@]}" "-mcpu=$2")
    shift 2
    while [[ $1 != -- ]]; do
        linking+=("$1")
        shift
    done
    shift
    local target=$folder/$name.wasm made=$folder/$name
    mkdir -p "$made"
    for source in "$@"; do
        local object=$made/${source//\//_}.o
        objects+=("$object")
        if is_stale "$object"; then
            stale+=("$source")
        fi
    done
    if ((${#stale[@]} > 0)); then
        echo "wasm: compiling ${#stale[@]} of $# sources of $name"
        printf '%s\n' "${stale[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c \
            'object=$0/${1//\//_}.o; source=$1; shift
             .venv/bin/python -m ziglang c++ "$@" -MMD -MF "${object%.o}.d" -c "$source" -o "$object.new" &&
             mv "$object.new" "$object"' "$made" {} "${compiling[@]}"
    fi
    if [[ ! -f $target || ${#stale[@]} -gt 0 ]]; then
        .venv/bin/python -m ziglang c++ "${compiling[@]}" "${linking[@]}" "${objects[@]}" -o "$target.new"
        mv "$target.new" "$target"
        echo "wasm: $target, $(stat -c %s "$target") bytes"
    fi
}

build milton generic+simd128 -- "${sources[@]}"
build milton-threads generic+simd128+atomics+bulk_memory "${thread_link_flags[@]}" -- "${thread_sources[@]}"
