#!/usr/bin/env bash
# Compares every include of grader/ and labs/ with cmake/rooms.txt, which says what each room may include. Prints one
# line for each fault (file, line, what to do) and fails when there is one. Takes less than 0.1 s.
#
#   cmake/check_includes.sh SOURCE_DIR
#
# Test: tests/structure/check_includes_test.sh.
set -euo pipefail
cd -- "$1"

# All lines that include by a path from the root, as "file:line:text". grep finds none in an empty tree: no error.
{ grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"(grader|labs|tests)/' grader labs \
    --include='*.cc' --include='*.h' --include='*.cu' --include='*.cuh' --include='*.def' || [[ $? == 1 ]]; } |
  LC_ALL=C sort -t: -k1,1 -k2,2n |
  awk '
    # The row of a room: of its own name, or of its name with * for a number. "" where there is none.
    function row_of(room) {
      if (room in order) return room
      sub(/[0-9]+$/, "*", room)
      return room in order ? room : ""
    }
    # The room of a file: the header itself, or the innermost folder that has a row. "" where there is none.
    function room_of(path) {
      while (row_of(path) == "") {
        if (!sub("/[^/]*$", "", path)) return ""
      }
      return path
    }
    function fault(text) { print text > "/dev/stderr"; faults++ }

    FILENAME == "cmake/rooms.txt" {
      if ($0 ~ /^[ \t]*(#|$)/) next
      where = "cmake/rooms.txt:" FNR ": "
      if ($2 != ":") { fault(where "expected \"room : the rooms that it may include\""); next }
      if ($1 in order) fault(where $1 " has a row already; keep one")
      order[$1] = ++rooms
      line[$1] = FNR
      for (i = 3; i <= NF; ++i) {
        if (!($i in order)) fault(where $1 " may not include " $i ", which has no row above it: includes go one way")
        may[$1, $i] = 1
        pairs[++count] = $1 SUBSEP $i
      }
      next
    }
    {
      split($0, place, ":")
      match($0, /"[^"]+"/)
      header = substr($0, RSTART + 1, RLENGTH - 2)
      from = room_of(place[1])
      to = room_of(header)
      where = place[1] ":" place[2] ": "
      if (from == "") fault(where "its folder has no row in cmake/rooms.txt; add one below the rooms that it includes")
      else if (to == "") fault(where "includes " header ", whose folder has no row in cmake/rooms.txt; add one")
      else if (from != to) {
        used[row_of(from), row_of(to)] = 1
        if (!((row_of(from), row_of(to)) in may))
          fault(where from " may not include " header ". Move what it needs to a room that both may know, " \
                "or add " row_of(to) " to the row of " row_of(from) " in cmake/rooms.txt if it stands above it")
      }
    }
    END {
      for (i = 1; i <= count; ++i) {
        split(pairs[i], pair, SUBSEP)
        if (!((pair[1], pair[2]) in used))
          fault("cmake/rooms.txt:" line[pair[1]] ": " pair[1] " no longer includes " pair[2] "; remove it from the row")
      }
      exit faults > 0
    }
  ' cmake/rooms.txt -
