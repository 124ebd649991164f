#!/bin/sh
# run.sh WARPGRADE PROGRAM: runs a study on the GPU, or where there is none on the emulator, with its counters.
if "$1" run --device gpu -- true 2>/dev/null; then
  exec "$1" run --device gpu -- "$2"
fi
exec "$1" run --device emulator --profile -- "$2"
