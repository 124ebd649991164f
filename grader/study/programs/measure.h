// What the programs of the studies share: errors, clocks, and the rows that they print. A program prints lines of
// fields between tabs; grader/study/rows.h reads them. Only C headers, because they are quick to compile.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Ends the program with CUDA's words if a call fails.
inline void Must(cudaError_t error, const char* call) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    exit(1);
  }
}
#define MUST(call) Must(call, #call)

inline double Microseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) * 1e-3;
}

// Prints the name of the device. False on the emulator, which has no times.
inline bool BeginRows() {
  cudaDeviceProp properties;
  MUST(cudaGetDeviceProperties(&properties, 0));
  const bool has_times = strstr(properties.name, "emulator") == nullptr;
  printf("device\t%s\t%d\n", properties.name, has_times ? 1 : 0);
  return has_times;
}

inline void Row(const char* table, const char* series, double x, double y, double low, double high) {
  printf("row\t%s\t%s\t%.17g\t%.17g\t%.17g\t%.17g\n", table, series, x, y, low, high);
}

inline void Bar(const char* table, const char* series, const char* category, double y, double low, double high) {
  printf("bar\t%s\t%s\t%s\t%.17g\t%.17g\t%.17g\n", table, series, category, y, low, high);
}

// A number of samples of one thing.
struct Samples {
  static const int kMost = 64;
  double values[kMost];
  int count = 0;

  void Add(double value) {
    if (count < kMost) values[count++] = value;
  }
  static int Compare(const void* a, const void* b) {
    const double x = *static_cast<const double*>(a), y = *static_cast<const double*>(b);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  // The median, with the quartiles around it, as a row or as a bar. REQUIRES: there is a sample.
  void Print(const char* table, const char* series, double x) {
    Sort();
    Row(table, series, x, values[count / 2], values[count / 4], values[count - 1 - count / 4]);
  }
  void PrintBar(const char* table, const char* series, const char* category) {
    Sort();
    Bar(table, series, category, values[count / 2], values[count / 4], values[count - 1 - count / 4]);
  }
  void Sort() { qsort(values, size_t(count), sizeof(double), Compare); }
};

// Marks on the default stream: the time of what runs between them.
struct Marks {
  cudaEvent_t begin, end;
  Marks() {
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
  }
  ~Marks() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  void Begin() { MUST(cudaEventRecord(begin)); }
  // Waits for the end.
  double MicrosecondsToEnd() {
    MUST(cudaEventRecord(end));
    MUST(cudaEventSynchronize(end));
    float ms = 0;
    MUST(cudaEventElapsedTime(&ms, begin, end));
    return double(ms) * 1e3;
  }
};
