#include "merge_plan.h"

#include <evt/saturating_add.h>
#include <evt/timeline.h>
#include <fmt/core.h>

#include <algorithm>

#include "merged_parts.h"
#include "row_rewrite.h"
#include "uuid_digest.h"

namespace evt {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::size_t kMaxAnchors =
    1024;  // for a clock that may be shared; if there are more, every second one is kept

bool is_of_machine(const ClockInfo& clock) { return clock.kind >= EVT_CLOCK_MONOTONIC && clock.kind < EVT_CLOCK_OTHER; }

std::string boot_of(const Session& session) {
  for (const ClockInfo& clock : session.clocks) {
    if (!is_of_machine(clock)) return "";
    if (!clock.boot_id.empty() && clock.boot_id != session.boot_id) return "";
  }
  return session.clocks.empty() ? "" : session.boot_id;
}

// Keeps a value that both sessions share, or none.
template <typename T>
void keep_common(const T& value, T* common) {
  if (value != *common) *common = T();
}

void add_anchors(const std::vector<SessionData::Sync>& from, MergedClock* clock) {
  std::vector<SessionData::Sync>& anchors = clock->anchors;
  anchors.insert(anchors.end(), from.begin(), from.end());
  std::stable_sort(anchors.begin(), anchors.end(), [](const auto& a, const auto& b) { return a.ticks < b.ticks; });
  while (anchors.size() > kMaxAnchors) {
    for (std::size_t i = 1; 2 * i < anchors.size(); ++i) anchors[i] = anchors[2 * i];
    anchors.resize((anchors.size() + 1) / 2);
  }
}

}  // namespace

Status MergePlan::make() {
  for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
    auto trace = options_.open(i);
    if (!trace) return trace.status();
    look_at(i, **trace);
    if (!status_.ok()) return status_;
  }
  Status status = place();
  if (status.ok()) make_uuid();
  return status;
}

Session::Uuid MergePlan::uuid_of(const SessionData& data) {
  Session::Uuid uuid = data.session->uuid;
  if (!data.session->declared) evt_store_u64(uuid.data(), data.id);
  return uuid;
}

void MergePlan::look_at(std::size_t input, Trace& trace) {
  bytes_ += trace.size();
  for (SessionData& data : TraceData::of(trace).data) look_at(input, trace, data);
}

void MergePlan::look_at(std::size_t input, Trace& trace, SessionData& data) {
  const Session& session = *data.session;
  MergedSession& planned = sessions_.emplace_back();
  planned.input = input;
  planned.rows = session.rows;
  planned.types = session.types.size();
  planned.part.origin = uuid_of(data);
  planned.part.name = options_.inputs[input].name;
  const std::optional<LeftOut> left_out = session.left_out_of_copies();
  planned.part.ended = !left_out || !left_out->has_range || left_out->to_ns == INT64_MAX;
  planned.start_ns = session.start_ns;
  planned.utc_ahead = distance_ns(session.start_ns, session.start_utc_ns);
  const Seen here{planned.part.name, data.first_block_no, data.next_block_no};
  const auto [seen, is_new] = seen_.try_emplace(planned.part.origin, here);
  if (!is_new) {
    planned.left_out = true;
    return note_seen_before(seen->second, planned, data);
  }
  if (note_sources(session, planned); !status_.ok()) return;
  if (has_twins(session) && cut_of(session).from_ns != INT64_MIN) {
    notes_.push_back(fmt::format("{}: a cut of a session: what it repeats from before its first moment does not count",
                                 planned.part.name));
  }
  planned.scale = scale_of(planned, data);
  add_clocks(planned, data);
  add_streams(planned, trace, data);
  planned.parts = renumbered_parts(session, planned.part.first_stream);
  take_session(session, schemas_);
  remember_who(session);
  add_left_out(left_out, &left_out_);
  if (!options_.sync_on.empty()) messages_.read(trace, session, planned.scale);
}

