#!/usr/bin/env bash
# Installs the programs that some tests play against, and the browser that opens the pages. Without permission it says so and goes on: those tests
# then skip and name what is missing.
set -euo pipefail

# program to look for = Debian package
needed=(stockfish=stockfish chromium=chromium)

missing=()
for entry in "${needed[@]}"; do
    PATH="$PATH:/usr/games" command -v "${entry%%=*}" >/dev/null || missing+=("${entry##*=}")
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! sudo -n true 2>/dev/null; then
        echo "system-packages: no permission to install ${missing[*]}; their tests will skip." \
            "To run them: sudo apt-get install ${missing[*]}"
        exit 0
    fi
    as_root=(sudo -n)
fi
echo "system-packages: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq "${missing[@]}"; } >/dev/null; then
    echo "system-packages: could not install ${missing[*]}; their tests will skip"
fi
