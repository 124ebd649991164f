// The worker without a student. The judge times its empty calls to learn what any call costs. A student's own worker
// could make its empty calls slow and be given the difference.
#include <stdexcept>

#include "grader/lab/call.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall*) {
  throw std::logic_error("the calibrator has no student's function to call");
}
