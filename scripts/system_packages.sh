#!/usr/bin/env bash
# Installs programs from Debian; each package has the name of its program.
#   system_packages.sh tests     what the tests use: an engine and a browser. Goes on if it cannot: those tests skip.
#   system_packages.sh engines   the rated engines of the pool `ccrl`. Fails if it cannot.
set -euo pipefail
cd "$(dirname "$0")/.."

purpose=${1:-tests}
case $purpose in
tests)
    target=system-packages
    programs=(stockfish chromium)
    ;;
engines)
    target=engines
    names=$("${PYTHON:-python3}" - src/milton/rating/engines.toml <<'PY'
import pathlib, sys, tomllib
catalog = tomllib.loads(pathlib.Path(sys.argv[1]).read_text())
print(*(catalog["engines"][name]["command"][0] for name in catalog["pools"]["ccrl"]["engines"]))
PY
    )
    read -ra programs <<<"$names"
    ;;
*)
    echo "system_packages.sh: expected tests or engines, got $purpose" >&2
    exit 2
    ;;
esac

give_up() {
    echo "$target: $1; on Debian or Ubuntu: sudo apt-get install ${missing[*]}" >&2
    [[ $purpose != tests ]] || { echo "$target: the tests that need them will skip" >&2 && exit 0; }
    exit 1
}

missing=()
for program in "${programs[@]}"; do
    PATH="$PATH:/usr/games" command -v "$program" >/dev/null || missing+=("$program")
done
if ((${#missing[@]} == 0)); then
    [[ $purpose == tests ]] || echo "$target: installed: ${programs[*]}"
    exit 0
fi

command -v apt-get >/dev/null || give_up "there is no apt-get"
as_root=()
if ((EUID != 0)); then
    sudo -n true 2>/dev/null || give_up "no permission to install packages"
    as_root=(sudo -n)
fi
echo "$target: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
{ "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq "${missing[@]}"; } >/dev/null ||
    give_up "apt-get failed"
