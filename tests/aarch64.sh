#!/usr/bin/env bash
# Builds Heron and its tests for 64-bit ARM and runs the tests of the engine and of the real files under QEMU, which takes
# an hour: HERON_AARCH64_FILTER picks tests as --gtest_filter does.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD/build-aarch64/root

if [[ ! -e $root/usr ]]; then
  mkdir -p build-aarch64
  mmdebstrap --quiet --architectures=arm64 --variant=extract \
    --include=libboost-iostreams-dev,libtbb-dev,libdeflate-dev,liblz4-dev,libzstd-dev,liburing-dev,libxxhash-dev,libre2-dev,libflatbuffers-dev \
    --include=libgtest-dev,libgmock-dev,nlohmann-json3-dev,libfmt-dev,libstdc++-12-dev,libc6-dev \
    bookworm "$root"
fi
cmake -S . -B build-aarch64 -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/aarch64.cmake" \
  -DHERON_ROOT="$root" -DHERON_BENCH=OFF >/dev/null
cmake --build build-aarch64 --target heron_cli heron_tests

run=(qemu-aarch64-static -L "$root")
"${run[@]}" build-aarch64/heron verify data/jay/fread_chunked_legacy.jay
"${run[@]}" build-aarch64/tests/heron_tests --gtest_brief=1 --gtest_filter="${HERON_AARCH64_FILTER:-*}"
