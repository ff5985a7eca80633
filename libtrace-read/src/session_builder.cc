#include "session_builder.h"

#include <evt/format.h>
#include <fmt/format.h>

#include <algorithm>

#include "messages.h"

namespace evt {
namespace {

// Whether one list of fields begins with all of the other, so that both describe the same rows.
bool agree(const std::vector<Field>& a, const std::vector<Field>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].name != b[i].name || a[i].kind != b[i].kind || a[i].shape != b[i].shape || a[i].width != b[i].width) {
      return false;
    }
  }
  return true;
}

bool is_metadata(std::uint16_t type) { return type >= EVT_BLOCK_SESSION && type <= EVT_BLOCK_STRINGS; }

}  // namespace

Status SessionBuilder::build() {
  while (const Block* block = blocks_.next()) add(*block);
  finish_session();
  return summary();
}

void SessionBuilder::note(const Block& block, std::string reason) {
  if (!damage_.empty() && damage_.back().offset == block.offset) return;  // one reason a block is enough
  damage_.push_back({block.offset, block.end() - block.offset, std::move(reason)});
}

void SessionBuilder::add(const Block& block) {
  const BlockHeader& header = block.header;
  if (now_ == nullptr || now_->id != header.session_id) begin_session(block);
  if (ended_.contains(header.session_id)) return;
  now_->session->closed = false;  // whatever a TRAILER said: the session goes on
  if (header.must_understand != 0) {
    now_->session->not_understood += 1;
    if ((header.must_understand & EVT_MUST_END_SESSION) != 0) ended_[header.session_id] = true;
    return;
  }
  if (header.type == EVT_BLOCK_EVENTS) return add_events(block);
  if (!is_metadata(header.type) && header.type != EVT_BLOCK_SYNC && header.type != EVT_BLOCK_TRAILER) return;
  if (header.codec != EVT_CODEC_NONE) {
    now_->session->not_understood += 1;
    return;
  }
  if (!blocks_.load(block, &payload_)) return;
  switch (header.type) {
    case EVT_BLOCK_SESSION:
      return add_session(block);
    case EVT_BLOCK_CLOCK:
      return add_clock(block);
    case EVT_BLOCK_TYPES:
      return add_types(block);
    case EVT_BLOCK_STREAMS:
      return add_streams(block);
    case EVT_BLOCK_STRINGS:
      return add_strings(block);
    case EVT_BLOCK_SYNC:
      return add_sync();
    default:
      return add_trailer(block);
  }
}

void SessionBuilder::begin_session(const Block& block) {
  const auto known = by_id_.find(block.header.session_id);
  if (known != by_id_.end()) {
    now_ = known->second;  // a bad copy has interleaved two sessions
    return;
  }
  sessions_.emplace_back();
  data_.emplace_back();
  now_ = &data_.back();
  now_->session = &sessions_.back();
  now_->id = block.header.session_id;
  now_->offset = block.offset;
  by_id_[now_->id] = now_;
}

