#!/usr/bin/env bash
# Draws the plots of docs/solvers.md again, into docs/images/solvers/.
#
# STICTION the command [default: built from here]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ -z "${STICTION:-}" ]; then
    cargo build --release --package stiction-cli
    STICTION=target/release/stiction
fi
out=docs/images/solvers
studies=$(mktemp -d)
trap 'rm -rf "$studies"' EXIT
mkdir -p "$out"
"$STICTION" study all --out "$studies"
# Those that the page shows.
for name in $(grep -o 'images/solvers/[a-z-]*\.svg' docs/solvers.md | sort -u); do
    name=${name##*/}
    [ ! -e "$studies/$name" ] || cp "$studies/$name" "$out/$name"
done
# Solvers that stop short are part of the picture, and of the exit code.
"$STICTION" solve tower --solvers all --out "$out/solve-tower.svg" || [ $? = 3 ]
