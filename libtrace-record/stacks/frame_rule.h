// How to leave a frame: where the caller's registers are.
#pragma once

#include <cstdint>

namespace evt::record {

// The registers by which stacks are unwound. On x86-64 the return address is on the stack; `link` is unused there.
struct FrameRegisters {
  std::uint64_t pc = 0;
  std::uint64_t stack = 0;
  std::uint64_t frame = 0;  // rbp, x29
  std::uint64_t link = 0;   // x30
};

// For the addresses [begin, end) of a file; it may begin earlier.
struct FrameRule {
  enum class Cfa : std::uint8_t {
    kNone,         // there is no rule
    kStack,        // the canonical frame address is the stack pointer plus `cfa_offset`
    kFrame,        // the frame pointer plus it
    kFrameMemory,  // the word at the frame pointer plus it
    kStackMemory,  // the word at the stack pointer plus it
    kPlt,          // the stack pointer plus 8, or plus 16 from the eleventh byte of the entry on
  };
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::int32_t cfa_offset = 0;
  std::int32_t return_offset = 0;  // where the return address is, from the canonical frame address on (is_from_stack)
  std::int32_t frame_offset = 0;   // where the caller's frame pointer is
  Cfa cfa = Cfa::kNone;
  bool has_return = false;     // else the link register has it, or on x86-64 this is the outermost frame
  bool has_frame = false;      // else the frame pointer is the caller's
  bool is_from_stack = false;  // both are counted from the stack pointer
  bool is_signal = false;      // the caller was interrupted, and did not call
};

}  // namespace evt::record
