// Stacks that events state: their frames by number, and what each frame is.
#pragma once

#include <evt/opaque.h>
#include <evt/trace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// The session must outlive it. Memory grows with distinct stacks and frames.
class StatedStacks {
 public:
  struct Frame {
    std::optional<std::uint32_t> id;  // the row that has it (kind reference)
    std::string function;             // empty: unknown
    std::string module;               // path of its program or library; empty: unknown
    std::uint64_t line = 0;           // 0: unknown
    std::optional<std::uint64_t> address{};
    bool is_inlined = false;  // its code is part of the next frame's

    // Its function; without one its place in the module: libfoo.so+0x1234.
    std::string name() const;
    std::string module_name() const;
  };
  struct Stack {
    std::optional<std::uint32_t> id;                     // the row that has it, if events share it
    const std::vector<std::uint32_t>* frames = nullptr;  // numbers, the innermost first; null: the trace lacks it
  };

  // What a sample stands for: processor time, or a wait, which has a duration.
  struct Weight {
    bool is_wait = false;
    std::optional<std::uint64_t> ns;  // nothing: it states no time
  };
  static Weight weight_of(const Event& sample);
  // True if it stands for an unknown number of samples.
  bool is_sum(const Event& sample) const;

  explicit StatedStacks(const Session& session);

  // By the event's field of role stack. Valid until the next call.
  Stack stack_of(const Event& event);
  const Frame& frame(std::uint32_t number) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
