// Metadata blocks: types, streams, strings and clocks that stand there more than once, too late, or make no sense
// (FORMAT.md, section 6).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

RawTrace front() { return RawTrace().session().clock({.id = 1, .hz = 1'000'000'000}); }

// The canonical text of a trace that is cut: its declarations and events.
std::string text_of_raw(const RawTrace& trace) { return text_of_trace(trace.bytes()); }

std::string damage_of(const RawTrace& trace) {
  const std::string bytes = trace.bytes();
  const Trace opened = open_trace(bytes);
  std::string text;
  for (const Damage& damage : opened.damage()) {
    text +=
        trace.place(damage.offset) + ".." + trace.place(damage.offset + damage.length) + ": " + damage.reason + "\n";
  }
  return text;
}

constexpr const char* kAllKinds =
    "type 1024 tick \"it ticks\" role=counter (n u8 unit=bytes) (why enum8 labels=[1=one])\n"
    "stream 1 \"a\" thread=2 process=3\n"
    "string 7 \"seven\"\n";

TEST(Metadata, ThatIsRepeatedEqualIsFine) {
  RawTrace trace = front().declare(kAllKinds).events(1, Rows().row(5, 1024, le8(1) + le8(1)));
  trace.session().clock({.id = 1, .hz = 1'000'000'000}).declare(kAllKinds).trailer();
  EXPECT_EQ(damage_of(trace), "");
  EXPECT_EQ(text_of_raw(trace),
            "type 1024 tick \"it ticks\" role=counter (n u8 unit=bytes) (why enum8 labels=[1=one])\n"
            "stream 1 \"a\" thread=2 process=3\n"
            "0.000000005 1 tick n=1 why=one\n"
            "string 7 \"seven\"\n");
}

TEST(Metadata, CountsWhereverItStands) {
  RawTrace trace;
  trace.session().events(1, Rows().row(5, 1024, le32(7)));
  trace.declare("type 1024 call (function interned)\nstream 1 \"a\"\nstring 7 \"main\"\n");
  trace.clock({.id = 1, .hz = 1'000'000'000}).trailer();
  EXPECT_EQ(text_of_raw(trace),
            "type 1024 call (function interned)\n"
            "stream 1 \"a\"\n"
            "string 7 \"main\"\n"
            "0.000000005 1 call function=\"main\"\n");
}

TEST(Type, ThatIsRepeatedWithMoreFieldsHasThemForAllRows) {
  RawTrace trace = front().declare("type 1024 tick (n u8)\nstream 1 \"a\"\n");
  trace.events(1, Rows().row(1, 1024, le8(1)).row(2, 1024, le8(2) + le16(22)));
  trace.declare("type 1024 tick (n u8) (m u16)\n").events(1, Rows().row(3, 1024, le8(3) + le16(33)));
  trace.declare("type 1024 tick (n u8)\n").trailer();
  EXPECT_EQ(damage_of(trace), "");
  EXPECT_EQ(text_of_raw(trace),
            "type 1024 tick (n u8) (m u16)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 tick n=1\n"
            "0.000000002 1 tick n=2 m=22\n"
            "0.000000003 1 tick n=3 m=33\n");
}

// What is reported of a type that was `tick (n u8)` and is declared again.
void expect_contradiction(const std::string& other, const std::string& said) {
  RawTrace trace = front().declare("type 1024 tick (n u8)\nstream 1 \"a\"\n");
  trace.declare("type 1024 " + other + "\n").events(1, Rows().row(1, 1024, le8(1))).trailer();
  const std::string end = std::to_string(48 + header_of(trace.part(4)).payload_size);
  EXPECT_EQ(damage_of(trace), "4..4+" + end + ": event type " + said + "\n");
  EXPECT_EQ(text_of_raw(trace), "type 1024 tick (n u8)\nstream 1 \"a\"\n0.000000001 1 tick n=1\n") << other;
}

TEST(Type, ThatIsRepeatedOtherwiseIsDamageAndTheFirstCounts) {
  expect_contradiction("tock (n u8)", "1024 again, as tock: it was tick");
  expect_contradiction("tick (m u8)", "tick again: its field 1 was n, not m");
  expect_contradiction("tick (n i8)", "tick again: its field n had another kind");
  expect_contradiction("tick (n u16)", "tick again: its field n had another shape");
  expect_contradiction("tick (n u8[])", "tick again: its field n had another shape");
}

TEST(Type, ThatIsRepeatedWithAnotherMeaningIsDamage) {
  expect_contradiction("tick (n u8 role=amount)", "tick again: its field n had another role");
  expect_contradiction("tick (n u8 unit=bytes)", "tick again: its field n had another unit");
  expect_contradiction("tick role=mark (n u8)", "tick again: it had another role");
}

TEST(Type, ThatIsRepeatedInOtherWordsKeepsTheFirst) {
  RawTrace trace = front().declare("type 1024 tick \"one\" (n u8 \"what\")\n");
  trace.declare("type 1024 tick \"two\" (n u8 \"which\") (m u8 \"more\")\n").trailer();
  EXPECT_EQ(damage_of(trace), "");
  EXPECT_EQ(text_of_raw(trace), "type 1024 tick \"one\" (n u8 \"what\") (m u8 \"more\")\n");
}

TEST(Type, WhoseNameAnotherTypeHasIsATypeOfItsOwn) {
  RawTrace trace = front().declare("type 1024 tick (n u8)\n").declare("type 1025 tick (m u16)\nstream 1 \"a\"\n");
  trace.events(1, Rows().row(1, 1024, le8(1)).row(2, 1025, le16(2))).trailer();
  EXPECT_EQ(text_of_raw(trace),
            "type 1024 tick (n u8)\n"
            "stream 1 \"a\"\n"
            "0.000000001 1 type#1024 tick n=1\n"
            "type 1025 tick (m u16)\n"
            "0.000000002 1 type#1025 tick m=2\n");
}

TEST(Type, MayHaveANumberOf32Bits) {
  RawTrace trace = front().declare("type 65536 low (n u8)\ntype 4294967295 high (n u8)\nstream 1 \"a\"\n");
  trace.events(1, Rows().wide(1, 65536, le8(1)).wide(2, 0xFFFFFFFF, le8(2))).trailer();
  EXPECT_EQ(text_of_raw(trace),
            "type 65536 low (n u8)\nstream 1 \"a\"\n0.000000001 1 low n=1\n"
            "type 4294967295 high (n u8)\n0.000000002 1 high n=2\n");
}

// A record as no writer would write it.
struct RawType {
  std::uint32_t record_size = 24;
  std::uint32_t number = 1024;
  std::uint32_t name_size = 4;
  std::uint32_t description_size = 0;
  std::uint32_t extension_size = 0;
  std::string rest = "tick";

  std::string damage() const {
    RawTrace trace = front();
    trace.block(EVT_BLOCK_TYPES, le32(1) + le32(record_size) + le32(number) + le16(0) + le16(name_size) +
                                     le16(description_size) + le16(0) + le32(extension_size) + rest);
    const std::string text = damage_of(trace);
    return text.empty() ? "fine" : text.substr(text.find(": ") + 2);
  }
};

TEST(Type, MayHaveARecordWithNothingButItsName) { EXPECT_EQ(RawType().damage(), "fine"); }

TEST(Type, MayHaveARecordThatIsLongerThanItsKnownParts) {
  EXPECT_EQ((RawType{.record_size = 30, .rest = "tick??????"}.damage()), "fine");
}

TEST(Type, WithARecordThatDoesNotFitIsDamage) {
  constexpr const char* kNoFit = "a TYPES record that does not fit its block\n";
  EXPECT_EQ(RawType{.record_size = 0}.damage(), kNoFit);
  EXPECT_EQ(RawType{.record_size = 19}.damage(), kNoFit);
  EXPECT_EQ(RawType{.record_size = 25}.damage(), kNoFit);
  EXPECT_EQ(RawType{.record_size = 0xFFFFFFFF}.damage(), kNoFit);
}

TEST(Type, WithARecordThatMakesNoSenseIsDamage) {
  const auto none = [](std::uint32_t number) {
    return "the record of event type " + std::to_string(number) + " makes no sense\n";
  };
  EXPECT_EQ(RawType{.number = 0}.damage(), none(0));
  EXPECT_EQ(RawType{.number = 0xFF00}.damage(), none(0xFF00));
  EXPECT_EQ(RawType{.number = 0xFFFF}.damage(), none(0xFFFF));
  EXPECT_EQ(RawType{.number = 0xFEFF}.damage(), "fine");
  EXPECT_EQ(RawType{.name_size = 0}.damage(), none(1024));
  EXPECT_EQ(RawType{.name_size = 5}.damage(), none(1024));
  EXPECT_EQ(RawType{.description_size = 1}.damage(), none(1024));
  EXPECT_EQ(RawType{.extension_size = 0xFFFFFFFF}.damage(), none(1024));
}

TEST(Type, WithAMessageThatCannotBeReadKeepsItsName) {
  const std::string message = std::string(7, '\0') + "?" + std::string(8, '\xFF');
  EXPECT_EQ((RawType{.record_size = 40, .extension_size = 16, .rest = "tick" + message}.damage()),
            "the fields of event type tick cannot be read\n");
}

TEST(Type, WithANameBeyondTheLimitIsDamage) {
  const RawType type{.record_size = 20 + 1025, .name_size = 1025, .rest = std::string(1025, 'n')};
  EXPECT_EQ(type.damage(), "the record of event type 1024 makes no sense\n");
}

TEST(Type, WithMoreFieldsThanTheLimitKeepsItsName) {
  const evt_field field = EVT_FIELD_U8("f");
  EXPECT_EQ(damage_of(front().type(1024, "many", std::vector<evt_field>(EVT_MAX_FIELDS, field))), "");
  EXPECT_EQ(damage_of(front().type(1024, "many", std::vector<evt_field>(EVT_MAX_FIELDS + 1, field))),
            "2..2+49308: event type many has more than 1024 fields\n");
}

TEST(Stream, ThatIsRepeatedOtherwiseIsDamageAndTheFirstCounts) {
  for (const char* other : {"\"b\" thread=1", "\"a\" thread=2", "\"a\" thread=1 process=9"}) {
    RawTrace trace = front().declare("stream 1 \"a\" thread=1\n").declare("stream 1 " + std::string(other) + "\n");
    trace.trailer();
    EXPECT_EQ(damage_of(trace), "3..3+100: stream 1 again, with another description\n");
    EXPECT_EQ(text_of_raw(trace), "stream 1 \"a\" thread=1\n");
  }
}

TEST(Stream, ThatIsNotDescribedHasNoName) {
  RawTrace trace = front().declare("type 1024 tick (n u8)\n").events(77, Rows().row(1, 1024, le8(1))).trailer();
  const std::string bytes = trace.bytes();
  EXPECT_FALSE(open_trace(bytes).sessions()[0].stream(77)->declared);
  EXPECT_EQ(text_of_raw(trace), "type 1024 tick (n u8)\nstream 77 \"\"\n0.000000001 77 tick n=1\n");
  EXPECT_TRUE(open_trace(bytes).status().ok());
}

TEST(Stream, WithARecordThatDoesNotFitIsDamage) {
  for (const std::uint32_t size : {0u, 7u, 9u, 0xFFFFFFFFu}) {
    RawTrace trace = front().block(EVT_BLOCK_STREAMS, le32(1) + le32(size) + le32(1));
    EXPECT_EQ(damage_of(trace), "2..2+60: a STREAMS record that does not fit its block\n") << size;
  }
  EXPECT_EQ(damage_of(front().block(EVT_BLOCK_STREAMS, le32(1) + le32(8) + le32(1))), "") << "it needs no message";
}

TEST(Stream, WithAMessageThatCannotBeReadIsThereWithoutAName) {
  RawTrace trace = front().block(EVT_BLOCK_STREAMS, le32(1) + le32(16) + le32(1) + std::string(8, '\xFF')).trailer();
  EXPECT_EQ(damage_of(trace), "2..2+68: the description of stream 1 cannot be read\n");
  EXPECT_EQ(text_of_raw(trace), "stream 1 \"\"\n");
}

TEST(Stream, OfNumber0IsDamage) {
  RawTrace trace = front().block(EVT_BLOCK_STREAMS, le32(1) + le32(8) + le32(0)).trailer();
  EXPECT_EQ(damage_of(trace), "2..2+60: a description of stream 0, which no stream is called\n");
  EXPECT_EQ(text_of_raw(trace), "");
}

TEST(Sync, ThatIsTooShortIsDamageAndAsIfItWereNotThere) {
  RawTrace trace = front().block(EVT_BLOCK_SYNC, le16(56) + le16(1) + le32(0) + le64(10)).declare(kAllKinds);
  trace.events(1, Rows().row(20, 1024, le8(1))).trailer();
  EXPECT_EQ(damage_of(trace), "2..3: a SYNC block that is too short\n");
  EXPECT_EQ(events_of(trace.bytes()), "0.000000020 1 tick n=1\n");
}

TEST(String, ThatIsRepeatedOtherwiseIsDamageAndTheFirstCounts) {
  RawTrace trace = front().declare("string 1 \"one\"\n").declare("string 1 \"another\"\n").trailer();
  EXPECT_EQ(damage_of(trace), "3..3+67: string 1 again, with another text\n");
  EXPECT_EQ(text_of_raw(trace), "string 1 \"one\"\n");
}

TEST(String, WithARecordThatDoesNotFitIsDamage) {
  RawTrace trace =
      front().block(EVT_BLOCK_STRINGS, le32(2) + le32(1) + le32(2) + "ok" + le32(2) + le32(4) + "cut").trailer();
  EXPECT_EQ(damage_of(trace), "2..2+73: a STRINGS record that does not fit its block\n");
  EXPECT_EQ(text_of_raw(trace), "string 1 \"ok\"\n");
}

TEST(String, BeyondTheLimitIsDamage) {
  RawTrace trace = front().block(EVT_BLOCK_STRINGS,
                                 le32(1) + le32(1) + le32(EVT_MAX_STRING + 1) + std::string(EVT_MAX_STRING + 1, 's'));
  EXPECT_NE(damage_of(trace), "");
}

TEST(String, OfNumber0IsTheEmptyOneAndDamageIfItIsNot) {
  EXPECT_EQ(damage_of(front().block(EVT_BLOCK_STRINGS, le32(1) + le32(0) + le32(0))), "");
  RawTrace trace = front().block(EVT_BLOCK_STRINGS, le32(1) + le32(0) + le32(2) + "no").trailer();
  EXPECT_EQ(damage_of(trace), "2..2+62: a text for string 0, which is the empty one\n");
  EXPECT_EQ(text_of_raw(trace), "");
}

TEST(Records, AreFollowedByBytesThatAreIgnored) {
  const std::string record = le32(1) + le32(1) + le32(2) + "ok";
  EXPECT_EQ(damage_of(front().block(EVT_BLOCK_STRINGS, record + "a later version's")), "");
}

}  // namespace
}  // namespace evt::testing
