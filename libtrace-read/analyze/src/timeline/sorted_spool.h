// Records in order, of which there may be more than memory has room for.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {

// Takes all of them, then hands them out in order of `<`. What has no room in memory is sorted in parts, which go to an
// unlinked temporary file.
template <typename T>
class SortedSpool {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  explicit SortedSpool(std::size_t in_memory) : in_memory_(in_memory) {}
  SortedSpool(const SortedSpool&) = delete;
  SortedSpool& operator=(const SortedSpool&) = delete;
  ~SortedSpool() {
    if (fd_ >= 0) ::close(fd_);
  }

  // False, with errno set, when there is no room for it.
  bool add(const T& record) {
    records_.push_back(record);
    return records_.size() < in_memory_ || write_part();
  }

  // No more come. False as above.
  bool finish() {
    if (parts_.empty()) {
      std::sort(records_.begin(), records_.end());
      return true;
    }
    if (!records_.empty() && !write_part()) return false;
    records_ = {};
    for (Part& part : parts_) fill(&part);
    const auto later = [this](std::size_t a, std::size_t b) { return is_later(a, b); };
    for (std::size_t i = 0; i < parts_.size(); ++i) heap_.push_back(i);
    std::make_heap(heap_.begin(), heap_.end(), later);
    return true;
  }

  // The next one; null behind the last. REQUIRES: finish().
  const T* first() const {
    if (parts_.empty()) return at_ < records_.size() ? &records_[at_] : nullptr;
    return heap_.empty() ? nullptr : &parts_[heap_.front()].buffer[parts_[heap_.front()].at];
  }
  // How many are gone; none of what had no room in memory.
  std::optional<std::size_t> place() const { return parts_.empty() ? std::optional(at_) : std::nullopt; }
  // All from a place() on, to be taken again.
  SortedSpool(const SortedSpool& other, std::size_t place)
      : in_memory_(other.in_memory_),
        records_(other.records_.begin() + static_cast<std::ptrdiff_t>(place), other.records_.end()) {}
  void pop() {
    if (parts_.empty()) {
      ++at_;
      return;
    }
    const auto later = [this](std::size_t a, std::size_t b) { return is_later(a, b); };
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Part& part = parts_[heap_.back()];
    if (++part.at == part.buffer.size()) fill(&part);
    if (part.buffer.empty()) {
      heap_.pop_back();
    } else {
      std::push_heap(heap_.begin(), heap_.end(), later);
    }
  }

 private:
  struct Part {
    std::size_t next = 0;  // in the file, which is not in the buffer yet
    std::size_t left = 0;
    std::size_t at = 0;
    std::vector<T> buffer;
  };
  static constexpr std::size_t kBuffer = 2048;

  bool is_later(std::size_t a, std::size_t b) const {
    return parts_[b].buffer[parts_[b].at] < parts_[a].buffer[parts_[a].at];
  }

  bool write_part() {
    if (fd_ < 0) fd_ = temporary_file();
    if (fd_ < 0) return false;
    std::sort(records_.begin(), records_.end());
    const auto* const bytes = reinterpret_cast<const std::byte*>(records_.data());
    if (!write_fully(fd_, bytes, records_.size() * sizeof(T))) return false;
    parts_.push_back({written_, records_.size(), 0, {}});
    written_ += records_.size();
    records_.clear();
    return true;
  }

  // What cannot be read again is as if it had not been: reading goes on behind it.
  void fill(Part* part) {
    part->at = 0;
    part->buffer.resize(std::min(part->left, kBuffer));
    const std::size_t size = part->buffer.size() * sizeof(T);
    const std::size_t done = read_at(fd_, part->next * sizeof(T), part->buffer.data(), size);
    part->buffer.resize(done / sizeof(T));
    part->next += part->buffer.size();
    part->left = part->buffer.empty() ? 0 : part->left - part->buffer.size();
  }

  std::size_t in_memory_;
  std::vector<T> records_;
  std::size_t at_ = 0;
  std::vector<Part> parts_;
  std::vector<std::size_t> heap_;  // of parts; the one with the earliest record first
  std::size_t written_ = 0;        // records
  int fd_ = -1;
};

}  // namespace evt
