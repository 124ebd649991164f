#!/usr/bin/env bash
# The autograder as Gradescope runs it: mmdebstrap makes a root file system of Debian, setup.sh installs the compilers in
# it, and run_autograder grades with 768 MB, half a core, no GPU, and the rights that a container has.
#
#   debian_root_test.sh WARPGRADE SOURCE_FOLDER
#
# It takes some minutes and needs root and the network, so it runs only with WARPGRADE_TEST_AUTOGRADER=1. It prints the
# figures for BENCHMARKS.md. WARPGRADE_TEST_AUTOGRADER_LAB=lab3 chooses the lab; WARPGRADE_TEST_AUTOGRADER_ROOT=DIR keeps
# the root file system there, and uses it again.
set -uo pipefail

warpgrade=$1 source=$2
lab=${WARPGRADE_TEST_AUTOGRADER_LAB:-lab2}
memory_mb=768

skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

[[ ${WARPGRADE_TEST_AUTOGRADER:-} == 1 ]] ||
  skip 'it downloads 300 MB and takes some minutes; set WARPGRADE_TEST_AUTOGRADER=1 to run it'
[[ $(id -u) == 0 ]] || skip 'it needs root, to make a root file system'
command -v mmdebstrap >/dev/null || skip 'there is no mmdebstrap; install it with: apt-get install mmdebstrap'

work=$(mktemp -d)
root=${WARPGRADE_TEST_AUTOGRADER_ROOT:-$work/root}
group=warpgrade-autograder-$$
groups=()
cleanup() {
  local folder
  for folder in "${groups[@]}"; do rmdir -- "$folder" 2>/dev/null; done
  rm -rf -- "$work"
}
trap cleanup EXIT

# Where this machine gets its packages is where the container gets them, with the same proxies and certificates.
make_root() {
  [[ ! -e $root/etc/debian_version ]] || return 0
  local configuration=$work/apt.conf
  apt-config dump | grep -E '^Acquire::(http|https)::' >"$configuration"
  mmdebstrap --quiet --variant=minbase --mode=root --aptopt="$configuration" bookworm "$root" - <<<"$(apt_sources)" ||
    fail 'mmdebstrap (see above)'
  cp -- /etc/resolv.conf /etc/hosts "$root/etc/"
  cp -- "$configuration" "$root/etc/apt/apt.conf.d/90test"
  # pip's own settings of this machine, and the certificates that they need.
  mkdir -p -- "$root/etc/ssl/certs"
  cp -L -- /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/test-machine.crt"
}

# This machine's sources of Debian itself, one per line. Their keys are in the package debian-archive-keyring.
apt_sources() {
  # shellcheck disable=SC2016  # apt-get reads these names
  apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT) $(CREATED_BY)' |
    awk '$4 == "Packages" && $2 ~ /^bookworm/ { print "deb " $1 " " $2 " " $3 }' | sort -u
}

