// Fields of CTF, of all kinds: bits that were laid down by hand.
#include <gtest/gtest.h>

#include "ctf_trace.h"

namespace evt::testing {
namespace {

// One event `e` with these fields, at 0 ns.
CtfTrace one_event(std::string_view fields, const CtfBytes& bytes, bool is_big = false) {
  CtfTrace trace(
      ctf_metadata(fmt::format("event {{ name = e; id = 0; stream_id = 0; fields := struct {{ {} }}; }};\n", fields),
                   is_big ? "be" : "le"));
  CtfBytes all(is_big);
  all.event(0, 0).raw(bytes.bytes());
  CtfPacket packet;
  packet.is_big = is_big;
  trace.stream("s", packet.of(all));
  return trace;
}
std::string fields_of(std::string_view fields, const CtfBytes& bytes, bool is_big = false) {
  return one_event(fields, bytes, is_big).reading();
}

constexpr const char* kPacked =
    "integer { size = 3; align = 1; } a; integer { size = 5; align = 1; signed = true; } b; "
    "integer { size = 12; align = 1; } c; integer { size = 4; align = 1; } d; u8 e;";

// 101 in the lowest bits, then -3 = 11101; 0xABC and 0xD.
TEST(CtfFields, BitsOfLittleEndianTracesBeginAtTheLowest) {
  EXPECT_EQ(fields_of(kPacked, CtfBytes().raw("\xED\xBC\xDA\x7F")), "0.000000000 1 e a=5 b=-3 c=2748 d=13 e=127\n");
}

TEST(CtfFields, BitsOfBigEndianTracesBeginAtTheHighest) {
  EXPECT_EQ(fields_of(kPacked, CtfBytes(true).raw("\xBD\xAB\xCD\x7F"), true),
            "0.000000000 1 e a=5 b=-3 c=2748 d=13 e=127\n");
}

TEST(CtfFields, IntegersHaveTheirOwnByteOrder) {
  EXPECT_EQ(fields_of("integer { size = 16; byte_order = be; } a; integer { size = 16; } b; "
                      "integer { size = 32; signed = true; byte_order = network; } c;",
                      CtfBytes().raw(std::string("\1\2\1\2\xFF\xFF\xFF\xFE", 8))),
            "0.000000000 1 e a=258 b=513 c=-2\n");
}

TEST(CtfFields, AlignmentIsFromTheFrontOfThePacket) {
  // The event's fields begin at byte 72 of the packet.
  EXPECT_EQ(fields_of("u8 a; integer { size = 32; align = 32; } b; struct { u8 x; } align(64) c;",
                      CtfBytes().raw(std::string("\1...\2\0\0\0\3", 9))),
            "0.000000000 1 e a=1 b=2 c.x=3\n");
}

TEST(CtfFields, TextsArraysAndSequencesHaveTheirElements) {
  EXPECT_EQ(fields_of("string a; integer { size = 8; encoding = UTF8; } b[6]; u8 n; u32 c[n]; u8 d[2]; string e[2]; "
                      "u8 f[2][2];",
                      CtfBytes()
                          .text("one")
                          .raw(std::string("two\0..", 6))
                          .number(2, 1)
                          .number(7, 4)
                          .number(8, 4)
                          .raw("\1\2")
                          .text("x")
                          .text("y")
                          .raw("\1\2\3\4")),
            "0.000000000 1 e a=\"one\" b=\"two\" n=2 c=[7 8] d=[1 2] e=[\"x\" \"y\"] f=\"[[1, 2], [3, 4]]\"\n");
}

// As LTTng writes them.
TEST(CtfFields, TheLengthOfASequenceIsNoFieldAndUnderscoresAreNotShown) {
  EXPECT_EQ(
      fields_of("u32 __list_length; u8 _list[ __list_length ]; u8 _event;", CtfBytes().number(3, 4).raw("\1\2\3\4")),
      "0.000000000 1 e list=[1 2 3] event=4\n");
}

TEST(CtfFields, AVariantHasTheOptionThatItsTagNames) {
  constexpr const char* kFields =
      "enum : u8 { I = 0, S = 1 ... 3, T } tag; variant <tag> { u8 I; string S; struct { u8 x; u8 y; } T; } val;";
  EXPECT_EQ(fields_of(kFields, CtfBytes().raw(std::string("\0\x2A", 2))), "0.000000000 1 e tag=I val=\"42\"\n");
  EXPECT_EQ(fields_of(kFields, CtfBytes().raw("\2h").number(0, 1)), "0.000000000 1 e tag=S.2 val=\"h\"\n");
  EXPECT_EQ(fields_of(kFields, CtfBytes().raw("\4\1\2")), "0.000000000 1 e tag=T val=\"{x = 1, y = 2}\"\n");
  EXPECT_EQ(
      fields_of(kFields, CtfBytes().raw("\7\1\2")),
      "not a trace: ctf: no event of it can be read: s: event e: it has a variant, and none of its options is for 7\n");
}

TEST(CtfFields, LabelsOfRangesTellTheirNumbersApart) {
  EXPECT_EQ(
      one_event("enum : integer { size = 8; signed = true; } { LOW = -2 ... -1, \"two words\" = 5, ALL = 0 ... 0 } a;",
                CtfBytes().raw("\xFF"))
          .types(),
      "type 1024 e (a enum8 labels=[0=ALL 5=\"two words\" 254=LOW.-2 255=LOW.-1])\n");
}

// Of several labels of a number the first is its own; a label of several numbers is followed by each.
TEST(CtfFields, LabelsThatAreThereTwiceTellTheirNumbersApart) {
  EXPECT_EQ(one_event("enum : u8 { A = 1, B = 1, C = 0 ... 2, A = 7 } a;", CtfBytes().raw("\1")).types(),
            "type 1024 e (a enum8 labels=[0=C.0 1=A 2=C.2 7=A.7])\n");
}

TEST(CtfFields, CharactersThatAreNotAByteEachAreNumbers) {
  EXPECT_EQ(fields_of("integer { size = 8; align = 32; encoding = UTF8; } a[2]; u8 b;",
                      CtfBytes().raw(std::string("a...b\7", 6))),
            "0.000000000 1 e a=[97 98] b=7\n");
}

TEST(CtfFields, ElementsWithoutBitsCostNoOtherArray) {
  const std::string reading =
      fields_of("struct { } a[2000]; struct { } b[2000]; u8 c[3]; u8 d;", CtfBytes().raw("\1\2\3\4"));
  EXPECT_TRUE(reading.ends_with(" c=[1 2 3] d=4\n")) << reading;
}

TEST(CtfFields, OfOptionsThatOverlapTheFirstIsChosen) {
  const std::string fields =
      "enum : integer { size = 8; signed = true; } { L = -5 ... 5, M = 0 ... 9, H = 20 ... 30 } tag; "
      "variant <tag> { u8 L; u32 M; string H; } v;";
  EXPECT_EQ(fields_of(fields, CtfBytes().raw("\xFB\1")), "0.000000000 1 e tag=L.-5 v=\"1\"\n");
  EXPECT_EQ(fields_of(fields, CtfBytes().raw("\5\1")), "0.000000000 1 e tag=L.5 v=\"1\"\n");
  EXPECT_EQ(fields_of(fields, CtfBytes().number(6, 1).number(2, 4)), "0.000000000 1 e tag=M.6 v=\"2\"\n");
  EXPECT_EQ(fields_of(fields, CtfBytes().raw("\x1Ex").number(0, 1)), "0.000000000 1 e tag=H.30 v=\"x\"\n");
}

TEST(CtfFields, TheLengthOfASequenceIsTheFieldThatItNames) {
  EXPECT_EQ(fields_of("u8 n; u8 __x_length; u8 _x[n];", CtfBytes().raw("\1\x4D\5")),
            "0.000000000 1 e n=1 _x_length=77 x=[5]\n");
}

TEST(CtfFields, FloatingPointNumbersAreExact) {
  EXPECT_EQ(fields_of("floating_point { exp_dig = 8; mant_dig = 24; byte_order = be; } a; "
                      "floating_point { exp_dig = 11; mant_dig = 53; } b; "
                      "floating_point { exp_dig = 8; mant_dig = 24; } c[2];",
                      CtfBytes()
                          .raw(std::string("\x3F\xC0\0\0", 4))
                          .number(0x3FB999999999999A, 8)
                          .number(0x7F800000, 4)
                          .number(0x80000000, 4)),
            "0.000000000 1 e a=1.5 b=0.1 c=[inf -0]\n");
}

TEST(CtfFields, StructuresAreFlattenedAndThoseInArraysAreText) {
  EXPECT_EQ(fields_of("struct point { u8 x; struct { u8 y; } in; }; struct point at; struct point all[2];",
                      CtfBytes().raw("\1\2\3\4\5\6")),
            "0.000000000 1 e at.x=1 at.in.y=2 all=\"[{x = 3, in = {y = 4}}, {x = 5, in = {y = 6}}]\"\n");
}

// Compact headers of LTTng: 5 bits of id, of which 31 means that it is in the variant.
TEST(CtfFields, CompactHeadersHaveTheirIdsAndTimes) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "typealias integer { size = 8; align = 8; } := uint8_t;\n"
      "typealias integer { size = 5; align = 1; } := uint5_t;\n"
      "typealias integer { size = 32; align = 8; } := unsigned int;\n"
      "trace { major = 1; minor = 8; byte_order = le; };\n"
      "clock { name = \"c\"; freq = 1000000000; };\n"
      "typealias integer { size = 27; align = 1; map = clock.c.value; } := uint27_c_t;\n"
      "typealias integer { size = 64; align = 8; map = clock.c.value; } := uint64_c_t;\n"
      "struct header { enum : uint5_t { compact = 0 ... 30, extended = 31 } id;\n"
      "  variant <id> { struct { uint27_c_t timestamp; } compact;\n"
      "    struct { unsigned int id; uint64_c_t timestamp; } extended; } v; } align(8);\n"
      "stream { event.header := struct header; };\n"
      "event { name = \"a\"; id = 2; fields := struct { uint8_t _v; }; };\n"
      "event { name = \"b\"; id = 1000; };\n");
  trace.stream("s", CtfBytes()
                        .number(2 | 1000 << 5, 4)
                        .number(7, 1)
                        .number(31, 1)
                        .number(1000, 4)
                        .number((1 << 27) + 5, 8)
                        .number(2 | 4 << 5, 4)
                        .number(8, 1)
                        .bytes());
  // 4 is less than 5: the clock has gone on to 2 * 2^27 + 4.
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 a v=7\n"
            "0.134216733 1 b\n"
            "0.268434460 1 a v=8\n");
}

