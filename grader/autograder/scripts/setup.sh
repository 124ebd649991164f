#!/usr/bin/env bash
# Installs what warpgrade needs to grade @LAB@ on a machine without a GPU: a C++ compiler, a sandbox, and NVIDIA's CUDA
# compiler. Run it once as root, on Debian 12, on Ubuntu 22.04, or on a later one. Gradescope does so when it builds the
# image of the autograder. `warpgrade autograder` wrote this file.
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
kit=$here/kit
cuda=$here/cuda

# The emulator needs no ptxas, no nvlink and no driver, so that only these parts of the toolkit are fetched.
wheels='nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
nvidia-cuda-cccl==13.0.85'
not_needed='bin/ptxas bin/nvlink lib/libnvvm.so* lib/libcudart_static.a lib/libcudadevrt.a lib/libcudart.so*'

say() { printf 'warpgrade: %s\n' "$*"; }
die() {
  say "$@"
  exit 1
}

[[ $(id -u) == 0 ]] || die 'run setup.sh as root: it installs packages'
[[ $(uname -m) == x86_64 ]] || die "this machine is a $(uname -m), and the grader needs x86-64"
command -v apt-get >/dev/null || die 'there is no apt-get: choose an image with Ubuntu 22.04 or later'

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq &&
    apt-get install -y -qq --no-install-recommends bubblewrap ca-certificates g++ python3 python3-pip util-linux >/dev/null
}

# The compiler gets its name when it is complete, so that a second run does not take a half for a whole.
install_compiler() {
  local partial=$cuda.partial file
  rm -rf -- "$partial" "$cuda"
  mkdir -- "$partial" || return
  # shellcheck disable=SC2086  # word splitting is wanted: a list of wheels
  TMPDIR=$partial python3 -m pip install --quiet --no-deps --no-compile --no-cache-dir --only-binary :all: \
    --disable-pip-version-check --root-user-action ignore --target "$partial/wheels" $wheels || return
  for file in $not_needed; do
    # shellcheck disable=SC2086  # a pattern
    rm -f -- "$partial"/wheels/nvidia/cu13/$file
  done
  mv -- "$partial/wheels/nvidia/cu13" "$cuda" && rm -rf -- "$partial"
}

# A submission's program may read only what its compiler and its program need.
set_permissions() {
  chmod -R u+rwX,go-w,go+rX -- "$here"
  chmod 755 -- "$here/run_autograder" "$here/grade_push" "$kit"/bin/* "$kit"/lib/warpgrade/calibrator
  chmod 700 -- "$kit/bin"
  find "$here" \( -name course.yaml -o -name quiz.yaml -o -name hidden.yaml -o -name roster.csv \) -exec chmod 600 -- {} +
}

# Fails now, where an instructor sees it, and not at the first submission.
try_out() {
  local folder
  "$kit/bin/warpgrade" --version || die 'the grader does not start here (see above): choose an image with Ubuntu 22.04 or later'
  folder=$(mktemp -d)
  echo '__global__ void f() {} int main() { f<<<1, 1>>>(); }' >"$folder/try.cu"
  "$cuda/bin/nvcc" -gencode arch=compute_75,code=compute_75 -c "$folder/try.cu" -o "$folder/try.o" ||
    die 'the CUDA compiler does not work here (see above)'
  rm -rf -- "$folder"
}

install_packages || die 'apt-get could not install the packages (see above); build the image again'
if [[ -x $cuda/bin/nvcc ]]; then
  say 'the CUDA compiler is there already'
else
  install_compiler || die 'pip could not fetch the CUDA compiler (see above); build the image again'
fi
set_permissions
try_out
say 'ready to grade @LAB@'
