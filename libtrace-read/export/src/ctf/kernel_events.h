// Events of Linux's scheduler, as recorded by LTTng.
#pragma once

#include <evt/text/text_buffer.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace evt {

// Ids in the stream class of cpus.
inline constexpr std::uint32_t kSchedSwitch = 0;
inline constexpr std::uint32_t kSchedWaking = 1;

inline constexpr std::string_view kKernelEventClasses =
    "event {\n  name = \"sched_switch\";\n  id = 0;\n  stream_id = 1;\n  fields := struct {\n"
    "    string _prev_comm;\n    int32_t _prev_tid;\n    int32_t _prev_prio;\n    int64_t _prev_state;\n"
    "    string _next_comm;\n    int32_t _next_tid;\n    int32_t _next_prio;\n  };\n};\n"
    "event {\n  name = \"sched_waking\";\n  id = 1;\n  stream_id = 1;\n  fields := struct {\n"
    "    string _comm;\n    int32_t _tid;\n    int32_t _prio;\n    int32_t _target_cpu;\n  };\n};\n";

struct KernelThread {
  std::string name;
  std::int64_t number = 0;
};

// Why a thread stops running: enum task_state of Linux.
inline constexpr std::int64_t kTaskRunning = 0;
inline constexpr std::int64_t kTaskInterruptible = 1;
inline constexpr std::int64_t kTaskDead = 64;

// Appends the fields of one. Priorities are unknown: 20, the default of a thread.
void append_switch(TextBuffer& out, const KernelThread& from, std::int64_t state, const KernelThread& to);
void append_waking(TextBuffer& out, const KernelThread& woken, std::uint32_t cpu);

}  // namespace evt
