#include "drained_rings.h"

#include <poll.h>

#include <chrono>
#include <utility>

namespace evt::record {
namespace {

constexpr int kLookMs = 20;                       // at what is less than a ring's watermark
constexpr std::size_t kMostBytes = 64ULL << 20u;  // that wait to be taken

}  // namespace

void DrainedRings::start() {
  if (rings_.size() == 0) return;
  thread_ = std::thread([this] { work(); });
}

void DrainedRings::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  thread_.join();
}

std::deque<DrainedRings::Batch> DrainedRings::take(int ms) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(ms), [&] { return !batches_.empty() || ends_; });
  bytes_ = 0;
  return std::exchange(batches_, {});
}

void DrainedRings::work() {
  const auto ends = [&] {
    const std::lock_guard lock(mutex_);
    return ends_;
  };
  while (!ends()) {
    wait_for_rings();
    empty();
  }
  empty();
}

void DrainedRings::wait_for_rings() const {
  std::vector<pollfd> waiting;
  for (std::size_t i = 0; i < rings_.size(); ++i) waiting.push_back({rings_.descriptor(i), POLLIN, 0});
  poll(waiting.data(), waiting.size(), kLookMs);
}

void DrainedRings::empty() {
  {
    const std::lock_guard lock(mutex_);
    if (bytes_ > kMostBytes) return;
  }
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
  changed_.notify_one();
}

}  // namespace evt::record
