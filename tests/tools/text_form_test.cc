// Text -> trace -> text: types, names, markers and sessions come back as they were written.
#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

TEST(TextForm, KeepsRolesUnitsLabelsAndDescriptions) {
  expect_same_text(
      "type 1024 sched.stop \"a thread stops\" role=threadStop (thread u32 role=thread \"which one\") (waited u64 "
      "role=duration unit=nanoseconds \"how long\") (state enum8 role=reason labels=[1=run 2=\"to wait\"] \"why\")\n"
      "type 1025 heap role=counter (used u64 role=amount unit=bytes)\n");
}

TEST(TextForm, KeepsRolesAndUnitsOfALaterVersion) {
  expect_same_text("type 1024 later role=177 (a u8 role=200 unit=65535)\n");
}

TEST(TextForm, QuotesNamesThatAreNoPlainWords) {
  expect_same_text(
      "type 1024 \"two words\" (\"a field\" u8) (\"\\\"\" u8) (\"=\" u8) (\"3\" u8) (\"+0x01\" u8)\n"
      "stream 1 \"\"\n"
      "0.000000001 1 \"two words\" \"a field\"=1 \"\\\"\"=2 \"=\"=3 \"3\"=4 \"+0x01\"=5\n"
      "type 1025 \"!lost\" (n u8)\n"
      "0.000000002 1 \"!lost\" n=1\n"
      "type 1026 \"(\"\n"
      "0.000000003 1 \"(\"\n"
      "type 1027 _a.b:c/d-e9\n"
      "0.000000004 1 _a.b:c/d-e9\n"
      "type 1028 \"größe\"\n"
      "0.000000005 1 \"größe\"\n"
      "type 1029 session\n"
      "0.000000006 1 session\n");
}

TEST(TextForm, KeepsTypesThatAreNotDeclared) {
  expect_same_text(
      "stream 1 \"m\"\n"
      "0.000000001 1 type#1\n"
      "0.000000002 1 type#77 +0x0102\n"
      "0.000000003 1 type#65279 +0x01\n"
      "0.000000004 1 type#65536 +0x01\n"
      "0.000000005 1 type#4294967295 +0x0102030405\n");
}

TEST(TextForm, KeepsWideTypeNumbers) {
  expect_same_text(
      "type 65536 wide (n u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 wide n=1\n"
      "type 4294967295 widest (n text)\n"
      "0.000000002 1 widest n=\"one\"\n"
      "type 65279 largest.narrow\n"
      "0.000000003 1 largest.narrow\n"
      "type 1 pinned\n"
      "0.000000004 1 pinned\n");
}

TEST(TextForm, TellsATypeNamedAsAnUndeclaredOneFromThatOne) {
  expect_same_text(
      "type 1024 \"type#5\" (n u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 \"type#5\" n=1\n"
      "0.000000002 1 type#5 +0x02\n");
}

TEST(TextForm, KeepsTypesOfOneName) {
  expect_same_text(
      "type 1024 tick (n u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 type#1024 tick n=1\n"
      "type 1025 tick (n u16)\n"
      "0.000000002 1 type#1025 tick n=2\n"
      "0.000000003 1 type#1024 tick n=3\n");
}

TEST(TextForm, KeepsAllLabelsOfAValue) {
  expect_same_text(
      "type 1024 state (a enum8 labels=[0=off 1=on 1=started])\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 state a=on\n");
}

TEST(TextForm, KeepsStreams) {
  expect_same_text(
      "stream 1 \"main\" thread=18446744073709551615 process=3\n"
      "stream 2 \"\" thread=7\n"
      "stream 70000 \"another \\\"one\\\"\" process=9\n"
      "stream 4294967295 \"last\"\n");
}

TEST(TextForm, KeepsEscapes) {
  expect_same_text(
      "type 1024 say (what text)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 say what=\"\\\\ \\\" \\n \\t ' = ( ) [ ] # +\"\n"
      "0.000000002 1 say what=\"\\x00\\x01\\x07\\x0d\\x1b[31m\\x7f\"\n");
}

