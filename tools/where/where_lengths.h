// Which events begin or end something whose length passes a comparison: spans, calls, asynchronous spans.
#pragma once

#include <evt/trace.h>

#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "where_expression.h"

namespace evt::tools {

// Of one session. Memory: a bit for each event, at most.
class WhereEvents {
 public:
  struct Place {
    const StreamInfo* stream = nullptr;  // null: no event
    std::uint64_t ordinal = 0;
  };

  void add(const Place& place) { sets_[place.stream][place.ordinal / kBits].set(place.ordinal % kBits); }
  bool has(const Event& event) const;

 private:
  static constexpr std::uint64_t kBits = 1024;
  using Set = std::unordered_map<std::uint64_t, std::bitset<kBits>>;
  std::unordered_map<const StreamInfo*, Set> sets_;
};

// By sessions and comparisons.
class WhereLengths {
 public:
  void clear() { found_.clear(); }
  // Reads the trace. REQUIRES: the comparisons are of durations, and stay where they are.
  void look_at(Trace& trace, const std::vector<const WhereComparison*>& comparisons);
  // Null where nothing was looked at.
  std::shared_ptr<const WhereEvents> of(const Session& session, const WhereComparison& comparison) const;

 private:
  using OfSession = std::unordered_map<const WhereComparison*, std::shared_ptr<WhereEvents>>;
  std::unordered_map<const Session*, OfSession> found_;
};

}  // namespace evt::tools
