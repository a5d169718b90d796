#!/usr/bin/env bash
# Compiles the core to WebAssembly with the compiler that comes as the Python package ziglang, into build/wasm.
# Only what changed is compiled again: each object remembers the headers it was made from.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/wasm
target=$folder/milton.wasm
mkdir -p "$folder"
exec 9>"$folder/.lock"
flock 9

flags=(-target wasm32-wasi -std=c++20 -O3 -DNDEBUG -msimd128 -fno-exceptions -fno-rtti -Wall -Wextra -Icore)
link_flags=(-mexec-model=reactor -s -Wl,-z,stack-size=1048576)
export ZIG_LOCAL_CACHE_DIR=$PWD/$folder/zig-cache

# The rooms with sources that play.
mapfile -t sources < <(find core/base core/games core/encode core/nets core/alphabeta core/wasm -name '*.cpp' | sort)

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

objects=() stale=()
for source in "${sources[@]}"; do
    object=$folder/${source//\//_}.o
    objects+=("$object")
    if is_stale "$object"; then
        stale+=("$source")
    fi
done
if ((${#stale[@]} > 0)); then
    echo "wasm: compiling ${#stale[@]} of ${#sources[@]} sources"
    printf '%s\n' "${stale[@]}" | xargs -P "${JOBS:-2}" -I{} bash -c \
        'object=$0/${1//\//_}.o; source=$1; shift
         .venv/bin/python -m ziglang c++ "$@" -MMD -MF "${object%.o}.d" -c "$source" -o "$object.new" &&
         mv "$object.new" "$object"' "$folder" {} "${flags[@]}"
fi
if [[ ! -f $target || ${#stale[@]} -gt 0 ]]; then
    .venv/bin/python -m ziglang c++ "${flags[@]}" "${link_flags[@]}" "${objects[@]}" -o "$target.new"
    mv "$target.new" "$target"
    echo "wasm: $target, $(stat -c %s "$target") bytes"
fi
