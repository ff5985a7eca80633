#include "kernel_events.h"

#include "little_bytes.h"

namespace evt {
namespace {

constexpr std::uint32_t kPriority = 20;

// Up to the first byte 0, which ends it.
void append_comm(TextBuffer& out, std::string_view name) {
  out += name.substr(0, name.find('\0'));
  out += '\0';
}

void append_thread(TextBuffer& out, const KernelThread& thread) {
  append_comm(out, thread.name);
  append_u32(out, static_cast<std::uint32_t>(thread.number));
  append_u32(out, kPriority);
}

}  // namespace

void append_switch(TextBuffer& out, const KernelThread& from, std::int64_t state, const KernelThread& to) {
  append_thread(out, from);
  append_u64(out, static_cast<std::uint64_t>(state));
  append_thread(out, to);
}

void append_waking(TextBuffer& out, const KernelThread& woken, std::uint32_t cpu) {
  append_thread(out, woken);
  append_u32(out, cpu);
}

}  // namespace evt
