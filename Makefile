# `make lab1 && ctest` at the root of a clean clone: sets build/ up on first use, then hands every target on to it.
# ./warpgrade and `cmake -B build` use the same build/.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory

.PHONY: all
all: build/CMakeCache.txt
	@cmake --build build --parallel $(JOBS)

# Makefile and the files that make would try to remake are not targets to forward.
Makefile warpgrade CMakeLists.txt: ;

build/CMakeCache.txt:
	@cmake -S . -B build -DWARPGRADE_ISAS=native

.PHONY: clean
clean:
	@cmake -E rm -rf build

# build/GNUmakefile is quicker at a lab than what `cmake --build` reads; other generators have none.
%:: build/CMakeCache.txt
	@if [ -e build/GNUmakefile ]; then \
	  $(MAKE) -C build $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS)) $@; \
	else \
	  cmake --build build --parallel $(JOBS) --target $@; \
	fi
