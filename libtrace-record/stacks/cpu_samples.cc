#include "cpu_samples.h"

#include <pthread.h>
#include <signal.h>

#include <map>
#include <utility>

namespace evt::record {
namespace {

constexpr int kWaitMs = 20;

}  // namespace

Status CpuSamples::open(pid_t pid, unsigned hz) { return records_.open(pid, hz); }

void CpuSamples::start(evt_writer* writer) {
  writer_ = writer;
  stacks_.open(writer);
  scale_.read(writer);
  // Signals are for the thread that waits for the program.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void CpuSamples::close() {
  if (!thread_.joinable()) return;
  ends_ = true;
  thread_.join();
}

void CpuSamples::work() {
  while (!ends_) {
    records_.wait(kWaitMs);
    take();
  }
  take();
}

void CpuSamples::take() {
  const SampleRecords::Changes changes = {
      [&](std::uint32_t process, std::uint64_t ns, CodeMapping mapping) { maps_.add(process, ns, std::move(mapping)); },
      [&](std::uint32_t process, std::uint64_t ns) { maps_.become(process, ns); },
      [&](std::uint32_t process, std::uint32_t parent, std::uint64_t ns) { maps_.fork(process, parent, ns); },
      [&](std::uint64_t samples) { stacks_.add_lost(samples, evt_writer_now(writer_)); }};
  bool is_scaled = false;
  records_.take(changes, [&](const StackCopy& copy) {
    if (!std::exchange(is_scaled, true)) scale_.read(writer_);
    const StackEnd end = unwinder_.unwind(copy, &frames_);
    stacks_.add(copy, frames_, end, scale_.ticks(copy.ns));
  });
}

}  // namespace evt::record
