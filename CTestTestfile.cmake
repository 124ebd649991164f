# `ctest` here runs the tests of build/: those of the labs built so far.
subdirs(build)
