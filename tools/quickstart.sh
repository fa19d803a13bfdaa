#!/usr/bin/env bash
# From a fresh Debian 12 to answers: installs missing packages, builds Heron into build/ and shows
# its main job on the real files in data/. Needs root only to install packages. Quick when repeated.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/packages.sh build test
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Building into build/ (minutes the first time, seconds later)"
if ! { cmake -S . -B build -G Ninja && cmake --build build --target heron_cli; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi

show() {
  printf '\n# %s\n$ heron %s\n' "$1" "${*:2}"
  build/heron "${@:2}"
}
frame=data/jay/fread_chunked_legacy.jay
show "What is in the file? Only its header is read." info "$frame"
show "One row out of the middle, and two more" row "$frame" 7104 5 9999
show "A block of rows; a file without blocks has one per 65,536 rows" block data/jay/types_stats.jay 0 -c int32,float64,str32,date32,time64
show "Some values of one column" column "$frame" F --rows 100:105
show "A random sample; a seed always gives the same rows" sample "$frame" -n 5 --seed 7 --row-number
ranking=data/jforests/letor_like_medium.bin
show "A learning-to-rank file: its rows are documents of queries" info "$ranking" --labels
show "The documents of one query" group "$ranking" 9 -c target,query,idf_anchor_1,len_url_3,tf_body_8
forest=data/balsa/f-fl32-2trees-ties.balsa
show "A forest of decision trees is two tables" info "$forest"
show "Its nodes" scan "$forest" --table nodes
view=data/idv/metadata_many.idv
show "An ML.NET data view: types, the values of keys, the names of the slots of vectors" schema "$view"
show "Keys as their values, out of blocks of 32 compressed rows" rows data/idv/keys_deflate_rpb32.idv --at 1,33,4,88 -c k1,k2,k4 --row-number
vectors=data/idv/vectors_sparse_fixed_deflate.idv
show "Vectors, with all their slots" head "$vectors" -n 3 -c vi2,vtext
show "The same as they are stored" head "$vectors" -n 3 -c vi2,vtext --sparse -o jsonl
show "Any file can be put into a TreeZip container" convert "$frame" build/frame.jay.tz --force
show "Its rows answer from inside, while most of it stays compressed" row build/frame.jay.tz 7104 5 9999 --explain
show "Which rows? Predicates say, in every format" scan "$frame" --where "Y between 7100 and 7110 and Z like 'row%'" --explain
show "How many, and what of them" scan "$frame" --where "B and F is not null" --agg "count, sum(Y), min(Z), max(F), distinct(Z)"
show "Keys are compared by their values" scan data/idv/keys_deflate_rpb32.idv --where "k1 = 'red' and k4 is not null" -c k1,k2,k4 --row-number --explain
show "Codes are compared as numbers of their own" count "$ranking" --where "target = 2 and tf_body_8 >= 8.5" --explain
show "The nodes of fifty trees are one table" count data/balsa/f-medium-50trees.balsa --table nodes --where "feature = 6 and value < 0" --explain
show "Zone maps and checksums can be stored beside a file" index build/frame.jay.tz
show "Then zones prove that nothing need be read" count build/frame.jay.tz --where "Y > 20000" --explain
show "Rows are written in other formats: what does not fit is reported" convert "$frame" build/frame.idv --cast --drop-unsupported --force
show "And read there" head build/frame.idv -n 3
printf '\nThe program is build/heron; `build/heron help` tells the rest. Tests: tests/run.sh\n'
