#!/usr/bin/env bash
# Tests of the launcher: ./launcher_test.sh LAUNCHER TEST. Each test gets a copy of the launcher in a source tree of its
# own ("kit root", with a space), and a PATH of fakes: what is not in $bin is not installed. The fake cmake makes the
# binary, which prints its arguments.
set -uo pipefail

launcher=$1 test=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
root="$work/kit root"
bin=$work/bin

fail() {
  echo "FAILED: $*" >&2
  [[ -e $work/out ]] && sed 's/^/  out: /' "$work/out" >&2
  [[ -e $work/err ]] && sed 's/^/  err: /' "$work/err" >&2
  exit 1
}
expect_said() { grep -qF -- "$1" "$work/err" || fail "expected to be told: $1"; }
expect_not_said() { ! grep -qF -- "$1" "$work/err" || fail "did not expect to be told: $1"; }
expect_printed() { grep -qxF -- "$1" "$work/out" || fail "expected the output line: $1"; }
expect_exit() { [[ $status == "$1" ]] || fail "expected exit $1, got $status"; }
expect_calls() { # count, command
  local calls
  calls=$(cat "$work/calls" 2>/dev/null | grep -c "^$2")
  [[ $calls == "$1" ]] || fail "expected $1 calls of '$2', got $calls: $(cat "$work/calls" 2>/dev/null)"
}

fake() { # name, script; every call is noted
  printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n%s\n' "$1" "$work" "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}

set_up() {
  mkdir -p "$root/grader" "$root/labs" "$root/cmake" "$bin"
  cp "$launcher" "$root/warpgrade"
  touch "$root/CMakeLists.txt" "$root/CHANGELOG.md" "$root/course.yaml" "$root/grader/a.cc"
  find "$root" -exec touch -d '1 hour ago' {} +
  local tool
  for tool in bash sh cat chmod cp cut date dirname env find flock grep head id ln mkdir mktemp mv nproc readlink rm sed \
    sleep tail touch tput tr true uname wc; do
    ln -s "$(command -v "$tool")" "$bin/$tool"
  done
  fake make ''
  fake bwrap ''
  fake sim_c++ ''
  fake g++ ''
  fake nvcc ''
  fake cmake 'case $1 in
    -S) touch "$4/CMakeCache.txt" ;;
    --build)
      [[ -z ${FAKE_BUILD_AWAITS:-} ]] || until [[ -e $FAKE_BUILD_AWAITS ]]; do sleep 0.05; done
      echo "[ 50%] Building CXX object a.o"
      if [[ -n ${FAKE_BUILD_ERROR:-} ]]; then
        for n in {1..3000}; do echo "[ 60%] Building CXX object errors_test_$n.cc.o"; done
        echo "a.cc:1:1: error: $FAKE_BUILD_ERROR"
        for n in {1..3000}; do echo "[ 61%] Building CXX object b$n.o"; done
        exit 1
      fi
      mkdir -p "$2/bin"
      printf "#!/bin/bash\nprintf \"%%s\\\\n\" \"\$PWD\" \"\$@\"\nexit \${FAKE_EXIT:-0}\n" >"$2/bin/warpgrade"
      chmod +x "$2/bin/warpgrade" ;;
  esac'
  # Headers that are "installed": the launcher also looks along CPATH, and the machine's own /usr/include may lack them.
  mkdir -p "$work/include"
  local header
  for header in yaml-cpp/yaml.h CLI/CLI.hpp fmt/core.h nlohmann/json.hpp gtest/gtest.h gmock/gmock.h \
    benchmark/benchmark.h zstd.h lz4.h archive.h nettle/sha2.h lzma.h bzlib.h zlib.h sqlite3.h \
    SQLiteCpp/SQLiteCpp.h cmark-gfm.h cmark-gfm-core-extensions.h chart.js/chart.min.js httplib.h; do
    mkdir -p "$work/include/$(dirname "$header")"
    touch "$work/include/$header"
  done
}

run() { # the launcher, with the fakes only
  (cd "${from:-$work}" && env -i PATH="$bin" HOME="$work" CPATH="$work/include" CI="${ci:-}" \
    CUDA_HOME="$work/none" CUDA_PATH="$work/none" WARPGRADE_LOOK_IN="$work/none" "${environment[@]}" \
    "$root/warpgrade" "$@" >"$work/out" 2>"$work/err" </dev/null)
  status=$?
}
environment=(A=b)

# ---- the tests ----------------------------------------------------------------------------------------------------

