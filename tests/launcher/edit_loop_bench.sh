#!/usr/bin/env bash
# Measures how long a student waits after an edit, and prints the median of RUNS runs:
#
#   tests/launcher/edit_loop_bench.sh [LAB [RUNG [RUNS]]]        default: lab3 v3 5; run it on an idle machine
#
#   nvcc -c            one bare compilation of the rung, with the flags of `make LAB`
#   make && ctest      after an edit of the rung: `make LAB && ctest -R RUNG`
#   check              after another edit: `./warpgrade check LAB RUNG`
#   first ctest        over the whole lab, after `make LAB`, with nothing written and no cache
#   later ctest        the same once more
#
# Works in the build folder of this tree, which it brings up to date first, on a copy of starter/ or, with
# WARPGRADE_BENCH_FILES=solutions, of solutions/. The rungs' cache is an empty one of its own. At its end the build folder
# looks at the old submission again.
set -euo pipefail
export LC_ALL=C

lab=${1:-lab3} rung=${2:-v3} runs=${3:-5}
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build
files=$root/${WARPGRADE_BENCH_FILES:-starter}
work=$(mktemp -d)
cleanup() {
  cmake -S "$root" -B "$build" -DWARPGRADE_SUBMISSION="$before" >/dev/null
  rm -rf -- "$work"
}

cd "$root"
./warpgrade --version >/dev/null
before=$(sed -n 's/^WARPGRADE_SUBMISSION:PATH=//p' "$build/CMakeCache.txt")
trap cleanup EXIT
cp -r "$files" "$work/submission"
export XDG_CACHE_HOME=$work/cache
cmake -S "$root" -B "$build" -DWARPGRADE_SUBMISSION="$work/submission" >/dev/null
source_file=$(echo "$work/submission/$lab/$rung"_*.cu)
[[ -e $source_file ]] || { echo "$source_file: there is no such rung" >&2 && exit 2; }

# An edit that no cache has seen.
edits=0
edit() {
  edits=$((edits + 1))
  printf '// edit %s of %s\n' "$edits" "$work" >>"$source_file"
}

# Seconds of wall clock that a command takes: "1.234". Its output is thrown away; it may fail, as tests do.
seconds() {
  local start=${EPOCHREALTIME/./}
  "$@" >"$work/output" 2>&1 || true
  local end=${EPOCHREALTIME/./}
  printf '%d.%03d' $(((end - start) / 1000000)) $(((end - start) / 1000 % 1000))
}

# The compiler's command line is that of the build: it ends in "... GRADER LAB GPU NVCC FLAGS... SOURCE".
rules=$build/CMakeFiles/${lab}_rung_tests.dir/build.make
bare_command=$(grep -m1 " compile ${source_file##*/} " "$rules" | sed "s/.* $lab [0-9]* //") ||
  { echo "$rules: there is no command that compiles ${source_file##*/}" >&2 && exit 3; }
bare() { eval "$bare_command -c -o '$work/bare.o'"; }
make_and_test() { make "$lab" && ctest -R "$lab\\.$rung"; }
check() { ./warpgrade check "$lab" "$rung" --submission "$work/submission"; }

median() { printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
row() { printf '  %-16s %s s   %s\n' "$1" "$2" "$3"; }

make "$lab" >/dev/null 2>&1
first_ctest=$(seconds ctest -R "^$lab\\.")
later_ctest=$(seconds ctest -R "^$lab\\.")

bares=() makes=() checks=()
for ((run = 0; run < runs; ++run)); do
  edit
  bares+=("$(seconds bare)")
  makes+=("$(seconds make_and_test)")
  edit
  checks+=("$(seconds check)")
done

bare_median=$(median "${bares[@]}") make_median=$(median "${makes[@]}") check_median=$(median "${checks[@]}")
echo "$lab $rung of ${files##*/}, median of $runs runs:"
row "nvcc -c" "$bare_median" "${bares[*]}"
row "make && ctest" "$make_median" "$(ratio "$make_median" "$bare_median") times   ${makes[*]}"
row "check" "$check_median" "$(ratio "$check_median" "$bare_median") times   ${checks[*]}"
row "first ctest" "$first_ctest" "all of $lab"
row "later ctest" "$later_ctest" ""
