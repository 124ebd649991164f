// The generator's state while it writes one kernel; private to generator*.cc.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "tests/emulator/oracle/generator.h"

namespace warpgrade::oracle {

inline constexpr int kPerClass = 6;

class Writer {
 public:
  Writer(uint64_t seed, int statements) : random_(seed), left_(statements) {}
  Generated Make();

 private:
  // generator.cc
  size_t Draw(size_t below) { return random_() % below; }
  bool Chance(int percent) { return Draw(100) < static_cast<size_t>(percent); }
  std::string Register(char c);
  std::string Immediate(char c);
  std::string Source(char c);
  std::string Destination(char c);
  std::string Part();
  std::string Parts(size_t lanes);
  std::string Mask(size_t lanes);
  void Line(const std::string& text);
  void Arithmetic();
  void CarryChain();
  void Move();
  void Declarations();
  void FillLocal();
  void Prologue();
  void Epilogue();

  // generator_control.cc
  std::string Functions();
  void FunctionBody(bool recursive);
  void Block(size_t statements, int depth);
  void Statement(int depth);
  void If(int depth);
  void CountedLoop(int depth);
  void LoopWithBreak(int depth);
  void Switch(int depth);
  void Jumps(int depth);
  void Call();
  std::string Label() { return "L" + std::to_string(labels_++); }
  std::string NewMask() { return "%m" + std::to_string(masks_++); }

  // generator_memory.cc
  std::string Tables();
  void Local();
  void Scratch();
  void Input();
  void Table();
  void BlockExchange();
  void GlobalExchange();
  void WarpExchange();
  void OwnAtomic();
  void Accumulate();
  void Vote();
  void Shuffle();
  void Barrier();
  void HighestLane(const std::string& into);
  std::string Cells(const std::string& type, int vector, bool load);
  std::string PickAccess(int* bytes, std::string* type, int* vector, int most);

  std::mt19937_64 random_;
  int left_;  // statements that may still be written
  std::string text_;
  uint32_t block_ = 32, threads_ = 32;  // of a block, of the grid
  bool in_kernel_ = false;
  int calls_to_ = 0;  // functions that may be called
  std::string mask_;  // the register that holds the lanes that are here; empty: nobody knows
  int masks_ = 0, labels_ = 0, counters_ = 0;
  int loops_ = 0;  // how many are around the next statement
};

}  // namespace warpgrade::oracle
