#include <evt/merge.h>
#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "fact_description.h"
#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "merge_plan.h"
#include "row_rewrite.h"
#include "source_blocks.h"
#include "trace_output.h"

namespace evt {
namespace {

// Facts about the session itself become facts about its part in the merged one; the part's program, pid, host, boot and
// start are facts, too; streams, types and clocks get their new numbers, and so do the parts of a session that was
// merged before. Refers to its arguments while it lives.
class MergedFacts {
 public:
  MergedFacts(const MergedSession& planned, const Session& session, const IdRemap& changes)
      : planned_(planned), session_(session), changes_(changes) {
    for (const EventType& type : session.types) types_.insert(type.number());
  }

  // Passes the payloads of FACTS blocks to `put`, for part number `part`, or for the parts from there on. Returns the
  // number of facts that are left out because their subject is not in the merged session: a session that was merged
  // before, or something that the session does not describe.
  std::uint64_t put(std::uint64_t part, const SchemaUnion::Put& put) const {
    RecordList records;
    // Parts already have their own.
    if (session_.parts.empty()) add_who(part, records);
    std::uint64_t left_out = 0;
    for (Fact fact : session_.facts) {
      if (!renumber(fact, part)) {
        ++left_out;
        continue;
      }
      add(fact, records);
      if (records.is_full()) records.put(put);
    }
    records.put(put);
    return left_out;
  }

 private:
  void add_who(std::uint64_t part, RecordList& records) const {
    const std::pair<const char*, std::string> who[] = {
        {EVT_FACT_PART_PROGRAM, session_.program},
        {EVT_FACT_PART_PID, session_.pid == 0 ? "" : std::to_string(session_.pid)},
        {EVT_FACT_PART_HOST, session_.host},
        {EVT_FACT_PART_BOOT, session_.boot_id},
        {EVT_FACT_PART_START, session_.declared ? std::to_string(session_.start_utc_ns) : ""},
        {EVT_FACT_PART_NOT_KEPT,
         session_.not_kept == 0 ? "" : std::to_string(session_.not_kept) + (session_.not_kept_is_known ? "" : "+")}};
    for (const auto& [key, value] : who) {
      const Fact fact = {EVT_FACT_SCOPE_PART, part, key, value, 0};
      if (!value.empty()) add(fact, records);
    }
  }

  void add(const Fact& fact, RecordList& records) const;
  bool renumber(Fact& fact, std::uint64_t part) const {
    if (fact.scope == EVT_FACT_SCOPE_PART) {
      const bool is_there = fact.id < session_.parts.size();
      fact.id += part;
      return is_there;
    }
    if (fact.scope == EVT_FACT_SCOPE_SESSION) {
      // A statement about several parts together does not hold for any single one.
      if (!session_.parts.empty()) return false;
      fact.scope = EVT_FACT_SCOPE_PART;
      fact.id = part;
      return true;
    }
    if (fact.id > UINT32_MAX) return false;
    const auto id = static_cast<std::uint32_t>(fact.id);
    if (fact.scope == EVT_FACT_SCOPE_STREAM && session_.stream(id) != nullptr) {
      fact.id = MergePlan::stream_of(planned_, session_, id);
      return true;
    }
    if (fact.scope == EVT_FACT_SCOPE_TYPE) {
      const auto change = changes_.types.find(id);
      if (change != changes_.types.end()) fact.id = change->second;
      return types_.contains(id);
    }
    if (fact.scope == EVT_FACT_SCOPE_CLOCK && id <= UINT16_MAX) {
      const auto clock = planned_.clocks.find(static_cast<std::uint16_t>(id));
      if (clock != planned_.clocks.end()) fact.id = clock->second;
      return clock != planned_.clocks.end();
    }
    return false;
  }

  const MergedSession& planned_;
  const Session& session_;
  const IdRemap& changes_;
  std::unordered_set<std::uint32_t> types_;  // described by the session, by number
};

// Its time is since the start of its own session.
void MergedFacts::add(const Fact& fact, RecordList& records) const {
  evt_fact_info moved = to_message(fact, session_.start_ns);
  moved.ns = planned_.shift.apply(moved.ns);
  append_fact_record(records.next(), moved);
}

std::uint64_t id_of(const evt_session_info& info) { return evt_session_id(info.uuid); }

class Merger {
 public:
  Merger(const MergeOptions& options, const TakeBytes& take) : options_(options), take_(take), plan_(options) {}

