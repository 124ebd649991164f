#!/bin/sh
# as_plain_user.sh COMMAND...: root runs the command as an ordinary user, who owns nothing but a new home folder. For
# tests of what depends on the grader's user. Exit code 77 (ctest: skipped) where that is not possible.
skip() {
  echo "skipped: $1"
  exit 77
}
user=65532 # no name, and not the user of the sandbox's programs (confinement.h)
become="setpriv --reuid $user --regid $user --clear-groups"
[ "$(id -u)" = 0 ] || skip 'whoever runs this is an ordinary user already'
$become test -x "$1" || skip "an ordinary user cannot execute $1: call chmod -R o+rX for the kit's folder and those above"
home=$(mktemp -d) && chown $user:$user "$home" || exit 1
trap 'rm -rf -- "$home"' EXIT
# The number of descriptors that a desktop gives: the limits of the machine's root may be higher.
ulimit -n 1024
env HOME="$home" XDG_CACHE_HOME="$home/cache" WARPGRADE_TEST_ORDINARY_USER=1 $become "$@"
