#!/bin/sh
# huge_test.sh WARPGRADE MUTANT: the mutant that counts in an int is caught by the case with 2^31 elements, on the emulator.
# The elements are zeros, which take no memory there until somebody writes to them.
said=$(LAB1_HUGE=1 "$1" run --device emulator --check none -- "$2" --gtest_filter='Huge*' 2>&1)
status=$?
echo "$said"
[ "$status" = 1 ] && echo "$said" | grep -q 'as if .*d_in\[2147483648\].* had been left out; an int counts to 2^31 - 1'