  Result<Merged> run() {
    if (Status made = plan_.make(); !made.ok()) return made;
    begin();
    for (std::size_t input = 0; input < options_.inputs.size(); ++input) {
      auto trace = options_.open(input);
      if (!trace) return trace.status();
      if (Status copied = copy(input, **trace); !copied.ok()) return copied;
      done_ += (*trace)->size();
      if (options_.progress) options_.progress(done_, plan_.bytes());
      if (options_.done) options_.done(input, **trace);
    }
    out_->end();
    if (!out_->status().ok()) return out_->status();
    Merged merged;
    for (const MergedSession& session : plan_.sessions()) {
      merged.parts.insert(merged.parts.end(), session.parts.begin(), session.parts.end());
    }
    merged.notes = std::move(plan_.notes());
    return merged;
  }

 private:
  void begin();
  void put_clocks() {
    for (const MergedClock& clock : plan_.clocks()) {
      const MergedSession& session = plan_.sessions()[clock.session];
      ClockRecord facts = clock.facts;
      facts.start_ns = session.shift.apply(facts.start_ns);
      // An uncertain order of two machines' events must not count as cause and effect.
      saturating_add(&facts.tolerance_ns, session.part.bound_ns);
      evt_session_info of = {};
      of.host = clock.host.c_str();
      of.boot_id = clock.boot.c_str();
      Buffer payload;
      append_clock(payload, facts, of);
      out_->add_metadata(EVT_BLOCK_CLOCK, bytes_of(payload));
    }
  }

  void put_sync(std::uint16_t clock, const SessionData::Sync& sync, const MergedSession& of) {
    SyncRecord facts;
    facts.clock_id = clock;
    facts.flags = sync.is_anchor ? 0 : EVT_SYNC_NO_ANCHOR;
    facts.uncertainty_ns = sync.uncertainty_ns;
    facts.ticks = sync.ticks;
    facts.ns = of.shift.apply(sync.ns);
    facts.utc_ns = of.has_utc_of_first ? plan_.utc_of(facts.ns) : sync.utc_ns;
    facts.rows_before = out_->session().rows();
    facts.lost_before = out_->session().lost();
    Buffer payload;
    append_sync(payload, facts);
    out_->session().add(EVT_BLOCK_SYNC, bytes_of(payload));
  }

  Status copy(std::size_t input, Trace& trace) {
    TraceData& all = TraceData::of(trace);
    const auto changed = [&] {
      return Status(Code::kInvalid, fmt::format("{} has changed while it was merged", options_.inputs[input].name));
    };
    for (SessionData& data : all.data) {
      if (next_ == plan_.sessions().size()) return changed();
      const MergedSession& planned = plan_.sessions()[next_++];
      if (planned.input != input || planned.part.origin != MergePlan::uuid_of(data) ||
          planned.rows != data.session->rows || planned.types != data.session->types.size()) {
        return changed();
      }
      if (!planned.left_out) copy_session(trace, data, planned);
      if (!out_->status().ok()) return out_->status();
    }
    return next_ < plan_.sessions().size() && plan_.sessions()[next_].input == input ? changed() : Status();
  }