void SessionBuilder::add_session(const Block& block) {
  Session& session = *now_->session;
  if (session.declared) return;  // a repeat
  Cursor in(payload_);
  const std::string_view text(reinterpret_cast<const char*>(payload_.data()), payload_.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return note(block, "a SESSION block without its first line");
  in.bytes((line + 1 + EVT_ALIGNMENT - 1) / EVT_ALIGNMENT * EVT_ALIGNMENT);
  const Bytes fixed_part = in.rest();
  const std::uint16_t fixed_size = in.u16();
  session.major = in.u16();
  session.minor = in.u16();
  in.u16();
  const std::uint64_t incompat = in.u64();
  in.u64();
  const std::string_view uuid = in.text(session.uuid.size());
  session.start_utc_ns = in.i64();
  session.start_ns = in.i64();
  const std::uint32_t info_size = in.u32();
  if (!in.ok() || fixed_size < EVT_SESSION_FIXED_SIZE) return note(block, "a SESSION block that is too short");
  if (session.major > EVT_FORMAT_MAJOR || incompat != 0) {
    newer_ = true;
    newer_version_ =
        incompat != 0 && session.major <= EVT_FORMAT_MAJOR
            ? fmt::format("uses features of a later format than {}", EVT_FORMAT_NAME)
            : fmt::format("was written in format {}.{}, newer than {}", session.major, session.minor, EVT_FORMAT_NAME);
    ended_[now_->id] = true;
    session.not_understood += 1;
    return;
  }
  session.declared = true;
  std::copy(uuid.begin(), uuid.end(), session.uuid.begin());
  Cursor message(fixed_part);
  message.bytes(fixed_size);
  const Bytes info = message.bytes(info_size);
  if (!message.ok() || !read_session_info(info, &session)) note(block, "the message of a SESSION block cannot be read");
}

void SessionBuilder::add_clock(const Block& block) {
  Cursor in(payload_);
  ClockInfo clock;
  const std::uint16_t fixed_size = in.u16();
  clock.id = in.u16();
  clock.kind = in.u8();
  in.bytes(3);
  clock.hz = in.u64();
  clock.start_ticks = in.u64();
  clock.start_ns = in.i64();
  clock.tolerance_ns = in.u32();
  const std::uint32_t info_size = in.u32();
  if (!in.ok() || fixed_size < EVT_CLOCK_FIXED_SIZE) return note(block, "a CLOCK block that is too short");
  Cursor message(payload_);
  message.bytes(fixed_size);
  const Bytes info = message.bytes(info_size);
  if (const auto place = now_->clock_places.find(clock.id); place != now_->clock_places.end()) {
    const ClockInfo& known = now_->session->clocks[place->second];
    if (known.hz != clock.hz || known.start_ticks != clock.start_ticks || known.start_ns != clock.start_ns) {
      note(block, fmt::format("clock {} again, with another rate or start", clock.id));
    }
    return;
  }
  if (!message.ok() || !read_clock_info(info, &clock)) note(block, "the message of a CLOCK block cannot be read");
  now_->clock_places[clock.id] = now_->session->clocks.size();
  now_->session->clocks.push_back(std::move(clock));
}

void SessionBuilder::add_sync() {
  Cursor in(payload_);
  in.u16();
  const std::uint16_t clock_id = in.u16();
  in.u32();
  const std::uint64_t ticks = in.u64();
  const std::int64_t ns = in.i64();
  const std::int64_t utc_ns = in.i64();
  if (in.ok()) now_->syncs.push_back({clock_id, ticks, ns, utc_ns});
}

// Once all clocks are known: the CLOCK block that was read may be a repeat, behind the first SYNC blocks.
void SessionBuilder::build_clocks(SessionData& data) {
  for (const ClockInfo& clock : data.session->clocks) {
    ClockMap& map = data.clocks.emplace(clock.id, ClockMap(clock)).first->second;
    map.add_utc(data.session->start_ns, data.session->start_utc_ns);
  }
  for (const SessionData::Sync& sync : data.syncs) {
    const auto clock = data.clocks.find(sync.clock_id);
    if (clock == data.clocks.end()) continue;
    clock->second.add_anchor(sync.ticks, sync.ns);
    clock->second.add_utc(sync.ns, sync.utc_ns);
  }
}

void SessionBuilder::add_types(const Block& block) {
  Cursor in(payload_);
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    Cursor peek(in.rest());
    const std::uint32_t size = peek.u32();
    const Bytes record = in.bytes(size);
    if (!in.ok() || size < EVT_TYPE_RECORD_SIZE) return note(block, "a TYPES record that does not fit its block");
    add_type(block, record);
  }
}

void SessionBuilder::add_type(const Block& block, Bytes record) {
  Cursor in(record);
  in.u32();
  const std::uint32_t number = in.u32();
  const std::uint16_t size = in.u16();
  const std::uint16_t name_size = in.u16();
  const std::uint16_t description_size = in.u16();
  in.u16();
  const std::uint32_t extension_size = in.u32();
  const std::string name(in.text(name_size));
  const std::string description(in.text(description_size));
  const Bytes extension = in.bytes(extension_size);
  const bool reserved = number == 0 || (number >= EVT_TYPE_FIRST_RESERVED && number <= 0xFFFF);
  if (!in.ok() || name.empty() || reserved) {
    return note(block, fmt::format("the record of event type {} makes no sense", number));
  }
  EventType type(name, number);
  type.description_ = description;
  type.declared_ = true;
  type.declared_size_ = size;
  if (!read_event_type_info(extension, &type.role_, &type.fields_)) {
    note(block, fmt::format("the fields of event type {} cannot be read", name));
  }
  EventType* const known = now_->types.find(number);
  if (known == nullptr) {
    now_->session->types.push_back(std::move(type));
    return now_->types.add(&now_->session->types.back(), number);
  }
  if (known->name_ != name || !agree(known->fields_, type.fields_)) {
    return note(block, fmt::format("event type {} again, as {}: it was {}", number, name, known->name_));
  }
  if (type.fields_.size() > known->fields_.size()) {
    known->fields_ = std::move(type.fields_);
    known->declared_size_ = size;
  }
}

