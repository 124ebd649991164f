#!/usr/bin/env bash
# make_submission.sh DIR: a submission for lab2 as students hand them in, for the examples of the book. Made from the
# solutions: v1 is right, v2 is v1 again, v3 has lost its padding, v4 a bounds check, and v5 is not written yet.
set -euo pipefail
mkdir -p "$1/lab2"
from=solutions/lab2 to=$1/lab2

cp "$from/v1_naive.cu" "$to/v1_naive.cu"
cp "$from/v1_naive.cu" "$to/v2_shared.cu"
sed 's/tile\[kTile\]\[kTile + 1\]/tile[kTile][kTile]/' "$from/v3_padded.cu" >"$to/v3_padded.cu"
sed 's/if (out_row + k \* kThreadRows < columns && /if (out_row < columns \&\& /' "$from/v4_unrolled.cu" >"$to/v4_unrolled.cu"
cp starter/lab2/v5_open.cu "$to/v5_open.cu"
# The solutions have changed when one of these is what it was made from.
for rung in v3_padded v4_unrolled; do
  ! cmp -s "$from/$rung.cu" "$to/$rung.cu" || { echo "make_submission.sh: nothing was replaced in $rung.cu" >&2; exit 1; }
done
