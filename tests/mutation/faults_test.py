#!/usr/bin/env python3
"""Tests of faults.py: which faults a source has room for, and what the source looks like with one of them."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

KERNEL = """\
__global__ void sum(const float* in, float* out, int n) {
  __shared__ float s[64];  // __syncthreads(); in a comment
  s[threadIdx.x] = 0;
  if (threadIdx.x < n) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float x = __shfl_down_sync(0xffffffffu, s[threadIdx.x], 16);
  atomicAdd(&out[0], x);
  __threadfence();
}
void host(int n) {
  if (n < 0) return;
  Check(cudaStreamSynchronize(stream), "sync (here)");
}
"""


def of_kind(kind):
    return [f for f in faults.faults_of(KERNEL) if f.kind == kind]


class FaultsTest(unittest.TestCase):
    def test_a_barrier_is_removed_once_and_not_in_a_comment(self):
        (fault,) = of_kind("barrier removed")
        self.assertEqual(fault.line, 5)
        self.assertEqual(fault.source.split("\n")[4].strip(), ";")
        self.assertIn("// __syncthreads();", fault.source)
        self.assertEqual(fault.places, ((1, 9),))

    def test_lines_keep_their_numbers(self):
        for fault in faults.faults_of(KERNEL):
            self.assertEqual(fault.source.count("\n"), KERNEL.count("\n"), fault.kind)

    def test_each_fault_changes_the_source(self):
        for fault in faults.faults_of(KERNEL):
            self.assertNotEqual(fault.source, KERNEL, fault.kind)

    def test_a_bound_of_the_kernel_is_one_too_far_and_the_hosts_is_left_alone(self):
        (fault,) = of_kind("bound one too far")
        self.assertIn("threadIdx.x <= n", fault.source)
        self.assertEqual(fault.line, 4)

    def test_a_guard_lets_all_threads_in(self):
        (fault,) = of_kind("guard removed")
        self.assertIn("if (true || threadIdx.x < n) s", fault.source)

    def test_half_a_mask(self):
        (fault,) = of_kind("half a mask")
        self.assertIn("__shfl_down_sync(0xffffu, s", fault.source)

    def test_an_atomic_becomes_plain_and_is_to_be_named_at_its_line(self):
        (fault,) = of_kind("atomic made plain")
        self.assertIn("  out[0] += x;", fault.source)
        self.assertEqual((fault.line, fault.places), (7, ((7, 7),)))

    def test_a_fence_is_removed(self):
        (fault,) = of_kind("fence removed")
        self.assertNotIn("__threadfence", fault.source)

    def test_a_wait_of_the_host_is_removed(self):
        (fault,) = of_kind("wait removed")
        self.assertNotIn("cudaStreamSynchronize", fault.source)
        self.assertEqual(fault.line, 12)

    def test_a_fault_may_show_in_the_callers_of_its_function_and_in_what_they_call(self):
        functions = ["__device__ int use(int i) { return i; }",
                     "template <int N>\n__device__ bool fits(int i) {\n  return i < N;\n}",
                     "__device__ int other(int i) { return i; }",
                     "__global__ void __launch_bounds__(S::kThreads)\nk(int* a) { if (fits<4>(*a)) use(*a); }",
                     "__global__ void l(int* a) { other(*a); }\n"]
        (fault,) = [f for f in faults.faults_of("\n".join(functions)) if f.kind == "bound one too far"]
        self.assertEqual(fault.line, 4)
        self.assertEqual(fault.places, ((1, 1), (3, 5), (8, 8)))

    def test_the_hosts_code_is_as_it_was_if_the_fault_is_in_a_kernel(self):
        for fault in faults.faults_of(KERNEL):
            self.assertEqual(fault.in_device_code, fault.kind != "wait removed", fault.kind)

    def test_a_function_of_the_host_and_the_device_is_not_device_code_alone(self):
        text = "__host__ __device__ bool fits(int i) { return i < n; }\n__device__ bool f(int i) { return i < n; }"
        self.assertEqual([f.in_device_code for f in faults.faults_of(text)], [False, True])

    def test_a_wait_whose_result_is_kept_becomes_a_success(self):
        (fault,) = faults.faults_of("int host() {\n  error = cudaDeviceSynchronize();\n}\n")
        self.assertIn("  error = cudaSuccess;\n", fault.source)

    def test_a_barrier_changes_places_with_a_simple_statement_only(self):
        kernel = "__global__ void k(int* a) {\n  a[0] = 1;\n  __syncthreads();\n  if (a) {\n  }\n}\n"
        (fault,) = faults.faults_of(kernel)[1:2]
        self.assertEqual(fault.kind, "barrier moved")
        self.assertEqual(fault.source.split("\n")[1:3], ["  __syncthreads();", "  a[0] = 1;"])


if __name__ == "__main__":
    unittest.main()
