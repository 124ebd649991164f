#!/usr/bin/env bash
# Prints a wrong answer (labs/LAB/mutants) as the whole file that is handed in:
#
#   labs/mutant.sh lab2 v3_padded__missing_barrier
#
# A mutant that shares little with any solution is a whole file, NAME.cu. The others are the lines by which they differ
# from a solution, NAME.diff:
#
#   // A wrong answer to lab2 v3_padded, ...     these lines open the file: what is wrong
#   --- solutions/lab2/v3_padded.cu              the base, without its opening comment, markers and starter lines
#   @@                                           an edit begins
#    __syncthreads();                            a space: this line stays
#   -if (row < rows) {                           minus: this line goes
#   +if (row <= rows) {                          plus: this line comes
#
# There are no line numbers. The lines of an edit that stay or go must stand in the base exactly once, together and after
# those of the edit before; else this fails, and names the edit. Tested by tests/course/mutant_script_test.cc.
set -euo pipefail

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

[[ $# == 2 ]] || die "usage: labs/mutant.sh LAB NAME, for instance: labs/mutant.sh lab2 v3_padded__missing_barrier"
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
mutant=labs/$1/mutants/$2

if [[ -e $mutant.cu ]]; then
  cat -- "$mutant.cu"
  exit
fi
[[ -e $mutant.diff ]] || die "there is neither $mutant.diff nor $mutant.cu"
base=$(sed -n 's/^--- //p' "$mutant.diff")
[[ -e $base ]] || die "$mutant.diff: its line '--- ${base:-...}' must name one file, such as '--- solutions/lab2/v3_padded.cu'"

awk -v diff="$mutant.diff" -v base="$base" '
  function fail(line, message) {
    printf "%s:%d: %s\n", diff, line, message >"/dev/stderr"
    failed = 1
    exit 1
  }

  # The solution in `base` as a student would hand it in.
  function read_base(    line, text, in_opening_comment, in_starter) {
    in_opening_comment = 1
    while ((getline line <base) > 0) {
      if (line !~ /^\/\//) in_opening_comment = 0
      if (line ~ /^ *\/\/ ELSE STARTER$/) in_starter = 1
      if (!in_opening_comment && !in_starter && line !~ /^ *\/\/ (BEGIN|END) SOLUTION$/) text = text line "\n"
      if (line ~ /^ *\/\/ END SOLUTION$/) in_starter = 0
    }
    return text
  }

  # Adds to `result` what `rest` has before the edit, and the edit; `rest` becomes what comes after it. Lines are found
  # whole: a newline stands before `rest` and before every line of an edit.
  function apply_edit(    at, why) {
    if (!edit_line) return
    if (old == "\n") fail(edit_line, "this edit has no line that stays or goes, so nobody knows where it belongs")
    if (old == new) fail(edit_line, "this edit changes nothing")
    at = index(rest, old)
    if (!at) {
      why = missing()  # also moves edit_line to the line that is missing
      fail(edit_line, why)
    }
    if (index(substr(whole, index(whole, old) + 1), old))
      fail(edit_line, base " has these lines more than once; add a line before or after them that stays")
    result = result substr(rest, 1, at - 1) new
    sub(/\n$/, "", result)
    rest = substr(rest, at + length(old) - 1)
  }

  # Why the edit is not found.
  function missing(    lines, i) {
    if (index(whole, old)) return "these lines stand in " base " before those of the edit above; put the edits in order"
    for (i = 1; i <= old_count; ++i) {
      if (!index(whole, "\n" old_lines[i] "\n")) {
        edit_line = old_numbers[i]
        return base " has no such line: " old_lines[i] "\n(if the solution was changed, change this edit with it)"
      }
    }
    return base " has these lines, but not one after the other (if the solution was changed, change this edit with it)"
  }

  function begin_edit(line) {
    edit_line = line
    old = new = "\n"
    old_count = 0
  }

  BEGIN { whole = rest = "\n" read_base() }
  /^--- / && !seen_base { seen_base = 1; next }
  !seen_base && /^\/\// { print; next }
  !seen_base { fail(NR, "before the line --- there are only lines of a comment: //") }
  /^@@$/ { apply_edit(); begin_edit(NR); next }
  !edit_line { fail(NR, "an edit begins with a line @@") }
  {
    kind = substr($0, 1, 1)
    line = substr($0, 2)
    if ($0 != "" && kind != " " && kind != "-" && kind != "+") fail(NR, "a line of an edit begins with a space, - or +")
    if (kind != "+") {
      old = old line "\n"
      old_lines[++old_count] = line
      old_numbers[old_count] = NR
    }
    if (kind != "-") new = new line "\n"
  }
  END {
    if (failed) exit 1
    apply_edit()
    printf "%s", substr(result rest, 2)
  }
' "$mutant.diff"
