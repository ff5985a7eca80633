#include "switch_records.h"

#include <errno.h>
#include <fmt/core.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace evt::record {
namespace {

constexpr std::size_t kPages = 64;  // per ring: an ordinary user may lock this much for two of them

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
std::size_t ring_size() { return kPages * page_size(); }

perf_event_attr wanted_records() {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_DUMMY;
  wanted.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
  wanted.sample_id_all = 1;
  wanted.context_switch = 1;
  wanted.task = 1;
  wanted.comm = 1;
  wanted.comm_exec = 1;
  wanted.inherit = 1;
  wanted.disabled = 1;
  wanted.enable_on_exec = 1;
  wanted.exclude_kernel = 1;  // else an ordinary user may not
  wanted.exclude_hv = 1;
  wanted.use_clockid = 1;
  wanted.clockid = CLOCK_MONOTONIC;
  return wanted;
}

// The end of each record, by the sample_type above.
struct SampleId {
  std::uint32_t process;
  std::uint32_t thread;
  std::uint64_t ns;
  std::uint32_t cpu;
  std::uint32_t reserved;
};

struct Task {
  std::uint32_t process;
  std::uint32_t parent;
  std::uint32_t thread;
  std::uint32_t parent_thread;
};

template <typename T>
T loaded(const char* from) {
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}

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

SwitchRecords::~SwitchRecords() {
  for (const Ring& ring : rings_) {
    if (ring.memory != nullptr) munmap(ring.memory, page_size() + ring_size());
    close(ring.fd);
  }
}

Status SwitchRecords::open(pid_t pid) {
  perf_event_attr wanted = wanted_records();
  const long configured = sysconf(_SC_NPROCESSORS_CONF);
  int error = 0;
  for (long cpu = 0; cpu < configured; ++cpu) {
    const long fd = syscall(SYS_perf_event_open, &wanted, pid, static_cast<int>(cpu), -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0) {
      error = errno;
      if (error == ENODEV) continue;  // a cpu that is switched off
      break;
    }
    Ring ring{static_cast<unsigned>(cpu), static_cast<int>(fd), nullptr};
    void* const memory = mmap(nullptr, page_size() + ring_size(), PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
    if (memory != MAP_FAILED) ring.memory = memory;
    error = memory != MAP_FAILED ? 0 : errno;
    rings_.push_back(ring);
    if (error != 0) break;
  }
  if (error == 0 || (error == ENODEV && !rings_.empty())) return {};
  for (const Ring& ring : rings_) {
    if (ring.memory != nullptr) munmap(ring.memory, page_size() + ring_size());
    close(ring.fd);
  }
  rings_.clear();
  return {Code::kIo, fmt::format("the system refuses records of scheduling (perf_event_open: {})", strerror(error))};
}

std::uint64_t SwitchRecords::walk(std::size_t number,
                                  const std::function<bool(const SwitchRecord&, bool is_much)>& each) {
  const Ring& ring = rings_[number];
  auto* const front = static_cast<perf_event_mmap_page*>(ring.memory);
  const char* const data = static_cast<const char*>(ring.memory) + page_size();
  const std::uint64_t size = ring_size();
  const std::uint64_t head = __atomic_load_n(&front->data_head, __ATOMIC_ACQUIRE);
  std::uint64_t tail = front->data_tail;
  const bool is_much = head - tail > size / 2;
  while (tail < head) {
    const std::uint64_t at = tail % size;
    const auto header = loaded<perf_event_header>(data + at);  // records are multiples of 8 bytes, like the header
    if (header.size < sizeof header) break;
    const char* bytes = data + at;
    if (at + header.size > size) {
      record_.assign(data + at, data + size);
      record_.insert(record_.end(), data, data + (header.size - (size - at)));
      bytes = record_.data();
    }
    SwitchRecord record;
    if (understand(bytes, header.size, &record) && !each(record, is_much)) return tail;
    tail += header.size;
  }
  return head;
}

void SwitchRecords::take(std::size_t number, std::uint64_t until_ns,
                         const std::function<void(const SwitchRecord&)>& each) {
  const std::uint64_t tail = walk(number, [&](const SwitchRecord& record, bool is_much) {
    if (record.ns > until_ns && !is_much) return false;
    each(record);
    return true;
  });
  auto* const front = static_cast<perf_event_mmap_page*>(rings_[number].memory);
  __atomic_store_n(&front->data_tail, tail, __ATOMIC_RELEASE);
}

void SwitchRecords::look(std::size_t number, const std::function<void(const SwitchRecord&)>& each) {
  walk(number, [&](const SwitchRecord& record, bool) {
    each(record);
    return true;
  });
}

}  // namespace evt::record