  void copy_session(Trace& trace, SessionData& data, const MergedSession& planned) {
    const IdRemap changes = take_session(*data.session, plan_.schemas());
    RowRewrite rewrite(*data.session, changes, plan_.schemas());
    planned_ = &planned;
    session_ = data.session;
    rewrite_ = &rewrite;
    streams_.clear();
    put_syncs(data, planned);
    put_facts(changes);
    out_->put_copyable(TraceData::of(trace), data);
    SourceBlocks blocks(TraceData::of(trace), data);
    while (out_->status().ok() && blocks.next()) {
      copy_block(blocks);
      if (options_.progress) options_.progress(done_ + blocks.block().offset, plan_.bytes());
    }
    tell_gaps_at_end(data);
    tell_unknown(trace, data);
  }
  void put_facts(const IdRemap& changes);
  void put_syncs(const SessionData& data, const MergedSession& planned);
  void copy_block(const SourceBlocks& blocks);
  // In their stored form if these are all of the block and nothing in it changes.
  void copy_pieces(const SourceBlocks& blocks, std::size_t begin, std::size_t end) {
    const Block& block = blocks.block();
    const std::uint16_t clock = planned_->clocks.at(block.events.clock_id);
    const bool is_all = blocks.is_whole() && end - begin == blocks.pieces().size();
    bool is_same = is_all;
    for (const std::uint16_t type : blocks.counted().types()) is_same = is_same && !rewrite_->may_change(type);
    rows_.clear();
    std::vector<Piece> left;
    for (std::size_t i = begin; i < end; ++i) {
      const Piece& piece = blocks.pieces()[i];
      if (piece.row_count == 0 && !is_all) continue;
      left.push_back(piece);
      left.back().stream_id = MergePlan::stream_of(*planned_, *session_, piece.stream_id);
      if (is_same) continue;
      const std::size_t before = rows_.size();
      RowReader walk(blocks.rows_of(i), piece.base_ticks);
      while (const RowView* const row = walk.next()) rewrite_->append(*row, &rows_);
      left.back().rows_size = static_cast<std::uint32_t>(rows_.size() - before);
    }
    if (left.empty()) return;
    const bool nothing_changed = is_same || (is_all && std::ranges::equal(rows_, blocks.rows()));
    if (nothing_changed) return out_->put_stored(blocks, left, clock);
    out_->put_rows(block, left, rows_, clock);
  }

  std::uint64_t gone_before(const SourceBlocks& blocks, const Piece& piece) {
    return blocks.session().missing_in(piece.stream_id, streams_[piece.stream_id].next_ordinal, piece.first_ordinal);
  }

  void tell_gap(const SourceBlocks& blocks, const Piece& piece) {
    const Stream& stream = streams_[piece.stream_id];
    const std::uint16_t clock = planned_->clocks.at(blocks.block().events.clock_id);
    const bool knows_when = stream.next_ordinal > 0 && stream.clock == clock;
    out_->put_lost(MergePlan::stream_of(*planned_, *session_, piece.stream_id), clock,
                   knows_when ? stream.ticks : piece.first_ticks, piece.first_ticks, gone_before(blocks, piece),
                   EVT_LOST_DAMAGE);
  }
  void tell_gaps_at_end(const SessionData& data);
  void tell_unknown(const Trace& trace, const SessionData& data);
  std::uint64_t start_ticks() const { return session_->clocks.empty() ? 0 : session_->clocks.front().start_ticks; }

  const MergeOptions& options_;
  const TakeBytes& take_;
  MergePlan plan_;
  std::unique_ptr<TraceOutput> out_;
  std::size_t next_ = 0;    // among the planned sessions
  std::uint64_t part_ = 0;  // among those that are copied
  std::uint64_t done_ = 0;

