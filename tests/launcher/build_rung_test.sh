#!/usr/bin/env bash
# Tests of cmake/build_rung.sh: ./build_rung_test.sh BUILD_RUNG TEST. Compiler and linker are fakes: "cc ..." obeys the
# variable CC_SAYS.
set -uo pipefail

build_rung=$1 test=$2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

cat >cc <<'end'
#!/bin/bash
[[ -z ${CC_SAYS:-} ]] || { echo "$CC_SAYS"; exit 1; }
while [[ $# -gt 0 && $1 != -o ]]; do shift; done
printf '#!/bin/sh\necho real\n' >"$2"
chmod +x "$2"
end
chmod +x cc

compile() { "$build_rung" compile 'v1 x.cu' v1.o ./cc "$@" 2>err; }
link() { "$build_rung" link v1_test v1.o ./cc -lfoo 2>err; }

ARungThatCompilesIsLinked() {
  compile || fail "compile failed"
  [[ -e v1.o.stamp ]] || fail "no stamp for make"
  link || fail "link failed"
  [[ $(./v1_test) == real ]] || fail "not the real program"
}

ACompileErrorStopsNothingAndIsWhatTheTestSays() {
  CC_SAYS="v1.cu(3): error: \$HOME \`date\` 'quoted'" compile || fail "make would have stopped"
  grep -q 'does not compile' err || fail "not said while building"
  link || fail "make would have stopped"
  said=$(./v1_test)
  status=$?
  [[ $status == 65 ]] || fail "exit $status"
  [[ $said == "v1.cu(3): error: \$HOME \`date\` 'quoted'" ]] || fail "said: $said"
}

ALinkErrorStopsNothingAndIsWhatTheTestSays() {
  compile
  CC_SAYS='undefined reference to reduce' link || fail "make would have stopped"
  said=$(./v1_test)
  status=$?
  [[ $status == 65 && $said == 'undefined reference to reduce' ]] || fail "exit $status, said: $said"
}

AMissingFileSaysSo() {
  "$build_rung" missing v1.cu v1.o ./cc || fail "make would have stopped"
  link
  said=$(./v1_test)
  status=$?
  [[ $status == 66 && $said == 'v1.cu is not in this submission.' ]] || fail "exit $status, said: $said"
}

ARungThatIsRepairedIsRealAgain() {
  CC_SAYS=error compile
  link
  compile
  link
  [[ $(./v1_test) == real ]] || fail "still the stand-in"
}

declare -F -- "$test" >/dev/null || fail "there is no test named '$test'"
"$test"
echo "passed: $test"
