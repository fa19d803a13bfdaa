#!/usr/bin/env bash
# Runs the tests, also by hand: installs missing packages, builds, runs the tests and ends with one line,
# `N passed, M failed`. Without a mode, it runs release. CI runs .ci/run.
#
#   tests/run.sh [MODE...]
#     release    the library that users get, into build/, and every test
#     sanitize   the tests that touch damage and memory, under AddressSanitizer and UndefinedBehaviorSanitizer;
#                tests/CMakeLists.txt says which
#     thread     the tests that use several threads, under ThreadSanitizer
#     abi        the exports of the shared library, against tests/heron.abi (tests/abi.sh)
#     clang      every test with clang, and the library as a shared one
#     units      every source of the library, the tools and the benches by itself through clang's front end: no unity
#                build, no object file, only std precompiled; clang compiles the tests in sanitize
#     fuzz       the real fuzzers, HERON_FUZZ_SECONDS (60) each, built as sanitize is
#     trust      damage, races and failing calls in numbers, a table with command and seed of each (tests/trust.py);
#                HERON_TRUST_SHARE=0.1 (1) runs a tenth, since all of it takes an hour
#     coverage   lines and branches of engine/ and codecs/ that the tests of release reach, by gcovr: a table of files
#                in build-coverage/coverage.txt
#     aarch64    the library and its tests for 64-bit ARM, run by QEMU (tests/aarch64.sh)
#     python     the Python package: tests/python in an environment of its own, build/venv; PYTHON names another
#                Python than python3
#     torch      torch's own loaders over the Python package, in build/torch-venv: 6 GB, 2 of them downloaded
#     distributed  heron.ray and heron.dask on two workers, in build/distributed-venv
#     wheel      sdist and wheels of the Python package, each in an environment with nothing else
#                (tools/python/wheel.sh); PYTHONS names the Pythons
#     interop    only this: other programs read what Heron writes (tests/interop; skipped offline)
#     fresh      quickstart and this script in a new Debian 12 (tests/fresh.sh)
#
# HERON_TEST_EFFORT=8 (1): tests that try random inputs, or many offsets of files, try that many times as many.
set -uo pipefail
cd "$(dirname "$0")/.."

passed=0
failed=0
fail() {
  echo "$1" >&2
  failed=$((failed + 1))
}
quietly() {  # shows the output of a command only if it fails
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || { status=$?; cat "$log" >&2; }
  rm -f "$log"
  return $status
}
count() {  # a test outside of ctest: count NAME COMMAND...
  if "${@:2}"; then passed=$((passed + 1)); else fail "$1: failed"; fi
}