BuildsOnceThenOnlyRuns() {
  run grade 'a b' --json x
  expect_exit 0
  expect_printed grade
  expect_printed 'a b'
  expect_calls 1 'cmake -S'
  expect_calls 1 'cmake --build'
  run grade again
  expect_calls 1 'cmake --build'
  expect_printed again
  [[ ! -s $work/err ]] || fail "a fresh build is no news"
}

KeepsTheCallersFolderAndExitCode() {
  mkdir "$work/some where"
  from="$work/some where"
  environment=(FAKE_EXIT=2)
  run check lab1
  expect_exit 2
  expect_printed "$work/some where"
}

WorksThroughASymbolicLink() {
  ln -s "$root/warpgrade" "$work/link"
  (cd "$work" && env -i PATH="$bin" HOME="$work" CPATH="$work/include" "$work/link" hello >"$work/out" 2>"$work/err")
  expect_printed hello
  [[ -x $root/build/bin/warpgrade ]] || fail "built elsewhere"
}

RebuildsWhenASourceIsEdited() {
  run grade
  touch -d 'now + 2 seconds' "$root/grader/a.cc"
  run grade
  expect_calls 2 'cmake --build'
  expect_calls 1 'cmake -S'
}

RebuildsWhenASourceIsDeleted() {
  touch "$root/grader/b.cc"
  run grade
  sleep 1.1
  rm "$root/grader/b.cc"
  run grade
  expect_calls 2 'cmake --build'
}

DoesNotRebuildWhenAStudentsFileIsEdited() {
  mkdir -p "$root/starter/lab1"
  run grade
  touch -d 'now + 2 seconds' "$root/starter/lab1/v1.cu" "$root/starter/lab1"
  run grade
  expect_calls 1 'cmake --build'
}

AFailedBuildShowsTheErrorAndIsTriedAgain() {
  environment=(FAKE_BUILD_ERROR='no such thing')
  run grade
  expect_exit 3
  expect_said 'a.cc:1:1: error: no such thing'
  expect_said 'the build failed. The whole output is in '
  [[ $(wc -l <"$work/err") -lt 60 ]] || fail "said too much"
  [[ ! -e $root/build/.warpgrade-built ]] || fail "a failed build left a stamp"
  environment=(A=b)
  run grade
  expect_exit 0
}

AnInterruptedBuildLeavesNoStamp() {
  (cd "$work" && exec env -i PATH="$bin" HOME="$work" CPATH="$work/include" FAKE_BUILD_AWAITS="$work/go" \
    "$root/warpgrade" grade >"$work/out" 2>"$work/err" </dev/null) &
  local pid=$!
  until grep -q 'cmake --build' "$work/calls" 2>/dev/null; do sleep 0.05; done
  kill -TERM "$pid"
  touch "$work/go"
  wait "$pid"
  status=$?
  expect_exit 130
  [[ ! -e $root/build/.warpgrade-built ]] || fail "an interrupted build left a stamp"
  run grade
  expect_exit 0
}

SeveralFirstRunsBuildOnce() {
  local n
  for n in 1 2 3; do
    (cd "$work" && env -i PATH="$bin" HOME="$work" CPATH="$work/include" FAKE_BUILD_AWAITS="$work/go" \
      "$root/warpgrade" "run$n" >"$work/out$n" 2>"$work/err$n" </dev/null) &
  done
  until [[ $(cat "$work"/err? 2>/dev/null | grep -c 'waiting for it') == 2 ]]; do sleep 0.05; done
  touch "$work/go"
  wait
  expect_calls 1 'cmake --build'
  for n in 1 2 3; do grep -qx "run$n" "$work/out$n" || fail "run $n did not run"; done
  grep -q 'waiting for it' "$work"/err? || fail "nobody said why they wait"
}

NoInstallSaysTheExactCommand() {
  rm "$bin/make"
  fake apt-get ''
  run --no-install grade
  expect_exit 3
  expect_said 'missing: make. Install with: '
  expect_said 'apt-get install -y --no-install-recommends make'
  expect_calls 0 'apt-get'
  environment=(WARPGRADE_INSTALL=no)
  run grade
  expect_exit 3
  expect_calls 0 'apt-get'
}

InstallsWhatIsMissingAsRoot() {
  rm "$bin/make" "$bin/id" "$work/include/lz4.h"
  fake id 'echo 0'
  fake apt-get '[[ $1 != install ]] || { ln -s /bin/true "'"$bin"'/make"; touch "'"$work"'/include/lz4.h"; }'
  run grade
  expect_exit 0
  expect_said 'missing: make'
  expect_calls 1 'apt-get update'
  expect_calls 1 'apt-get install'
  grep -q '^apt-get install.* make' "$work/calls" || fail "make was not asked for"
}

