// Compiled with the headers that CMakeLists.txt precompiles for all tests, which needs a source file.
