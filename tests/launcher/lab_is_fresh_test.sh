#!/usr/bin/env bash
# Tests of cmake/lab_is_fresh.sh: ./lab_is_fresh_test.sh LAB_IS_FRESH TEST. The source tree and the build folder are
# small ones of the test's own, in a folder with a space; everything in them was made an hour before the lab was.
set -uo pipefail

lab_is_fresh=$1 test=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
root="$work/kit root" build="$work/kit root/build" files="$work/my files"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
is_fresh() { "$lab_is_fresh" "$root" "$build" lab1; }

mkdir -p "$root"/{cmake,grader/room,labs/lab1,solutions/lab1,starter} "$build"/{bin,labs/lab1} "$files/lab1"
touch "$root"/{CMakeLists.txt,course.yaml,warpgrade,grader/room/a.cc,labs/lab1/lab1.h,solutions/lab1/v1.cu}
touch "$build/GNUmakefile" "$build/bin/warpgrade" "$files/lab1/v1.cu"
chmod +x "$build/bin/warpgrade"
cat >"$build/labs/lab1/submission.txt" <<end
there $files/lab1/v1.cu
missing $files/lab1/v2.cu
end
find "$root" -exec touch -d '1 hour ago' {} +
touch "$build/labs/lab1/made"

AnEditOfTheStudentsIsFresh() {
  is_fresh || fail "nothing has changed"
  touch "$files/lab1/v1.cu"
  is_fresh || fail "make sees that by itself"
}

WhatTheKitIsMadeFromMakesItStale() {
  local file
  for file in CMakeLists.txt course.yaml warpgrade grader/room/a.cc labs/lab1/lab1.h solutions/lab1/v1.cu; do
    touch -d '1 minute' "$root/$file"
    ! is_fresh || fail "$file has changed"
    touch -d '1 hour ago' "$root/$file"
    is_fresh || fail "the test itself is wrong at $file"
  done
  rm "$root/grader/room/a.cc"
  ! is_fresh || fail "a file was deleted"
}

AConfigurationMakesItStale() {
  touch -d '1 minute' "$build/GNUmakefile"
  ! is_fresh || fail "the build was configured again"
}

ARungThatComesOrGoesMakesItStale() {
  touch "$files/lab1/v2.cu"
  ! is_fresh || fail "v2.cu has come"
  rm "$files/lab1/v2.cu"
  is_fresh || fail "the test itself is wrong"
  rm "$files/lab1/v1.cu"
  ! is_fresh || fail "v1.cu has gone"
}

WithoutACompleteBuildItIsStale() {
  rm "$build/bin/warpgrade"
  ! is_fresh || fail "there is no warpgrade"
  touch "$build/bin/warpgrade"
  chmod +x "$build/bin/warpgrade"
  rm "$build/labs/lab1/made"
  ! is_fresh || fail "the lab was never made"
}

declare -F -- "$test" >/dev/null || fail "there is no test named '$test'"
"$test"
echo "passed: $test"
