#!/usr/bin/env bash
# The list of Debian packages that Heron needs. Installs missing ones, as root, and uses the network
# only if some are missing.
#
#   tools/packages.sh GROUP...      groups: build test python abi clang coverage aarch64 fresh
set -euo pipefail

declare -A groups=(
  [build]="cmake g++ ninja-build libboost-dev libboost-iostreams-dev libflatbuffers-dev
    flatbuffers-compiler flatbuffers-compiler-dev libtbb-dev libdeflate-dev liblz4-dev libzstd-dev liburing-dev libxxhash-dev libre2-dev libfmt-dev
    nlohmann-json3-dev"
  [test]="libgtest-dev libgmock-dev libbenchmark-dev python3 python3-venv chromium-headless-shell fonts-dejavu-core
    zsh fish mandoc tmux patch"
  [python]="python3 python3-dev python3-venv zlib1g-dev libbz2-dev liblzma-dev libzstd-dev"
  [abi]="abigail-tools"
  [coverage]="gcovr"
  [clang]="clang-14 libclang-rt-14-dev"
  [aarch64]="g++-aarch64-linux-gnu mmdebstrap qemu-user-static"
  [fresh]="git mmdebstrap"
)

requested=()
for group in "$@"; do
  if [[ -z ${groups[$group]:-} ]]; then
    echo "packages.sh: no group '$group'; there are: ${!groups[*]}" >&2
    exit 2
  fi
  read -r -d '' -a names <<<"${groups[$group]}" || true
  requested+=("${names[@]}")
done

installed=$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
mapfile -t missing < <(comm -23 <(printf '%s\n' "${requested[@]}" | sort -u) <(sort -u <<<"$installed"))
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $EUID -ne 0 ]]; then
  echo "packages.sh: to be installed by root: ${missing[*]}" >&2
  exit 1
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq -o Dpkg::Use-Pty=0 install --no-install-recommends "${missing[@]}" >/dev/null