void SessionBuilder::add_streams(const Block& block) {
  Cursor in(payload_);
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    Cursor peek(in.rest());
    const std::uint32_t size = peek.u32();
    const std::uint32_t id = peek.u32();
    const Bytes record = in.bytes(size);
    if (!in.ok() || size < EVT_STREAM_RECORD_SIZE) return note(block, "a STREAMS record that does not fit its block");
    StreamInfo info;
    info.id = id;
    info.declared = true;
    if (!read_stream_info(record.subspan(EVT_STREAM_RECORD_SIZE), &info)) {
      note(block, fmt::format("the description of stream {} cannot be read", id));
    }
    StreamInfo& known = *stream(id).info;
    if (!known.declared) {
      known.name = std::move(info.name);
      known.thread = info.thread;
      known.process = info.process;
      known.declared = true;
    } else if (known.name != info.name || known.thread != info.thread || known.process != info.process) {
      note(block, fmt::format("stream {} again, with another description", id));
    }
  }
}

void SessionBuilder::add_strings(const Block& block) {
  Cursor in(payload_);
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    const std::uint32_t id = in.u32();
    const std::uint32_t size = in.u32();
    const std::string_view text = in.text(size);
    if (!in.ok()) return note(block, "a STRINGS record that does not fit its block");
    const auto [known, added] = now_->session->strings.try_emplace(id, text);
    if (!added && known->second != text) note(block, fmt::format("string {} again, with another text", id));
  }
}

StreamBlocks& SessionBuilder::stream(std::uint32_t id) {
  StreamBlocks& blocks = now_->streams[id];
  if (blocks.info == nullptr) {
    now_->session->streams.emplace_back();
    blocks.info = &now_->session->streams.back();
    blocks.info->id = id;
  }
  return blocks;
}

void SessionBuilder::add_events(const Block& block) {
  const EventsHeader& events = block.events;
  StreamBlocks& to = stream(events.stream_id);
  Session& session = *now_->session;
  const std::uint64_t expected = to.next_ordinal;
  if (events.row_count == 0) return;
  if (events.first_ordinal < expected) {
    return note(block, fmt::format("rows from {} on of stream {} again, after row {}", events.first_ordinal,
                                   events.stream_id, expected - 1));
  }
  if (events.first_ordinal > expected) {
    to.info->missing += events.first_ordinal - expected;
    session.missing += events.first_ordinal - expected;
  }
  to.next_ordinal = events.first_ordinal + events.row_count;
  to.info->rows += events.row_count;
  session.rows += events.row_count;
  if (events.lost_total > to.info->lost) {
    session.lost += events.lost_total - to.info->lost;
    to.info->lost = events.lost_total;
  }
  if (events.layout != EVT_LAYOUT_ROWS || block.header.codec != EVT_CODEC_NONE) {
    session.not_decodable += events.row_count;
    return;
  }
  to.blocks.push_back(block);
}

void SessionBuilder::add_trailer(const Block& block) {
  Cursor in(payload_);
  in.bytes(8);
  const std::uint64_t session_size = in.u64();
  if (!in.ok()) return note(block, "a TRAILER block that is too short");
  // It may be older than what was appended after a copy went wrong: then it is not this session's end.
  now_->session->closed = now_->offset + session_size == block.end();
  if (!now_->session->closed) damage_.push_back({block.offset, 0, "a TRAILER whose session has another length"});
}

void SessionBuilder::finish_session() {
  for (SessionData& data : data_) {
    Session& session = *data.session;
    build_clocks(data);
    std::sort(session.streams.begin(), session.streams.end(),
              [](const StreamInfo& a, const StreamInfo& b) { return a.id < b.id; });
    for (StreamInfo& info : session.streams) data.streams[info.id].info = &info;
    for (auto& [id, stream] : data.streams) {
      const auto unknown_clock = [&](const Block& block) {
        if (data.clocks.contains(block.events.clock_id)) return false;
        session.not_decodable += block.events.row_count;
        return true;
      };
      std::erase_if(stream.blocks, unknown_clock);
    }
  }
}

Status SessionBuilder::summary() const {
  if (!blocks_.status().ok() && blocks_.status().code() != Code::kCut) return blocks_.status();
  const bool anything =
      std::any_of(sessions_.begin(), sessions_.end(), [](const Session& s) { return s.declared || s.rows > 0; });
  if (newer_ && !anything) return {Code::kNewerFormat, newer_version_};
  for (const SessionData& data : data_) {
    const Session& session = *data.session;
    if (!session.declared && !ended_.contains(data.id)) {
      return {Code::kDamaged, "the SESSION block is missing: who was recorded is not known", data.offset};
    }
  }
  if (newer_ || blocks_.met_newer()) {
    return {Code::kNewerFormat, newer_ ? "a session " + newer_version_ : "some blocks have a newer header"};
  }
  return {};
}

}  // namespace evt
