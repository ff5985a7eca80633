#include "switch_records.h"

#include <fmt/core.h>
#include <linux/perf_event.h>
#include <string.h>

#include "libtrace-record/perf/perf_records.h"

namespace evt::record {
namespace {

constexpr std::size_t kPages = 64;  // per ring: an ordinary user may lock this much for two of them

perf_event_attr wanted_records() {
  perf_event_attr wanted = wanted_of_program(PERF_COUNT_SW_DUMMY);
  wanted.context_switch = 1;
  return wanted;
}

struct Task {
  std::uint32_t process;
  std::uint32_t parent;
  std::uint32_t thread;
  std::uint32_t parent_thread;
};

// False for a record of another kind.
bool understand(const char* bytes, std::size_t size, SwitchRecord* record) {
  const auto header = loaded<perf_event_header>(bytes);
  if (size < sizeof header + sizeof(SampleId)) return false;
  const char* const body = bytes + sizeof header;
  const auto sample = loaded<SampleId>(bytes + size - sizeof(SampleId));
  const std::size_t body_size = size - sizeof header - sizeof sample;
  record->process = sample.process;
  record->thread = sample.thread;
  record->ns = sample.ns;
  switch (header.type) {
    case PERF_RECORD_SWITCH:
      record->kind = (header.misc & PERF_RECORD_MISC_SWITCH_OUT) == 0           ? SwitchRecord::Kind::kIn
                     : (header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0 ? SwitchRecord::Kind::kPreempted
                                                                                : SwitchRecord::Kind::kOut;
      return true;
    case PERF_RECORD_COMM:
      if (body_size < 8) return false;
      record->kind =
          (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0 ? SwitchRecord::Kind::kProgram : SwitchRecord::Kind::kName;
      record->process = loaded<std::uint32_t>(body);
      record->thread = loaded<std::uint32_t>(body + 4);
      record->name = std::string_view(body + 8, strnlen(body + 8, body_size - 8));
      return true;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT: {
      if (body_size < sizeof(Task)) return false;
      const auto task = loaded<Task>(body);
      record->kind = header.type == PERF_RECORD_FORK ? SwitchRecord::Kind::kFork : SwitchRecord::Kind::kExit;
      record->process = task.process;
      record->thread = task.thread;
      record->parent = task.parent;
      return true;
    }
    case PERF_RECORD_LOST:
      if (body_size < 16) return false;
      record->kind = SwitchRecord::Kind::kLost;
      record->count = loaded<std::uint64_t>(body + 8);
      return true;
    default:
      return false;
  }
}

}  // namespace

Status SwitchRecords::open(pid_t pid) {
  const int error = rings_.open(wanted_records(), pid, kPages);
  if (error == 0) return {};
  return {Code::kIo, fmt::format("the system refuses records of scheduling (perf_event_open: {})", strerror(error))};
}

std::uint64_t SwitchRecords::walk(std::size_t ring,
                                  const std::function<bool(const SwitchRecord&, bool is_half_full)>& each) {
  return rings_.walk(ring, rings_.end(ring), [&](const char* bytes, std::size_t size, bool is_half_full) {
    SwitchRecord record;
    return !understand(bytes, size, &record) || each(record, is_half_full);
  });
}

void SwitchRecords::take(std::size_t ring, std::uint64_t until_ns,
                         const std::function<void(const SwitchRecord&)>& each) {
  rings_.release(ring, walk(ring, [&](const SwitchRecord& record, bool is_half_full) {
                   if (record.ns > until_ns && !is_half_full) return false;
                   each(record);
                   return true;
                 }));
}

void SwitchRecords::look(std::size_t ring, const std::function<void(const SwitchRecord&)>& each) {
  walk(ring, [&](const SwitchRecord& record, bool) {
    each(record);
    return true;
  });
}

}  // namespace evt::record
