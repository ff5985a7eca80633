// Blocks of metadata, SYNC, INDEX and TRAILER of any payload, checksums right, in a session with some rows: whatever
// they claim, it can be asked for, takes little memory and can be written as text; and an index changes nothing unless
// that is reported.
#include <evt/trace.h>

#include <set>
#include <vector>

#include "allocation.h"
#include "blocks.h"
#include "format-spec/src/block/index_entries.h"
#include "getters.h"
#include "input.h"
#include "order.h"
#include "text_form.h"

namespace {

using fuzz::raw;

// The session's blocks, and what an index records of them.
class Session {
 public:
  Session() : memory_(64 << 10), entries_(memory_.data(), memory_.size()) {}

  void add(std::uint16_t type, std::string_view payload) {
    const std::size_t before = blocks_.size();
    blocks_.add(type, payload);
    entries_.add(type, blocks_.size() - before);
  }
  void add_rows(std::uint32_t stream, std::uint16_t type, std::string_view payload) {
    evt::EventsHeader events;
    events.stream_id = stream;
    events.clock_id = 1;
    events.base_ticks = events.first_ticks = 1000 + rows_;
    events.last_ticks = events.first_ticks + 1;
    events.row_count = 2;
    events.first_ordinal = next_[stream];
    next_[stream] += events.row_count;
    rows_ += events.row_count;
    const std::size_t before = blocks_.size();
    const std::string rows = fuzz::row(0, type, payload) + fuzz::row(1, type, payload);
    blocks_.add_rows(events, rows);
    events.rows_size = static_cast<std::uint32_t>(rows.size());
    entries_.add_events(blocks_.size() - before, EVT_CODEC_NONE, events, nullptr);
  }
  // An INDEX that is true.
  void add_index() {
    evt::IndexHead head;
    head.entry_count = entries_.count();
    head.covered = entries_.covered();
    head.entries_size = entries_.size();
    std::string payload(EVT_INDEX_FIXED_SIZE, '\0');
    evt::store_index_head(head, raw(payload));
    payload.append(reinterpret_cast<const char*>(memory_.data()), entries_.size());
    index_at_ = blocks_.size();
    blocks_.add(EVT_BLOCK_INDEX, payload);
  }
  void add_trailer() {
    evt::TrailerRecord facts;
    facts.session_size = blocks_.size() + EVT_BLOCK_HEADER_SIZE + EVT_TRAILER_FIXED_SIZE;
    facts.index_distance = index_at_ == 0 ? 0 : blocks_.size() - index_at_;
    facts.rows = rows_;
    evt::Buffer payload;
    evt::append_trailer(payload, facts);
    blocks_.add(EVT_BLOCK_TRAILER, fuzz::text_of(payload));
  }
  // What is added next is recorded as the index.
  void index_comes() { index_at_ = blocks_.size(); }
  const std::string& bytes() const { return blocks_.bytes(); }

