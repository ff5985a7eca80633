// Where rows of streams were lost, and when the process was stopped.
#pragma once

#include <evt/timeline.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "bands.h"

namespace evt::view {

// The streams that a row is of, by their places in the session.
class StreamSet {
 public:
  StreamSet() = default;
  StreamSet(std::initializer_list<std::uint32_t> streams) {
    for (const std::uint32_t stream : streams) insert(stream);
  }

  void insert(std::uint32_t stream) {
    if (stream < 64) {
      first_ |= bit(stream);
      return;
    }
    const std::size_t word = stream / 64 - 1;
    if (word >= others_.size()) others_.resize(word + 1);
    others_[word] |= bit(stream);
  }
  bool contains(std::uint32_t stream) const {
    if (stream < 64) return (first_ & bit(stream)) != 0;
    const std::size_t word = stream / 64 - 1;
    return word < others_.size() && (others_[word] & bit(stream)) != 0;
  }
  // The first for which the test is true; nothing if it is for none.
  template <typename Test>
  std::optional<std::uint32_t> find_if(Test test) const {
    for (std::size_t word = 0; word <= others_.size(); ++word) {
      for (std::uint64_t bits = word == 0 ? first_ : others_[word - 1]; bits != 0; bits &= bits - 1) {
        const auto stream = static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
        if (test(stream)) return stream;
      }
    }
    return {};
  }

 private:
  static std::uint64_t bit(std::uint32_t stream) { return std::uint64_t{1} << stream % 64; }

  std::uint64_t first_ = 0;  // most sessions have no others
  std::vector<std::uint64_t> others_;
};

class Losses {
 public:
  Losses(const Session& session, const Scale& scale) : session_(&session), scale_(&scale) {}

  void take(const TimelineItem& item) {
    const bool is_of_stop = item.kind == ItemKind::kStopBegan || item.kind == ItemKind::kStopEnded;
    if (item.kind == ItemKind::kLost || is_of_stop) note(item);
  }
  // What another is, without its columns.
  void go_on_from(const Losses& other) { stops_since_ = other.stops_since_; }
  void coarsen();
  // All of it in the columns of zoom.as().
  Losses seen(const Zoom& zoom) const;
  std::size_t size() const;
  // Of these streams, and of those that are not known.
  Bands lost(const StreamSet& streams) const;
  // Of the part, and of all; Actor::kNone: of all alone.
  Bands stopped(std::uint32_t part) const;

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  void note(const TimelineItem& item);

  const Session* session_;
  const Scale* scale_;
  std::map<std::uint32_t, Bands> lost_;                // by stream
  std::map<std::uint32_t, Bands> stopped_;             // by part
  std::map<std::uint32_t, std::int64_t> stops_since_;  // the same, of those that go on
};

}  // namespace evt::view
