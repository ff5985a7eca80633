// All inputs of a merge, looked at once -> the plan for each: its place in time, the numbers of its clocks and streams,
// and the types and texts that all share.
#pragma once

#include <evt/described_session.h>
#include <evt/merge.h>

#include <map>
#include <string>
#include <vector>

#include "format-spec/src/session/metadata_records.h"
#include "left_out.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "libtrace-read/core/src/trace/trace_data.h"
#include "paired_events.h"
#include "schema_union.h"
#include "time_scale.h"

namespace evt {

struct MergedSession {
  std::size_t input = 0;
  std::uint64_t rows = 0;  // when it was looked at
  std::size_t types = 0;
  bool left_out = false;  // it was already there
  MergedPart part;
  std::vector<MergedPart> parts;  // that the merged session states: this one, or those of a session merged before
  TimeShift shift;
  std::size_t scale = 0;
  std::int64_t start_ns = 0;
  std::int64_t utc_ahead = 0;                     // relative to its own scale, at its start
  std::map<std::uint16_t, std::uint16_t> clocks;  // old ids to new ones
  bool shares_clock = false;
  bool has_utc_of_first = false;  // its own did not determine its place
};

// One clock of the merged session.
struct MergedClock {
  ClockRecord facts;
  std::string host;
  std::string boot;
  std::size_t session = 0;  // the first that has it
  std::size_t scale = 0;
  bool is_shareable = false;               // the only one of its session
  bool is_shared = false;                  // it is
  std::vector<SessionData::Sync> anchors;  // those of all that may share it, on their own scale, in order
};

class MergePlan {
 public:
  explicit MergePlan(const MergeOptions& options) : options_(options) {}

  // Opens every input, one after another.
  Status make();

  const std::vector<MergedSession>& sessions() const { return sessions_; }
  const std::vector<MergedClock>& clocks() const { return clocks_; }
  RecordList& streams() { return streams_; }
  SchemaUnion& schemas() { return schemas_; }
  std::uint64_t bytes() const { return bytes_; }  // size of all inputs
  std::vector<std::string>& notes() { return notes_; }

  // For the merged session; its texts are stored here.
  evt_session_info info();
  std::int64_t start_ns() const { return start_ns_; }
  std::int64_t utc_of(std::int64_t ns) const { return later_ns(ns, utc_ahead_); }
  // Its known part, if its SESSION block is missing.
  static Session::Uuid uuid_of(const SessionData& data);
  // Converts a stream's own number to that of the merged session.
  static std::uint32_t stream_of(const MergedSession& session, const Session& of, std::uint32_t id);
  // The stream for rows whose own stream is unknown.
  static std::uint32_t unknown_stream(const MergedSession& session) {
    return session.part.first_stream + session.part.stream_count - 1;
  }
  std::uint32_t unknown_stream() const { return next_stream_; }

 private:
  // A session that was met: the input's name, and which of its blocks exist.
  struct Seen {
    std::string name;
    std::uint64_t first_block = 0;
    std::uint64_t end_block = 0;
  };

  // A name that a part of an earlier session has.
  struct PartName {
    bool was_merged = false;  // the session
    std::size_t parts = 1;
  };

  void look_at(std::size_t input, Trace& trace);
  void look_at(std::size_t input, Trace& trace, SessionData& data);
  void note_seen_before(const Seen& seen, const MergedSession& again, const SessionData& data);
  void note_sources(const Session& session, const MergedSession& planned);
  void tell_apart(std::vector<MergedPart>* parts, bool were_merged);
  std::string free_name(const std::string& name, bool was_merged);
  std::size_t scale_of(const MergedSession& planned, const SessionData& data);
  void add_clocks(MergedSession& planned, const SessionData& data);
  bool share_clock(MergedSession& planned, const SessionData& data);
  void add_streams(MergedSession& planned, const Trace& trace, const SessionData& data);
  void remember_who(const Session& session);
  Status place();
  void make_uuid();

  static constexpr std::size_t kMaxPrograms = 4;  // in a name

  const MergeOptions& options_;
  std::vector<MergedSession> sessions_;
  std::vector<TimeScale> scales_;
  std::vector<MergedClock> clocks_;
  RecordList streams_;
  std::uint32_t next_stream_ = 1;
  SchemaUnion schemas_;
  SeenMessages messages_{options_.sync_on};
  std::uint64_t bytes_ = 0;
  std::vector<std::string> notes_;
  std::map<Session::Uuid, Seen> seen_;
  std::map<Session::Uuid, std::size_t> sources_;  // what the sessions were made from, and themselves: the first of each
  std::map<std::string, PartName> part_names_;
  Status status_;

  // Who is recorded.
  bool any_ = false;
  std::vector<std::string> programs_;
  std::string program_;
  std::string host_;
  std::string boot_;
  std::uint64_t pid_ = 0;
  std::int64_t start_ns_ = 0;
  std::int64_t utc_ahead_ = 0;  // relative to the merged scale, from the first session
  Session::Uuid uuid_{};
  std::vector<Session::Uuid> origins_;
  std::vector<evt_merged_part> parts_;
  std::optional<LeftOut> left_out_;  // left out of some of them
  std::optional<DescribedLeftOut> described_left_out_;
};

}  // namespace evt
