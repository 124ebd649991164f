#!/usr/bin/env bash
# Packages and the folder for students on machines that have nothing: mmdebstrap makes an empty Debian; the .deb and the
# tarball are installed there, check and grade a rung, and are removed; and a student goes from the released folder to
# the first points.
#
#   packages_test.sh BUILD_FOLDER SOURCE_FOLDER
#
# It takes some minutes and needs root, the network and a CUDA toolkit, so it runs only with WARPGRADE_TEST_PACKAGES=1. The
# packages come from a build of their own, or from WARPGRADE_TEST_PACKAGES_BUILD=DIR, whose ISAs become `all`.
# WARPGRADE_TEST_PACKAGES_ROOT=DIR keeps the empty Debian there, and uses it again. It prints the figures for
# BENCHMARKS.md.
set -uo pipefail

source=$2
toolkit=$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")")

skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

[[ ${WARPGRADE_TEST_PACKAGES:-} == 1 ]] ||
  skip 'it downloads 200 MB and takes some minutes; set WARPGRADE_TEST_PACKAGES=1 to run it'
[[ $(id -u) == 0 ]] || skip 'it needs root, to make a root file system'
command -v mmdebstrap >/dev/null || skip 'there is no mmdebstrap; install it with: apt-get install mmdebstrap'
[[ -x $toolkit/bin/nvcc ]] || skip 'there is no CUDA toolkit'

work=$(mktemp -d)
empty=${WARPGRADE_TEST_PACKAGES_ROOT:-$work/empty}
build=${WARPGRADE_TEST_PACKAGES_BUILD:-$work/build}
root=$work/root
trap 'rm -rf -- "$work"' EXIT

# Where this machine gets its packages is where the container gets them, with the same proxies and certificates.
make_empty_debian() {
  [[ ! -e $empty/etc/debian_version ]] || return 0
  apt-config dump | grep -E '^Acquire::(http|https)::' >"$work/apt.conf"
  # shellcheck disable=SC2016  # apt-get reads these names
  apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT) $(CREATED_BY)' |
    awk '$4 == "Packages" && $2 ~ /^bookworm/ { print "deb " $1 " " $2 " " $3 }' | sort -u |
    mmdebstrap --quiet --variant=minbase --mode=root --aptopt="$work/apt.conf" bookworm "$empty" - ||
    fail 'mmdebstrap (see above)'
  cp -- /etc/resolv.conf /etc/hosts "$empty/etc/"
  cp -- "$work/apt.conf" "$empty/etc/apt/apt.conf.d/90test"
  mkdir -p -- "$empty/etc/ssl/certs"
  cp -L -- /etc/ssl/certs/ca-certificates.crt "$empty/etc/ssl/certs/test-machine.crt"
}

# A machine that has nothing. Its CUDA toolkit appears in in_root.
new_root() {
  rm -rf -- "$root"
  cp -a -- "$empty" "$root"
}

# Runs a command in the root, in namespaces of its own, with this machine's CUDA toolkit in $cuda ("": none).
cuda=/usr/local/cuda
in_root() {
  # shellcheck disable=SC2016  # the inner shell expands them
  unshare --mount --pid --ipc --uts --fork --kill-child bash -c '
    root=$1 toolkit=$2 cuda=$3; shift 3
    mount --make-rprivate / && mount --rbind "$root" "$root" &&
      mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" &&
      mount -t tmpfs -o mode=755 tmpfs "$root/dev" || exit 1
    mkdir "$root/dev/shm" && mount -t tmpfs -o mode=1777,size=256m tmpfs "$root/dev/shm"
    for device in null zero full random urandom tty; do cp -a "/dev/$device" "$root/dev/"; done
    ln -s /proc/self/fd "$root/dev/fd"
    if [[ -n $cuda ]]; then
      mkdir -p "$root$cuda" && mount --bind -o ro "$toolkit" "$root$cuda" || exit 1
    fi
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root CI=1 "${@}"
  ' root "$root" "$toolkit" "$cuda" ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} \
    ${HTTPS_PROXY:+HTTPS_PROXY="$HTTPS_PROXY"} ${https_proxy:+https_proxy="$https_proxy"} \
    PIP_CERT=/etc/ssl/certs/test-machine.crt "$@"
}

# Seconds since $1, a value of EPOCHREALTIME.
seconds_since() { awk "BEGIN { printf \"%.0f\", $EPOCHREALTIME - $1 }"; }
megabytes() { awk "BEGIN { printf \"%.1f\", $(stat -c %s -- "$1") / 1e6 }"; }

