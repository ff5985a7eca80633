#include "live_stacks.h"

#include <evt/events.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "libtrace-record/stacks/code_lines.h"

namespace evt::record {
namespace {

constexpr std::size_t kMostStack = 256 << 10;

std::uint64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

LiveStacks::LiveStacks(pid_t process)
    : process_(process), memory_(open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC)) {
  const auto number = static_cast<std::uint32_t>(process);
  for (CodeMapping& mapping : code_of_process(number)) maps_.add(number, 0, std::move(mapping));
}

LiveStacks::~LiveStacks() {
  if (memory_ >= 0) close(memory_);
}

std::uint32_t LiveStacks::word_at(std::uint64_t address) const {
  std::uint32_t word = 0;
  const bool is_read = pread(memory_, &word, sizeof word, static_cast<off_t>(address)) == sizeof word;
  return is_read ? word : 0;
}

void LiveStacks::add(const StackFrame& frame, std::vector<LiveFrame>* frames) const {
  if (frame.is_of_recorder()) return;
  if (frame.file == nullptr) {
    const std::string& name = !frame.made.empty() ? frame.made : frame.region;
    return frames->push_back({name.empty() ? std::string(events::kUnknownName) : name, "", 0, false});
  }
  for (CodeName& name : frame.file->names_of(frame.address)) {
    frames->push_back({std::move(name.function), frame.file->path(), name.line, name.is_inlined});
  }
}

std::vector<LiveFrame> LiveStacks::of(const LiveThread& thread) {
  std::vector<LiveFrame> frames;
  if (thread.registers.pc == 0) return frames;
  std::string bytes(kMostStack, '\0');
  const ssize_t size = pread(memory_, bytes.data(), bytes.size(), static_cast<off_t>(thread.registers.stack));
  // It may have gone on meanwhile.
  LiveThread after = thread;
  look_at_call(process_, &after);
  if (after.registers.pc != thread.registers.pc || after.registers.stack != thread.registers.stack) return frames;
  StackCopy copy;
  copy.process = static_cast<std::uint32_t>(process_);
  copy.ns = now_ns();
  copy.registers = thread.registers;
  copy.stack = std::string_view(bytes).substr(0, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  std::vector<StackFrame> found;
  const StackEnd end = unwinder_.unwind(copy, &found);
  for (const StackFrame& frame : found) add(frame, &frames);
  if (end == StackEnd::kOutermost) return frames;
  const bool is_lost = end == StackEnd::kLost;
  frames.push_back({std::string(is_lost ? events::kUnknownName : events::kTruncatedStack), "", 0, false});
  return frames;
}

}  // namespace evt::record
