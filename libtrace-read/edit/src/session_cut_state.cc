// What of a session a cut puts there itself: who it is, its clocks, and what had begun. SessionCut's other half.
#include <algorithm>

#include "libtrace-read/core/src/base/raw_bytes.h"
#include "merged_part_description.h"
#include "session_cut.h"
#include "uuid_digest.h"

namespace evt {

Session::Uuid cut_uuid(const SessionData& data, const std::string& what, const TimeRange& range) {
  const Session& session = *data.session;
  UuidDigest digest;
  digest.add(session.uuid);
  if (!session.declared) digest.add(data.id);  // it has no other
  digest.add(what);
  digest.add(session.rows);
  digest.add(static_cast<std::uint64_t>(range.from_ns));
  digest.add(static_cast<std::uint64_t>(range.to_ns));
  return digest.uuid();
}

void SessionCut::begin() {
  std::vector<const char*> words;
  for (const std::string& word : session_.command_line) words.push_back(word.c_str());
  std::vector<evt_merged_part> parts;
  for (const MergedPart& part : session_.parts) parts.push_back(to_message(part));
  evt_session_info info = {};
  info.program = session_.program.c_str();
  info.host = session_.host.c_str();
  info.boot_id = session_.boot_id.c_str();
  info.writer = options_.writer.c_str();
  info.pid = session_.pid;
  info.command_line = words.data();
  info.command_line_count = static_cast<std::uint32_t>(words.size());
  std::copy(uuid_.begin(), uuid_.end(), info.uuid);
  info.start_utc_ns = session_.start_utc_ns;
  info.origins = session_.uuid.data();
  info.origin_count = session_.declared ? 1 : 0;
  info.parts = parts.data();
  info.part_count = static_cast<std::uint32_t>(parts.size());
  info.cut = options_.what.c_str();
  Buffer payload;
  append_session(payload, info, session_.start_ns);
  out_->add_metadata(EVT_BLOCK_SESSION, bytes_of(payload));
  put_clocks();
}

void SessionCut::put_clocks() {
  for (const ClockInfo& clock : session_.clocks) {
    evt_session_info of = {};
    of.host = clock.host.c_str();
    of.boot_id = clock.boot_id.c_str();
    Buffer payload;
    append_clock(payload, {clock.id, clock.kind, clock.hz, clock.start_ticks, clock.start_ns, clock.tolerance_ns}, of);
    out_->add_metadata(EVT_BLOCK_CLOCK, bytes_of(payload));
  }
  for (const SessionData::Sync& sync : data_.syncs) {
    SyncRecord facts;
    facts.clock_id = sync.clock_id;
    facts.uncertainty_ns = sync.uncertainty_ns;
    facts.ticks = sync.ticks;
    facts.ns = sync.ns;
    facts.utc_ns = sync.utc_ns;
    Buffer payload;
    append_sync(payload, facts);
    out_->session().add(EVT_BLOCK_SYNC, bytes_of(payload));
  }
}

// Once for each stream: writes what had begun, before its first row of the range.
void SessionCut::begin_stream(std::uint32_t id, Stream& stream) {
  stream.has_begun = true;
  if (!keeps_state_) return;
  if (stream.state.is_unknown()) {
    std::byte since[sizeof(std::uint64_t)];
    evt_store_u64(raw(since), stream.state.unknown_until());
    const std::uint16_t clock = stream.state.unknown_clock();
    if (!ticks_.at(clock).is_empty) rows_->append(id, clock, ticks_.at(clock).from, unknown_type(), since);
  }
  std::vector<CutState::Open> all = std::move(stream.runs);
  const std::vector<CutState::Open> open = stream.state.open();
  all.insert(all.end(), open.begin(), open.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const CutState::Open& a, const CutState::Open& b) { return a.ticks < b.ticks; });
  for (const CutState::Open& each : all) put_open(id, stream, each);
}

void SessionCut::put_open(std::uint32_t id, const Stream& stream, const CutState::Open& open) {
  const TickRange& range = ticks_.at(open.clock);
  if (range.is_empty || !wants(stream, open.type->number(), open.fields, open.ticks, open.clock)) return;
  // All fields as described and no more, so that the last one is where its type has it. An event that lacks some
  // lacks that one too.
  FieldWalker walker(open.type->fields(), open.fields);
  while (walker.next()) {
  }
  std::vector<std::byte> fields = open.fields;
  if (walker.index() == open.type->fields().size()) {
    fields.resize(fields.size() - walker.rest().size() + sizeof(std::uint64_t));
    evt_store_u64(raw(fields.data() + fields.size() - sizeof(std::uint64_t)), open.ticks);
  }
  const std::uint32_t twin = twin_of(*open.type);
  words_->use_texts(open.type->number(), open.fields);
  rows_->append(id, open.clock, range.from, twin, fields);
}

std::uint32_t SessionCut::twin_of(const EventType& type) {
  const auto [twin, is_new] = twins_.try_emplace(type.number(), 0);
  if (is_new) {
    evt_field since = EVT_FIELD_OF("since", EVT_KIND_TICKS, EVT_SHAPE_FIXED, 8);
    since.description = "when it began";
    twin->second = words_->add_type("cut." + type.name(), type.description(), &type, since);
  }
  return twin->second;
}

std::uint32_t SessionCut::unknown_type() {
  const auto [twin, is_new] = twins_.try_emplace(0, 0);
  if (is_new) {
    evt_field since = EVT_FIELD_OF("since", EVT_KIND_TICKS, EVT_SHAPE_FIXED, 8);
    since.description = "what is known begins here";
    twin->second = words_->add_type("cut.unknown", "what began before is not known", nullptr, since);
  }
  return twin->second;
}

const EventType& SessionCut::type_of(std::uint32_t number) {
  const EventType* const type = data_.types.find(number);
  if (type != nullptr) return *type;
  return undeclared_.try_emplace(number, "type#" + std::to_string(number), number).first->second;
}

bool SessionCut::wants_type(std::uint32_t number) {
  if (!options_.type) return true;
  const auto [wanted, is_new] = wanted_types_.try_emplace(number, false);
  if (is_new) wanted->second = options_.type(type_of(number));
  return wanted->second;
}

bool SessionCut::wants(const Stream& stream, std::uint32_t number, Bytes fields, std::uint64_t ticks,
                       std::uint16_t clock) {
  if (!wants_type(number)) return false;
  return !options_.event || options_.event(session_, *stream.info, type_of(number), fields, ns_of(clock, ticks));
}

std::int64_t SessionCut::ns_of(std::uint16_t clock, std::uint64_t ticks) const {
  return distance_ns(session_.start_ns, data_.clocks.at(clock).to_ns(ticks));
}

}  // namespace evt
