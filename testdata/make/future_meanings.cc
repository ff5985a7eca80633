// What a later version may state of sessions, types, fields and clocks, and other columns: FORMAT.md, sections 6 to 8.
#include <algorithm>

#include "archive.h"
#include "change.h"
#include "core/columns_of.h"

namespace evt::testing {
namespace {

// Numbers that no list has, the second where there is one byte for it.
constexpr std::uint16_t kUnknown = 999;
constexpr char kUnknownByte = 77;

std::string text_in(const Buffer& out) { return {reinterpret_cast<const char*>(out.data()), out.size()}; }

RawTrace ended(RawTrace trace) { return trace.events(1, Rows().tick(1, 1)).events(2, Rows().tick(9, 9)).trailer(); }

// An ordinary trace of a session of that uuid, of which more is stated.
RawTrace session_of(evt_session_info session) {
  RawTrace trace = ordinary_trace();
  change_payload(trace, 0, [&](std::string& payload) {
    std::copy_n(&payload[session_fixed_at(payload) + 24], sizeof session.uuid, session.uuid);
    Buffer other;
    append_session(other, session, 0);
    payload = text_in(other);
  });
  return ended(trace);
}

// What a cut left out, and how a part was aligned, in ways that are not known.
RawTrace session_meanings() {
  evt_left_out left_out = {};
  left_out.sampled_by = kUnknown;
  left_out.one_in = 10;
  evt_merged_part part = {};
  part.name = "a.evt";
  part.first_stream = 1;
  part.stream_count = 2;
  part.alignment = kUnknown;
  evt_session_info session = {};
  session.program = "test";
  session.start_utc_ns = 1767225600'000'000'000;
  session.time_scale = kUnknown;
  session.parts = &part;
  session.part_count = 1;
  session.left_out = &left_out;
  return session_of(session);
}

evt_fact_info fact(std::uint16_t scope, std::uint64_t id, std::string_view key, std::string_view value) {
  evt_fact_info fact = {};
  fact.scope = scope;
  fact.id = id;
  fact.key = key.data();
  fact.key_size = key.size();
  fact.value = value.data();
  fact.value_size = value.size();
  return fact;
}

// A fact of a thing that is not known, between two of things that are.
RawTrace fact_scopes() {
  Buffer records;
  append_fact_record(records, fact(EVT_FACT_SCOPE_SESSION, 0, "service.name", "shop"));
  append_fact_record(records, fact(kUnknown, 5, "org.example.color", "red"));
  append_fact_record(records, fact(EVT_FACT_SCOPE_STREAM, 1, EVT_FACT_STREAM_NAME, "worker"));
  return ended(ordinary_trace().block(EVT_BLOCK_FACTS, le32(3) + text_in(records)));
}

// Of an id: a scope and a role that are not known, and a facet with a role that is not.
RawTrace type_meanings() {
  evt_field id = EVT_FIELD_U32("id");
  id.scope = kUnknown;
  id.role = kUnknown;
  const evt_facet_field of_facet = {.field = 0, .role = kUnknown};
  evt_facet facet = {};
  facet.role = kUnknown;
  facet.fields = &of_facet;
  facet.field_count = 1;
  evt_event_type type = {};
  type.name = "later";
  type.fields = &id;
  type.field_count = 1;
  type.facets = &facet;
  type.facet_count = 1;
  Buffer record;
  append_type_record(record, type, 1025);
  RawTrace trace = ordinary_trace().block(EVT_BLOCK_TYPES, le32(1) + text_in(record));
  return trace.events(1, Rows().row(1, 1025, le32(5))).trailer();
}

// An event with a field of each shape that is kept for later, and one behind them.
RawTrace shapes_to_come() {
  std::vector<std::string> names;
  for (unsigned shape = 8; shape < 32; ++shape) names.push_back("shape" + std::to_string(shape));
  std::vector<evt_field> fields;
  std::string payload;
  for (unsigned shape = 8; shape < 32; ++shape) {
    fields.push_back(EVT_FIELD_OF(names[shape - 8].c_str(), kUnknown, static_cast<std::uint16_t>(shape), 0));
    payload += (shape < 16 ? le16(2) : le32(2)) + "ab";
  }
  fields.push_back(EVT_FIELD_U8("behind"));
  RawTrace trace = ordinary_trace().type(1025, "later", fields);
  return trace.events(1, Rows().row(1, 1025, payload + "\x22")).trailer();
}

// Two rows as columns of which this byte of their first shape, or of its item, is of a later version.
RawTrace columns_with(std::size_t byte) {
  const Rows rows = Rows().tick(2, 2).tick(2, 5);
  std::string columns = columns_of(rows);
  columns.at(columns.find(le16(1024) + le8(0) + le8(1)) + byte) = kUnknownByte;
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1));
  trace.events(1, rows).store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size());
  return trace.events(2, Rows().tick(9, 9)).trailer();
}

// Blocks that are not known: those with nothing of the session, which tools may copy, and others.
RawTrace copyable_blocks() {
  RawTrace trace = ordinary_trace();
  const std::string owner = "org.example.probe";
  const std::pair<std::uint16_t, std::string> kinds[] = {{kUnknown, ""},
                                                         {EVT_BLOCK_PRIVATE, le16(owner.size()) + owner}};
  for (const auto& [type, front] : kinds) {
    trace.block(type, front + "copied").header([](BlockHeader& h) { h.flags = EVT_FLAG_COPYABLE; });
    trace.block(type, front + "left out");
  }
  return ended(trace);
}

RawTrace longer_end() { return ordinary_trace().events(1, Rows().tick(1, 1).row(2, EVT_ROW_END, "more")).trailer(); }

// Flags of SYNC that have no name: the pair counts.
RawTrace sync_flags() {
  RawTrace trace = ordinary_trace();
  SyncRecord sync = {.clock_id = 1, .ticks = 1000, .ns = 2000, .utc_ns = 1767225600'000'002'000};
  sync.flags = static_cast<std::uint16_t>(~(EVT_SYNC_NO_ANCHOR | 1U));
  return trace.sync(sync).events(1, Rows().tick(500, 1).tick(1500, 2)).trailer();
}

}  // namespace

void make_future_meanings(const Archive& archive) {
  archive.add("future/session_meanings.evt", session_meanings());
  archive.add("future/fact_scopes.evt", fact_scopes());
  archive.add("future/type_meanings.evt", type_meanings());
  archive.add("future/shapes_to_come.evt", shapes_to_come());
  archive.add("future/columns_flag.evt", columns_with(2));
  archive.add("future/columns_kind.evt", columns_with(4));
  archive.add("future/columns_transform.evt", columns_with(5));
  archive.add("future/block_copyable.evt", copyable_blocks());
  archive.add("future/rows_end_longer.evt", longer_end());
  archive.add("future/sync_flags.evt", sync_flags());
}

}  // namespace evt::testing
