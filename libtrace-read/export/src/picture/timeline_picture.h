// A timeline as drawn elements: slices, instants, counters and states, on tracks.
#pragma once

#include <evt/analysis/counters.h>
#include <evt/analysis/stated_stacks.h>
#include <evt/export/timeline_export.h>
#include <evt/open_stack.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "picture_format.h"
#include "system_numbers.h"

namespace evt {

// Spans and calls that end while others that began inside of them are still open. Formats of slices cannot hold these
// among the others of their thread, which must be known when they begin: so the items are read twice.
class OverlappingSpans {
 public:
  // The first time: items in order.
  void look(const TimelineItem& item);
  // The rest is of the first session again.
  void begin_again();

  // The second time, for each item that begins or ends a span or a call: its number, from 1 on, if it is one of them.
  std::optional<std::uint64_t> number_of(const TimelineItem& item);
  std::size_t size() const { return numbers_.size(); }

 private:
  std::uint64_t take(const TimelineItem& item);

  std::uint64_t count_ = 0;             // how many have begun
  OpenStacks<std::uint64_t> open_;      // their numbers
  std::vector<std::uint64_t> numbers_;  // numbers of those that overlap
};

class TimelinePicture : public TimelineExport {
 public:
  explicit TimelinePicture(std::unique_ptr<PictureFormat> format) : format_(std::move(format)) {}

  bool looks_first() const override { return true; }
  void look(const TimelineItem& item) override { overlaps_.look(item); }
  void begin(TextBuffer& out, const Trace& trace) override;
  void begin_session(TextBuffer& out, Timeline& timeline) override;
  void take(TextBuffer& out, const TimelineItem& item) override;
  void end_session(TextBuffer& out) override;
  void end(TextBuffer& out) override { format_->end(out); }
  std::vector<std::string> left_out() const override;

 private:
  std::int64_t at(std::int64_t ns) const { return ns + offset_ns_; }
  std::string_view name_of(std::uint32_t name) const { return timeline_->names().text(name); }
  PictureTrack thread(TextBuffer& out, std::uint32_t thread);
  PictureTrack own_track(TextBuffer& out, std::string_view process, std::int64_t number, std::string_view name);
  void name_process(TextBuffer& out, std::int64_t process, std::string_view name);
  void name_track(TextBuffer& out, PictureTrack track, std::string_view name, bool is_thread);
  void take_row(TextBuffer& out, const TimelineItem& item);
  void take_counter(TextBuffer& out, const TimelineItem& item, std::uint32_t which);
  bool take_sample(TextBuffer& out, const TimelineItem& item, std::uint32_t who);
  void take_async(TextBuffer& out, const TimelineItem& item);
  void take_state(TextBuffer& out, const TimelineItem& item);
  void take_span(TextBuffer& out, const TimelineItem& item);
  void take_collector(TextBuffer& out, const TimelineItem& item);
  void take_stop(TextBuffer& out, const TimelineItem& item);
  void take_loss(TextBuffer& out, const TimelineItem& item);
  std::optional<PictureFlow> flow_of(const RoleEvent& event) const;
  void whole(TextBuffer& out, std::int64_t from_ns, std::int64_t to_ns, PictureTrack track, std::string_view name);

  std::unique_ptr<PictureFormat> format_;
  OverlappingSpans overlaps_;
  SystemNumbers numbers_;
  std::int64_t base_ns_ = 0;           // when the earliest session began
  std::uint32_t counters_before_ = 0;  // from earlier sessions
  std::uint64_t not_timed_ = 0;
  std::uint64_t unmatched_ = 0;
  std::uint64_t uncertain_ = 0;
  std::set<std::int64_t> named_processes_;
  std::map<PictureTrack, std::string> named_tracks_;
  // The session's.
  Timeline* timeline_ = nullptr;
  std::optional<Counters> counters_;
  std::optional<StatedStacks> stacks_;
  std::int64_t offset_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::map<std::uint32_t, std::int64_t> stops_since_;  // by part
};

}  // namespace evt
