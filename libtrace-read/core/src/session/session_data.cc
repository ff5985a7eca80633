#include "session_data.h"

#include <evt/saturating_add.h>

#include <algorithm>
#include <charconv>

namespace evt {

StreamParts& SessionData::stream(std::uint32_t stream_id) {
  StreamParts& parts = streams[stream_id];
  if (parts.info != nullptr) return parts;
  std::vector<StreamInfo>& all = session->streams;
  const bool will_move = all.size() == all.capacity();
  all.emplace_back().id = stream_id;
  parts.info = &all.back();
  if (will_move) {
    for (StreamInfo& info : all) streams.find(info.id)->second.info = &info;
  }
  return parts;
}

void SessionData::add_gap(std::uint32_t stream_id, StreamParts& to, std::uint64_t begin, const RowGap& gap) {
  const std::uint64_t rows = gap.end - begin;
  RowGap added = gap;
  added.part = to.parts.size();
  gaps.add(stream_id, begin, added);
  if (gap.why == RowGap::Why::kNotDecodable) return saturating_add(&session->not_decodable, rows);
  if (gap.why == RowGap::Why::kNotKept) return saturating_add(&to.info->not_kept, rows);
  saturating_add(&to.info->missing, rows);
  saturating_add(&session->missing, rows);
}

namespace {

void subtract(std::uint64_t rows, std::uint64_t* from) { *from -= std::min(rows, *from); }

}  // namespace

std::uint64_t SessionData::fill_gaps(std::uint32_t stream_id, StreamParts& to, const LatePiece& piece) {
  std::uint64_t all = 0;
  for (const RowGaps::Found& found : gaps.take(stream_id, piece.rows, piece.first, piece.last)) {
    const std::uint64_t rows = found.rows.size();
    all += rows;
    in_segments().late_rows[stream_id].push_back({found.gap.part, piece.span, found.rows});
    if (found.gap.why == RowGap::Why::kNotDecodable) {
      subtract(rows, &session->not_decodable);
      continue;  // they are counted as rows of the stream
    }
    const bool is_missing = found.gap.why == RowGap::Why::kMissing;
    subtract(rows, is_missing ? &to.info->missing : &to.info->not_kept);
    subtract(rows, is_missing ? &session->missing : &session->not_kept);
    subtract(rows, &gone_rows);  // at least the rest of these is still missing
    to.info->rows += rows;
    session->rows += rows;
  }
  return all;
}

const Extract* SessionData::extract_of(std::uint32_t stream_id, std::size_t part) const {
  if (segments == nullptr) return nullptr;
  const auto found = segments->extracts.find({stream_id, part});
  return found == segments->extracts.end() ? nullptr : &found->second;
}

void SegmentData::add_gap(std::uint32_t stream, const Gap& gap) {
  std::vector<Gap>& all = gaps[stream];
  const std::uint64_t before = all.empty() ? 0 : all.back().lost_up_to_here;
  all.push_back(gap);
  all.back().lost_up_to_here = before + gap.lost_not_kept;
}

std::uint64_t SessionData::lost_not_kept_of(std::uint32_t stream_id) const {
  if (segments == nullptr) return 0;
  const std::span<const SegmentData::Gap> before = segments->gaps_of(stream_id);
  return before.empty() ? 0 : before.back().lost_up_to_here;
}

void SessionData::add_lost(StreamParts& to, std::uint64_t lost) {
  const std::uint64_t not_kept = lost_not_kept_of(to.info->id);
  if (lost < not_kept || lost - not_kept <= to.info->lost) return;
  lost -= not_kept;
  saturating_add(&session->lost, lost - to.info->lost);
  to.info->lost = lost;
}

void SessionData::count_gone(const Block& block, std::uint64_t rows_before, std::uint64_t lost_before) {
  const std::uint64_t lost_not_kept = segments == nullptr ? 0 : segments->lost_not_kept;
  declared_lost = std::max(declared_lost, lost_before - std::min(lost_before, lost_not_kept));
  std::uint64_t rows = session->rows;
  saturating_add(&rows, session->not_kept);
  saturating_add(&rows, session->duplicate_rows);
  if (rows_before <= rows || rows_before - rows <= gone_rows) return;
  gone_rows = rows_before - rows;
  gone_declared_at = block.offset;
}

namespace {

// Identifies the counter of several epochs: kind, name, host and boot.
using Counter = std::tuple<std::uint8_t, std::string, std::string, std::string>;

// The clocks of each counter, in the order of their starts. Only their boot tells whether parts of a merged session
// share a counter.
std::map<Counter, std::vector<const ClockInfo*>> epochs_of(const Session& session) {
  std::map<Counter, std::vector<const ClockInfo*>> all;
  for (const ClockInfo& clock : session.clocks) {
    if (!session.parts.empty() && clock.boot_id.empty()) continue;
    all[{clock.kind, clock.name, clock.host, clock.boot_id}].push_back(&clock);
  }
  for (auto& [counter, epochs] : all) {
    std::ranges::stable_sort(epochs, {}, &ClockInfo::start_ns);
  }
  return all;
}

void begin_epochs(SessionData& data) {
  for (const auto& [counter, epochs] : epochs_of(*data.session)) {
    for (std::size_t i = 1; i < epochs.size(); ++i) {
      const ClockInfo& before = *epochs[i - 1];
      const bool is_same = is_same_epoch(before.start_ticks, before.start_ns, *epochs[i]);
      const std::uint64_t first = is_same ? data.clocks.at(before.id).first_known() : epochs[i]->start_ticks;
      data.clocks.at(epochs[i]->id).begin_epoch(first);
    }
  }
}

}  // namespace

void build_clocks(SessionData& data) {
  for (const ClockInfo& clock : data.session->clocks) {
    ClockMap& map = data.clocks.emplace(clock.id, ClockMap(clock)).first->second;
    map.add_utc(data.session->start_ns, data.session->start_utc_ns);
  }
  for (const SessionData::Sync& sync : data.syncs) {
    const auto clock = data.clocks.find(sync.clock_id);
    if (clock == data.clocks.end()) continue;
    if (sync.is_anchor) clock->second.add_anchor(sync.ticks, sync.ns);
    clock->second.add_utc(sync.ns, sync.utc_ns);
  }
  begin_epochs(data);
}

namespace {

// "120", or "120+" where there may be more.
void add_not_kept(const std::string& text, Session* session) {
  std::uint64_t rows = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (error != std::errc()) return;
  saturating_add(&session->not_kept_of_parts, rows);
  session->not_kept_of_parts_is_known &= end == text.data() + text.size();
}

}  // namespace

void settle_facts(SessionData& data) {
  std::vector<Fact>& facts = data.session->facts;
  for (auto& [of, stated] : data.facts) {
    auto& [scope, id, key] = of;
    facts.push_back({scope, id, key, std::move(stated.value), distance_ns(data.session->start_ns, stated.ns)});
    if (scope == EVT_FACT_SCOPE_PART && key == EVT_FACT_PART_NOT_KEPT) add_not_kept(facts.back().value, data.session);
    if (scope != EVT_FACT_SCOPE_STREAM || key != EVT_FACT_STREAM_NAME || id > UINT32_MAX) continue;
    const auto stream = data.streams.find(static_cast<std::uint32_t>(id));
    if (stream != data.streams.end()) stream->second.info->name = facts.back().value;
  }
  data.facts.clear();
}

void settle_times(const SessionData& data, StreamParts& stream) {
  stream.info->first_ns = INT64_MAX;
  stream.info->last_ns = INT64_MIN;
  bool any_piece = false;
  for (const StreamSpan part : stream.parts) {
    const bool whole = part.piece == StreamSpan::kWhole;
    if (!whole && any_piece) continue;  // what is known of one piece is known of all
    any_piece |= !whole;
    const EventsHeader& events = data.blocks[part.block].events;
    const ClockMap& clock = data.clocks.at(events.clock_id);
    const auto ns_of = [&](std::uint64_t ticks) { return distance_ns(data.session->start_ns, clock.to_ns(ticks)); };
    stream.info->first_ns = std::min(stream.info->first_ns, ns_of(whole ? events.first_ticks : stream.first_ticks));
    stream.info->last_ns = std::max(stream.info->last_ns, ns_of(whole ? events.last_ticks : stream.last_ticks));
  }
}

}  // namespace evt