  // For the session that is copied.
  const MergedSession* planned_ = nullptr;
  const Session* session_ = nullptr;
  RowRewrite* rewrite_ = nullptr;
  struct Stream {
    std::uint64_t next_ordinal = 0;
    std::uint16_t clock = 0;
    std::uint64_t ticks = 0;
  };
  std::unordered_map<std::uint32_t, Stream> streams_;  // by their own numbers
  std::vector<std::byte> rows_;
};

void Merger::begin() {
  const evt_session_info info = plan_.info();
  out_ = std::make_unique<TraceOutput>(take_, id_of(info), std::nullopt);
  Buffer payload;
  append_session(payload, info, plan_.start_ns());
  out_->add_metadata(EVT_BLOCK_SESSION, bytes_of(payload));
  put_clocks();
  const auto put = [this](std::uint16_t type) {
    return [this, type](Bytes records) { out_->add_metadata(type, records); };
  };
  plan_.schemas().put_types(put(EVT_BLOCK_TYPES));
  plan_.streams().put(put(EVT_BLOCK_STREAMS));
  plan_.schemas().put_strings(put(EVT_BLOCK_STRINGS));
  for (const MergedClock& clock : plan_.clocks()) {
    if (!clock.is_shared) continue;
    for (const SessionData::Sync& sync : clock.anchors) {
      put_sync(clock.facts.id, sync, plan_.sessions()[clock.session]);
    }
  }
}

void Merger::put_facts(const IdRemap& changes) {
  const auto put = [this](Bytes payload) { out_->add_metadata(EVT_BLOCK_FACTS, payload); };
  const std::uint64_t left_out = MergedFacts(*planned_, *session_, changes).put(part_, put);
  part_ += planned_->parts.size();
  if (left_out == 0) return;
  plan_.notes().push_back(fmt::format("{}: {} fact{} left out, about what the merged trace does not have",
                                      planned_->part.name, left_out, left_out == 1 ? "" : "s"));
}

void Merger::put_syncs(const SessionData& data, const MergedSession& planned) {
  if (planned.shares_clock ||
      (planned.clocks.size() == 1 && plan_.clocks()[planned.clocks.begin()->second - 1u].is_shared)) {
    return;
  }
  for (const SessionData::Sync& sync : data.syncs) {
    const auto clock = planned.clocks.find(sync.clock_id);
    if (clock != planned.clocks.end()) put_sync(clock->second, sync, planned);
  }
  if (planned.shift.drift_ps == 0) return;
  // Without a second anchor of a clock, its nominal rate would count, which ignores the drift.
  std::map<std::uint16_t, std::uint64_t> last;
  for (const Block& block : data.blocks) {
    last[block.events.clock_id] = std::max(last[block.events.clock_id], block.events.last_ticks);
  }
  for (const auto& [clock, ticks] : last) {
    const auto map = data.clocks.find(clock);
    if (map == data.clocks.end()) continue;
    const std::int64_t ns = map->second.to_ns(ticks);
    put_sync(planned.clocks.at(clock), {clock, ticks, ns, map->second.to_utc(ns), 0}, planned);
  }
}

void Merger::copy_block(const SourceBlocks& blocks) {
  const std::size_t count = blocks.pieces().size();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Piece& piece = blocks.pieces()[i];
    if (piece.row_count == 0) continue;
    if (gone_before(blocks, piece) > 0) {
      copy_pieces(blocks, begin, i);  // the stream may have rows among them
      begin = i;
      tell_gap(blocks, piece);
    }
    const std::uint16_t clock = planned_->clocks.at(blocks.block().events.clock_id);
    streams_[piece.stream_id] = {piece.first_ordinal + piece.row_count, clock, piece.last_ticks};
  }
  copy_pieces(blocks, begin, count);
}

// Rows that headers mention and that could not be read, after the last ones of their streams.
void Merger::tell_gaps_at_end(const SessionData& data) {
  for (const auto& [id, parts] : data.streams) {
    const Stream& stream = streams_[id];
    const auto torn = data.torn_rows.find(id);
    const std::uint64_t end = parts.next_ordinal + (torn == data.torn_rows.end() ? 0 : torn->second);
    const std::uint64_t gone = data.missing_in(id, stream.next_ordinal, end);
    if (gone == 0 || planned_->clocks.empty()) continue;
    const bool knows_when = stream.next_ordinal > 0;
    const std::uint16_t clock = knows_when ? stream.clock : planned_->clocks.begin()->second;
    const std::uint64_t ticks = knows_when ? stream.ticks : start_ticks();
    out_->put_lost(MergePlan::stream_of(*planned_, *session_, id), clock, ticks, ticks, gone, EVT_LOST_DAMAGE);
  }
}

void Merger::tell_unknown(const Trace& trace, const SessionData& data) {
  if (planned_->clocks.empty()) return;
  for (const MissingRows& missing : trace.missing()) {
    if (missing.session != data.number || missing.stream != 0) continue;
    // If it was unknown when the streams got their numbers, its number is after those of all sessions.
    const bool was_known = planned_->part.stream_count > session_->streams.size();
    out_->put_lost(was_known ? MergePlan::unknown_stream(*planned_) : plan_.unknown_stream(),
                   planned_->clocks.begin()->second, start_ticks(), start_ticks(), missing.rows, EVT_LOST_DAMAGE);
  }
}

}  // namespace

Result<Merged> merge(const MergeOptions& options, const TakeBytes& take) { return Merger(options, take).run(); }

}  // namespace evt
