#!/bin/sh
# Tells the makefile of a build folder (cmake/labs.cmake writes it) whether `make LAB` needs to look at the rungs only:
#
#   lab_is_fresh.sh ROOT BUILD LAB
#
# Exit status 0: since BUILD/labs/LAB/made, which marks when the last complete `make LAB` began, nothing has changed that
# the kit is made from, the build was not configured again, and the submission has the same files of this lab. To ask
# make itself takes a second or two, as it visits every target of the kit.
# Tests: tests/launcher/lab_is_fresh_test.sh.
set -u

root=$1 build=$2 lab=$3
made=$build/labs/$lab/made

[ -e "$made" ] && [ -x "$build/bin/warpgrade" ] && [ -d "$root/solutions/$lab" ] || exit 1
cd "$root" || exit 1
newer=$(find CMakeLists.txt cmake grader labs course.yaml warpgrade "solutions/$lab" "$build/GNUmakefile" \
  -newer "$made" -print -quit 2>&1)
[ -z "$newer" ] || exit 1
while read -r what path; do
  case $what in
    there) [ -e "$path" ] || exit 1 ;;
    missing) [ ! -e "$path" ] || exit 1 ;;
  esac
done <"$build/labs/$lab/submission.txt"
