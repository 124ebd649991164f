#!/usr/bin/env bash
# Tests of cmake/check_includes.sh and of this tree's includes: ./check_includes_test.sh SOURCE_DIR TEST. Each test but
# the first makes a small tree of its own.
set -uo pipefail

source_dir=$1 test=$2
check=$source_dir/cmake/check_includes.sh
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "FAILED: $*" >&2
  [[ ! -s err ]] || cat err >&2
  exit 1
}

# A tree of three rooms: high includes low, and both labs include shared.
mkdir -p 'tree/cmake' tree/grader/{low,high} tree/labs/{shared,lab1,lab2}
cat >tree/cmake/rooms.txt <<'end'
# a comment
grader/low :
grader/high : grader/low
labs/shared :
labs/lab* : labs/shared
end
echo '#include "grader/low/low.h"' >tree/grader/high/high.cc
echo '#include <vector>' >tree/grader/low/low.h
echo '#include "labs/shared/shared.h"' | tee tree/labs/lab1/a.cu >tree/labs/lab2/b.h
touch tree/labs/shared/shared.h

accepts() { "$check" tree 2>err || fail "refused: $1"; }
# refuses TEXT: the check fails, and one line of what it says holds TEXT.
refuses() {
  "$check" tree 2>err && fail "accepted; expected: $1"
  grep -qF -- "$1" err || fail "did not say: $1"
}

ThisTreesIncludesAreAllowed() { "$check" "$source_dir" 2>err || fail 'the includes of grader/ and labs/'; }

AnAllowedIncludeIsAccepted() { accepts 'the tree as it is'; }

AnIncludeThatGoesUpIsRefusedWithItsPlace() {
  printf '\n  #  include "grader/high/high.h"\n' >>tree/grader/low/low.h
  refuses 'grader/low/low.h:3: grader/low may not include grader/high/high.h'
}

ARowThatNamesALaterRoomIsRefused() {
  sed -i 's/^grader\/low :/& grader\/high/' tree/cmake/rooms.txt
  refuses 'cmake/rooms.txt:2: grader/low may not include grader/high, which has no row above it'
}

ALabThatIncludesAnotherIsRefused() {
  echo '#include "labs/lab2/b.h"' >>tree/labs/lab1/a.cu
  refuses 'labs/lab1/a.cu:2: labs/lab1 may not include labs/lab2/b.h'
}

AFolderWithoutARowIsRefused() {
  mkdir tree/grader/new
  echo '#include "grader/low/low.h"' >tree/grader/new/new.h
  refuses 'grader/new/new.h:1: its folder has no row in cmake/rooms.txt'
}

AnIncludeOfAFolderWithoutARowIsRefused() {
  echo '#include "tests/helper.h"' >>tree/grader/high/high.cc
  refuses 'grader/high/high.cc:2: includes tests/helper.h, whose folder has no row'
}

APermissionThatNobodyUsesIsRefused() {
  : >tree/grader/high/high.cc
  refuses 'cmake/rooms.txt:3: grader/high no longer includes grader/low'
}

AFaultyRowIsRefused() {
  echo 'grader/odd grader/low' >>tree/cmake/rooms.txt
  refuses 'cmake/rooms.txt:6: expected "room : the rooms that it may include"'
}

ASecondRowOfARoomIsRefused() {
  echo 'grader/low :' >>tree/cmake/rooms.txt
  refuses 'cmake/rooms.txt:6: grader/low has a row already'
}

AHeaderWithARowOfItsOwnIsARoom() {
  touch tree/labs/shared/small.h
  sed -i 's/^labs\/shared :/labs\/shared\/small.h :\n&/; s/^grader\/low :/& labs\/shared\/small.h/' tree/cmake/rooms.txt
  sed -i '/small.h :/d; 1i labs/shared/small.h :' tree/cmake/rooms.txt
  echo '#include "labs/shared/small.h"' >>tree/grader/low/low.h
  accepts 'a single header below its folder'
  echo '#include "labs/shared/shared.h"' >>tree/grader/low/low.h
  refuses 'grader/low may not include labs/shared/shared.h'
}

"$test"
