// Sorts records, which may exceed memory.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"
#include "libtrace-read/core/src/order/row_order.h"

namespace evt {

// Takes all of them, then returns them in order of `<`, which compares `epoch`, then `at_ns` first; epochs of added
// records never decrease. Records that do not fit in memory are sorted in parts, which go to an unlinked temporary
// file.
template <typename T>
class SortedSpool {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  SortedSpool() = default;
  SortedSpool(const SortedSpool&) = delete;
  SortedSpool& operator=(const SortedSpool&) = delete;
  ~SortedSpool() {
    if (fd_ >= 0) ::close(fd_);
  }

  // Returns false, with errno set, if there is no room for it.
  bool add(const T& record) {
    if (records_.size() == records_.capacity()) make_room();
    records_.push_back(record);
    first_ns_ = std::min(first_ns_, record.at_ns);
    last_ns_ = std::max(last_ns_, record.at_ns);
    return records_.size() < kInMemory || write_part();
  }

  // Ends adding. Returns false like add().
  bool finish() {
    if (parts_.empty()) {
      sort();
      return true;
    }
    if (!records_.empty() && !write_part()) return false;
    records_ = {};
    buffer_ = std::clamp<std::size_t>(kInMemory / parts_.size(), kBuffer / 32, kBuffer);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      fill(&parts_[i]);
      if (!parts_[i].buffer.empty()) heap_.push_back(i);
    }
    std::ranges::make_heap(heap_, Later{this});
    return true;
  }

  // The next one; null after the last. REQUIRES: finish().
  const T* first() const {
    if (parts_.empty()) return at_ < records_.size() ? &sorted(at_) : nullptr;
    return heap_.empty() ? nullptr : &first_of(heap_.front());
  }
  // Number of those removed; none if they did not fit in memory.
  std::optional<std::size_t> place() const { return parts_.empty() ? std::optional(at_) : std::nullopt; }
  // All from a place() on, to be read again.
  SortedSpool(const SortedSpool& other, std::size_t place) : first_ns_(other.first_ns_), last_ns_(other.last_ns_) {
    for (; place < other.records_.size(); ++place) records_.push_back(other.sorted(place));
    sort();
  }
  void pop() {
    if (parts_.empty()) {
      ++at_;
      return;
    }
    Part& part = parts_[heap_.front()];
    if (++part.at == part.buffer.size()) fill(&part);
    // Usually the next one is in the same part.
    if (!part.buffer.empty() && is_still_first()) return;
    std::ranges::pop_heap(heap_, Later{this});
    if (part.buffer.empty()) {
      heap_.pop_back();
    } else {
      std::ranges::push_heap(heap_, Later{this});
    }
  }

 private:
  struct Part {
    std::size_t next = 0;  // in the file, not in the buffer yet
    std::size_t left = 0;
    std::size_t at = 0;
    std::vector<T> buffer;
  };
  struct Later {
    bool operator()(std::size_t a, std::size_t b) const { return of->first_of(b) < of->first_of(a); }
    const SortedSpool* of;
  };
  static constexpr unsigned kPlaceBits = 18;
  static constexpr std::size_t kInMemory = std::size_t{1} << kPlaceBits;
  static constexpr std::size_t kBuffer = 2048;

  // Beyond a few, for all that memory may have: pages of memory that are never used cost nothing, and copies do.
  void make_room() { records_.reserve(records_.size() < kBuffer ? kBuffer : kInMemory); }

  const T& first_of(std::size_t part) const { return parts_[part].buffer[parts_[part].at]; }
  const T& sorted(std::size_t place) const { return records_[order_[place] % kInMemory]; }

  bool is_still_first() const {
    const std::size_t children = std::min<std::size_t>(heap_.size(), 3);
    for (std::size_t i = 1; i < children; ++i) {
      if (first_of(heap_[i]) < first_of(heap_[0])) return false;
    }
    return true;
  }

  // Makes their order: the index of each, in the low bits. Usually the latest of one time is first.
  void sort() {
    const std::size_t count = records_.size();
    if (count == 0) return;
    if (!sorter_) {  // for all parts: no later one is larger
      order_ = std::make_unique_for_overwrite<std::uint64_t[]>(count);
      sorter_.emplace(count);
    }
    const auto from = static_cast<std::uint64_t>(first_ns_);
    const auto range = static_cast<std::uint64_t>(last_ns_) - from;
    const bool has_keys = range >> (64 - kPlaceBits) == 0 && records_.front().epoch == records_.back().epoch;
    std::vector<std::size_t> runs;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = count - 1 - i;
      const std::uint64_t key = has_keys ? static_cast<std::uint64_t>(records_[place].at_ns) - from : 0;
      order_[i] = key << kPlaceBits | place;
      if (i > 0 && key < order_[i - 1] >> kPlaceBits) runs.push_back(i);
    }
    runs.push_back(count);
    sorter_->sort(order_, runs, kPlaceBits);
    sort_equal();
  }
  void sort_equal() {
    const auto before = [this](std::uint64_t a, std::uint64_t b) {
      return records_[a % kInMemory] < records_[b % kInMemory];
    };
    std::uint64_t* const end = order_.get() + records_.size();
    for (std::uint64_t *first = order_.get(), *last = first; first != end; first = last) {
      do ++last;
      while (last != end && *last >> kPlaceBits == *first >> kPlaceBits);
      if (last - first > 1) std::sort(first, last, before);
    }
  }

  bool write_part() {
    if (fd_ < 0) fd_ = temporary_file();
    if (fd_ < 0) return false;
    sort();
    std::vector<T> buffer;
    for (std::size_t i = 0; i < records_.size();) {
      buffer.clear();
      while (i < records_.size() && buffer.size() < kBuffer) buffer.push_back(sorted(i++));
      const auto* const bytes = reinterpret_cast<const std::byte*>(buffer.data());
      if (!write_fully(fd_, bytes, buffer.size() * sizeof(T))) return false;
    }
    parts_.push_back({written_, records_.size(), 0, {}});
    written_ += records_.size();
    records_.clear();
    first_ns_ = INT64_MAX;
    last_ns_ = INT64_MIN;
    return true;
  }

  // A part that cannot be read again is skipped.
  void fill(Part* part) {
    part->at = 0;
    part->buffer.resize(std::min(part->left, buffer_));
    const std::size_t size = part->buffer.size() * sizeof(T);
    const std::size_t done = read_at(fd_, part->next * sizeof(T), part->buffer.data(), size);
    part->buffer.resize(done / sizeof(T));
    part->next += part->buffer.size();
    part->left = part->buffer.empty() ? 0 : part->left - part->buffer.size();
  }

  std::vector<T> records_;
  std::int64_t first_ns_ = INT64_MAX;  // the records'
  std::int64_t last_ns_ = INT64_MIN;
  std::unique_ptr<std::uint64_t[]> order_;
  std::optional<RowOrder> sorter_;
  std::size_t at_ = 0;
  int fd_ = -1;
  std::vector<Part> parts_;
  std::vector<std::size_t> heap_;
  std::size_t written_ = 0;
  std::size_t buffer_ = kBuffer;  // size of a part's buffer, in records
};

}  // namespace evt
