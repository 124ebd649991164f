"""Faults of the corpus that no check can find, neither in the optimised binary nor in a second look (corpus.py), each
with the reason. We looked at each of them.

A row is (source, its faulty line without a comment): the reason. A fault that is not here and is not found is a miss.
"""
# The kernel reads memory that is its own, written and ordered, and computes a wrong value from it. It breaks no rule of
# CUDA, so only its result is wrong, under each schedule.
WRONG_VALUE = "a wrong value"

UNSEEN = {
    ("solutions/lab0/v7_configuration.cu",
     "for (unsigned t = 0; t <= blockDim.x; ++t) sum += counters[c * blockDim.x + (threadIdx.x + t) % blockDim.x];"):
        WRONG_VALUE,
    ("solutions/lab3/v6_open.cu", "for (int step = 0; step <= S::kDepth; ++step) {"): WRONG_VALUE,
    # A thread copies two slices to one place, and the first is lost. The emulator runs the code for compute capability
    # 7.5, where these copies are stores of one thread, in its order. From 8.0 on they are asynchronous copies of two
    # groups, and the groups of a thread complete in the order in which it committed them (PTX ISA 9.0, "Async-group
    # mechanism").
    ("solutions/lab3/v6_open.cu", "for (int stage = 0; stage <= S::kStages - 1; ++stage) {"): WRONG_VALUE,
    ("solutions/lab4/v7_open_1d.cu", "CopyAsync<16>(tile + 4 * quad, d_in + (at < n ? at : 0), at <= n);"): WRONG_VALUE,
    ("solutions/lab4/v7_open_1d.cu",
     "for (int i = 0; i < 4; ++i) CopyAsync<4>(tile + 4 * quad + i, d_in + (at + i < n ? at + i : 0), at + i <= n);"):
        WRONG_VALUE,
    ("solutions/lab7/v4_open.cu",
     "for (int k = 0; k <= kCopies; ++k) sum += counts[bin * kCopies + (bin / (32 / kCopies) + k) % kCopies];"):
        WRONG_VALUE,
    ("solutions/lab7/v4_open.cu",
     "if (true || S::kMergeRuns && IsRun<T>(pack)) return Add(Element<T>(pack, 0), kPerPack<T>);"): WRONG_VALUE,
    # In lab10 the next kernel then writes past its array, where the emulator reports it. The fault itself reads only
    # memory that it may read.
    ("solutions/lab10/v3_split.cu", "if (w <= warp) before_warp += of;"): WRONG_VALUE,
    ("solutions/lab10/v3_split.cu", "if (true || w < warp) before_warp += of;"): WRONG_VALUE,
    ("solutions/lab10/v4_four_bits.cu", "if (w <= warp) before_warp += of;"): WRONG_VALUE,
    ("solutions/lab10/v4_four_bits.cu", "if (true || w < warp) before_warp += of;"): WRONG_VALUE,
    ("solutions/lab9/v4_open.cu",
     "const int row = WarpRowOf(d_offsets, rows, threadIdx.x <= 32 ? tile : tile + count - 1);"): WRONG_VALUE,
}
