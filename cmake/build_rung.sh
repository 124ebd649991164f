#!/bin/sh
# Compiles one rung and links it with what the lab gives: the test, benchmark and worker programs of cmake/labs.cmake.
# It always succeeds and always leaves a program: where the student's file does not compile or link, a program that
# prints the compiler's message and fails. So one broken rung costs one rung, and ctest shows why.
#
#   build_rung.sh compile NAME.cu OUT.o   GRADER LAB GPU  NVCC FLAGS... SOURCE   leaves OUT.o, or OUT.o.failed with the
#                                                                                messages
#   build_rung.sh missing NAME.cu OUT.o   ...                    there is no such file: leaves OUT.o.missing
#   build_rung.sh link    OUT     RUNG.o  LINKER ARGS...         leaves OUT
#
# GRADER ("none" for none) compiles the rung with that nvcc, as `check` will, so that `check` need not do it again
# (grader/cli/build_rung_command.cc). GPU is the one to compile for: 90, or 0 for the emulator alone. This script calls
# nvcc itself only where that fails: for example for a file that includes the student's own headers, which no
# submission may.
#
# The stand-in exits with 65 ("does not compile") or 66 ("missing"), which `warpgrade run` knows: grader/cli/exit_code.h.
# Tests: tests/launcher/build_rung_test.sh.
set -u

does_not_compile=1 not_built=3 # of build-rung
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
    grader=$1 lab=$2 gpu=$3
    shift 3
    echo "Compiling $lab/$first"
    for source; do :; done # the last argument
    rm -f "$second" "$second.failed" "$second.missing"
    status=$not_built
    if [ "$grader" != none ]; then
      CUDACXX=$1 "$grader" build-rung "$lab" "${first%.cu}" --source "$source" --object "$second" --built-for "$gpu" \
        >"$second.log" 2>/dev/null
      status=$?
    fi
    if [ "$status" != 0 ] && [ "$status" != "$does_not_compile" ]; then
      "$@" -c -o "$second" >"$second.log" 2>&1
      status=$?
    fi
    if [ "$status" = 0 ]; then
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
    echo "Linking ${first##*/}"
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
