#!/bin/sh
# Build one environment for each peer: their pins conflict with each other and with ours.
# Usage: benchmarks/peers/build.sh [folder]
set -eu
root="${1:-${TMPDIR:-/tmp}/ragstone-peers}"
here="$(dirname "$0")"
for peer in ragas deepeval; do
    [ -x "$root/$peer/bin/python" ] || python3 -m venv "$root/$peer"
    "$root/$peer/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/$peer.txt"
done
echo "$root"
