#!/usr/bin/env bash
# Tests of cmake/instruction_sets.cmake: ./instruction_sets_test.sh SOURCE_FOLDER TEST. Nothing is compiled: the sets are
# asked of made-up processors, and a build for this machine meets a fake make.
set -uo pipefail

source=$1 test=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# A file that describes a processor with these flags.
processor() { printf 'processor\t: 0\nflags\t\t: fpu sse2 %s\nflags\t\t: none\n' "$1" >"$work/cpuinfo"; }
# What cmake finds that it runs.
runnable() {
  cat >"$work/ask.cmake" <<EOF
include("$source/cmake/instruction_sets.cmake")
warpgrade_runnable_isas("$work/cpuinfo" isas)
message("runnable: \${isas}")
EOF
  cmake -P "$work/ask.cmake" 2>&1 | sed -n 's/^runnable: //p'
}
expect_runnable() { # sets, flags
  local got
  processor "$2"
  got=$(runnable)
  [[ $got == "$1" ]] || fail "a processor with '$2' should get $1, got '$got'"
}

AProcessorGetsTheSetsThatItRuns() {
  expect_runnable 'avx2;avx512' 'avx2 fma avx512f avx512dq avx512bw avx512vl'
  expect_runnable avx2 'avx2 fma'
  expect_runnable avx2 'avx2 fma avx512f avx512dq'
}

AProcessorThatNobodyKnowsGetsAll() {
  expect_runnable all 'sse4_2'
  rm "$work/cpuinfo"
  [[ $(runnable) == all ]] || fail 'no /proc/cpuinfo should mean all'
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
  configure -DWARPGRADE_ISAS=runnable
  expect_set runnable
  cmake --install "$work/build" --prefix "$work/prefix" >"$work/out" 2>&1
  expect_set all
}

InstallingABuildForAllCompilesNothing() {
  configure
  expect_set all
  cmake --install "$work/build" --prefix "$work/prefix" >"$work/out" 2>&1
  [[ ! -e $work/calls ]] || fail "something was built: $(cat "$work/calls")"
}

TheTestsOfABuildForTheWidestSetCompileForTheOthersToo() {
  processor 'avx2 fma avx512f avx512dq avx512bw avx512vl'
  configure -DWARPGRADE_ISAS=native "-DWARPGRADE_CPUINFO=$work/cpuinfo"
  make -C "$work/build" kit_tests >"$work/out" 2>&1 || { cat "$work/out"; fail 'kit_tests'; }
  expect_set runnable
  grep -q '\bkit_tests$' "$work/calls" || fail "the tests were not built: $(cat "$work/calls")"
}

TheTestsOfABuildForAMachineWithOneSetNeedNoOther() {
  processor 'avx2 fma'
  configure -DWARPGRADE_ISAS=native "-DWARPGRADE_CPUINFO=$work/cpuinfo"
  ! grep -q 'DWARPGRADE_ISAS' "$work/build/CMakeFiles/kit_tests.dir/build.make" || fail 'the tests set the build up anew'
  [[ -d $work/build/grader/emulator/machine/CMakeFiles ]] || fail 'the emulator moved: mend this test'
  ls "$work/build/grader/emulator/machine/CMakeFiles" | grep -q avx2 || fail 'the handlers of avx2 are not compiled'
  ! ls "$work/build/grader/emulator/machine/CMakeFiles" | grep avx512 || fail 'handlers are compiled that cannot run'
}

# What compiles again for one set more. `make` compiles each object of a target again whose flags have changed.
flags() { (cd "$work/build" && find grader labs -name flags.make -exec sha256sum {} + | LC_ALL=C sort) >"$1"; }

OneSetMoreCompilesNoRoomAgain() {
  configure -DWARPGRADE_ISAS=avx2
  flags "$work/before"
  [[ $(wc -l <"$work/before") -gt 50 ]] || fail "these are not all rooms: $(cat "$work/before")"
  configure '-DWARPGRADE_ISAS=avx2;avx512'
  flags "$work/after"
  local changed
  changed=$(LC_ALL=C comm -13 "$work/before" "$work/after" | sed 's|.*/CMakeFiles/||; s|[.]dir/flags.make||' | LC_ALL=C sort | tr '\n' ' ')
  [[ $changed == 'warpgrade_handler_table warpgrade_handlers_avx512 warpgrade_kit_build ' ]] ||
    fail "the flags of these changed: $changed"
}

declare -F -- "$test" >/dev/null || fail "there is no test named '$test'"
"$test"
echo "passed: $test"