TEST(TextForm, KeepsCharactersAndEscapesWhatHidesOrReordersThem) {
  expect_same_text(
      "type 1024 say (what text)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 say what=\"größe 漢字 🙂 \xC2\xA0\"\n"
      "0.000000002 1 say what=\"C1 \\xc2\\x80\\xc2\\x9b\\xc2\\x9f\"\n"
      "0.000000003 1 say what=\"bidi \\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\x8f\\xd8\\x9c\"\n"
      "0.000000004 1 say what=\"lines \\xe2\\x80\\xa8\\xe2\\x80\\xa9 bom \\xef\\xbb\\xbf nothing \\xe2\\x80\\x8b\"\n"
      "0.000000005 1 say what=\"tags \\xf3\\xa0\\x81\\x81\"\n");
}

TEST(TextForm, KeepsBytesThatAreNotUtf8) {
  expect_same_text(
      "type 1024 say (what text)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 say what=\"\\x80\\xff\\xfe\"\n"
      "0.000000002 1 say what=\"cut \\xe2\\x82\"\n"
      "0.000000003 1 say what=\"overlong \\xc0\\xaf\\xe0\\x80\\xaf\"\n"
      "0.000000004 1 say what=\"surrogate \\xed\\xa0\\x80\"\n"
      "0.000000005 1 say what=\"beyond \\xf4\\x90\\x80\\x80\"\n"
      "0.000000006 1 say what=\"good \xE2\x82\xAC then bad \\x9b\"\n");
}

TEST(TextForm, ReadsAnyEscapeThatItWouldNotWrite) {
  EXPECT_EQ(text_of_trace(trace_from_text("type 1024 say (what text)\n"
                                          "stream 1 \"m\"\n"
                                          "0.000000001 1 say what=\"\\x41\\xC3\\xB6\\x0A\\x22\"\n")),
            "type 1024 say (what text)\n"
            "stream 1 \"m\"\n"
            "0.000000001 1 say what=\"Aö\\n\\\"\"\n");
}

TEST(TextForm, ReadsCommentsEmptyLinesCarriageReturnsAndSpaces) {
  EXPECT_EQ(text_of_trace(trace_from_text("evtrace text 1\r\n"
                                          "# a comment\n"
                                          "\n"
                                          "session uuid=0x000102030405460788090A0B0C0D0E0F start=1767225600 "
                                          "program=\"test\"\r\n"
                                          "   # another\n"
                                          "  type  1024   say ( n   u8 )\t(m u8)  \n"
                                          "stream 1 \"m\"\r\n"
                                          "\t1.5 1 say n = 1 m = 2\r\n"
                                          "2 1 say n=3")),
            "type 1024 say (n u8) (m u8)\n"
            "stream 1 \"m\"\n"
            "1.500000000 1 say n=1 m=2\n"
            "2.000000000 1 say n=3\n");
}

TEST(TextForm, KeepsLosses) {
  expect_same_text(
      "stream 1 \"m\"\n"
      "0.000000001 1 !lost count=1 cause=ring_full duration=0.000000000\n"
      "0.000000002 1 !lost count=2 cause=too_large duration=0.000000000\n"
      "0.000000003 1 !lost count=3 cause=overwritten duration=0.000000000\n"
      "0.000000004 1 !lost count=4 cause=reentered duration=0.000000000\n"
      "0.000000005 1 !lost count=5 cause=sink duration=0.000000000\n"
      "0.000000006 1 !lost count=6 cause=damage duration=0.000000000\n"
      "0.000000007 1 !lost count=7 cause=99 duration=0.000000000\n"
      "0.000000008 1 !lost count=18446744073709551615 cause=65535 duration=0.000000000\n");
}

TEST(TextForm, KeepsJumps) {
  expect_same_text(
      "stream 1 \"m\"\n"
      "-5.000000000 1 !jump\n"
      "type 1024 tick (n u8)\n"
      "-5.000000000 1 tick n=2\n"
      "-4.000000000 1 !jump\n"
      "-4.000000000 1 !lost count=1 cause=sink duration=0.000000000\n"
      "1.000000000 1 tick n=1\n");
}

TEST(TextForm, KeepsTimesOnBothSidesOfTheStart) {
  expect_same_text(
      "type 1024 tick\n"
      "stream 1 \"m\"\n"
      "-4611686018.427387904 1 tick\n"
      "-3999999999.000000000 1 tick\n"
      "-4.294967297 1 tick\n"
      "-0.000000001 1 tick\n"
      "0.000000000 1 tick\n"
      "4.294967295 1 tick\n"
      "8.589934591 1 tick\n"
      "3999999999.999999999 1 tick\n"
      "9223372036.854775807 1 tick\n");
}

