// Instantiates 2^24 templates, none of them deep.
#include "labs/lab2/lab2.h"

namespace {

template <int kDepth, int kSide>
struct Tree {
  static constexpr long kValue = Tree<kDepth - 1, 2 * kSide>::kValue + Tree<kDepth - 1, 2 * kSide + 1>::kValue;
};
template <int kSide>
struct Tree<0, kSide> {
  static constexpr long kValue = kSide;
};
constexpr long kAll = Tree<24, 0>::kValue;

}  // namespace

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (kAll == 0) return;
}

LAB2_INSTANTIATE();
