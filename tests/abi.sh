#!/usr/bin/env bash
# Compares the exports of the shared library, and the layout of the types in its public headers, with
# tests/heron.abi.
#
#   tests/abi.sh [--update]     --update: the current library becomes the one that later ones are compared with
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build build --target heron_abi >/dev/null

now=build/heron.abi
abidw --load-all-types --headers-dir engine/include --drop-private-types --drop-undefined-syms --no-corpus-path \
  --no-comp-dir-path --no-show-locs --type-id-style hash --out-file build/abi.xml build/tests/libheron_abi.so
python3 tests/abi.py build/abi.xml >$now
if [[ ${1:-} == --update ]]; then
  cp $now tests/heron.abi
  exit
fi
# Additions do not break existing programs.
gone=$(diff tests/heron.abi $now | sed -n 's/^< //p' || true)
if [[ -n $gone ]]; then
  echo "$gone"
  echo "abi.sh: programs compiled with the headers of before break on what is gone; if that is meant: tests/abi.sh --update" >&2
  exit 1
fi
