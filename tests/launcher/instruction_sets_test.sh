#!/usr/bin/env bash
# Tests of cmake/instruction_sets.cmake: ./instruction_sets_test.sh SOURCE_FOLDER TEST. Nothing is compiled: the native set
# is asked of made-up processors, and installing from a build for this machine meets a fake make.
set -uo pipefail

source=$1 test=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# The set that is native to a processor with these flags.
native() {
  printf 'processor\t: 0\nflags\t\t: fpu sse2 %s\nflags\t\t: none\n' "$1" >"$work/cpuinfo"
  cat >"$work/ask.cmake" <<EOF
include("$source/cmake/instruction_sets.cmake")
warpgrade_native_isas("$work/cpuinfo" isas)
message("native: \${isas}")
EOF
  cmake -P "$work/ask.cmake" 2>&1 | sed -n 's/^native: //p'
}
expect_native() { # set, flags
  local got
  got=$(native "$2")
  [[ $got == "$1" ]] || fail "a processor with '$2' should get $1, got '$got'"
}

AProcessorGetsTheWidestThatItRuns() {
  expect_native avx512 'avx2 fma avx512f avx512dq avx512bw avx512vl'
  expect_native avx2 'avx2 fma'
  expect_native avx2 'avx2 fma avx512f avx512dq'
}

AProcessorThatNobodyKnowsGetsAll() {
  expect_native all 'sse4_2'
  rm "$work/cpuinfo"
  cmake -P "$work/ask.cmake" 2>&1 | grep -qx 'native: all' || fail 'no /proc/cpuinfo should mean all'
}

configure() {
  printf '#!/bin/bash\nprintf "%%s\\n" "$*" >>"%s/calls"\n' "$work" >"$work/make"
  chmod +x "$work/make"
  cmake -S "$source" -B "$work/build" -G 'Unix Makefiles' "$@" >"$work/out" 2>&1 || { cat "$work/out"; fail 'cmake'; }
  # After the compiler was tried, so that it is the real make that tries it.
  sed -i "s|^CMAKE_MAKE_PROGRAM:.*|CMAKE_MAKE_PROGRAM:FILEPATH=$work/make|" "$work/build/CMakeCache.txt"
}
expect_set() { grep -q "^WARPGRADE_ISAS:[A-Z]*=$1\$" "$work/build/CMakeCache.txt" || fail "the build is not for $1"; }

InstallingABuildForThisMachineCompilesForAllFirst() {
  configure -DWARPGRADE_ISAS=native
  expect_set native
  # Nothing was compiled, so copying fails; what counts is what came before.
  cmake --install "$work/build" --prefix "$work/prefix" >"$work/out" 2>&1
  expect_set all
  grep -q '\bkit$' "$work/calls" || fail "the kit was not built: $(cat "$work/calls")"
  [[ ! -e $work/prefix/bin/warpgrade ]] || fail 'installed without a build'
}

InstallingABuildForAllCompilesNothing() {
  configure
  expect_set all
  cmake --install "$work/build" --prefix "$work/prefix" >"$work/out" 2>&1
  [[ ! -e $work/calls ]] || fail "something was built: $(cat "$work/calls")"
}

TheTestsOfABuildForThisMachineCompileForAll() {
  configure -DWARPGRADE_ISAS=native
  make -C "$work/build" kit_tests >"$work/out" 2>&1 || { cat "$work/out"; fail 'kit_tests'; }
  expect_set all
  grep -q '\bkit_tests$' "$work/calls" || fail "the tests were not built: $(cat "$work/calls")"
}

declare -F -- "$test" >/dev/null || fail "there is no test named '$test'"
"$test"
echo "passed: $test"
