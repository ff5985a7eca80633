// How to leave a frame: where the caller's registers are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "libtrace-record/recorded/sample_spool.h"

namespace evt::record {

#if defined(__x86_64__)
inline constexpr std::size_t kOtherRegisters = RUN_SLOT_REGISTERS;
// Those of them that calls keep.
inline constexpr std::array<std::uint8_t, 5> kKeptRegisters = {RUN_SLOT_RBX, RUN_SLOT_R12, RUN_SLOT_R12 + 1,
                                                               RUN_SLOT_R12 + 2, RUN_SLOT_R12 + 3};
#else
inline constexpr std::size_t kOtherRegisters = 0;
inline constexpr std::array<std::uint8_t, 0> kKeptRegisters = {};
#endif

// The registers by which stacks are unwound. On x86-64 the return address is on the stack; `link` is unused there.
struct FrameRegisters {
  std::uint64_t pc = 0;
  std::uint64_t stack = 0;
  std::uint64_t frame = 0;  // rbp, x29
  std::uint64_t link = 0;   // x30
  std::array<std::uint64_t, kOtherRegisters> others{};
};

// For the addresses [begin, end) of a file; it may begin earlier.
struct FrameRule {
  enum class Cfa : std::uint8_t {
    kNone,         // there is no rule
    kStack,        // the canonical frame address is the stack pointer plus `cfa_offset`
    kFrame,        // the frame pointer plus it
    kOther,        // another register plus it
    kFrameMemory,  // the word at the frame pointer plus it, plus `cfa_added`
    kStackMemory,  // the word at the stack pointer plus it, plus `cfa_added`
    kPlt,          // the stack pointer plus 8, or plus 16 from the eleventh byte of the entry on
  };
  // Where a register of the caller is.
  struct Saved {
    enum class From : std::uint8_t { kNowhere, kCfa, kStack, kFrame };
    From from = From::kNowhere;
    std::int32_t offset = 0;

    bool is_somewhere() const { return from != From::kNowhere; }
  };
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::int32_t cfa_offset = 0;
  std::int32_t cfa_added = 0;
  Saved return_address;  // nowhere: the link register has it, or on x86-64 this is the outermost frame
  Saved frame;           // nowhere: the frame pointer is the caller's; likewise below
  std::array<Saved, kKeptRegisters.size()> kept{};
  Cfa cfa = Cfa::kNone;
  std::uint8_t cfa_register = 0;  // kOther: which one
  bool is_signal = false;         // the caller was interrupted, and did not call
};

}  // namespace evt::record
