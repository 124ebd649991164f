#!/usr/bin/env bash
# Tests of cmake/build_rung.sh: ./build_rung_test.sh BUILD_RUNG TEST. Compiler, linker and grader are fakes: "cc ..." obeys
# the variable CC_SAYS; "grader ..." exits with GRADER_EXITS and prints GRADER_SAYS.
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
cat >grader <<'end'
#!/bin/bash
echo "$*" >grader_called
echo "$CUDACXX" >grader_compiler
[[ -z ${GRADER_SAYS:-} ]] || echo "$GRADER_SAYS"
[[ $GRADER_EXITS == 0 ]] && printf '#!/bin/sh\necho real, by the grader\n' >v1.o && chmod +x v1.o
exit "$GRADER_EXITS"
end
chmod +x cc grader

compile() { "$build_rung" compile 'v1 x.cu' v1.o none lab1 0 ./cc "$@" 2>err; }
compile_with_grader() { "$build_rung" compile 'v1 x.cu' v1.o ./grader lab1 90 ./cc -O3 'my files/v1 x.cu' 2>err; }
link() { "$build_rung" link v1_test v1.o ./cc -lfoo 2>err; }

ARungThatCompilesIsLinked() {
  [[ $(compile) == 'Compiling lab1/v1 x.cu' ]] || fail "compile failed, or did not say what it does"
  [[ -e v1.o.stamp ]] || fail "no stamp for make"
  [[ $(link) == 'Linking v1_test' ]] || fail "link failed, or did not say what it does"
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

TheGraderCompilesWhereItCan() {
  GRADER_EXITS=0 CC_SAYS='must not be called' compile_with_grader >out || fail "compile failed"
  [[ $(<grader_called) == 'build-rung lab1 v1 x --source my files/v1 x.cu --object v1.o --built-for 90' ]] ||
    fail "called as: $(<grader_called)"
  [[ $(<grader_compiler) == ./cc ]] || fail "compiled with: $(<grader_compiler)"
  [[ -e v1.o.stamp && $(./v1.o) == 'real, by the grader' ]] || fail "not the grader's object"
}

WarningsOfTheGraderAreShown() {
  GRADER_EXITS=0 GRADER_SAYS='v1.cu(3): warning: x' compile_with_grader >out
  grep -qxF 'v1.cu(3): warning: x' out || fail "shown: $(<out)"
}

WhatTheGraderSaysDoesNotCompileIsNotCompiledAgain() {
  GRADER_EXITS=1 GRADER_SAYS='v1.cu(3): error: x' compile_with_grader || fail "make would have stopped"
  [[ ! -e v1.o && $(<v1.o.failed) == 'v1.cu(3): error: x' ]] || fail "not the grader's messages"
  link
  [[ $(./v1_test) == 'v1.cu(3): error: x' ]] || fail "said: $(./v1_test)"
}

WhatTheGraderCannotBuildIsCompiledWithoutIt() {
  GRADER_EXITS=3 GRADER_SAYS='half a message' compile_with_grader >out || fail "compile failed"
  [[ $(./v1.o) == real ]] || fail "not the compiler's object"
  [[ $(<out) == 'Compiling lab1/v1 x.cu' ]] || fail "shown: $(<out)"
}

declare -F -- "$test" >/dev/null || fail "there is no test named '$test'"
"$test"
echo "passed: $test"
