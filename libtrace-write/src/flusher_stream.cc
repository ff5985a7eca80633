#include "flusher_stream.h"

#include <evt/emit_events.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "program_threads.h"

namespace evt {
namespace {

// A row for each of these: the work of a program that records little is not worth one.
constexpr std::uint64_t kWorkNs = 10'000'000;

std::uint64_t processor_time_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

bool is_on(const evt_type* type) { return type != nullptr && __atomic_load_n(&type->number, __ATOMIC_RELAXED) != 0; }

}  // namespace

void FlusherStream::sleep(std::uint64_t now_ns, std::uint64_t until_ns) {
  if (recording_.writer_events().allowed()) stops_.sleep(now_ns, until_ns);
}

// While one waits to be recorded, the next is added to it.
void FlusherStream::wake(std::uint64_t now_ns) {
  StopClock::Stop stop;
  if (!recording_.writer_events().allowed() || !stops_.wake(now_ns, &stop)) return;
  stop_ = {stop.ended_ns, stop_.ns + stop.ns};
}

void FlusherStream::record(bool worked) {
  WriterEvents& events = recording_.writer_events();
  if (!events.allowed()) return;
  const std::uint64_t work_ns = worked ? processor_time_ns() - recorded_ns_ : 0;
  const bool has_stop = stop_.ns > 0;
  const bool has_work = work_ns >= kWorkNs;
  if ((has_stop && !is_on(events.stopped())) || (has_work && !is_on(events.overhead()))) events.want();
  if (events.are_wanted()) {
    const Lock lock = Lock::try_to(recording_);
    if (!lock.held() || !declare_writer_events(recording_)) return;
  }
  const bool stop_is_on = has_stop && is_on(events.stopped());
  const bool work_is_on = has_work && is_on(events.overhead());
  if ((stop_is_on || work_is_on) && !open()) return;
  if (stop_is_on) record_stop();
  if (work_is_on) record_work(work_ns);
  if (has_stop) stop_ = {};
  if (has_work) recorded_ns_ += work_ns;
}

// Returns false, to be retried, while the session's lock is held, possibly for ever.
bool FlusherStream::open() {
  if (stream_ != nullptr || has_failed_) return stream_ != nullptr;
  const Lock lock = Lock::try_to(recording_);
  if (!lock.held()) return false;
  evt_stream_info info = {};
  info.name = kFlusherName;
  info.id = StreamList::kFlusherId;
  info.thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  info.process = static_cast<std::uint64_t>(getpid());
  evt_error ignored;
  stream_ = open_stream(recording_, info, false, &ignored);
  has_failed_ = stream_ == nullptr;
  return stream_ != nullptr;
}

void FlusherStream::record_work(std::uint64_t ns) {
  const WriterEvents& events = recording_.writer_events();
  evt_emit_overhead(&stream_->hot, events.overhead(), events.reason(WriterEvents::kFlusher),
                    static_cast<std::int64_t>(recording_.clock().ticks_in(ns)));
}

void FlusherStream::record_stop() {
  const Clock& clock = recording_.clock();
  const std::uint64_t ended = clock.now() - clock.ticks_in(monotonic_ns() - stop_.ended_ns);
  evt_row row = evt_begin_at(&stream_->hot, recording_.writer_events().stopped(), ended);
  if (row.p == nullptr) return;
  evt_i64(&row, static_cast<std::int64_t>(clock.ticks_in(stop_.ns)));
  evt_commit(&row);
}

bool FlusherStream::record_switch(const evt_type* type, const ring::Switch& asked) {
  if (!is_on(type) || !open()) return false;
  evt_row row = evt_begin(&stream_->hot, type);
  if (row.p == nullptr) return false;
  evt_text_z(&row, asked.glob);
  evt_u8(&row, static_cast<std::uint8_t>(asked.on));
  evt_u32(&row, asked.user);
  evt_u32(&row, asked.process);
  evt_commit(&row);
  return true;
}

}  // namespace evt