# Runs `$2...` in the root; its output must contain `$1`.
expect() {
  local wanted=$1
  shift
  in_root "$@" >"$work/out" 2>&1
  grep -qF -- "$wanted" "$work/out" || {
    cat "$work/out"
    fail "expected '$wanted' from: $*"
  }
}

make_packages() {
  if [[ ! -e $build/CMakeCache.txt ]]; then
    cmake -S "$source" -B "$build" >"$work/out" 2>&1 || { cat "$work/out"; fail 'cmake'; }
  fi
  (cd "$build" && rm -rf packages && cpack) >"$work/out" 2>&1 || { tail -50 "$work/out"; fail 'cpack'; }
  deb=$(echo "$build"/packages/*.deb) tarball=$(echo "$build"/packages/*.tar.gz)
  [[ -e $deb && -e $tarball ]] || fail "no packages: $(ls "$build/packages")"
  printf 'the packages: .deb %s MB, .tar.gz %s MB\n' "$(megabytes "$deb")" "$(megabytes "$tarball")"
}

# No solutions, no wrong programs and no hidden cases as source, but everything that grades.
check_contents() {
  tar -tzf "$tarball" >"$work/names" || fail 'the tarball cannot be read'
  ! grep -E '/(solutions|mutants|alternatives|hidden\.)' "$work/names" || fail 'the tarball has secrets'
  grep -q 'lib/warpgrade/students/warpgrade$' "$work/names" || fail "the tarball has no students' edition"
}

submission() {
  mkdir -p -- "$root/root/work/alice/lab2"
  cp -- "$source/solutions/lab2/v1_naive.cu" "$root/root/work/alice/lab2/"
}

# `check` and `grade` of a rung with the executable `$1`.
expect_grading() {
  local start=$EPOCHREALTIME
  expect 'v1_naive  ok 41/41' "$1" check lab2 v1 --submission /root/work/alice --device emulator
  expect 'v1_naive  ok 56/56' "$1" grade /root/work/alice --lab lab2 --rung v1 --device emulator
  printf '%s: check and grade a rung in %s s\n' "$1" "$(seconds_since "$start")"
}

test_deb() {
  new_root
  submission
  cp -- "$deb" "$root/root/"
  expect 'is already the newest' sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /root/${deb##*/} && apt-get install -y warpgrade"
  expect "warpgrade $(sed -n 's/^## \([0-9.]*\) .*/\1/p' "$source/CHANGELOG.md" | head -1)" warpgrade --version
  expect_grading warpgrade
  in_root dpkg -L warpgrade >"$work/files" || fail 'dpkg -L'
  grep -q /usr/share/warpgrade/kit.yaml "$work/files" || fail 'kit.yaml is not of the package'
  expect 'Removing warpgrade' apt-get purge -y warpgrade
  left=$(cd "$root" && find usr etc var -iname '*warpgrade*' ! -path 'var/lib/apt/*')
  [[ -z $left ]] || fail "the package left behind: $left"
  echo 'the .deb was installed, graded, and was removed without traces'
}

test_tarball() {
  new_root
  submission
  expect '' sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ bubblewrap'
  mkdir -p -- "$root/opt/any where"
  tar -xzf "$tarball" -C "$root/opt/any where" || fail 'tar'
  local folder
  folder=$(cd "$root/opt/any where" && echo warpgrade-*)
  expect_grading "/opt/any where/$folder/bin/warpgrade"
  mv -- "$root/opt/any where/$folder" "$root/opt/moved"
  expect_grading /opt/moved/bin/warpgrade
  echo 'the tarball graded where it was unpacked, and after it was moved'
}

# From the folder to the first points: everything that the launcher installs is in the time.
test_first_score() {
  local start
  new_root
  "$build/bin/warpgrade" release "$root/root/students" >"$work/out" 2>&1 || { cat "$work/out"; fail 'release'; }
  cp -- "$source/solutions/lab2/v1_naive.cu" "$root/root/students/starter/lab2/"
  start=$EPOCHREALTIME
  expect 'v1_naive  ok 41/41' /root/students/warpgrade check lab2 v1 --device emulator
  seconds=$(seconds_since "$start")
  printf 'from the released folder to the first score: %s s %s\n' "$seconds" "$1"
  ((seconds < 300)) || fail 'a first score should take less than 5 minutes'
}

make_empty_debian
make_packages
check_contents
test_deb
test_tarball
test_first_score "with a CUDA toolkit in $cuda"
if [[ ${WARPGRADE_TEST_PACKAGES_FETCH:-1} == 1 ]]; then
  cuda=
  test_first_score 'with a CUDA compiler that the launcher fetches'
fi
echo passed