TEST(TextForm, KeepsThatASessionIsTruncated) {
  expect_same_text(
      "type 1024 tick\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 tick\n"
      "truncated\n");
}

TEST(TextForm, KeepsSessionsAndWhatTheySay) {
  expect_same_text(
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=-0.000000001 program=\"a \\\"b\\\"\" "
      "pid=18446744073709551615 "
      "host=\"h\" boot=\"fba8\" writer=\"evtrace 0\" args=[\"one\" \"\" \"two three\"] "
      "origins=[0x200102030405460788090a0b0c0d0e2f 0x00000000000000000000000000000000]\n"
      "type 1024 tick\n"
      "stream 1 \"m\"\n"
      "1.000000000 1 tick\n"
      "truncated\n"
      "session uuid=0x100102030405460788090a0b0c0d0e1f start=0.000000000\n"
      "type 1024 tock (n u8)\n"
      "stream 1 \"other\"\n"
      "0.500000000 1 tock n=1\n"
      "session uuid=0x200102030405460788090a0b0c0d0e2f start=3999999999.000000000 program=\"last\"\n");
}

TEST(TextForm, KeepsWhatACutLeftOut) {
  expect_same_text(
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 cut=\"stream m, from 0.1\" "
      "left_out=[from=0.100000000 to=9223372036.854775807 streams=[\"n\" \"o \\\"p\\\"\"] types=[\"tock\"] sampled=key "
      "one_in=3 others=true]\n"
      "session uuid=0x100102030405460788090a0b0c0d0e1f start=0.000000000 left_out=[]\n"
      "session uuid=0x200102030405460788090a0b0c0d0e2f start=0.000000000 left_out=[sampled=77 one_in=0]\n");
}

TEST(TextForm, KeepsHowManyNamesMoreACutLeftOut) {
  std::string names = "\"s0\"";
  for (int i = 1; i < EVT_MAX_ORIGINS; ++i) names += " \"s" + std::to_string(i) + "\"";
  expect_same_text(
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 left_out=[streams=[" +
      names + "] more_streams=7]\n");
}

TEST(TextForm, HasNoUuidOfASessionThatIsNotKnown) {
  std::string trace = trace_from_text(
      "type 1024 tick\n"
      "stream 1 \"m\"\n"
      "1.000000000 1 tick\n");
  trace.erase(0, Blocks(trace).first(EVT_BLOCK_SESSION).bytes.size());
  const std::string text =
      "evtrace text 1\n"
      "session start=0.000000000\n"
      "type 1024 tick\n"
      "stream 1 \"m\"\n"
      "1.000000000 1 tick\n"
      "truncated\n";
  EXPECT_EQ(text_of_trace(trace), text);
}

TEST(TextForm, PutsLinesInTheirOrder) {
  EXPECT_EQ(text_of_trace(trace_from_text("type 1024 tick (n u8)\n"
                                          "stream 2 \"b\"\n"
                                          "stream 1 \"a\"\n"
                                          "0.000000003 1 tick n=3\n"
                                          "-0.000000001 2 tick n=1\n"
                                          "0.000000003 2 tick n=4\n")),
            "type 1024 tick (n u8)\n"
            "stream 2 \"b\"\n"
            "-0.000000001 2 tick n=1\n"
            "stream 1 \"a\"\n"
            "0.000000003 1 tick n=3\n"
            "0.000000003 2 tick n=4\n");
}

TEST(TextForm, AddsATypeThatGrowsItsFields) {
  EXPECT_EQ(text_of_trace(trace_from_text("type 1024 tick (n u8)\n"
                                          "stream 1 \"m\"\n"
                                          "0.000000001 1 tick n=1\n"
                                          "type 1024 tick (n u8) (m u8)\n"
                                          "0.000000002 1 tick n=2 m=3\n")),
            "type 1024 tick (n u8) (m u8)\n"
            "stream 1 \"m\"\n"
            "0.000000001 1 tick n=1\n"
            "0.000000002 1 tick n=2 m=3\n");
}

TEST(TextForm, HasTheEndsOfStreams) {
  expect_same_text(
      "type 1024 tick\n"
      "stream 1 \"a\"\n"
      "0.000000001 1 tick\n"
      "0.000000002 1 !end\n"
      "stream 2 \"b\"\n"
      "0.000000005 2 !jump\n"
      "0.000000005 2 !end\n");
}

}  // namespace
}  // namespace evt::testing
