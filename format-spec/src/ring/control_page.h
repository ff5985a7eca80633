// The control page of a ring, FORMAT.md section 12.1: what other processes of the user ask its writer to switch.
#pragma once

#include "ring_layout.h"

namespace evt::ring {

inline constexpr std::size_t kSwitches = 8;

// The types whose names match are recorded from now on, or no longer.
struct Switch {
  std::uint64_t number;  // from 1 on, by one each; stored last
  std::uint32_t user;    // who asked
  std::uint32_t process;
  std::uint32_t on;
  std::uint32_t reserved;
  char glob[472];  // ended by a zero byte
};

// Switch n is at (n - 1) modulo kSwitches.
struct ControlPage {
  std::uint64_t generation;  // commit word of who asks: the number of the latest switch
  std::uint64_t applied;     // commit word of the writer: the latest that it has looked at
  std::uint64_t reserved[14];
  Switch switches[kSwitches];
};
static_assert(sizeof(ControlPage) == kPage && offsetof(ControlPage, switches) == 128 && sizeof(Switch) == 496);

}  // namespace evt::ring
