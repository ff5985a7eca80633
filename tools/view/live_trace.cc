#include "live_trace.h"

#include <time.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/memory_limit.h"

namespace evt::tools {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(500);
constexpr int kRestPerWork = 4;
// Nobody looks who has not asked for so long.
constexpr std::chrono::seconds kMostBetweenQuestions(2);

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

LiveTrace::~LiveTrace() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

bool LiveTrace::is_stopped() {
  const std::lock_guard lock(mutex_);
  return is_stopped_;
}

bool LiveTrace::is_due(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  return now >= due_ && !made_ && now - asked_ < kMostBetweenQuestions;
}

void LiveTrace::run() {
  try {
    follow();
  } catch (const std::bad_alloc&) {
    const Status limit = MemoryLimit::lift();
    Look last;
    last.has_ended = true;
    last.status = limit.ok() ? Status(Code::kMemory, "no memory is left") : limit;
    hand_over(std::move(last));
  }
}

void LiveTrace::follow() {
  bool is_new = true;
  for (bool goes_on = true; goes_on && !is_stopped();) {
    while (follow_.next() != nullptr) is_new = true;
    goes_on = follow_.wait();
    if (goes_on && !(is_new && is_due(Clock::now()))) continue;
    const auto before = processor_time();
    std::optional<Look> made = look();
    due_ = Clock::now() + std::max<Clock::duration>(kBetweenLooks, kRestPerWork * (processor_time() - before));
    if (made) is_new = false;
    if (!goes_on) {
      if (!made) made = Look();
      made->has_ended = true;
      made->status = follow_.status();
    }
    if (made) hand_over(*std::move(made));
  }
}

std::optional<LiveTrace::Look> LiveTrace::look() {
  auto trace = follow_.whole();
  if (!trace) return std::nullopt;
  MemoryLimit::allow_for(trace->size() - std::min(trace->size(), size_));
  size_ = std::max(size_, trace->size());
  Look look;
  look.trace = std::make_unique<Trace>(*std::move(trace));
  look.late = follow_.late();
  for (const Session& session : look.trace->sessions()) {
    view::SessionTiles& tiles = look.tiles.emplace_back(*look.trace, session);
    while (tiles.read_on()) {
      if (is_stopped()) return std::nullopt;
    }
  }
  return look;
}

// One that nobody has taken yet is of no use.
void LiveTrace::hand_over(Look look) {
  {
    const std::lock_guard lock(mutex_);
    made_ = std::move(look);
  }
  changed_.notify_all();
}

std::optional<LiveTrace::Look> LiveTrace::next(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  asked_ = Clock::now();
  changed_.wait_for(lock, most, [this] { return made_.has_value(); });
  asked_ = Clock::now();
  return std::exchange(made_, std::nullopt);
}

}  // namespace evt::tools
