#include "panels.h"

#include <fmt/core.h>

#include "base/table.h"
#include "libtrace-read/report/shared/session_range.h"

namespace evt::tools {

// Both ends may be before the session's end: which is first is not known before.
Status check_range(const Selection& selection, const Trace& trace) {
  for (const Session& session : trace.sessions()) {
    const TimeRange asked = selection.range(session);
    if (asked.from_ns >= asked.to_ns) return {Code::kInvalid, "--from and --to leave no time"};
  }
  return {};
}

Status Panels::add(Trace& trace, const std::string& name) {
  if (Status status = check_range(*selection_, trace); !status.ok()) return status;
  Timeline::Options options;
  options.range = [this](const Session& session) { return report::range_in(session, range_); };
  Timeline timeline(trace, options);
  while (timeline.next_session()) {
    const std::string& program = timeline.actors().session().program;
    const Status status = add_session(timeline, program.empty() ? name : fmt::format("{}: {}", name, program));
    if (!status.ok()) return status;
  }
  progress_.clear();
  return timeline.status().code() == Code::kIo ? timeline.status() : Status();
}

Status Panels::add_session(Timeline& timeline, const std::string& heading) {
  const TimeRange range = report::range_in(timeline, range_);
  const bool is_outside = selection_->is_limited() && range.from_ns >= range.to_ns;
  if (timeline.actors().session().rows == 0 || is_outside) return {};
  const view::Scale scale(range.from_ns, range.to_ns, columns_);
  view::Rows rows(timeline, scale);
  std::uint64_t seen = 0;
  while (const TimelineItem* const item = timeline.next()) {
    if (item->kind == ItemKind::kRow) {
      if (++seen % 65536 == 0) progress_.show(length_of({range.from_ns, item->ns}), length_of(range));
    }
    rows.take(*item);
  }
  std::vector<view::Track> tracks = wanted_tracks(rows);
  if (!tracks.empty()) panels_.push_back({heading, scale, std::move(tracks), rows.groups()});
  return {};
}

// A trace of events that have no roles has rows of events alone.
std::vector<view::Track> Panels::wanted_tracks(const view::Rows& rows) const {
  std::vector<view::Track> tracks =
      rows.tracks([this](view::TrackKind kind, const std::string& name) { return choice_->wants(kind, name); },
                  rows.scale().to_ns());
  std::erase_if(tracks, [&](const view::Track& track) {
    const bool is_recorder = track.group < rows.groups().size() && rows.groups()[track.group].is_recorder;
    return is_recorder && !choice_->is_made();
  });
  if (!tracks.empty() || choice_->is_made()) return tracks;
  return rows.tracks([](view::TrackKind kind, const std::string&) { return kind == view::TrackKind::kEvents; },
                     rows.scale().to_ns());
}

}  // namespace evt::tools