// Other segments of a session are not copies of it.
void MergePlan::note_seen_before(const Seen& seen, const MergedSession& again, const SessionData& data) {
  const std::string& name = again.part.name;
  const bool is_segment = data.first_block_no > 0 || seen.first_block > 0 || data.session->goes_on;
  const bool is_same = data.first_block_no == seen.first_block && data.next_block_no == seen.end_block;
  if (is_segment && !is_same) {
    status_ = {Code::kInvalid,
               fmt::format("{} and {} have segments of one session, which are merged only as one input: "
                           "expected each segment in a file of its own, or all in one file",
                           seen.name, name)};
    return;
  }
  notes_.push_back(fmt::format("{}: left out: its session is in {} already", name, seen.name));
}

// A session that two inputs share would count twice. Sessions list their origins, but not the origins of these.
void MergePlan::note_sources(const Session& session, const MergedSession& planned) {
  std::vector<Session::Uuid> sources = session.origins;
  sources.push_back(planned.part.origin);
  for (const Session::Uuid& source : sources) {
    const auto [known, is_new] = sources_.try_emplace(source, sessions_.size() - 1);
    if (is_new || known->second == sessions_.size() - 1) continue;
    status_ = {Code::kInvalid, fmt::format("{} and {} have events of one session, which would count twice: "
                                           "expected each session in one input",
                                           sessions_[known->second].part.name, planned.part.name)};
    return;
  }
}

// Parts of one name could not be told apart in tables, nor chosen. One session may have several, of one process; and
// whoever names the inputs may give several the same.
void MergePlan::tell_apart(std::vector<MergedPart>* parts, bool were_merged) {
  std::map<std::string, std::string> names;
  for (MergedPart& part : *parts) {
    const auto [own, is_new] = names.try_emplace(part.name, part.name);
    if (is_new) own->second = free_name(part.name, were_merged);
    part.name = own->second;
  }
}

std::string MergePlan::free_name(const std::string& name, bool was_merged) {
  const auto [taken, is_new] = part_names_.try_emplace(name, PartName{was_merged});
  if (is_new || name.empty() || !(was_merged || taken->second.was_merged)) return name;
  std::string own;
  do {
    own = fmt::format("{}({})", name, ++taken->second.parts);
  } while (!part_names_.try_emplace(own, PartName{was_merged}).second);
  return own;
}

std::size_t MergePlan::scale_of(const MergedSession& planned, const SessionData& data) {
  const Session& session = *data.session;
  const std::string boot = boot_of(session);
  auto place = std::find_if(scales_.begin(), scales_.end(),
                            [&](const TimeScale& scale) { return !boot.empty() && scale.boot == boot; });
  if (place == scales_.end()) {
    place = scales_.insert(place, TimeScale());
    place->boot = boot;
    place->name = planned.part.name;
  }
  const auto note = [&](std::int64_t ns, std::int64_t utc_ns) {
    place->least_utc = std::min(place->least_utc, distance_ns(ns, utc_ns));
    place->most_utc = std::max(place->most_utc, distance_ns(ns, utc_ns));
  };
  note(session.start_ns, session.start_utc_ns);
  for (const SessionData::Sync& sync : data.syncs) {
    note(sync.ns, sync.utc_ns);
    place->uncertainty_ns = std::max(place->uncertainty_ns, sync.uncertainty_ns);
  }
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows == 0) continue;
    place->first_ns = std::min(place->first_ns, later_ns(session.start_ns, stream.first_ns));
    place->last_ns = std::max(place->last_ns, later_ns(session.start_ns, stream.last_ns));
  }
  return static_cast<std::size_t>(place - scales_.begin());
}

