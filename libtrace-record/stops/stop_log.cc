#include "stop_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace evt::record {
namespace {

constexpr std::size_t kMoved = StopLog::kInMemory / 2;  // at a time

std::uint64_t since(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
}

bool write_all(int fd, const char* bytes, std::size_t size, off_t at) {
  while (size > 0) {
    const ssize_t written = pwrite(fd, bytes, size, at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
    at += written;
  }
  return true;
}

}  // namespace

StopLog::~StopLog() {
  if (file_ >= 0) close(file_);
}

void StopLog::add(std::int64_t began_ns, std::int64_t ended_ns) {
  ++count_;
  if (in_memory_ > 0) began_ns = std::max(began_ns, memory_[in_memory_ - 1].ended_ns);
  if (ended_ns <= began_ns) return;
  if (in_memory_ == kInMemory && !move_to_file()) merge_closest();
  const std::uint64_t stopped = since(began_ns, ended_ns);
  memory_[in_memory_++] = {began_ns, ended_ns, stopped, total_ns_};
  total_ns_ += stopped;
}

bool StopLog::open_file() {
  if (file_ >= 0) return true;
  file_ = open(folder_.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (file_ >= 0) return true;
  // Not all file systems have files without a name.
  std::string name = folder_ + "/stops-XXXXXX";
  file_ = mkostemp(name.data(), O_CLOEXEC);
  if (file_ >= 0) unlink(name.c_str());
  return file_ >= 0;
}

// The older half.
bool StopLog::move_to_file() {
  if (has_failed_) return false;
  const auto at = static_cast<off_t>(in_file_ * sizeof(Record));
  const auto* const bytes = reinterpret_cast<const char*>(memory_.data());
  has_failed_ = !open_file() || !write_all(file_, bytes, kMoved * sizeof(Record), at);
  if (has_failed_) return false;
  std::copy(memory_.begin() + kMoved, memory_.end(), memory_.begin());
  in_file_ += kMoved;
  in_memory_ -= kMoved;
  return true;
}

// Two neighbours in memory, with the least time between them.
void StopLog::merge_closest() {
  const auto gap = [this](std::size_t i) { return since(memory_[i].ended_ns, memory_[i + 1].began_ns); };
  std::size_t closest = 0;
  for (std::size_t i = 1; i + 1 < in_memory_; ++i) {
    if (gap(i) < gap(closest)) closest = i;
  }
  memory_[closest].ended_ns = memory_[closest + 1].ended_ns;
  memory_[closest].stopped_ns += memory_[closest + 1].stopped_ns;
  std::copy(memory_.begin() + static_cast<std::ptrdiff_t>(closest) + 2,
            memory_.begin() + static_cast<std::ptrdiff_t>(in_memory_),
            memory_.begin() + static_cast<std::ptrdiff_t>(closest) + 1);
  --in_memory_;
}

// Nothing if the file cannot be read.
std::optional<StopLog::Record> StopLog::record(std::uint64_t number) const {
  if (number >= in_file_) return memory_[number - in_file_];
  Record found;
  const auto at = static_cast<off_t>(number * sizeof found);
  if (pread(file_, &found, sizeof found, at) != static_cast<ssize_t>(sizeof found)) return std::nullopt;
  return found;
}

std::optional<std::uint64_t> StopLog::first_ending_after(std::int64_t ns) const {
  std::uint64_t first = 0;
  for (std::uint64_t behind = records(); first < behind;) {
    const std::uint64_t middle = first + (behind - first) / 2;
    const std::optional<Record> found = record(middle);
    if (!found) return std::nullopt;
    if (found->ended_ns > ns) {
      behind = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

std::optional<StopLog::Answer> StopLog::found_between(std::int64_t from_ns, std::int64_t to_ns) const {
  const std::optional<std::uint64_t> first = first_ending_after(from_ns);
  const std::optional<std::uint64_t> last = first_ending_after(to_ns);
  if (!first || !last) return std::nullopt;
  Answer answer;
  // Of one that is partly in between, what must be there and what can be.
  const auto add_part_of = [&](const Record& part) {
    const std::int64_t begin = std::max(from_ns, part.began_ns);
    const std::int64_t end = std::min(to_ns, part.ended_ns);
    if (end <= begin) return;
    const std::uint64_t inside = since(begin, end);
    const std::uint64_t outside = since(part.began_ns, part.ended_ns) - inside;
    answer.least_ns += part.stopped_ns - std::min(part.stopped_ns, outside);
    answer.most_ns += std::min(part.stopped_ns, inside);
  };
  if (*first == records()) return answer;
  const std::optional<Record> begin = record(*first);
  if (!begin) return std::nullopt;
  add_part_of(*begin);
  if (*first == *last) return answer;
  std::uint64_t before_end = total_ns_;
  if (*last < records()) {
    const std::optional<Record> end = record(*last);
    if (!end) return std::nullopt;
    add_part_of(*end);
    before_end = end->before_ns;
  }
  const std::uint64_t between = before_end - (begin->before_ns + begin->stopped_ns);
  answer.least_ns += between;
  answer.most_ns += between;
  return answer;
}

StopLog::Answer StopLog::stopped_between(std::int64_t from_ns, std::int64_t to_ns) const {
  if (to_ns <= from_ns) return {};
  if (const std::optional<Answer> found = found_between(from_ns, to_ns)) return *found;
  return {0, std::min(total_ns_, since(from_ns, to_ns))};
}

}  // namespace evt::record
