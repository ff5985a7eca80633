// Metadata as a later version might write it: FORMAT.md, sections 6 and 8.
#include "archive.h"
#include "change.h"
#include "format-spec/src/base/capnp_message.h"

namespace evt::testing {
namespace {

constexpr std::string_view kMore = "sixteen bytes more that no reader of this version can know!";

std::string text_of_buffer(const Buffer& out) { return {reinterpret_cast<const char*>(out.data()), out.size()}; }

RawTrace finished(RawTrace trace) { return trace.events(1, Rows().tick(1, 1)).events(2, Rows().tick(9, 9)).trailer(); }

// The fixed part that begins at `at` gets 16 bytes more than its u16 size says.
void lengthen(std::string& payload, std::size_t at) {
  const std::uint16_t size = evt_load_u16(&payload[at]);
  payload.insert(at + size, kMore.substr(0, 16));
  payload.replace(at, 2, le16(size + 16u));
}

RawTrace longer_fixed_parts() {
  RawTrace trace = ordinary_trace();
  trace.sync({.clock_id = 1, .ticks = 0, .ns = 0, .utc_ns = 1767225600'000'000'000});
  trace.events(1, Rows().tick(1, 1));
  trace.sync({.clock_id = 1, .ticks = 1000, .ns = 2000, .utc_ns = 1767225600'000'002'000});
  trace.events(2, Rows().tick(900, 9));
  change_payload(trace, 0, [](std::string& payload) { lengthen(payload, session_fixed_at(payload)); });
  for (const std::size_t part : {1, 4, 6}) change_payload(trace, part, [](std::string& p) { lengthen(p, 0); });
  trace.trailer([](TrailerRecord& facts) {
    facts.continued = true;  // for all fields that are known
    facts.rows_so_far = facts.rows;
    facts.session_size += EVT_TRAILER_SEGMENT_SIZE - EVT_TRAILER_FIXED_SIZE + 16;
  });
  change_payload(trace, trace.size() - 1, [](std::string& p) { lengthen(p, 0); });
  return trace;
}

// Records with more behind what is known of them, and more behind the last record.
RawTrace longer_records() {
  RawTrace trace = ordinary_trace();
  change_payload(trace, 2, [](std::string& payload) {
    const std::uint32_t size = evt_load_u32(&payload[4]);
    payload.insert(4 + size, kMore);
    payload.replace(4, 4, le32(size + kMore.size()));
    payload += "behind the last record";
  });
  change_payload(trace, 3, [](std::string& payload) { payload += "behind the last record"; });
  return finished(trace);
}

// What is behind the fields that this version knows is filled, so that a reader which takes it for something shows it.
void fill(CapnpMessage& message, CapnpMessage::Struct at, std::uint32_t from_byte, std::uint32_t from_slot) {
  for (std::uint32_t byte = from_byte; byte < at.size.data_words * 8u; byte += 2) message.set_u16(at, byte, 0xAAAA);
  for (std::uint32_t slot = from_slot; slot < at.size.pointers; ++slot) {
    message.set_text(CapnpMessage::slot(at, slot), "later");
  }
}

std::string later_session_info() {
  Buffer out;
  CapnpMessage message(out);
  const auto root = message.root({4, 12});
  message.set_u64(root, 0, 4711);
  message.set_u16(root, 8, 9);  // another kind of ring
  message.set_text(CapnpMessage::slot(root, 0), "later");
  message.set_text(CapnpMessage::slot(root, 4), "evtrace 9.0.0");
  fill(message, root, 16, 10);
  return text_of_buffer(out);
}

std::string later_clock_info() {
  Buffer out;
  CapnpMessage message(out);
  const auto root = message.root({2, 5});
  message.set_text(CapnpMessage::slot(root, 0), "pulsar");
  fill(message, root, 0, 3);
  return text_of_buffer(out);
}

std::string later_stream_info(const char* name) {
  Buffer out;
  CapnpMessage message(out);
  const auto root = message.root({4, 3});
  message.set_u64(root, 0, 12);
  message.set_text(CapnpMessage::slot(root, 0), name);
  fill(message, root, 16, 1);
  return text_of_buffer(out);
}

// `tick n=...` with a label for 9, every struct of the message being longer than it is now.
std::string later_type_info() {
  Buffer out;
  CapnpMessage message(out);
  const auto root = message.root({2, 7});
  message.set_u16(root, 0, EVT_ROLE_MARK);
  const auto fields = message.set_struct_list(CapnpMessage::slot(root, 0), 1, {5, 7});
  const auto field = CapnpMessage::element(fields, 0);
  message.set_u16(field, 0, EVT_KIND_ENUMERATION);
  message.set_u16(field, 2, EVT_SHAPE_FIXED);
  message.set_u32(field, 4, 8);
  message.set_text(CapnpMessage::slot(field, 0), "n");
  const auto labels = message.set_struct_list(CapnpMessage::slot(field, 1), 1, {2, 2});
  const auto label = CapnpMessage::element(labels, 0);
  message.set_u64(label, 0, 9);
  message.set_text(CapnpMessage::slot(label, 0), "nine");
  fill(message, label, 8, 1);
  fill(message, field, 24, 5);
  fill(message, root, 8, 5);
  return text_of_buffer(out);
}

std::string stream_record(std::uint32_t id, const std::string& info) {
  return le32(EVT_STREAM_RECORD_SIZE + info.size()) + le32(id) + info;
}

RawTrace longer_messages() {
  RawTrace trace = ordinary_trace();
  change_payload(trace, 0, [](std::string& payload) {
    const std::size_t fixed = session_fixed_at(payload);
    const std::string info = later_session_info();
    payload.resize(fixed + EVT_SESSION_FIXED_SIZE);
    payload.replace(fixed + 56, 4, le32(info.size()));
    payload += info;
  });
  change_payload(trace, 1, [](std::string& payload) {
    const std::string info = later_clock_info();
    payload.resize(EVT_CLOCK_FIXED_SIZE);
    payload.replace(44, 4, le32(info.size()));
    payload += info;
  });
  change_payload(trace, 2, [](std::string& payload) {
    const std::string info = later_type_info();
    payload = le32(1) + le32(EVT_TYPE_RECORD_SIZE + 4 + info.size()) + le32(1024) + le16(8) + le16(4) + le16(0) +
              le16(0) + le32(info.size()) + "tick" + info;
  });
  change_payload(trace, 3, [](std::string& payload) {
    payload = le32(2) + stream_record(1, later_stream_info("a")) + stream_record(2, later_stream_info("b"));
  });
  return finished(trace);
}

// One event of a type with these fields, between two u8.
RawTrace with_field(const evt_field& field, std::string_view value) {
  RawTrace trace = ordinary_trace();
  trace.type(1025, "later", {EVT_FIELD_U8("before"), field, EVT_FIELD_U8("behind")});
  trace.events(1, Rows().row(1, 1025, "\x11" + std::string(value) + "\x22"));
  return trace.trailer();
}

evt_field field_of(std::uint16_t kind, std::uint16_t shape, std::uint32_t width) {
  return EVT_FIELD_OF("new", kind, shape, width);
}

// A field and an event whose roles and unit have no name yet, on a clock of a kind that has none.
RawTrace new_meanings() {
  RawTrace trace;
  trace.session().clock({.id = 1, .kind = 200, .hz = 1'000'000'000});
  trace.declare("type 1024 tick role=99 (n u64 role=98 unit=97)\nstream 1 \"a\"\nstream 2 \"b\"\n");
  return finished(trace);
}

RawTrace session_with(std::size_t offset, const std::string& bytes, std::uint8_t who = 0) {
  RawTrace trace = ordinary_trace(who);
  change_session(trace, offset, bytes);
  return finished(trace);
}

}  // namespace

void make_future_records(const Archive& archive) {
  archive.add("future/fixed_parts_longer.evt", longer_fixed_parts());
  archive.add("future/records_longer.evt", longer_records());
  archive.add("future/messages_longer.evt", longer_messages());
  archive.add("future/meanings.evt", new_meanings());
  archive.add("future/kind_fixed.evt", with_field(field_of(77, EVT_SHAPE_FIXED, 3), "abc"));
  archive.add("future/kind_counted.evt", with_field(field_of(77, EVT_SHAPE_COUNTED32, 0), le32(2) + "ab"));
  archive.add("future/kind_array.evt", with_field(field_of(77, EVT_SHAPE_ARRAY, 2), le16(2) + "abcd"));
  archive.add("future/kind_list.evt", with_field(field_of(77, EVT_SHAPE_LIST, 0), le16(2) + le16(1) + "a" + le16(0)));
  archive.add("future/width.evt", with_field(field_of(EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 16), "0123456789abcdef"));
  archive.add("future/shape.evt", with_field(field_of(EVT_KIND_TEXT, 33, 5), "who knows"));
  archive.add("future/shape_counted16.evt", with_field(field_of(EVT_KIND_TEXT, 9, 5), le16(9) + "who knows"));
  archive.add("future/shape_counted32.evt", with_field(field_of(EVT_KIND_TEXT, 17, 5), le32(9) + "who knows"));
  archive.add("future/minor.evt", session_with(4, le16(9) + le16(0xFFFF) + le64(0) + le64(~0ull)));
  archive.add("future/major.evt", session_with(2, le16(2) + le16(3)));
  archive.add("future/incompat.evt", session_with(8, le64(1ull << 62)));
  archive.add("future/draft_from_before.evt", session_with(0, le16(EVT_SESSION_FIXED_SIZE_OF_DRAFTS)));
  archive.add("future/major_beside_known.evt",
              session_with(2, le16(2)).append(finished(ordinary_trace(1))).append(session_with(8, le64(1), 2)));
}

}  // namespace evt::testing
