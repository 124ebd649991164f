// Generated from solutions/lab4/v4_image.cu by `warpgrade make-starter`; yours to edit.
// lab4 v4: two dimensions.
//
// The weakness of v3: it can only do lines. This rung is v2 for images. Each thread computes one element of the output.
// The mask is in constant memory. The image is in global memory, and each of its elements is loaded mask_rows *
// mask_columns times.
#include "labs/lab4/lab4.h"

constexpr int kBlockColumns = 32;  // a block has kBlockRows x kBlockColumns threads, and as many elements of d_out
constexpr int kBlockRows = 8;

__constant__ float c_mask[lab4::kMaxSide * lab4::kMaxSide];  // row by row, mask_columns to a row

// Lanes of a warp have consecutive threadIdx.x.
__global__ void convolve_v4(const float* d_in, float* d_out, size_t rows, size_t columns, int mask_rows,
                            int mask_columns) {
  // TODO(v4) Produce: out[y][x], the sum of the products in lab4.h. Each thread computes one element.
  //   Constraint: there are ghosts on four sides. Neighbouring lanes take neighbouring elements of a row.
  //   Hint: after the last element of a row comes the next row in memory. The mask does not cover that element.
  //   Check: ./warpgrade check lab4 v4
}

void convolve_2d(const float* d_in, const float* d_mask, float* d_out, size_t rows, size_t columns, int mask_rows,
                 int mask_columns, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v4) Produce: the mask in c_mask, then a launch of convolve_v4 whose blocks cover the image.
  //   Constraint: launch nothing for an empty image. There may be more rows of blocks than gridDim.y can count.
  //   Hint: number the blocks along x, one row of blocks after the other. A block finds its place by a division.
  //   Check: ./warpgrade check lab4 v4
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(1);
  convolve_v4<<<grid, block, 0, stream>>>(d_in, d_out, rows, columns, mask_rows, mask_columns);
}

LAB4_IMAGE_RUNG();
