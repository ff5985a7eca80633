// Threads in lanes: those whose lives have no column in common share a row.
#pragma once

#include <functional>
#include <vector>

#include "span_rows.h"
#include "thread_lives.h"
#include "track.h"

namespace evt::view {

// The lane of each life, by the places of lives; kNone of those that are in none.
using LanePlan = std::vector<std::size_t>;

class Lanes {
 public:
  using Wanted = std::function<bool(TrackKind, const std::string& name)>;

  Lanes(const ThreadLives& lives, const SpanRows& spans, const Losses& losses, const Scale& scale)
      : lives_(&lives), spans_(&spans), losses_(&losses), scale_(&scale) {}

  LanePlan plan(const Wanted& wanted) const;
  // For each lane the row of its threads, if their states are known, and below it those of their spans.
  std::vector<Track> tracks(const LanePlan& plan, const Wanted& wanted) const;

 private:
  using Lane = std::vector<std::size_t>;  // lives, in order of time

  std::vector<Lane> lanes(const LanePlan& plan) const;
  bool is_seen(const ThreadLives::Life& life) const;
  // The first column behind it.
  std::uint32_t end_of(const ThreadLives::Life& life) const;
  Track threads_of(const Lane& lane, const Wanted& wanted) const;
  std::vector<Track> spans_of(const Lane& lane, const Wanted& wanted) const;
  std::string name_of(const Lane& lane) const;
  void add_bands(const ThreadLives::Life& life, Track* track) const;

  const ThreadLives* lives_;
  const SpanRows* spans_;
  const Losses* losses_;
  const Scale* scale_;
};

}  // namespace evt::view
