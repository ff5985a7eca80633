#include "sample_records.h"

#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <utility>
#include <vector>

#include "libtrace-record/perf/perf_records.h"

namespace evt::record {
namespace {

// The first that the system allows: an ordinary user may lock half a MiB for each cpu, and switches take a part of it.
constexpr std::size_t kPages[] = {256, 64, 32};
constexpr std::uint32_t kStackBytes = 8 << 10;

// Registers of the user's code, as perf_regs.h of each architecture numbers them, in the order of FrameRegisters.
#if defined(__x86_64__)
constexpr unsigned kRegisters[] = {8, 7, 6,  // ip, sp, bp
                                   0, 3, 2, 1, 4, 5, 16, 17, 18, 19, 20, 21, 22, 23};
#elif defined(__aarch64__)
constexpr unsigned kRegisters[] = {32, 31, 29, 30};  // pc, sp, x29, lr
#else
constexpr unsigned kRegisters[] = {0};
#endif
constexpr std::size_t kRegisterCount = std::size(kRegisters);
constexpr std::size_t kNamedRegisters = kRegisterCount - kOtherRegisters;  // the others follow

constexpr std::uint64_t register_mask() {
  std::uint64_t mask = 0;
  for (const unsigned number : kRegisters) mask |= std::uint64_t{1} << number;
  return mask;
}

perf_event_attr wanted_samples(unsigned hz) {
  perf_event_attr wanted = wanted_of_program(PERF_COUNT_SW_CPU_CLOCK);
  wanted.freq = 1;
  wanted.sample_freq = hz;
  wanted.sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  wanted.sample_regs_user = register_mask();
  wanted.sample_stack_user = kStackBytes;
  wanted.mmap = 1;
  wanted.mmap2 = 1;
  wanted.watermark = 1;
  return wanted;
}

// The beginning of a sample, likewise.
struct Sample {
  SampleId id;
  std::uint64_t period;
  std::uint64_t registers_abi;  // 0: it runs in the kernel for ever, and has no registers of the user's
};

// The beginning of PERF_RECORD_MMAP2; a path follows.
struct Mmap2 {
  std::uint32_t process;
  std::uint32_t thread;
  std::uint64_t begin;
  std::uint64_t size;
  std::uint64_t offset;
  std::uint32_t device[2];
  std::uint64_t inode;
  std::uint64_t generation;
  std::uint32_t protection;
  std::uint32_t flags;
};

// The numbers that one kind of register has in a sample: those of the mask, from the lowest bit on.
std::uint64_t register_at(const char* registers, unsigned number) {
  constexpr std::uint64_t kMask = register_mask();
  const int before = std::popcount(kMask & ((std::uint64_t{1} << number) - 1));
  return loaded<std::uint64_t>(registers + 8 * before);
}

bool understand(const char* record, std::size_t size, StackCopy* copy) {
  const char* at = record + sizeof(perf_event_header);
  const char* const end = record + size;
  const auto left = [&] { return static_cast<std::size_t>(end - at); };
  if (left() < sizeof(Sample)) return false;
  const auto sample = loaded<Sample>(at);
  at += sizeof sample;
  if (sample.registers_abi == 0 || left() < 8 * kRegisterCount + 8) return false;
  copy->process = sample.id.process;
  copy->thread = sample.id.thread;
  copy->cpu = sample.id.cpu;
  copy->ns = sample.id.ns;
  copy->weight_ns = sample.period;
  copy->registers.pc = register_at(at, kRegisters[0]);
  if constexpr (kNamedRegisters >= 3) {
    copy->registers.stack = register_at(at, kRegisters[1]);
    copy->registers.frame = register_at(at, kRegisters[2]);
  }
  if constexpr (kNamedRegisters >= 4) copy->registers.link = register_at(at, kRegisters[3]);
  for (std::size_t i = 0; i < kOtherRegisters; ++i) {
    copy->registers.others[i] = register_at(at, kRegisters[kNamedRegisters + i]);
  }
  at += 8 * kRegisterCount;
  const auto stack_size = loaded<std::uint64_t>(at);
  at += 8;
  copy->stack = {};
  if (stack_size == 0) return true;
  if (left() < 8 || stack_size > left() - 8) return false;
  const auto copied = loaded<std::uint64_t>(at + stack_size);
  copy->stack = {at, static_cast<std::size_t>(std::min(copied, stack_size))};
  return true;
}

template <typename F>
void each_record(const std::vector<char>& records, F&& each) {
  std::size_t at = 0;
  while (records.size() - at >= sizeof(perf_event_header)) {
    const std::size_t size = loaded<perf_event_header>(records.data() + at).size;
    if (size < sizeof(perf_event_header) || size > records.size() - at) return;
    each(records.data() + at, size);
    at += size;
  }
}

void change(const char* record, std::size_t size, const SampleRecords::Changes& changes) {
  const auto header = loaded<perf_event_header>(record);
  if (size < sizeof header + sizeof(SampleId)) return;
  const char* const body = record + sizeof header;
  const std::size_t body_size = size - sizeof header - sizeof(SampleId);
  const std::uint64_t ns = loaded<SampleId>(record + size - sizeof(SampleId)).ns;
  switch (header.type) {
    case PERF_RECORD_MMAP2: {
      if (body_size < sizeof(Mmap2)) return;
      const auto map = loaded<Mmap2>(body);
      const char* const path = body + sizeof map;
      std::string text(path, strnlen(path, body_size - sizeof map));
      return changes.mapped(map.process, ns, {map.begin, map.begin + map.size, map.offset, std::move(text), map.inode});
    }
    case PERF_RECORD_COMM:
      if (body_size < 8 || (header.misc & PERF_RECORD_MISC_COMM_EXEC) == 0) return;
      return changes.became(loaded<std::uint32_t>(body), ns);
    case PERF_RECORD_FORK:
      if (body_size < 8) return;
      return changes.forked(loaded<std::uint32_t>(body), loaded<std::uint32_t>(body + 4), ns);
    case PERF_RECORD_LOST:
      if (body_size < 16) return;
      return changes.lost(loaded<std::uint64_t>(body + 8));
    default:
      return;
  }
}

}  // namespace

Status SampleRecords::open(pid_t pid, unsigned hz) {
  if constexpr (kRegisterCount < 3) {
    return {Code::kInvalid, "stacks can be sampled on x86-64 and aarch64 alone"};
  }
  perf_event_attr wanted = wanted_samples(hz);
  int error = 0;
  for (const std::size_t pages : kPages) {
    wanted.wakeup_watermark = static_cast<std::uint32_t>(pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 4);
    error = rings_.open(wanted, pid, pages);
    if (error == 0) return {};
    if (error != EPERM && error != ENOMEM && error != EAGAIN) break;
  }
  return {Code::kIo, fmt::format("the system refuses samples of running code (perf_event_open: {})", strerror(error))};
}

void SampleRecords::take(int ms, const Changes& changes, const std::function<void(const StackCopy&)>& sample) {
  for (const DrainedRings::Batch& batch : rings_.take(ms)) {
    for (const std::vector<char>& records : batch) {
      each_record(records, [&](const char* record, std::size_t size) { change(record, size, changes); });
    }
    for (const std::vector<char>& records : batch) {
      each_record(records, [&](const char* record, std::size_t size) {
        StackCopy copy;
        const auto type = loaded<perf_event_header>(record).type;
        if (type == PERF_RECORD_SAMPLE && understand(record, size, &copy)) sample(copy);
      });
    }
  }
}

}  // namespace evt::record
