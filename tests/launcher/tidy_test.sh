#!/usr/bin/env bash
# Tests of .ci/tidy: ./tidy_test.sh TIDY TEST. It works in a small repository of its own. cmake does nothing, and
# clang-tidy is a fake that complains about a file with the word "wrong".
set -uo pipefail

tidy=$1 test=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  cat -- "$work/out" >&2
  exit 1
}

mkdir -p "$work/bin" "$work/tree/.ci" "$work/tree/grader" "$work/tree/labs/lab1"
cp -- "$tidy" "$work/tree/.ci/tidy"
ln -s "$(type -P true)" "$work/bin/cmake"
cat >"$work/bin/clang-tidy" <<'end'
#!/bin/bash
echo 'noise about headers' >&2
[[ -z ${TIDY_SLEEPS:-} ]] || exec sleep "$TIDY_SLEEPS"
file=${*: -1}
! grep -H wrong "$file"
end
chmod +x "$work/bin/clang-tidy"
export PATH=$work/bin:$PATH GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
unset TIDY_SECONDS TIDY_JOBS WARPGRADE_TIDY_BUILD GIT_DIR GIT_WORK_TREE
cd "$work/tree" || exit 1

git_() { git -c user.name=ada -c user.email=ada@localhost -c commit.gpgsign=false "$@"; }
# Writes the files and commits them: commit DATE FILE CONTENT...
commit() {
  local date=$1
  shift
  while [[ $# -gt 0 ]]; do
    echo "$2" >"$1"
    shift 2
  done
  git add -A && GIT_COMMITTER_DATE=$date git_ commit -q -m change --date="$date"
}
repository() {
  git init -q .
  commit '2001-01-01 00:00 +0000' grader/old.cc wrong labs/lab1/old.cc right
  commit "$(date -R)" labs/lab1/new.cc right grader/new.txt wrong
}
run() { "$work/${where:-tree}/.ci/tidy" "$@" >"$work/out" 2>&1; }

ReadsOnlyTheFilesOfTheLastDay() {
  repository
  run || fail 'an old file was read'
  grep -q '^clang-tidy: files to read: 1$' "$work/out" || fail 'not one file'
  commit "$(date -R)" grader/new.cc wrong
  ! run || fail 'the new mistake was not found'
  grep -q '^grader/new.cc:wrong$' "$work/out" || fail 'the finding was not printed'
  ! grep -q noise "$work/out" || fail 'noise was printed'
}

ReadsAllFilesWhenAsked() {
  repository
  ! run --all || fail 'the old mistake was not found'
  grep -q '^clang-tidy: files to read: 3$' "$work/out" || fail 'not three files'
}

ReadsWhatIsNotCommittedSinceARevision() {
  repository
  echo wrong >labs/lab1/new.cc
  ! run --since HEAD || fail 'the mistake was not found'
  grep -q '^clang-tidy: files to read: 1$' "$work/out" || fail 'not one file'
}

WorksInAShallowClone() {
  repository
  commit "$(date -R)" grader/new.cc wrong
  git_ clone -q --depth 1 "file://$work/tree" "$work/clone"
  where=clone
  ! run || fail 'the mistake was not found'
  grep -q '^grader/new.cc:wrong$' "$work/out" || fail 'the finding was not printed'
}

WorksWithoutGit() {
  echo wrong >grader/new.cc
  ! run || fail 'the mistake was not found'
  echo right >grader/new.cc
  run || fail 'nothing is wrong any more'
  grep -q '^clang-tidy: files to read: 1$' "$work/out" || fail 'not one file'
}

StopsWhenItsTimeIsOver() {
  repository
  TIDY_SECONDS=1 TIDY_SLEEPS=1000 run || fail 'a file that was not read is no finding'
  grep -q 'left: 1\.' "$work/out" || fail 'it does not say what is left'
}

FailsWhereItCannotBeInstalled() {
  repository
  rm "$work/bin/clang-tidy"
  # A folder with nothing but what the script needs, and an apt-get that finds nothing.
  for tool in bash dirname readlink id; do ln -s "$(type -P "$tool")" "$work/bin/$tool"; done
  ln -s "$(type -P false)" "$work/bin/apt-get"
  ! PATH=$work/bin run || fail 'it should fail'
  grep -q '^clang-tidy is missing' "$work/out" || fail 'it does not say why'
}

"$test"
