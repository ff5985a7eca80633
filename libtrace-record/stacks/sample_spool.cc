#include "sample_spool.h"

#include <errno.h>
#include <evt/format.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "code_lines.h"

namespace evt::record {
namespace {

constexpr std::uint32_t kMostTaken = 50;  // a thread that takes so many rounds may be gone
constexpr std::uint64_t kLookAgainNs = 100'000'000;
constexpr std::uint64_t kAlways = 0;  // samples are read in the order of their times, with the code of then

std::atomic_ref<std::uint32_t> state_of(run_slot* slot) { return std::atomic_ref(slot->state); }

bool is_gone(std::uint32_t process) { return kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH; }

std::string_view text_in(const char (&text)[RUN_SLOT_NAME]) { return {text, strnlen(text, sizeof text)}; }

void tell_code(const run_slot& slot, const SampleRecords::Changes& changes) {
  if (slot.kind == RUN_SLOT_CODE) changes.ended(slot.process);
  for (CodeMapping& mapping : code_in_lines({slot.bytes, slot.size})) {
    changes.mapped(slot.process, kAlways, std::move(mapping));
  }
}

}  // namespace

SampleSpool::SampleSpool()
    : descriptor_(memfd_create("evt run: samples", MFD_CLOEXEC | MFD_ALLOW_SEALING)),
      slots_(slots_for(static_cast<std::size_t>(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN))))),
      taken_for_(slots_),
      copy_(std::make_unique<run_slot>()) {}

// The samples of 32 ms at 997 Hz, which is longer than it takes until they are read; at most 70 MB.
std::uint32_t SampleSpool::slots_for(std::size_t cpus) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(32 * cpus, 512, 8192));
}

SampleSpool::~SampleSpool() {
  close();
  if (spool_ != nullptr) munmap(spool_, run_spool_size(slots_));
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string SampleSpool::path() const {
  return descriptor_ < 0 ? "" : fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
}

// All of its memory is there before a program may write into it, and none can take it away.
Status SampleSpool::open(const Wanted& wanted) {
  const auto refused = [] {
    return Status(Code::kIo, fmt::format("no memory for samples of running code: {}", strerror(errno)));
  };
  const std::size_t size = run_spool_size(slots_);
  if (descriptor_ < 0 || posix_fallocate(descriptor_, 0, static_cast<off_t>(size)) != 0) return refused();
  if (fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return refused();
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) return refused();
  spool_ = static_cast<run_spool*>(memory);
  spool_->version = RUN_SPOOL_VERSION;
  spool_->slots = slots_;
  spool_->period_ns = wanted.hz == 0 ? 0 : 1'000'000'000 / wanted.hz;
  spool_->wait_ns = wanted.wait_ns;
  spool_->wants_code = wanted.code ? 1 : 0;
  return {};
}

void SampleSpool::close() {
  if (spool_ != nullptr) std::atomic_ref(spool_->is_closed) = 1;
}

SampleDoubts SampleSpool::doubts() const {
  if (spool_ == nullptr) return {};
  return {{EVT_FACT_SAMPLES_HANDLED, spool_->processes_with_handler},
          {EVT_FACT_SAMPLES_BLOCKED, spool_->threads_that_block},
          {EVT_FACT_SAMPLES_BLOCKED_NS, spool_->blocked_ns},
          {EVT_FACT_SAMPLES_NO_TIMER, spool_->threads_without_timer},
          {EVT_FACT_SAMPLES_NO_STACK, spool_->samples_without_stack},
          {EVT_FACT_WAITS_NO_STACK, spool_->waits_without_stack}};
}

void SampleSpool::read_slot(run_slot* slot, const SampleRecords::Changes& changes,
                            const std::function<void(const StackCopy&)>& sample) {
  memcpy(copy_.get(), slot, sizeof *slot);
  state_of(slot).store(RUN_SLOT_FREE, std::memory_order_release);
  copy_->size = std::min<std::uint32_t>(copy_->size, RUN_SLOT_BYTES);
  const bool is_wait = copy_->kind == RUN_SLOT_WAIT;
  if (copy_->kind != RUN_SLOT_SAMPLE && !is_wait) return tell_code(*copy_, changes);
  StackCopy copy;
  copy.process = copy_->process;
  copy.thread = copy_->thread;
  copy.cpu = copy_->cpu;
  std::uint64_t& last_ns = last_ns_[copy.cpu];
  last_ns = std::max(last_ns, copy_->ns);  // one that was filled late
  copy.ns = last_ns;
  (is_wait ? copy.waited_ns : copy.weight_ns) = copy_->length_ns;
  copy.function = text_in(copy_->function);
  copy.object = text_in(copy_->object);
  copy.registers = {copy_->pc, copy_->stack, copy_->frame, copy_->link, {}};
  std::copy_n(copy_->others, kOtherRegisters, copy.registers.others.begin());
  copy.stack = {copy_->bytes, copy_->size};
  sample(copy);
}

// By a thread that was killed while it filled the slot.
void SampleSpool::free_if_abandoned(std::uint32_t index, const SampleRecords::Changes& changes) {
  run_slot* const slot = run_slot_at(spool_, index);
  if (++taken_for_[index] < kMostTaken || !is_gone(slot->process)) return;
  taken_for_[index] = 0;
  state_of(slot).store(RUN_SLOT_FREE, std::memory_order_release);
  changes.lost(1);
}

void SampleSpool::take(const SampleRecords::Changes& changes, const std::function<void(const StackCopy&)>& sample) {
  if (spool_ == nullptr) return;
  full_.clear();
  for (std::uint32_t i = 0; i < slots_; ++i) {
    run_slot* const slot = run_slot_at(spool_, i);
    const std::uint32_t state = state_of(slot).load(std::memory_order_acquire);
    if (state == RUN_SLOT_FULL) full_.push_back({slot->ns, slot->kind, i});
    if (state != RUN_SLOT_TAKEN) {
      taken_for_[i] = 0;
    } else {
      free_if_abandoned(i, changes);
    }
  }
  std::ranges::sort(full_);
  for (const Full& each : full_) read_slot(run_slot_at(spool_, each.slot), changes, sample);
  const std::uint64_t lost = std::atomic_ref(spool_->lost).load(std::memory_order_relaxed);
  if (lost > lost_) changes.lost(lost - lost_);
  lost_ = lost;
}

// By the file that the kernel has about the process, if that has not ended.
bool SampleSpool::look_again(const StackCopy& copy, std::uint64_t address, const SampleRecords::Changes& changes) {
  if (spool_ == nullptr || spool_->wants_code == 0) return false;
  const auto looked = looked_ns_.find(copy.process);
  if (looked != looked_ns_.end() && copy.ns < looked->second + kLookAgainNs) return false;
  std::vector<CodeMapping> code = code_of_process(copy.process);
  const auto has_it = [&](const CodeMapping& each) { return address >= each.begin && address < each.end; };
  if (std::ranges::none_of(code, has_it)) {
    looked_ns_[copy.process] = copy.ns;
    return false;
  }
  changes.ended(copy.process);
  for (CodeMapping& mapping : code) changes.mapped(copy.process, kAlways, std::move(mapping));
  return true;
}

}  // namespace evt::record