WithoutRootOrSudoSaysWhatToRunAsRoot() {
  rm "$bin/make" "$bin/id"
  fake id 'echo 1000'
  fake apt-get ''
  run grade
  expect_exit 3
  expect_said 'As root, run: apt-get install'
}

WithSudoButNobodyToAskDoesNotInstall() {
  rm "$bin/make" "$bin/id"
  fake id 'echo 1000'
  fake apt-get ''
  fake sudo '"$@"'
  run grade
  expect_exit 3
  expect_said 'not installed. Install with: sudo apt-get'
  expect_calls 0 'sudo'
}

InCiInstallsWithSudoWithoutAsking() {
  rm "$bin/make" "$bin/id"
  fake id 'echo 1000'
  fake apt-get '[[ $1 != install ]] || ln -s /bin/true "'"$bin"'/make"'
  fake sudo '"$@"'
  ci=true run grade
  expect_exit 0
  expect_calls 1 'sudo apt-get install'
}

OnAnotherDistributionNamesThePackages() {
  rm "$bin/make"
  run grade
  expect_exit 3
  expect_said "missing (by their Debian names): make"
}

FetchesTheCompilerWhenThereIsNone() {
  needs_no_system_nvcc
  rm "$bin/nvcc"
  fake python3 'case "$*" in *install*)
    while [[ $# -gt 0 && $1 != --target ]]; do shift; done
    mkdir -p "$2/nvidia/cu13/bin" "$2/nvidia/cu13/lib"
    touch "$2/nvidia/cu13/lib/libcudart.so.13"
    printf "#!/bin/bash\n" >"$2/nvidia/cu13/bin/nvcc"; chmod +x "$2/nvidia/cu13/bin/nvcc" ;; esac'
  ci=true run grade
  expect_exit 0
  expect_said 'no nvcc found: fetching CUDA'
  [[ -x $root/.warpgrade/cuda/bin/nvcc && -e $root/.warpgrade/cuda/lib64/libcudart.so ]] || fail "incomplete toolkit"
  [[ ! -e $root/.warpgrade/cuda.partial ]] || fail "left its workings behind"
  grep -q 'cmake -S.*-DCUDAToolkit_ROOT=.*/.warpgrade/cuda' "$work/calls" || fail "cmake was not told of it"
}

ACompilerThatCannotBeFetchedIsSaid() {
  needs_no_system_nvcc
  rm "$bin/nvcc"
  fake python3 'case "$*" in *install*) echo "no network" >&2; exit 1 ;; esac'
  ci=true run grade
  expect_exit 3
  expect_said 'no network'
  expect_said 'Install the CUDA Toolkit 13.0 or later'
  [[ ! -e $root/.warpgrade/cuda ]] || fail "left half a toolkit"
}

NoInstallWithoutACompilerSaysWhatToInstall() {
  needs_no_system_nvcc
  rm "$bin/nvcc"
  run --no-install grade
  expect_exit 3
  expect_said 'no nvcc found. Install the CUDA Toolkit'
}

SaysWhenItCannotWrite() {
  touch "$work/not a folder"
  environment=(WARPGRADE_BUILD_DIR="$work/not a folder/build")
  run grade
  expect_exit 3
  expect_said 'cannot write to'
  expect_said 'WARPGRADE_BUILD_DIR='
}

BuildsElsewhereWhenTold() {
  environment=(WARPGRADE_BUILD_DIR="$work/else where")
  run grade
  expect_exit 0
  [[ -x "$work/else where/bin/warpgrade" && ! -e $root/build ]] || fail "built in the wrong place"
}

TestBuildsTheTestsAndRunsCtest() {
  fake ctest 'echo "100% tests passed, 0 tests failed out of 3"'
  run test -R Emulator
  expect_exit 0
  expect_printed '100% tests passed, 0 tests failed out of 3'
  grep -q 'cmake --build .* kit_tests' "$work/calls" || fail "the tests were not built"
  grep -q '^ctest --test-dir .*/build/tests .*-R Emulator' "$work/calls" || fail "ctest got other arguments"
  expect_said 'building: 50%'
}

TestCompilesForAllThatThisMachineRunsAndGradingForTheWidest() {
  fake ctest ''
  run grade
  grep -q 'cmake -S.*-DWARPGRADE_ISAS=native' "$work/calls" || fail "grading was not set up for this processor alone"
  echo 'WARPGRADE_ISAS:STRING=native' >"$root/build/CMakeCache.txt"
  run test
  expect_calls 2 'cmake -S'
  grep -q 'cmake -S.*-DWARPGRADE_ISAS=runnable' "$work/calls" || fail "the tests were not set up for all that this machine runs"
  echo 'WARPGRADE_ISAS:STRING=all' >"$root/build/CMakeCache.txt"
  run test
  expect_calls 2 'cmake -S'
}

ATestThatFailsIsTheExitStatus() {
  fake ctest 'exit 8'
  run test
  expect_exit 8
  expect_said 'tests failed; their output is above'
}

TestOfALabBuildsAndRunsOnlyWhatProvesIt() {
  mkdir -p "$root/labs/lab1" "$root/labs/lab2"
  fake ctest ''
  run test lab1 -R Mutants
  expect_exit 0
  expect_said 'all tests of lab1 that you chose passed'
  grep -q 'cmake --build .* --target test_lab1$' "$work/calls" || fail "something else was built"
  grep -qF -- "-DWARPGRADE_ISAS=native" "$work/calls" || fail "the emulator was compiled for all processors"
  grep -q '^ctest .* -L ^(lab1|labs)\$ -R Mutants$' "$work/calls" || fail "ctest got other arguments"
  run test lab1 lab2
  grep -q 'cmake --build .* --target test_lab1 test_lab2$' "$work/calls" || fail "something else was built"
  grep -q '^ctest .* -L ^(lab1|lab2|labs)\$$' "$work/calls" || fail "ctest got other arguments"
}

TestOfALabThatIsNotThereNamesTheLabs() {
  mkdir -p "$root/labs/lab0" "$root/labs/lab1"
  run test lab7
  expect_exit 2
  expect_said 'there is no labs/lab7; the labs are: lab0 lab1'
  expect_calls 0 'cmake --build'
}

TellsHowManyTestsRan() {
  fake ctest '
    for n in 1 2 3 4; do name=T.$n; [[ $* != *-N* ]] || echo "  Test #$n: $name"; done
    [[ $* == *-N* ]] || for n in 1 2 3 4; do echo "$n/4 Test #$n: T.$n ......   Passed    0.01 sec"; done'
  run test
  expect_exit 0
  expect_said 'testing: 25%'
  expect_said 'testing: 100%'
  expect_printed '4/4 Test #4: T.4 ......   Passed    0.01 sec'
}

ATestCountsByTheTimeThatItIsKnownToTake() {
  fake ctest '
    for n in 1 2; do [[ $* != *-N* ]] || echo "  Test #$n: T.$n"; done
    [[ $* == *-N* ]] || for n in 1 2; do echo "$n/2 Test #$n: T.$n ......   Passed    0.01 sec"; done'
  mkdir -p "$root/tests/launcher" "$root/build/tests/Testing/Temporary"
  printf '# a comment\nT.1 1\nT.2 1\n' >"$root/tests/launcher/test_seconds.txt"
  run test
  expect_said 'testing: 50%'
  printf 'T.1 1 9\nT.2 1 1\n---\nT.2\n' >"$root/build/tests/Testing/Temporary/CTestCostData.txt"
  run test
  expect_not_said 'testing: 50%'
  expect_said 'testing: 89%'
}

EstimatesTheTimeLeft() {
  eval "$(sed -n '/^time_left()/,/^}/p' "$launcher")"
  local estimate
  expect_estimate() { # estimate, seconds, done, all
    estimate=$(time_left "$2" "$3" "$4")
    [[ $estimate == "$1" ]] || fail "after $2 s with $3 of $4 done, expected '$1', got '$estimate'"
  }
  expect_estimate 'about 9 min left' 60 10 100
  expect_estimate 'about 3 min left' 180 50 100
  expect_estimate 'about 60 s left' 60 50 100
  expect_estimate 'about 10 s left' 99 99 100
  expect_estimate '' 4 50 100
  expect_estimate '' 60 1 100
  expect_estimate '' 60 100 100
}

ShowsOneLiveLineOnATerminal() {
  ln -s "$(command -v script)" "$bin/script"
  (cd "$work" && env -i PATH="$bin" HOME="$work" CPATH="$work/include" SHELL=/bin/bash TERM=dumb \
    script -qec "'$root/warpgrade' grade" /dev/null >"$work/out" </dev/null)
  grep -q 'building:  50%  Building CXX object a.o' "$work/out" || fail 'no progress'
  ! grep -q 'warpgrade: building' "$work/out" || fail 'lines as in a log'
}

needs_no_system_nvcc() {
  sed -i "s|/usr/local/cuda|$work/none|g" "$root/warpgrade"
}

declare -F -- "$test" >/dev/null || fail "there is no test named '$test'"
set_up
"$test"
echo "passed: $test"
