// The state of the oracle's run; private to machine.cc (threads and control), machine_memory.cc (loads, stores,
// atomics) and machine_warp.cc (warp-wide instructions).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/emulator/oracle/machine.h"
#include "tests/emulator/oracle/rules.h"

namespace warpgrade::oracle {

// Our own generic windows, unlike the emulator's: no result may depend on where they lie.
inline constexpr uint64_t kSharedWindow = uint64_t{1} << 56;
inline constexpr uint64_t kLocalWindow = uint64_t{1} << 57;
inline constexpr uint64_t kCodeBase = uint64_t{1} << 58;

class Machine {
 public:
  explicit Machine(const Launch& launch);
  Status Run();

 private:
  struct Code {
    const ptx::Function* function = nullptr;
    std::vector<uint64_t> offsets;  // by variable: in the local frame, the parameter block or shared memory
    uint64_t local_bytes = 0;
    std::vector<Rule> rules;  // by place in the body; empty for what is not arithmetic
  };
  struct Frame {
    const Code* code = nullptr;
    size_t pc = 0;
    std::vector<uint64_t> registers;
    uint64_t local_base = 0;
  };
  struct Thread {
    enum class State { kRunning, kBarrier, kWarp, kDone };
    State state = State::kRunning;
    uint32_t index = 0;
    std::vector<Frame> frames;
    std::vector<uint8_t> local;
    bool carry = false;
    const ptx::Instruction* waits_at = nullptr;
    uint32_t mask = 0;                   // kWarp: the lanes that the instruction names
    uint64_t barrier = 0, expected = 0;  // kBarrier; expected 0: all threads
    bool predicate = false;
  };

  // machine.cc
  void RunBlock(uint32_t block);
  void Enter(Thread& t, const Code& code);
  void Leave(Thread& t);
  void CallFunction(Thread& t, const ptx::Instruction& i);
  void Step(Thread& t);
  bool Control(Thread& t, const ptx::Instruction& i);
  bool Settle();
  bool SettleBarriers();
  bool SettleWarp(size_t first);
  void Continue(Thread& t);
  uint64_t Value(const Thread& t, const ptx::Operand& o, ptx::Type type);
  void Write(Thread& t, const ptx::Operand& o, uint64_t value);
  uint64_t Special(const Thread& t, const std::string& name);
  uint64_t SymbolAddress(const Thread& t, const ptx::Operand& o);
  void Fail(const std::string& what);
  void FailAt(const ptx::Instruction& i, const std::string& what);

  // machine_memory.cc
  bool Memory(Thread& t, const ptx::Instruction& i);
  static bool IsPack(const ptx::Instruction& i);
  void Pack(Thread& t, const ptx::Instruction& i);
  void ConvertAddress(Thread& t, const ptx::Instruction& i);
  void LoadOrStore(Thread& t, const ptx::Instruction& i);
  void Atomic(Thread& t, const ptx::Instruction& i);
  uint8_t* Bytes(Thread& t, const ptx::Instruction& i, const ptx::Operand& address, uint64_t bytes);
  uint8_t* Inside(std::vector<uint8_t>& memory, uint64_t at, uint64_t bytes);

  // machine_warp.cc: every thread of `group` waits at `i`.
  void Collective(const ptx::Instruction& i, const std::vector<Thread*>& group);
  void Shuffle(const ptx::Instruction& i, const std::vector<Thread*>& group);
  void Vote(const ptx::Instruction& i, const std::vector<Thread*>& group);
  void Match(const ptx::Instruction& i, const std::vector<Thread*>& group);
  void Reduce(const ptx::Instruction& i, const std::vector<Thread*>& group);

  const Launch& launch_;
  std::vector<Code> codes_;  // by index of the module's function
  const Code* kernel_ = nullptr;
  std::map<std::string, uint64_t> shared_symbols_;
  uint64_t shared_bytes_ = 0;
  uint32_t block_ = 0;
  std::vector<uint8_t> shared_;
  std::vector<Thread> threads_;
  uint64_t steps_ = 0;
  std::string error_;
};

}  // namespace warpgrade::oracle
