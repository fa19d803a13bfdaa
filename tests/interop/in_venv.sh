#!/usr/bin/env bash
# Runs a Python program with the packages of requirements.txt, in a virtual environment that is made at the
# first call. Where they cannot be had, says why and ends with 77, which ctest counts as skipped.
#
#   in_venv.sh VENV PROGRAM [ARGUMENTS...]
set -euo pipefail
venv=$1
shift
requirements=$(dirname "$0")/requirements.txt

if ! cmp -s "$requirements" "$venv/installed.txt"; then
  if ! log=$(python3 -m venv "$venv" 2>&1 &&
             "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" 2>&1); then
    echo "skipped: no environment with $(paste -sd' ' "$requirements"): ${log##*$'\n'}"
    exit 77
  fi
  cp "$requirements" "$venv/installed.txt"
fi
exec "$venv/bin/python" "$@"
