// Asynchronous copies, mbarriers, and the other memory instructions: alloca, cache policies, clusters. Copies that need
// a tensor map or another block of a cluster have no form in the opcode table. Tested by
// tests/emulator/exec/async_test.cc.
#include <fmt/format.h>

#include "grader/emulator/program/async_form.h"
#include "grader/emulator/program/decoder.h"

namespace warpgrade::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

bool SharedSpace(const ptx::Instruction& i) {
  return Has(i, "shared") || Has(i, "shared::cta") || Has(i, "shared::cluster");
}

}  // namespace

// cp.async.commit_group, wait_group and wait_all, and the same of bulk copies.
bool FunctionDecoder::DecodeAsyncGroup(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.imm = i.operands.empty() ? 0 : static_cast<int64_t>(i.operands[0].bits);
  const char* key = Has(i, "bulk")           ? "cp.async.bulk.group"
                    : Has(i, "commit_group") ? "cp.async.commit_group"
                    : Has(i, "wait_all")     ? "cp.async.wait_all"
                                             : "cp.async.wait_group";
  return EmitByKey(i, key, inst);
}

bool FunctionDecoder::DecodeAsyncCopy(const ptx::Instruction& i) {
  const auto& o = i.operands;
  if (Has(i, "commit_group") || Has(i, "wait_all") || Has(i, "wait_group")) return DecodeAsyncGroup(i);
  auto addressing = [](const Address& a, bool shared) {
    return a.narrow ? kSharedNarrow : shared ? kSharedWide : kSharedGeneric;
  };
  if (Has(i, "mbarrier") && Has(i, "arrive")) {
    Address at = DecodeAddress(o[0], SharedSpace(i) ? Space::kShared : Space::kNone);
    Inst inst = Begin(i, nullptr);
    inst.a = at.row;
    inst.imm = at.offset;
    inst.async = {};
    inst.async.addressing = addressing(at, SharedSpace(i));
    inst.async.no_increment = Has(i, "noinc");
    return EmitByKey(i, "cp.async.mbarrier.arrive", inst);
  }
  const bool bulk = Has(i, "bulk");
  // global <- shared has its operands in the other order.
  const bool to_global = Has(i, "bulk_group");
  Address shared = DecodeAddress(o[to_global ? 1 : 0], Space::kShared);
  Address global = DecodeAddress(o[to_global ? 0 : 1], Space::kGlobal);
  Inst inst = Begin(i, nullptr, CountClass::kAsyncCopy);
  inst.a = shared.row;
  inst.imm = shared.offset;
  inst.async = {};
  inst.async.addressing = addressing(shared, true);
  inst.b = global.row;
  inst.global_offset = static_cast<int32_t>(global.offset);
  VectorOperand more;
  if (!bulk) {
    more.rows[0] = static_cast<uint32_t>(static_cast<int32_t>(global.offset));
    inst.vector = static_cast<uint8_t>(o[2].bits);
    const size_t given = o.size() - (Has(i, "L2::cache_hint") ? 1 : 0);
    const bool predicate = given > 3 && o[3].kind == OperandKind::kRegister && RegisterBytes(o[3].reg) == 0;
    if (predicate) {
      int64_t negated = 0;
      inst.c = Predicate(o[3], &negated);
      more.rows[1] = negated != 0 ? 1 : 0;
      inst.async.ignore_source = 1;
    } else {
      inst.c = given > 3 ? Source(o[3], 4) : ConstantRow(inst.vector, 4);
    }
    if (inst.vector != 4 && inst.vector != 8 && inst.vector != 16) return false;
  } else {
    inst.c = Source(o[2], 4);
    if (!to_global) {
      Address barrier = DecodeAddress(o[3], Space::kShared);
      more.rows[0] = static_cast<uint32_t>(static_cast<int32_t>(barrier.offset));
      more.rows[2] = barrier.row;
      more.rows[3] = addressing(barrier, true);
    }
  }
  inst.vectors = static_cast<uint32_t>(code_.vectors.size());
  code_.vectors.push_back(more);
  return EmitByKey(i, !bulk ? "cp.async" : to_global ? "cp.async.bulk.global" : "cp.async.bulk.shared", inst);
}

