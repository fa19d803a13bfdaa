#!/usr/bin/env bash
# Runs a Python program with the packages that the .txt beside it names, in a virtual environment that is
# made in FOLDER at the first call. If they cannot be installed, says why and ends with 77, which ctest counts
# as skipped.
#
# PYTHON may name another Python than python3.
#
#   in_venv.sh FOLDER PROGRAM [ARGUMENTS...]
set -euo pipefail
requirements=${2%.py}.txt
venv=$1/$(basename "${2%.py}")
shift

if ! cmp -s "$requirements" "$venv/installed.txt"; then
  if ! log=$("${PYTHON:-python3}" -m venv "$venv" 2>&1 &&
             "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" 2>&1); then
    echo "skipped: no environment with $(paste -sd' ' "$requirements"): ${log##*$'\n'}"
    exit 77
  fi
  cp "$requirements" "$venv/installed.txt"
fi
exec "$venv/bin/python" "$@"