# Runs a command in the container, in namespaces of its own for mounts, processes and control groups. As in Docker, the
# container sees its own control group for memory, if there is one.
in_container() {
  # shellcheck disable=SC2016  # the inner shell expands them
  unshare --mount --pid --ipc --uts --cgroup --fork --kill-child bash -c '
    root=$1 group=$2; shift 2
    mount --make-rprivate / && mount --rbind "$root" "$root" &&
      mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" &&
      mount -t tmpfs -o mode=755 tmpfs "$root/dev" || exit 1
    if [[ $group == /sys/fs/cgroup/memory/* ]]; then
      mount -t tmpfs tmpfs "$root/sys/fs/cgroup" && mkdir "$root/sys/fs/cgroup/memory" || exit 1
      mount --bind "$group" "$root/sys/fs/cgroup/memory"
    elif [[ -n $group ]]; then
      mount --bind "$group" "$root/sys/fs/cgroup"
    fi || exit 1
    mkdir "$root/dev/shm" && mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
    for device in null zero full random urandom tty; do cp -a "/dev/$device" "$root/dev/"; done
    ln -s /proc/self/fd "$root/dev/fd"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${@}"
  ' container "$root" "${groups[0]:-}" "$@"
}

# The capabilities of root in a container that Docker starts, and no others.
container_rights='-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap'

# Makes a control group with the memory and the half core, in version 1 or 2 of control groups. Sets `groups` to the
# folders whose cgroup.procs a process must enter, and `peak` to the file that says the most memory used.
make_group() {
  if [[ -w /sys/fs/cgroup/memory/cgroup.procs && -w /sys/fs/cgroup/cpu/cgroup.procs ]]; then
    groups=("/sys/fs/cgroup/memory/$group" "/sys/fs/cgroup/cpu/$group")
    mkdir -- "${groups[@]}" || return 1
    echo $((memory_mb << 20)) >"${groups[0]}/memory.limit_in_bytes" || return 1
    [[ ! -e ${groups[0]}/memory.memsw.limit_in_bytes ]] || echo $((memory_mb << 20)) >"${groups[0]}/memory.memsw.limit_in_bytes"
    echo 100000 >"${groups[1]}/cpu.cfs_period_us" && echo 50000 >"${groups[1]}/cpu.cfs_quota_us" || return 1
    peak=${groups[0]}/memory.max_usage_in_bytes
  else
    groups=("/sys/fs/cgroup/$group")
    mkdir -- "${groups[@]}" && echo $((memory_mb << 20)) >"${groups[0]}/memory.max" &&
      echo '50000 100000' >"${groups[0]}/cpu.max" || return 1
    [[ ! -e ${groups[0]}/memory.swap.max ]] || echo 0 >"${groups[0]}/memory.swap.max"
    peak=${groups[0]}/memory.peak
  fi
}

# Grades what lies in /autograder/submission, within the limits. Prints the figures of `$1`.
grade() {
  local start=$EPOCHREALTIME seconds folder
  rm -rf -- "$root/autograder/results"
  mkdir -- "$root/autograder/results"
  make_group || skip 'no control group with limits can be made here'
  (
    for folder in "${groups[@]}"; do echo "$BASHPID" >"$folder/cgroup.procs" || exit 1; done
    in_container /bin/bash -c "cd /autograder && ulimit -c 0 && exec setpriv --bounding-set=$container_rights --inh-caps=-all /autograder/run_autograder"
  ) >"$root/autograder/results/stdout" 2>&1
  seconds=$(awk "BEGIN { printf \"%.0f\", $EPOCHREALTIME - $start }")
  printf '%s: %s s, at most %s MB; score %s\n' "$1" "$seconds" "$(($(cat "$peak") >> 20))" "$(score)"
  for folder in "${groups[@]}"; do rmdir -- "$folder" || { sleep 1; rmdir -- "$folder"; }; done
  groups=()
}
results() { cat -- "$root/autograder/results/results.json"; }
score() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1])).get("score", "none"))' "$root/autograder/results/results.json"; }
explain() {
  cat -- "$root/autograder/results/stdout"
  results
}

# Empties the folder of the submission, and makes the lab's folder in it.
new_submission() {
  rm -rf -- "$root/autograder/submission"
  mkdir -p -- "$root/autograder/submission/$lab"
}

make_root
rm -rf -- "$root/autograder"
mkdir -p -- "$root/autograder/source"
"$warpgrade" autograder --lab "$lab" --output "$work/$lab.zip" || fail 'no zip was made'
python3 -m zipfile -e "$work/$lab.zip" "$root/autograder/source"
cp -- "$root/autograder/source/run_autograder" "$root/autograder/run_autograder"
chmod 755 -- "$root/autograder/run_autograder"
printf '{"users": [{"email": "solutions@example.org"}], "assignment": {"total_points": "110.0"}}' \
  >"$root/autograder/submission_metadata.json"

start=$EPOCHREALTIME
in_container PIP_CERT=/etc/ssl/certs/test-machine.crt ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} \
  ${HTTPS_PROXY:+HTTPS_PROXY="$HTTPS_PROXY"} ${https_proxy:+https_proxy="$https_proxy"} bash /autograder/source/setup.sh ||
  fail 'setup.sh (see above)'
printf 'setup.sh: %.0f s; /autograder/source has %s MB then\n' "$(awk "BEGIN { print $EPOCHREALTIME - $start }")" \
  "$(du -sm "$root/autograder/source" | cut -f1)"

new_submission
cp -- "$source/solutions/$lab"/* "$root/autograder/submission/$lab/"
grade "the solutions of $lab"
results | grep -q '"status": "failed"' && { explain; fail 'a solution did not get all points that can be measured'; }
[[ $(score) != none ]] || { explain; fail 'no score'; }

new_submission
for file in "$source/solutions/$lab"/v*.cu; do
  # Every number that a kernel's thread computes from is one too large.
  sed 's/threadIdx\.x/(threadIdx.x + 1)/g' "$file" >"$root/autograder/submission/$lab/${file##*/}"
done
grade "wrong programs in all rungs of $lab"
[[ $(score) != none ]] || { explain; fail 'no score'; }

new_submission
grade 'an empty submission'
[[ $(score) == 0* ]] || { explain; fail 'it should have no points'; }
echo passed
