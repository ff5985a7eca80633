#include "drained_rings.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace evt::record {
namespace {

constexpr int kLookMs = 20;                       // at what is less than a ring's watermark
constexpr std::size_t kMostBytes = 64ULL << 20u;  // that wait to be taken

}  // namespace

void DrainedRings::start() {
  if (rings_.size() == 0) return;
  for (std::size_t i = 0; i < rings_.size(); ++i) waiting_.push_back({rings_.descriptor(i), POLLIN, 0});
  thread_ = std::thread([this] { work(); });
}

void DrainedRings::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::deque<DrainedRings::Batch> DrainedRings::take(int ms) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(ms), [&] { return !batches_.empty() || ends_; });
  bytes_ = 0;
  changed_.notify_all();
  return std::exchange(batches_, {});
}

void DrainedRings::work() {
  while (wait_for_room()) {
    wait_for_rings();
    empty();
  }
  empty();
}

// False: the thread is to end.
bool DrainedRings::wait_for_room() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ends_ || bytes_ <= kMostBytes; });
  return !ends_;
}

// Nothing comes any more to a ring whose threads have all ended, and poll() would return at once, again and again.
void DrainedRings::wait_for_rings() {
  if (std::ranges::all_of(waiting_, [](const pollfd& ring) { return ring.fd < 0; })) {
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, [this] { return ends_; });
  }
  poll(waiting_.data(), waiting_.size(), kLookMs);
  for (pollfd& ring : waiting_) {
    if ((ring.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) ring.fd = -1;
  }
}

void DrainedRings::empty() {
  Batch batch(rings_.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    rings_.move_to(&batch[i], i);
    bytes += batch[i].size();
  }
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
  batches_.push_back(std::move(batch));
  changed_.notify_all();
}

}  // namespace evt::record