void MergePlan::add_clocks(MergedSession& planned, const SessionData& data) {
  const std::vector<ClockInfo>& own = data.session->clocks;
  const bool is_shareable =
      own.size() == 1 && !scales_[planned.scale].boot.empty() && options_.inputs[planned.input].offset_ns == 0;
  if (is_shareable && share_clock(planned, data)) return;
  for (const ClockInfo& clock : own) {
    MergedClock& added = clocks_.emplace_back();
    added.facts = {static_cast<std::uint16_t>(clocks_.size()),
                   clock.kind,
                   clock.hz,
                   clock.start_ticks,
                   clock.start_ns,
                   clock.tolerance_ns,
                   clock.hz_denominator};
    added.host = clock.host.empty() ? data.session->host : clock.host;
    added.boot = clock.boot_id.empty() ? data.session->boot_id : clock.boot_id;
    added.session = sessions_.size() - 1;
    added.scale = planned.scale;
    added.is_shareable = is_shareable;
    if (is_shareable) add_anchors(data.syncs, &added);
    planned.clocks[clock.id] = added.facts.id;
  }
  if (!own.empty() || data.session->rows == 0) return;
  // No clock places its rows in time, but a LOST row can count them as lost.
  MergedClock& made = clocks_.emplace_back();
  made.facts.id = static_cast<std::uint16_t>(clocks_.size());
  made.facts.kind = EVT_CLOCK_OTHER;
  made.facts.hz = kNanosecondsPerSecond;
  made.facts.start_ns = data.session->start_ns;
  made.session = sessions_.size() - 1;
  made.scale = planned.scale;
  planned.clocks[0] = made.facts.id;
}

// Ticks of one counter are compared unchanged, whatever rate each session measured. A session that begins after a
// suspend has another epoch of the clock of an earlier one.
bool MergePlan::share_clock(MergedSession& planned, const SessionData& data) {
  const ClockInfo& own = data.session->clocks.front();
  const auto shared = std::find_if(clocks_.begin(), clocks_.end(), [&](const MergedClock& clock) {
    return clock.is_shareable && clock.scale == planned.scale && clock.facts.kind == own.kind &&
           is_same_epoch(clock.facts.start_ticks, clock.facts.start_ns, own);
  });
  if (shared == clocks_.end()) return false;
  ClockRecord& facts = shared->facts;
  shared->is_shared = true;
  facts.tolerance_ns = std::max(facts.tolerance_ns, own.tolerance_ns);
  // Their anchors make one line, which begins where the first of them did.
  SessionData::Sync start = {own.id, own.start_ticks, own.start_ns, 0, 0, true};
  if (start.ticks < facts.start_ticks) {
    std::swap(start.ticks, facts.start_ticks);
    std::swap(start.ns, facts.start_ns);
  }
  start.utc_ns = later_ns(start.ns, planned.utc_ahead);
  add_anchors({start}, &*shared);
  add_anchors(data.syncs, &*shared);
  planned.clocks[own.id] = facts.id;
  planned.shares_clock = true;
  return true;
}

void MergePlan::add_streams(MergedSession& planned, const Trace& trace, const SessionData& data) {
  const Session& session = *data.session;
  planned.part.first_stream = next_stream_;
  for (const StreamInfo& stream : session.streams) {
    const std::uint32_t id = next_stream_++;
    if (!stream.declared) continue;
    evt_stream_info info = {};
    info.name = stream.declared_name.c_str();
    info.id = id;
    info.thread = stream.thread;
    info.process = stream.process != 0 ? stream.process : session.pid;
    append_stream_record(streams_.next(), info);
  }
  const bool any_unknown = std::any_of(trace.missing().begin(), trace.missing().end(), [&](const MissingRows& missing) {
    return missing.session == data.number && missing.stream == 0;
  });
  if (any_unknown) ++next_stream_;
  planned.part.stream_count = next_stream_ - planned.part.first_stream;
}

std::uint32_t MergePlan::stream_of(const MergedSession& session, const Session& of, std::uint32_t id) {
  const auto place = std::lower_bound(of.streams.begin(), of.streams.end(), id,
                                      [](const StreamInfo& info, std::uint32_t wanted) { return info.id < wanted; });
  return session.part.first_stream + static_cast<std::uint32_t>(place - of.streams.begin());
}

void MergePlan::remember_who(const Session& session) {
  const bool is_known = std::find(programs_.begin(), programs_.end(), session.program) != programs_.end();
  if (!is_known && programs_.size() <= kMaxPrograms) programs_.push_back(session.program);
  if (!any_) {
    host_ = session.host;
    boot_ = session.boot_id;
    pid_ = session.pid;
  }
  any_ = true;
  keep_common(session.host, &host_);
  keep_common(session.boot_id, &boot_);
  keep_common(session.pid, &pid_);
}

