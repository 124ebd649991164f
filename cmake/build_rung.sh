#!/bin/sh
# Compiles one rung and links it with what the lab gives: the test, benchmark and worker programs of cmake/labs.cmake.
# It always succeeds and always leaves a program: where the student's file does not compile or link, a program that
# prints the compiler's message and fails. So one broken rung costs one rung, and ctest shows why.
#
#   build_rung.sh compile NAME.cu OUT.o   NVCC FLAGS... SOURCE   leaves OUT.o, or OUT.o.failed with the messages
#   build_rung.sh missing NAME.cu OUT.o   ...                    there is no such file: leaves OUT.o.missing
#   build_rung.sh link    OUT     RUNG.o  LINKER ARGS...         leaves OUT
#
# The stand-in exits with 65 ("does not compile") or 66 ("missing"), which `warpgrade run` knows: grader/cli/exit_code.h.
# Tests: tests/launcher/build_rung_test.sh.
set -u

action=$1 first=$2 second=$3
shift 3

stand_in() { # program, messages, exit code
  {
    echo '#!/bin/sh'
    echo "cat <<'end of the messages'"
    cat "$2"
    echo 'end of the messages'
    echo "exit $3"
  } >"$1"
  chmod +x "$1"
}

case $action in
  compile)
    rm -f "$second" "$second.failed" "$second.missing"
    if "$@" -c -o "$second" >"$second.log" 2>&1; then
      cat "$second.log"
    else
      mv "$second.log" "$second.failed"
      echo "$first does not compile; its tests will say so:" >&2
      cat "$second.failed" >&2
    fi
    : >"$second.stamp"
    ;;
  missing)
    rm -f "$second" "$second.failed"
    echo "$first is not in this submission." >"$second.missing"
    : >"$second.stamp"
    ;;
  link)
    rm -f "$first"
    if [ -e "$second.missing" ]; then
      stand_in "$first" "$second.missing" 66
    elif [ -e "$second.failed" ]; then
      stand_in "$first" "$second.failed" 65
    elif ! "$@" -o "$first" "$second" >"$first.log" 2>&1; then
      echo "${second##*/} does not link; its tests will say so:" >&2
      cat "$first.log" >&2
      stand_in "$first" "$first.log" 65
    fi
    ;;
  *)
    echo "build_rung.sh: unknown action '$action'" >&2
    exit 2
    ;;
esac
