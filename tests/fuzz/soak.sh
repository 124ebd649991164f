#!/bin/bash
# Runs all fuzzers at the same time on a machine that has many cores but no clang. Two steps, the first on a machine
# with clang:
#
#   cmake -S . -B build-fuzz -G Ninja -DWARPGRADE_FUZZ=ON && ninja -C build-fuzz fuzzers
#   tests/fuzz/soak.sh pack build-fuzz/bin soak          # makes soak/fuzzers.tgz, 30 MB, and a copy of this script
#   bash soak/soak.sh run 500 results                    # on the other machine: 500 s, on all cores
#
# results/summary.txt has a row for each target: executions of all its processes, the highest coverage, and how many
# inputs ended a process. results/finds.tgz holds these inputs and the end of each process's output. The exit code is 1
# if there is such an input. After an input that ends it, a process starts again, at most four times.
set -euo pipefail

# Kernels and calls have the largest spaces to search, so they get the cores that are left over.
targets=(kernel calls server decode ptx control archive fatbin object diagnostics answers markdown)
more=(kernel calls server)

usage() {
  sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

pack() {
  local bin=$1 to=$2 sources target
  sources=$(cd "$(dirname "$0")/../.." && pwd)
  local stage
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' RETURN
  mkdir -p "$stage/bin" "$stage/lib" "$to"
  for target in "${targets[@]}"; do
    strip -o "$stage/bin/${target}_fuzz" "$bin/${target}_fuzz"
    # All but the C library, which must fit the other machine's loader.
    ldd "$bin/${target}_fuzz" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' |
      grep -v -E '/(libc|libm|libdl|libpthread|librt)\.so' | xargs -r cp -L -t "$stage/lib"
  done
  cp -r "$sources/tests/fuzz/corpus" "$sources"/tests/fuzz/*.dict "$stage"
  cp "$sources/labs/lab1/quiz.yaml" "$stage"
  tar -C "$stage" -czf "$to/fuzzers.tgz" .
  if [ ! "$0" -ef "$to/soak.sh" ]; then cp "$0" "$to/soak.sh"; fi
}

# One process of a target, again after each input that ends it.
run_one() {
  local target=$1 seconds=$3 name=$1.$2 corpus=$1 end left status
  [ "$target" = decode ] && corpus=ptx
  local options=(-print_final_stats=1 -timeout=60 -rss_limit_mb=3000 -artifact_prefix="$work/finds/$name-")
  [ "$corpus" = ptx ] && options+=(-dict="$work/ptx.dict")
  [ "$target" = fatbin ] && options+=(-dict="$work/fatbin.dict")
  mkdir -p "$work/new/$name"
  end=$((SECONDS + seconds))
  for _ in 1 2 3 4 5; do
    left=$((end - SECONDS))
    [ "$left" -gt 5 ] || break
    status=0
    "$work/bin/${target}_fuzz" "${options[@]}" -max_total_time="$left" "$work/new/$name" "$work/corpus/$corpus" \
      >>"$work/logs/$name.txt" 2>&1 || status=$?
    [ "$status" -ne 0 ] || break
  done
}

# A row of the summary.
row() {
  local target=$1
  cat "$work/logs/$target".*.txt | awk -v target="$target" -v finds="$(find "$work/finds" -name "$target.*" | wc -l)" '
    /^stat::number_of_executed_units/ { executions += $2 }
    /^#[0-9]+.* cov: / { for (i = 1; i < NF; ++i) if ($i == "cov:" && $(i + 1) > coverage) coverage = $(i + 1) }
    END { printf "| `%s_fuzz` | %d | %d | %d |\n", target, executions, coverage, finds }'
}

run() {
  local seconds=$1 out=$2 here cores i target
  here=$(cd "$(dirname "$0")" && pwd)
  mkdir -p "$out"
  out=$(cd "$out" && pwd)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  tar -C "$work" -xzf "$here/fuzzers.tgz"
  mkdir -p "$work/finds" "$work/logs"
  export LD_LIBRARY_PATH=$work/lib FUZZ_QUIZ_PATH=$work/quiz.yaml
  cores=$(nproc)
  for ((i = 0; i < ${#targets[@]} || i < cores; ++i)); do
    target=${targets[i]:-${more[i % ${#more[@]}]}}
    run_one "$target" "$i" "$seconds" &
  done
  wait
  {
    echo "$i processes on $cores cores, $seconds s each"
    echo "| target | executions | coverage | inputs that ended it |"
    echo "|---|---|---|---|"
    for target in "${targets[@]}"; do row "$target"; done
  } | tee "$out/summary.txt"
  for log in "$work"/logs/*; do tail -n 150 "$log" >"$log.end" && mv "$log.end" "$log"; done
  tar -C "$work" -czf "$out/finds.tgz" finds logs
  [ -z "$(ls -A "$work/finds")" ]
}

case "${1:-} $#" in
  "pack 3") pack "$2" "$3" ;;
  "run 3") run "$2" "$3" ;;
  *) usage ;;
esac
