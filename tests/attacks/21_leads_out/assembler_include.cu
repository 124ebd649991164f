// Includes a file with the assembler, whose message would quote it.
#include "labs/lab2/lab2.h"

asm(".include \"/etc/passwd\"");

template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}

LAB2_INSTANTIATE();