Status MergePlan::place() {
  if (clocks_.size() > UINT16_MAX) {
    return {Code::kInvalid, fmt::format("the inputs have {} clocks, one trace has at most 65535", clocks_.size())};
  }
  Status status = place_in_time(scales_, messages_.pairs(), !options_.sync_on.empty(), &notes_);
  if (!status.ok()) return status;
  bool is_first = true;
  for (MergedSession& session : sessions_) {
    if (session.left_out) continue;
    const TimeScale& scale = scales_[session.scale];
    const std::int64_t by_hand = options_.inputs[session.input].offset_ns;
    session.shift = scale.shift;
    session.shift.offset_ns = later_ns(session.shift.offset_ns, by_hand);
    MergedPart& part = session.part;
    part.alignment = scale.alignment;
    part.bound_ns = scale.bound_ns;
    if (session.scale == 0 && !is_first) {
      const bool is_same = session.shares_clock && clocks_[session.clocks.begin()->second - 1u].session == 0;
      part.alignment = is_same ? EVT_ALIGNED_SAME_CLOCK : EVT_ALIGNED_SAME_BOOT;
      part.bound_ns = is_same ? 0 : scale.uncertainty_ns;
      saturating_add(&part.bound_ns, part.bound_ns);
    }
    if (by_hand != 0) part.alignment = EVT_ALIGNED_BY_HAND;
    part.offset_ns = session.shift.offset_ns;
    part.drift_ps = session.shift.drift_ps;
    part.pivot_ns = session.shift.pivot_ns;
    for (MergedPart& each : session.parts) align_within(part, &each);
    const bool were_merged = !session.parts.empty();
    if (!were_merged) session.parts.push_back(part);
    tell_apart(&session.parts, were_merged);
    const std::int64_t start = session.shift.apply(session.start_ns);
    start_ns_ = is_first ? start : std::min(start, start_ns_);
    if (is_first) utc_ahead_ = distance_ns(start, later_ns(session.start_ns, session.utc_ahead));
    session.has_utc_of_first = part.alignment == EVT_ALIGNED_MESSAGES || part.alignment == EVT_ALIGNED_BY_HAND;
    is_first = false;
  }
  return {};
}

void MergePlan::make_uuid() {
  UuidDigest digest;
  for (const MergedSession& session : sessions_) {
    if (session.left_out) continue;
    digest.add(session.part.origin);
    digest.add(session.part.name);
    digest.add(session.rows);
    digest.add(static_cast<std::uint64_t>(session.part.offset_ns));
    digest.add(static_cast<std::uint64_t>(session.part.drift_ps));
  }
  uuid_ = digest.uuid();
}

evt_session_info MergePlan::info() {
  program_.clear();
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    program_ += i == 0 ? "" : "+";
    program_ += i == kMaxPrograms ? "..." : programs_[i];
  }
  origins_.clear();
  parts_.clear();
  for (const MergedSession& session : sessions_) {
    if (session.left_out) continue;
    origins_.push_back(session.part.origin);
    for (const MergedPart& part : session.parts) parts_.push_back(described_part(part));
  }
  evt_session_info info = {};
  info.program = program_.c_str();
  info.host = host_.c_str();
  info.boot_id = boot_.c_str();
  info.writer = options_.writer.c_str();
  info.pid = pid_;
  std::copy(uuid_.begin(), uuid_.end(), info.uuid);
  info.start_utc_ns = utc_of(start_ns_);
  info.origins = origins_.empty() ? nullptr : origins_.front().data();
  info.origin_count = static_cast<std::uint32_t>(origins_.size());
  info.parts = parts_.data();
  info.part_count = static_cast<std::uint32_t>(parts_.size());
  if (left_out_) info.left_out = described_left_out_.emplace(*left_out_).message();
  return info;
}

}  // namespace evt
