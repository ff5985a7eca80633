#include "row_sort.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

constexpr std::size_t kHead = 8 + 8 + 8;  // in the file: ns, rank, size
constexpr std::size_t kMinBuffer = 4 << 10;
constexpr std::size_t kMaxBuffer = 256 << 10;

}  // namespace

RowSort::~RowSort() {
  if (fd_ >= 0) ::close(fd_);
}

bool RowSort::add(const Row& row) {
  places_.push_back({row.ns, row.rank, bytes_.size(), row.bytes.size()});
  bytes_.insert(bytes_.end(), row.bytes.begin(), row.bytes.end());
  return bytes_.size() + places_.size() * sizeof(Place) < in_memory_ || write_run();
}

void RowSort::sort() {
  const auto is_before = [](const Place& a, const Place& b) {
    return std::tie(a.ns, a.rank, a.offset) < std::tie(b.ns, b.rank, b.offset);
  };
  if (!std::ranges::is_sorted(places_, is_before)) std::ranges::sort(places_, is_before);
}

bool RowSort::write_run() {
  if (fd_ < 0) fd_ = temporary_file();
  if (fd_ < 0) return false;
  sort();
  std::vector<std::byte> out;
  Run run;
  run.at = written_;
  for (const Place& place : places_) {
    const std::uint64_t head[] = {static_cast<std::uint64_t>(place.ns), place.rank, place.size};
    static_assert(sizeof head == kHead);
    const auto* const front = reinterpret_cast<const std::byte*>(head);
    out.insert(out.end(), front, front + kHead);
    const std::byte* const from = bytes_.data() + place.offset;
    out.insert(out.end(), from, from + place.size);
    if (out.size() < kMaxBuffer && &place != &places_.back()) continue;
    if (!write_fully(fd_, out.data(), out.size())) return false;
    written_ += out.size();
    out.clear();
  }
  run.end = written_;
  runs_.push_back(std::move(run));
  bytes_.clear();
  places_.clear();
  return true;
}

bool RowSort::finish() {
  if (runs_.empty()) {
    sort();
    return true;
  }
  if (!places_.empty() && !write_run()) return false;
  bytes_ = {};
  places_ = {};
  buffer_size_ = std::clamp(in_memory_ / runs_.size(), kMinBuffer, kMaxBuffer);
  const auto is_later = [this](std::size_t a, std::size_t b) {
    return std::tie(runs_[b].row.ns, runs_[b].row.rank, b) < std::tie(runs_[a].row.ns, runs_[a].row.rank, a);
  };
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (read(&runs_[i])) heap_.push_back(i);
  }
  std::ranges::make_heap(heap_, is_later);
  return true;
}

// Makes room for `size` bytes after those that were used, and reads them. False if they cannot be read.
bool RowSort::ensure(Run* run, std::size_t size) {
  std::size_t has = run->buffer.size() - run->used;
  if (has >= size) return true;
  run->buffer.erase(run->buffer.begin(), run->buffer.begin() + static_cast<std::ptrdiff_t>(run->used));
  run->used = 0;
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(std::max(size, buffer_size_), has + run->end - run->at));
  run->buffer.resize(wanted);
  const std::size_t more = read_at(fd_, run->at, run->buffer.data() + has, wanted - has);
  has += more;
  run->at += more;
  run->buffer.resize(has);
  return has >= size;
}

// The next row of the run; false after its last.
bool RowSort::read(Run* run) {
  if (run->at == run->end && run->used == run->buffer.size()) return false;
  std::uint64_t head[3];
  if (!ensure(run, kHead)) return is_whole_ = false;
  std::memcpy(head, run->buffer.data() + run->used, kHead);
  const auto size = static_cast<std::size_t>(head[2]);
  if (!ensure(run, kHead + size)) return is_whole_ = false;
  run->row = {static_cast<std::int64_t>(head[0]), head[1], Bytes(run->buffer).subspan(run->used + kHead, size)};
  run->used += kHead + size;
  return true;
}

const RowSort::Row* RowSort::next() {
  if (runs_.empty()) {
    if (at_ == places_.size()) return nullptr;
    const Place& place = places_[at_++];
    row_ = {place.ns, place.rank, Bytes(bytes_).subspan(place.offset, place.size)};
    return &row_;
  }
  const auto is_later = [this](std::size_t a, std::size_t b) {
    return std::tie(runs_[b].row.ns, runs_[b].row.rank, b) < std::tie(runs_[a].row.ns, runs_[a].row.rank, a);
  };
  // Advances the run of the row that was returned.
  if (has_begun_ && !heap_.empty()) {
    std::ranges::pop_heap(heap_, is_later);
    if (read(&runs_[heap_.back()])) {
      std::ranges::push_heap(heap_, is_later);
    } else {
      heap_.pop_back();
    }
  }
  has_begun_ = true;
  return heap_.empty() ? nullptr : &runs_[heap_.front()].row;
}

}  // namespace evt
