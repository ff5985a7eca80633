// Threads in lanes: those of one group of rows whose lives have no column in common share a row.
#pragma once

#include <vector>

#include "sample_rows.h"
#include "span_rows.h"
#include "thread_lives.h"
#include "track.h"

namespace evt::view {

// The lane of each life, by the places of lives; kNone of those that are in none.
using LanePlan = std::vector<std::size_t>;

class Lanes {
 public:
  // They must outlive it.
  Lanes(const ThreadLives& lives, const SpanRows& spans, const SampleRows& samples, const TrackView& view)
      : lives_(&lives), spans_(&spans), samples_(&samples), view_(&view), scale_(&view.zoom.as()) {}

  // Of the threads that a scale has; what goes on does so until this time.
  static LanePlan plan(const ThreadLives& lives, const SpanRows& spans, const Scale& scale, std::int64_t until_ns,
                       const Wanted& wanted);
  // For each lane the row of its threads, if their states are known, and below it those of their samples and spans.
  // Lanes of a process come in the order of how long they run, the longest first.
  std::vector<Track> tracks(const LanePlan& plan, const Wanted& wanted) const;

 private:
  using Lane = std::vector<std::size_t>;  // lives, in order of time

  std::vector<Lane> lanes(const LanePlan& plan) const;
  // Whether the lane has a row that is shown.
  bool shows(const Lane& lane, const std::string& number) const;
  Track threads_of(const Lane& lane, const Wanted& wanted) const;
  std::vector<Track> spans_of(const Lane& lane, const Wanted& wanted) const;
  Track samples_of(const Lane& lane, const Wanted& wanted) const;
  std::vector<Track> tracks_of(const Lane& lane, const std::string& number, const Wanted& wanted) const;
  std::string name_of(const Lane& lane) const;
  void add_bands(const ThreadLives::Life& life, Track* track) const;

  const ThreadLives* lives_;
  const SpanRows* spans_;
  const SampleRows* samples_;
  const TrackView* view_;
  const Scale* scale_;
};

}  // namespace evt::view
