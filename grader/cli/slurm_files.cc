// Each struct is one CBOR map with a field for each member. A field that is missing, or of another type, makes the
// whole file invalid. Tests: tests/slurm/files_test.cc.
#include "grader/cli/slurm_files.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace warpgrade::cli {
namespace {

using nlohmann::json;

std::string Cbor(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

// Calls `read` with the value in `bytes`. Every exception of the library means that the bytes are not ours.
template <typename T, typename Read>
Result<T> FromCbor(const std::string& bytes, const char* what, const Read& read) {
  try {
    return read(json::from_cbor(bytes));
  } catch (const json::exception&) {
    return Error{ErrorKind::kMachine,
                 std::string("this ") + what + " is damaged, or another version of the kit made it"};
  }
}

}  // namespace

std::string PackOrder(const SlurmOrder& order) {
  const submission::Submission& one = order.submission;
  return Cbor({{"lab", order.lab},
               {"course_yaml", order.course_yaml},
               {"kit_version", order.conditions.kit_version},
               {"rules", order.conditions.rules},
               {"device_kind", order.conditions.device_kind},
               {"device_name", order.conditions.device_name},
               {"delay_seed", order.delay_seed},
               {"jobs", order.jobs},
               {"sandbox", static_cast<int>(order.sandbox)},
               {"use_cache", order.use_cache},
               {"id", one.id},
               {"student", one.student},
               {"source", one.source},
               {"files", one.files},
               {"messages", one.messages}});
}

Result<SlurmOrder> UnpackOrder(const std::string& bytes) {
  return FromCbor<SlurmOrder>(bytes, "order", [](const json& value) {
    SlurmOrder order;
    value.at("lab").get_to(order.lab);
    value.at("course_yaml").get_to(order.course_yaml);
    value.at("kit_version").get_to(order.conditions.kit_version);
    value.at("rules").get_to(order.conditions.rules);
    value.at("device_kind").get_to(order.conditions.device_kind);
    value.at("device_name").get_to(order.conditions.device_name);
    value.at("delay_seed").get_to(order.delay_seed);
    value.at("jobs").get_to(order.jobs);
    const int sandbox = value.at("sandbox").get<int>();
    const bool is_known = sandbox == static_cast<int>(Sandbox::kNone) || sandbox == static_cast<int>(Sandbox::kUser);
    order.sandbox = is_known ? static_cast<Sandbox>(sandbox) : Sandbox::kBubblewrap;
    value.at("use_cache").get_to(order.use_cache);
    value.at("id").get_to(order.submission.id);
    value.at("student").get_to(order.submission.student);
    value.at("source").get_to(order.submission.source);
    value.at("files").get_to(order.submission.files);
    value.at("messages").get_to(order.submission.messages);
    return order;
  });
}

std::string PackAnswer(const SlurmAnswer& answer) {
  return Cbor({{"node", answer.node}, {"failed", answer.failed}, {"report", answer.report}});
}

Result<SlurmAnswer> UnpackAnswer(const std::string& bytes) {
  return FromCbor<SlurmAnswer>(bytes, "result", [](const json& value) {
    SlurmAnswer answer;
    value.at("node").get_to(answer.node);
    value.at("failed").get_to(answer.failed);
    value.at("report").get_to(answer.report);
    return answer;
  });
}

}  // namespace warpgrade::cli
