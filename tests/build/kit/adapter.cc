// The toy lab's adapter: asks for twice<int>, twice<float> and answer.
#include "labs/toy/toy.h"

extern "C" int warpgrade_lab_call() {
  if (answer() < 0) {
    twice<int>(nullptr, nullptr);
    twice<float>(nullptr, nullptr);
  }
  return answer();
}
