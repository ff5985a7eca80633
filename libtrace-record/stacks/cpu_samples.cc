#include "cpu_samples.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace evt::record {
namespace {

constexpr int kWaitMs = 20;

// The library that takes stacks of waits is what called the function: the program's code is around it.
void drop_own_frames(std::vector<StackFrame>* frames) {
  frames->erase(frames->begin(), std::ranges::find_if_not(*frames, &StackFrame::is_of_recorder));
}

}  // namespace

Status CpuSamples::open(pid_t pid, unsigned hz) { return records_.open(pid, hz); }

Status CpuSamples::start(evt_writer* writer) {
  writer_ = writer;
  stacks_.open(writer);
  scale_.read(writer);
  // Signals are for the thread that waits for the program.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status started;
  try {
    records_.start();
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    records_.stop();
    spool_.close();
    started = {Code::kIo, fmt::format("there is no thread that takes samples: {}", strerror(error.code().value()))};
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

void CpuSamples::close() {
  if (!thread_.joinable()) return;
  ends_ = true;
  thread_.join();
  spool_.close();
  for (const auto& [key, number] : doubts()) {
    if (number > 0) evt_fact(writer_, EVT_FACT_SCOPE_SESSION, 0, key.c_str(), std::to_string(number).c_str(), nullptr);
  }
}

SampleDoubts CpuSamples::doubts() const {
  SampleDoubts doubts = spool_.doubts();
  doubts[EVT_FACT_JIT_NAMES_CUT] = unwinder_.jit_names().is_full() ? 1 : 0;
  doubts[EVT_FACT_INLINED_CUT] = unwinder_.files_without_inlined();
  return doubts;
}

void CpuSamples::work() {
  while (!ends_) take(kWaitMs);
  records_.stop();
  take(0);
}

void CpuSamples::take(int ms) {
  const SampleRecords::Changes changes = {
      [&](std::uint32_t process, std::uint64_t ns, CodeMapping mapping) { maps_.add(process, ns, std::move(mapping)); },
      [&](std::uint32_t process, std::uint64_t ns) { maps_.become(process, ns); },
      [&](std::uint32_t process, std::uint32_t parent, std::uint64_t ns) { maps_.fork(process, parent, ns); },
      [&](std::uint64_t samples) { stacks_.add_lost(samples, evt_writer_now(writer_)); },
      [&](std::uint32_t process) { maps_.forget(process); }};
  bool is_scaled = false;
  const auto add_sample = [&](const StackCopy& copy) {
    if (!std::exchange(is_scaled, true)) scale_.read(writer_);
    add(copy, changes);
  };
  records_.take(ms, changes, add_sample);
  spool_.take(changes, add_sample);
}

void CpuSamples::add(const StackCopy& copy, const SampleRecords::Changes& changes) {
  StackEnd end = unwinder_.unwind(copy, &frames_);
  const auto unknown = std::ranges::find_if(frames_, &StackFrame::is_unknown);
  if (unknown != frames_.end() && spool_.look_again(copy, unknown->address, changes)) {
    end = unwinder_.unwind(copy, &frames_);
  }
  if (copy.waited_ns != 0) drop_own_frames(&frames_);
  stacks_.add(copy, frames_, end, scale_.ticks(copy.ns));
}

}  // namespace evt::record