TEST(CtfFields, ContextsAreInFrontOfThePayloadAndTagsMayBeInOtherScopes) {
  CtfTrace trace(
      "/* CTF 1.8 */\n"
      "typealias integer { size = 8; align = 8; } := u8;\n"
      "trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u8 n; }; };\n"
      "stream { event.context := struct { u8 m; }; packet.context := struct { u8 k; }; };\n"
      "event { name = a; context := struct { u8 x; u8 list[stream.event.context.m]; };\n"
      "  fields := struct { u8 x; u8 one[trace.packet.header.n]; u8 two[stream.packet.context.k]; u8 "
      "three[event.context.x]; }; "
      "};\n");
  trace.stream("s", "\1\2\3\1\5\6\7\x9\xA\xB\xC\xD");
  EXPECT_EQ(trace.reading(),
            "0.000000000 1 a m=3 x=1 list=[5 6 7] x.2=9 one=[10] two=[11 12] three=[13]\n"
            "note s: 1 event without a time: each is put a nanosecond behind the one before\n");
}

TEST(CtfFields, MoreFieldsThanATypeHasAreOneText) {
  std::string fields;
  for (int i = 0; i < 2000; ++i) fields += fmt::format("u8 f{};", i);
  const std::string reading = fields_of(fields, CtfBytes().raw(std::string(2000, '\1')));
  EXPECT_TRUE(reading.starts_with("0.000000000 1 e fields=\"{f0 = 1, f1 = 1, ")) << reading.substr(0, 100);
  EXPECT_TRUE(reading.ends_with(", f1998 = 1, f1999 = 1}\"\n")) << reading.size();
}

TEST(CtfFields, WhatIsClaimedTakesNoMemoryAndNoTime) {
  const std::string beyond =
      "not a trace: ctf: no event of it can be read: s: event e: it goes beyond the end of its packet\n";
  EXPECT_EQ(fields_of("u8 a[2000000000];", CtfBytes()), beyond);
  EXPECT_EQ(fields_of("u64 n; u32 a[n];", CtfBytes().number(UINT64_MAX, 8)), beyond);
  EXPECT_EQ(fields_of("string a;", CtfBytes().raw("no end")), beyond);
  EXPECT_EQ(fields_of("struct { } a[4000000000][4000000000];", CtfBytes()).substr(0, 24), "0.000000000 1 e a=\"[[{},");
}

}  // namespace
}  // namespace evt::testing