# forget_others FOLDER [CMAKE ARGUMENTS...]: drops a configuration for another compiler or sanitizer. CMake would
# configure it again without the other arguments, which gives a build that sanitizes nothing.
forget_others() {
  local argument name cached
  [[ -f $1/CMakeCache.txt ]] || return 0
  for argument in "${@:2}"; do
    name=${argument%%=*}
    name=${name#-D}
    case $name in CMAKE_C_COMPILER | CMAKE_CXX_COMPILER | SANITIZE) ;; *) continue ;; esac
    cached=$(sed -n "s/^$name:[A-Z]*=//p" "$1/CMakeCache.txt")
    argument=${argument#*=}
    [[ ${cached##*/} == "${argument##*/}" ]] && continue
    echo "== $1: $name was '$cached'; configured anew"
    rm -rf "$1/CMakeCache.txt" "$1/CMakeFiles"
    return
  done
}
# build FOLDER TARGET [CMAKE ARGUMENTS...]
build() {
  forget_others "$1" "${@:3}"
  echo "== $1: building"
  quietly cmake -S . -B "$1" -G Ninja "${@:3}" && quietly cmake --build "$1" --target "$2" && return
  fail "$1: does not build"
  return 1
}
# check FOLDER [CTEST ARGUMENTS...]
check() {
  echo "== $1: testing"
  local log=$1/tests.log bad all
  ctest --test-dir "$1" --output-on-failure --no-tests=error -j "$(nproc)" "${@:2}" >"$log" 2>&1
  grep -v -E '^ +Start +[0-9]+: | +Passed +[0-9.]+ sec$|^Internal ctest|^$' "$log"
  read -r bad all < <(sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log")
  if [[ -z ${all:-} ]]; then fail "$1: ctest gave no result"; return; fi
  passed=$((passed + all - bad))
  failed=$((failed + bad))
}

run_release() { build build all -DCMAKE_BUILD_TYPE=Release && check build; }
# -O1 compiles in half the time of -O2 -g.
quick=(-DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1")

# Clang compiles this build: the fuzzers are made of the same objects.
sanitize=("${quick[@]}" -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14
  -DSANITIZE=address,undefined,fuzzer-no-link -DHERON_BENCH=OFF)

run_sanitize() {
  # The command line is tried with damaged and large files only: the replays read every file of data/. The sanitizer
  # keeps two callers of each allocation: keeping 30 takes a twentieth of the time.
  build build-sanitize all "${sanitize[@]}" &&
    ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2} check build-sanitize \
      -R '^(heron_tests_[0-9]+|replay_.*|mutants|cli_(damage|limits|csv|svmlight|zip))$'
}
run_thread() {
  build build-thread heron_tests "${quick[@]}" -DSANITIZE=thread -DHERON_BENCH=OFF \
    -DHERON_TOOLS=OFF && check build-thread -R '^heron_tests_[0-9]'
}
run_clang() {
  build build-clang all -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-14 \
    -DBUILD_SHARED_LIBS=ON && check build-clang
}
# Each unit's object file is an empty one: the build only checks that it compiles. A precompiled header's own flags come
# later and win.
run_units() {
  local objects
  environment build/venv tests/python/requirements.txt || return
  echo "== build-units: checking"
  quietly cmake -S . -B build-units -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-14 \
    -DCMAKE_CXX_COMPILER_LAUNCHER= -DHERON_UNITY=OFF \
    -DHERON_PYTHON=ON "-DHERON_PYTHON_EXECUTABLE=$PWD/build/venv/bin/python" \
    "-DCMAKE_CXX_COMPILE_OBJECT=<CMAKE_CXX_COMPILER> <DEFINES> <INCLUDES> -Xclang -fsyntax-only <FLAGS> -o <OBJECT> -c <SOURCE>;touch <OBJECT>" ||
    { fail "build-units: does not configure"; return; }
  mapfile -t objects < <(ninja -C build-units -t targets all | sed -n '/^tests/d; s/\(.*\.cc\.o\): .*/\1/p')
  count "units of clang" quietly ninja -C build-units -k 0 "${objects[@]}"
  echo "${#objects[@]} units"
}
run_fuzz() {
  build build-sanitize fuzzers "${sanitize[@]}" || return
  echo "== build-sanitize: fuzzing"
  count fuzzers tests/fuzz/campaign.py build-sanitize --seconds "${HERON_FUZZ_SECONDS:-60}" --jobs "$(nproc)"
}
run_trust() {
  build build all -DCMAKE_BUILD_TYPE=Release && count trust tests/trust.py build --share "${HERON_TRUST_SHARE:-1}"
}
run_coverage() {
  # Counts of several threads may be lost, but not all of them. Atomic ones took too long.
  build build-coverage all -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 --coverage -fprofile-update=single" \
    -DHERON_BENCH=OFF || return
  find build-coverage -name '*.gcda' -delete
  # What links the library without gcov's, or has its calls fail, is not tried.
  check build-coverage -LE interop -E '^(consumer.*|faults|limits)$'
  count coverage quietly gcovr --gcov-ignore-parse-errors --root . --object-directory build-coverage -j "$(nproc)" --filter engine/ --filter codecs/ \
    --exclude-throw-branches --exclude-unreachable-branches --txt build-coverage/coverage.txt \
    --json-summary build-coverage/coverage.json
  tail -n 3 build-coverage/coverage.txt
}
run_aarch64() { count aarch64 tests/aarch64.sh; }
run_interop() { build build all -DCMAKE_BUILD_TYPE=Release && check build -L interop; }
# environment FOLDER REQUIREMENTS: makes a virtual environment with the packages in the file.
environment() {
  if ! cmp -s "$2" "$1/installed.txt"; then
    quietly "${PYTHON:-python3}" -m venv "$1" &&
      quietly "$1/bin/pip" install --disable-pip-version-check --no-compile -r "$2" ||
      { fail "$1: no environment with what $2 names"; return 1; }
    cp "$2" "$1/installed.txt"
  fi
}
# pytest_in ENVIRONMENT TESTS...
pytest_in() {
  local log=$1/tests.log counts good bad
  echo "== build/python: testing with ${1##*/}"
  PYTHONPATH=$PWD/build/python "$1/bin/python" -m pytest -q -p no:cacheprovider "${@:2}" >"$log" 2>&1
  counts=$(tail -n 1 "$log")
  good=$(grep -oE '[0-9]+ passed' <<<"$counts" | awk '{ print $1 }')
  bad=$(grep -oE '[0-9]+ (failed|error)' <<<"$counts" | awk '{ all += $1 } END { print all + 0 }')
  if [[ -z $good || $bad -ne 0 ]]; then cat "$log" >&2; else echo "$counts"; fi
  if [[ -z $good && $bad -eq 0 ]]; then fail "$1: pytest gave no result"; return; fi
  passed=$((passed + ${good:-0}))
  failed=$((failed + bad))
}
build_python() {
  environment build/venv tests/python/requirements.txt &&
    build build heron_python_stub -DCMAKE_BUILD_TYPE=Release -DHERON_PYTHON=ON \
      "-DHERON_PYTHON_EXECUTABLE=$PWD/build/venv/bin/python"
}
run_python() { build_python && pytest_in build/venv -n "$(nproc)" tests/python; }
run_torch() {
  build_python && environment build/torch-venv tests/python/torch_requirements.txt &&
    pytest_in build/torch-venv tests/python/test_torch.py tests/python/test_loader*.py tests/python/test_numpy.py
}
run_distributed() {
  build_python && environment build/distributed-venv tests/distributed/requirements.txt &&
    pytest_in build/distributed-venv tests/distributed
}
run_wheel() { count wheel tools/python/wheel.sh build/wheel/dist; }
run_abi() { count abi quietly tests/abi.sh; }
run_fresh() { count fresh tests/fresh.sh; }

modes=("$@")
[[ $# -eq 0 ]] && modes=(release)
for mode in "${modes[@]}"; do
  case $mode in
    release | thread | interop | trust) groups=(build test) ;;
    coverage) groups=(build test coverage) ;;
    python | torch | distributed | wheel) groups=(build python) ;;
    abi) groups=(build abi) ;;
    sanitize | clang | fuzz) groups=(build test clang) ;;
    units) groups=(build test python clang) ;;
    aarch64) groups=(build aarch64) ;;
    fresh) groups=(fresh) ;;
    *) echo "run.sh: no mode '$mode'; the first lines of this file name them" >&2; exit 2 ;;
  esac
  begun=$SECONDS
  if tools/packages.sh "${groups[@]}"; then "run_$mode"; else fail "$mode: packages are missing"; fi
  echo "== $mode: took $((SECONDS - begun)) s"
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