bool FunctionDecoder::DecodeMbarrier(const ptx::Instruction& i) {
  const auto& o = i.operands;
  program_.uses_mbarriers = true;
  // Each of them but init, inval and pending_count may complete a phase.
  Inst inst = Begin(i, nullptr, CountClass::kBarrier);
  if (Has(i, "pending_count")) {
    inst.b = Source(o[1], 8, Type::kB64);
    inst.dst = Destination(o[0], 4);
    return EmitByKey(i, "mbarrier.pending_count", inst);
  }
  const size_t at = o[0].kind == OperandKind::kAddress ? 0 : 1;
  Address address = DecodeAddress(o[at], SharedSpace(i) ? Space::kShared : Space::kNone);
  inst.a = address.row;
  inst.imm = address.offset;
  inst.async = {};
  inst.async.addressing = address.narrow ? kSharedNarrow : SharedSpace(i) ? kSharedWide : kSharedGeneric;
  const Operand* next = o.size() > at + 1 ? &o[at + 1] : nullptr;
  if (Has(i, "init")) {
    inst.b = Source(*next, 4);
    return EmitByKey(i, "mbarrier.init", inst);
  }
  if (Has(i, "inval")) return EmitByKey(i, "mbarrier.inval", inst);
  if (Has(i, "arrive") || Has(i, "arrive_drop")) {
    const bool expects = Has(i, "expect_tx");
    inst.b = next != nullptr && !expects ? Source(*next, 4) : ConstantRow(1, 4);
    if (expects) {
      inst.c = Source(*next, 4);
      inst.async.expect_tx = 1;
    }
    inst.async.drop = Has(i, "arrive_drop");
    inst.dst = at == 1 ? Destination(o[0], 8) : kSinkRow;
    return EmitByKey(i, "mbarrier.arrive", inst);
  }
  if (Has(i, "test_wait") || Has(i, "try_wait")) {
    const bool parity = Has(i, "parity");
    inst.async.parity = parity;
    inst.b = Source(*next, parity ? 4 : 8, parity ? Type::kU32 : Type::kU64);
    inst.dst = Destination(o[0], 0);
    return EmitByKey(i, "mbarrier.wait", inst);
  }
  inst.b = Source(*next, 4);
  inst.sign = Has(i, "expect_tx") ? 1 : -1;
  return EmitByKey(i, "mbarrier.tx", inst);
}

// alloca.type ptr, size{, alignment}
bool FunctionDecoder::DecodeStackAllocation(const ptx::Instruction& i) {
  const auto& o = i.operands;
  Inst inst = Begin(i, nullptr);
  inst.a = Source(o[1], 8, Type::kU64);
  inst.imm = o.size() > 2 ? static_cast<int64_t>(o[2].bits) : 8;
  inst.dst = Destination(o[0], 8);
  return EmitByKey(i, "alloca", inst);
}

bool FunctionDecoder::DecodeStackSave(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.dst = Destination(i.operands[0], 8);
  return EmitByKey(i, "stacksave", inst);
}

bool FunctionDecoder::DecodeStackRestore(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[0], 8, Type::kU64);
  return EmitByKey(i, "stackrestore", inst);
}

// createpolicy is a hint, which the emulator ignores.
bool FunctionDecoder::DecodeCachePolicy(const ptx::Instruction& i) {
  Inst inst = Begin(i, nullptr);
  inst.a = ConstantRow(0, 8);
  inst.dst = Destination(i.operands[0], 8);
  return EmitByKey(i, "mov.b64", inst);
}

// mapa: in a cluster of one block, the result is the address itself.
bool FunctionDecoder::DecodeClusterAddress(const ptx::Instruction& i) {
  if (LargeCluster()) {
    FailInstruction(i, "clusters of more than one block are not emulated");
    return true;
  }
  const int bytes = CellBytes(LastType(i));
  Inst inst = Begin(i, nullptr);
  inst.a = Source(i.operands[1], bytes, Type::kU64);
  inst.dst = Destination(i.operands[0], bytes);
  return EmitByKey(i, bytes == 8 ? "mov.b64" : "mov.b32", inst);
}

// getctarank: in a cluster of one block, the result is 0.
bool FunctionDecoder::DecodeClusterRank(const ptx::Instruction& i) {
  if (LargeCluster()) {
    FailInstruction(i, "clusters of more than one block are not emulated");
    return true;
  }
  Inst inst = Begin(i, nullptr);
  inst.a = ConstantRow(0, 4);
  inst.dst = Destination(i.operands[0], 4);
  return EmitByKey(i, "mov.b32", inst);
}

bool FunctionDecoder::DecodeTexture(const ptx::Instruction& i) {
  FailInstruction(i, "textures and surfaces are not emulated; read the array through a pointer");
  return true;
}

}  // namespace warpgrade::emulator