 private:
  fuzz::Blocks blocks_;
  std::vector<std::uint8_t> memory_;
  evt::IndexEntries entries_;
  std::uint64_t rows_ = 0;
  std::uint64_t next_[3] = {};
  std::size_t index_at_ = 0;
};

std::string types_payload() {
  return fuzz::records_payload(1, [](evt::Buffer& out, std::uint32_t) {
    static constexpr evt_field kFields[] = {EVT_FIELD_U32("thread"), EVT_FIELD_INTERNED("why")};
    evt_event_type type = {};
    type.name = "sched.stop";
    type.field_count = 2;
    type.fields = kFields;
    evt::append_type_record(out, type, 1024);
  });
}

std::string streams_payload() {
  return fuzz::records_payload(2, [](evt::Buffer& out, std::uint32_t i) {
    evt_stream_info stream = {};
    stream.id = i + 1;
    stream.name = "a";
    evt::append_stream_record(out, stream);
  });
}

std::string strings_payload() {
  return fuzz::records_payload(1, [](evt::Buffer& out, std::uint32_t) { evt::append_string_record(out, 1, "io", 2); });
}

// A payload whose message is the fuzzer's, and what is around it fits.
std::string around(std::uint16_t type, std::uint8_t number, const std::string& message) {
  const auto size = static_cast<std::uint32_t>(message.size());
  std::string payload;
  if (type == EVT_BLOCK_SESSION) {
    payload = fuzz::session_payload();
    const std::size_t fixed_at = (payload.find('\n') + EVT_ALIGNMENT) / EVT_ALIGNMENT * EVT_ALIGNMENT;
    payload.resize(fixed_at + EVT_SESSION_FIXED_SIZE);
    evt_store_u32(raw(payload) + fixed_at + 56, size);
  } else if (type == EVT_BLOCK_CLOCK) {
    payload = fuzz::clock_payload(number);
    payload.resize(EVT_CLOCK_FIXED_SIZE);
    evt_store_u32(raw(payload) + 44, size);
  } else if (type == EVT_BLOCK_TYPES) {
    payload = fuzz::le32(1) + fuzz::le32(EVT_TYPE_RECORD_SIZE + 4 + size) + fuzz::le32(1024 + number % 4U);
    payload += fuzz::le32(EVT_SIZE_VARIABLE | 4 << 16) + fuzz::le32(0) + fuzz::le32(size) + "type";
  } else if (type == EVT_BLOCK_STREAMS) {
    payload = fuzz::le32(1) + fuzz::le32(EVT_STREAM_RECORD_SIZE + size) + fuzz::le32(number);
  } else if (type == EVT_BLOCK_FACTS) {  // the front half is the key
    payload = fuzz::le32(1) + fuzz::le32(EVT_FACT_RECORD_SIZE + size) + fuzz::le32(number % 8U | size / 2 << 16);
    payload += fuzz::le32(number / 8U) + fuzz::le32(0) + fuzz::le32(number) + fuzz::le32(number);
    payload += fuzz::le32(size - size / 2) + fuzz::le32(0);
  }
  return payload + message;
}

// What the first byte selects is there and as it should be; then the fuzzer's blocks; then rows.
std::string session_of(Input& in) {
  const std::uint8_t flags = in.u8();
  const auto has = [&](unsigned bit) { return (flags >> bit & 1) == 0; };
  Session session;
  if (has(0)) session.add(EVT_BLOCK_SESSION, fuzz::session_payload());
  if (has(1)) session.add(EVT_BLOCK_CLOCK, fuzz::clock_payload(1));
  if (has(2)) session.add(EVT_BLOCK_TYPES, types_payload());
  if (has(3)) session.add(EVT_BLOCK_STREAMS, streams_payload());
  if (has(4)) session.add(EVT_BLOCK_STRINGS, strings_payload());
  session.add_rows(1, 1024, std::string("\1\0\0\0\1\0\0\0\1\0b\2\0", 13));
  session.add_rows(2, 1025, std::string("\2\0\1\0\0\0\0\0\1\0c", 11));
  while (!in.empty()) {
    const std::uint8_t what = in.u8();
    const auto type = static_cast<std::uint16_t>(what % 16);
    const std::uint8_t number = in.u8();
    const std::string bytes = in.bytes(in.u16() % 1024);
    if (type == EVT_BLOCK_INDEX) session.index_comes();
    session.add(type, what < 128 ? bytes : around(type, number, bytes));
  }
  session.add_rows(1, 1024, std::string("\3\0\0\0\1\0\0\0", 8));
  session.add_rows(2, 1026, "");
  if (!has(5)) session.add_index();
  if (has(6)) session.add_trailer();
  return session.bytes();
}

struct Reading {
  std::string text;
  std::size_t damage = 0;
  bool can_be_written = true;
};

bool has_zero(std::string_view text) { return text.find('\0') != text.npos; }

// What a text can say: so much before the session's start.
constexpr std::int64_t kEarliest = -(std::int64_t{1} << 62);

// Our writer takes texts that end with a zero byte, fields with a name of their own and a width, and one type for each
// name; and a session without a uuid gets one.
bool can_be_written(const evt::Session& session) {
  std::set<std::string_view> names;
  for (const evt::EventType& type : session.types) {
    if (has_zero(type.name()) || has_zero(type.description()) || !names.insert(type.name()).second) return false;
    std::set<std::string_view> fields;
    for (const evt::Field& field : type.fields()) {
      if (field.name.empty() || has_zero(field.name) || !fields.insert(field.name).second) return false;
      const bool has_width = field.shape == evt::Shape::kFixed || field.shape == evt::Shape::kArray;
      if (field.shape <= evt::Shape::kList && has_width != (field.width > 0)) return false;
      if (has_zero(field.description)) return false;
      for (const evt::Field::Label& label : field.labels) {
        if (has_zero(label.text)) return false;
      }
    }
  }
  for (const evt::StreamInfo& stream : session.streams) {
    if (has_zero(stream.declared_name)) return false;
  }
  for (const std::string& word : session.command_line) {
    if (has_zero(word)) return false;
  }
  const bool has_uuid = session.uuid != evt::Session::Uuid{};
  return session.declared && has_uuid && !has_zero(session.program + session.host + session.boot_id + session.writer);
}

// Reads all of it; what it amounts to as text.
Reading read_all(const std::string& bytes, bool use_index) {
  const AllocationLimit limit(64 << 20);
  evt::ReadOptions options;
  options.use_index = use_index;
  options.rings = false;
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(bytes), options);
  Reading reading;
  if (!trace) {
    FUZZ_CHECK(!trace.status().message().empty());
    return reading;
  }
  fuzz::OrderCheck order;
  evt::Events events = trace->events({.markers = true, .by_ns = true});
  while (const evt::Event* event = events.next()) {
    order.add(*event);
    fuzz::use_every_getter(*event);
    fuzz::use_every_getter(event->type());
    reading.can_be_written &= event->ns() >= kEarliest;
  }
  reading.text = fuzz::text_of(*trace);
  reading.damage = trace->damage().size();
  fuzz::use_every_getter(*trace);
  for (const evt::Session& session : trace->sessions()) reading.can_be_written &= can_be_written(session);
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  const std::string bytes = session_of(in);
  const Reading hopped = read_all(bytes, false);
  const Reading indexed = read_all(bytes, true);
  // An index that describes what is not so is damage, one more than there is without it.
  if (indexed.damage == hopped.damage) FUZZ_CHECK(indexed.text == hopped.text);
  FUZZ_CHECK(indexed.damage >= hopped.damage);
  if (hopped.text.empty() || !hopped.can_be_written) return 0;
  evt::Status status;
  const std::string again = fuzz::trace_of(hopped.text, &status);
  if (!status.ok()) std::fprintf(stderr, "%s\n%s", status.message().c_str(), hopped.text.c_str());
  FUZZ_CHECK(status.ok());
  const std::string text = read_all(again, true).text;
  if (text != hopped.text) std::fprintf(stderr, "%s--- became\n%s", hopped.text.c_str(), text.c_str());
  FUZZ_CHECK(text == hopped.text);
  return 0;
}
