// The records inside metadata blocks, byte by byte against the tables of FORMAT.md, section 6.
#include "format-spec/src/session/metadata_records.h"

#include <evt/little_endian.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace evt {
namespace {

std::string_view text_of(const Buffer& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST(SessionRecord, BeginsWithALineForPeopleThenItsFixedPart) {
  evt_session_info session = {};
  session.program = "prog";
  for (std::uint8_t i = 0; i < 16; ++i) session.uuid[i] = static_cast<std::uint8_t>(i + 1);
  session.start_utc_ns = -2;
  session.time_scale = EVT_TIME_SCALE_SIMULATED;
  Buffer out;
  append_session(out, session, -3);

  const std::string line = "evtrace trace, format " EVT_FORMAT_NAME ", written by prog; described in FORMAT.md\n";
  ASSERT_TRUE(text_of(out).starts_with(line));
  const std::size_t fixed = (line.size() + 7) / 8 * 8;
  for (std::size_t i = line.size(); i < fixed; ++i) EXPECT_EQ(out.data()[i], 0) << i;
  const std::uint8_t* const p = out.data() + fixed;
  EXPECT_EQ(evt_load_u16(p), 72);
  EXPECT_EQ(evt_load_u16(p + 2), 1);
  EXPECT_EQ(evt_load_u16(p + 4), 0);
  EXPECT_EQ(evt_load_u16(p + 6), 0);
  EXPECT_EQ(evt_load_u64(p + 8), 0u) << "no draft";
  EXPECT_EQ(evt_load_u64(p + 16), 0u);
  EXPECT_TRUE(std::equal(p + 24, p + 40, session.uuid));
  EXPECT_EQ(evt_load_u64(p + 40), static_cast<std::uint64_t>(-2));
  EXPECT_EQ(evt_load_u64(p + 48), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(evt_load_u32(p + 56), out.size() - fixed - 72);
  EXPECT_EQ(evt_load_u32(p + 60), 0u);
  EXPECT_EQ(evt_load_u64(p + 64), 5u);  // and six reserved bytes
}

TEST(SessionRecord, KeepsItsLineOneLineOfAscii) {
  evt_session_info session = {};
  session.program = "a\nb\x1b[31m\xC3\xA9";
  Buffer out;
  append_session(out, session, 0);
  EXPECT_TRUE(text_of(out).starts_with("evtrace trace, format " EVT_FORMAT_NAME
                                       ", written by a?b?[31m??; described in FORMAT.md\n"));
}

TEST(SessionRecord, CutsALongProgramNameInItsLineAlone) {
  const std::string name(3000, 'n');
  evt_session_info session = {};
  session.program = name.c_str();
  Buffer out;
  append_session(out, session, 0);
  EXPECT_LT(text_of(out).find("; described in FORMAT.md\n"), 600u);
  EXPECT_NE(text_of(out).find(name), std::string_view::npos) << "the message has it whole";
}

// What names a program, its user or its machine, as the list in FORMAT.md, section 6.1, has it.
evt_session_info with_names() {
  static const char* const kWords[] = {"a-program", "a-password"};
  static const evt_merged_part kPart = {{1}, "a-part", 1, 1, 0, 1, {}, 0, 0, 0, 0};
  evt_session_info session = {};
  session.program = "a-program";
  session.host = "a-host";
  session.boot_id = "a-boot";
  session.writer = "the-writer";
  session.pid = 0x1122334455667788;
  session.command_line = kWords;
  session.command_line_count = 2;
  session.ring_kind = EVT_RING_SHARED;
  session.ring_name = "a-ring";
  session.parts = &kPart;
  session.part_count = 1;
  session.start_utc_ns = 7;
  return session;
}

TEST(AnonymousSession, LeavesOutWhatNamesTheProgramItsUserAndItsMachine) {
  evt_session_info session = with_names();
  for (const bool anonymous : {false, true}) {
    session.anonymous = anonymous ? 1 : 0;
    Buffer out;
    append_session(out, session, 0);
    append_clock(out, {}, session);
    const std::string_view bytes = text_of(out);
    for (const char* name : {"a-program", "a-password", "a-host", "a-boot", "a-ring", "a-part", "\x88\x77\x66\x55"}) {
      EXPECT_EQ(bytes.find(name) == bytes.npos, anonymous) << name;
    }
    EXPECT_NE(bytes.find("the-writer"), bytes.npos) << "which says nothing of who is recorded";
  }
}

TEST(AnonymousSession, StatesThatItHasARingAllTheSame) {
  evt_session_info session = {};
  session.anonymous = 1;
  session.ring_kind = EVT_RING_SHARED;
  session.pid = 9;
  evt_session_info same = {};
  same.ring_kind = EVT_RING_SHARED;
  Buffer out;
  Buffer expected;
  append_session(out, session, 0);
  append_session(expected, same, 0);
  EXPECT_EQ(text_of(out), text_of(expected));
}

TEST(ClockRecord, HasItsFieldsWhereTheFormatSays) {
  Buffer out;
  append_clock(
      out, {0x0102, EVT_CLOCK_X86_TSC, 0x0304050607080910, 0x1112131415161718, -4, 0x1920212223242526, 0x27282930}, {});
  const std::uint8_t* const p = out.data();
  EXPECT_EQ(evt_load_u16(p), 48);
  EXPECT_EQ(evt_load_u16(p + 2), 0x0102);
  EXPECT_EQ(evt_load_u32(p + 4), 2u);  // and three reserved bytes
  EXPECT_EQ(evt_load_u64(p + 8), 0x0304050607080910u);
  EXPECT_EQ(evt_load_u64(p + 16), 0x1112131415161718u);
  EXPECT_EQ(evt_load_u64(p + 24), static_cast<std::uint64_t>(-4));
  EXPECT_EQ(evt_load_u64(p + 32), 0x1920212223242526u);
  EXPECT_EQ(evt_load_u32(p + 40), 0x27282930u);
  EXPECT_EQ(evt_load_u32(p + 44), out.size() - 48);
}

TEST(SyncRecord, HasItsFieldsWhereTheFormatSays) {
  Buffer out;
  append_sync(out, {0x0102, 0x0304, 7, -8, -9, 10, 11, 12});
  ASSERT_EQ(out.size(), 56u);
  const std::uint8_t* const p = out.data();
  EXPECT_EQ(evt_load_u16(p), 56);
  EXPECT_EQ(evt_load_u16(p + 2), 0x0102);
  EXPECT_EQ(evt_load_u32(p + 4), 0x0304u);  // and two reserved bytes
  EXPECT_EQ(evt_load_u64(p + 8), 7u);
  EXPECT_EQ(evt_load_u64(p + 16), static_cast<std::uint64_t>(-8));
  EXPECT_EQ(evt_load_u64(p + 24), static_cast<std::uint64_t>(-9));
  EXPECT_EQ(evt_load_u64(p + 32), 10u);
  EXPECT_EQ(evt_load_u64(p + 40), 11u);
  EXPECT_EQ(evt_load_u64(p + 48), 12u);
}

TEST(TrailerRecord, HasItsFieldsWhereTheFormatSays) {
  Buffer out;
  append_trailer(out, {1, 2, 3, 4});
  ASSERT_EQ(out.size(), 40u);
  EXPECT_EQ(evt_load_u64(out.data()), 40u);  // and six reserved bytes
  for (std::uint64_t i = 1; i <= 4; ++i) EXPECT_EQ(evt_load_u64(out.data() + i * 8), i);
}

TEST(TypeRecord, HasItsFieldsWhereTheFormatSays) {
  const evt_field fields[] = {EVT_FIELD_U32("thread"), EVT_FIELD_U8("status")};
  evt_event_type type = {};
  type.name = "stop";
  type.description = "it stopped";
  type.number = 99;  // the writer decides, not this
  type.field_count = 2;
  type.fields = fields;
  Buffer out;
  append_type_record(out, type, 0x00010203);
  const std::uint8_t* const p = out.data();
  EXPECT_EQ(evt_load_u32(p), out.size());
  EXPECT_EQ(evt_load_u32(p + 4), 0x00010203u);
  EXPECT_EQ(evt_load_u16(p + 8), 5);
  EXPECT_EQ(evt_load_u16(p + 10), 4);
  EXPECT_EQ(evt_load_u16(p + 12), 10);
  EXPECT_EQ(evt_load_u16(p + 14), 0);
  EXPECT_EQ(evt_load_u32(p + 16), out.size() - 20 - 14);
  EXPECT_EQ(text_of(out).substr(20, 14), "stopit stopped");
}

TEST(TypeRecord, SaysWhenRowsDifferInSize) {
  const auto size_of = [](const std::vector<evt_field>& fields) {
    evt_event_type type = {};
    type.field_count = static_cast<std::uint32_t>(fields.size());
    type.fields = fields.data();
    return fixed_payload_size(type);
  };
  const evt_field bytes = EVT_FIELD_OF("b", EVT_KIND_BYTES, EVT_SHAPE_FIXED, 0xFFFE);
  EXPECT_EQ(size_of({}), 0);
  EXPECT_EQ(size_of({EVT_FIELD_U32("a"), EVT_FIELD_F64("b")}), 12);
  EXPECT_EQ(size_of({EVT_FIELD_U32("a"), EVT_FIELD_TEXT("b")}), EVT_SIZE_VARIABLE);
  EXPECT_EQ(size_of({bytes}), 0xFFFE);
  EXPECT_EQ(size_of({bytes, EVT_FIELD_U8("a")}), EVT_SIZE_VARIABLE) << "65535 has another meaning";
  EXPECT_EQ(size_of({EVT_FIELD_OF("b", EVT_KIND_BYTES, EVT_SHAPE_FIXED, 0xFFFFFFFF), EVT_FIELD_U8("a")}),
            EVT_SIZE_VARIABLE);
}

TEST(TypeRecord, CutsADescriptionThatIsTooLong) {
  const std::string description(70000, 'd');
  evt_event_type type = {};
  type.name = "t";
  type.description = description.c_str();
  Buffer out;
  append_type_record(out, type, 1);
  EXPECT_EQ(evt_load_u16(out.data() + 12), 0xFFFF);
  EXPECT_EQ(evt_load_u32(out.data() + 16), out.size() - 20 - 1 - 0xFFFF);
  EXPECT_EQ(evt_load_u32(out.data()), out.size());
}

TEST(TypeRecord, CutsADescriptionAtACharacter) {
  const std::string description = std::string(0xFFFE, 'd') + "\xC3\xA9";
  evt_event_type type = {};
  type.name = "t";
  type.description = description.c_str();
  Buffer out;
  append_type_record(out, type, 1);
  EXPECT_EQ(evt_load_u16(out.data() + 12), 0xFFFE);
}

TEST(StreamRecord, IsItsSizeItsIdAndTheMessage) {
  evt_stream_info stream = {};
  stream.id = 0x01020304;
  Buffer out;
  append_stream_record(out, stream);
  EXPECT_EQ(evt_load_u32(out.data()), out.size());
  EXPECT_EQ(evt_load_u32(out.data() + 4), 0x01020304u);
}

TEST(StringRecord, IsItsIdItsSizeAndTheText) {
  Buffer out;
  append_string_record(out, 5, "a\0b", 3);
  EXPECT_EQ(text_of(out), std::string_view("\5\0\0\0\3\0\0\0a\0b", 11));
}

TEST(Records, AreAppendedToWhatIsThere) {
  Buffer alone;
  append_stream_record(alone, {"a stream", 1, 0, 2, 3});
  Buffer out;
  out.append("xyz", 3);  // so that the message has an odd offset
  append_stream_record(out, {"a stream", 1, 0, 2, 3});
  EXPECT_EQ(text_of(out).substr(3), text_of(alone));
}

TEST(FactRecord, HasSizesInFrontOfItsKeyAndValue) {
  evt_fact_info fact = {};
  fact.scope = EVT_FACT_SCOPE_STREAM;
  fact.id = 9;
  fact.ns = -5;
  fact.key = "a.b";
  fact.key_size = 3;
  fact.value = "x\0y";
  fact.value_size = 3;
  Buffer out;
  append_fact_record(out, fact);
  const std::uint8_t* const p = out.data();
  ASSERT_EQ(out.size(), 38u);
  EXPECT_EQ(evt_load_u32(p), 38u);
  EXPECT_EQ(evt_load_u16(p + 4), 2);
  EXPECT_EQ(evt_load_u16(p + 6), 3);
  EXPECT_EQ(evt_load_u64(p + 8), 9u);
  EXPECT_EQ(evt_load_u64(p + 16), static_cast<std::uint64_t>(-5));
  EXPECT_EQ(evt_load_u32(p + 24), 3u);
  EXPECT_EQ(evt_load_u32(p + 28), 0u);
  EXPECT_EQ(text_of(out).substr(32), std::string_view("a.bx\0y", 6));
}

}  // namespace
}  // namespace evt
