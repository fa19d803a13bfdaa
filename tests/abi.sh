#!/usr/bin/env bash
# Holds what the shared library exports, and the layout of the types in its public headers, against tests/heron.abi; and
# builds somebody else's program with it.
#
#   tests/abi.sh [--update]     --update: the library as it is becomes what later ones are held against
set -euo pipefail
cd "$(dirname "$0")/.."
build=build-abi
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g" -DBUILD_SHARED_LIBS=ON \
  -DHERON_TESTS=OFF -DHERON_BENCH=OFF -DHERON_TOOLS=OFF >/dev/null
cmake --build $build --target heron >/dev/null

now=$build/heron.abi
abidw --headers-dir engine/include --drop-private-types --drop-undefined-syms --no-corpus-path --no-comp-dir-path \
  --no-show-locs --type-id-style hash --out-file $build/abi.xml $build/engine/libheron.so
python3 tests/abi.py $build/abi.xml >$now
if [[ ${1:-} == --update ]]; then
  cp $now tests/heron.abi
  exit
fi
# Additions are no change for programs that exist.
gone=$(diff tests/heron.abi $now | sed -n 's/^< //p' || true)
if [[ -n $gone ]]; then
  echo "$gone"
  echo "abi.sh: programs compiled with the headers of before break on what is gone; if that is meant: tests/abi.sh --update" >&2
  exit 1
fi

cmake --install $build --prefix $build/installed >/dev/null
cmake -S tests/consumer -B $build/consumer -G Ninja -DCMAKE_PREFIX_PATH="$PWD/$build/installed" >/dev/null
cmake --build $build/consumer >/dev/null
cd $build/consumer  # where it leaves its files
LD_LIBRARY_PATH=../installed/lib ./consumer ../../data/jay/fread_chunked_legacy.jay
