#!/usr/bin/env bash
# Runs a Python program with the packages that the .txt beside it names, in a virtual environment in FOLDER
# that programs for the same Python share. If the packages cannot be installed, says why and ends with 77,
# which ctest counts as skipped.
#
# PYTHON may name another Python than python3.
#
#   in_venv.sh FOLDER PROGRAM [ARGUMENTS...]
set -euo pipefail
python=${PYTHON:-python3}
requirements=${2%.py}.txt
venv=$1/${python##*/}
installed=$venv/$(basename "$requirements")
shift

# Modules are compiled when they are imported, which most of these are not.
install() {
  { [[ -x $venv/bin/pip ]] || "$python" -m venv "$venv"; } &&
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile -r "$requirements" &&
    cp "$requirements" "$installed"
}
mkdir -p "${venv%/*}"
exec 9>"$venv.lock"
flock 9
if ! cmp -s "$requirements" "$installed" && ! log=$(install 2>&1); then
  echo "skipped: no environment with $(paste -sd' ' "$requirements"): ${log##*$'\n'}"
  exit 77
fi
exec 9>&-
exec "$venv/bin/python" "$@"
