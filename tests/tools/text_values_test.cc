// Text -> trace -> text: values of every kind and shape come back as they were written.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

TEST(TextValues, UnsignedAndSignedNumbersReachTheirLimits) {
  expect_same_text(
      "type 1024 unsigned (a u8) (b u16) (c u32) (d u64)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 unsigned a=0 b=0 c=0 d=0\n"
      "0.000000002 1 unsigned a=255 b=65535 c=4294967295 d=18446744073709551615\n"
      "type 1025 signed (a i8) (b i16) (c i32) (d i64)\n"
      "0.000000003 1 signed a=-128 b=-32768 c=-2147483648 d=-9223372036854775808\n"
      "0.000000004 1 signed a=127 b=32767 c=2147483647 d=9223372036854775807\n"
      "0.000000005 1 signed a=-1 b=-1 c=-1 d=-1\n");
}

TEST(TextValues, NumbersOfEveryLengthComeBack) {
  std::string lines = "type 1024 number (u u64) (i i64)\nstream 1 \"m\"\n";
  std::uint64_t power = 1;
  for (int digits = 1; digits <= 18; ++digits, power *= 10) {
    for (const std::uint64_t n : {power - 1, power, power + power / 3, power * 10 - 1}) {
      const std::string text = std::to_string(n);
      const std::string time = digits < 10 ? text + ".000000001 " : "999999999.999999999 ";
      lines += time + "1 number u=" + text + (n == 0 ? " i=0\n" : " i=-" + text + '\n');
    }
  }
  expect_same_text(lines);
}

TEST(TextValues, FloatsKeepEveryBit) {
  expect_same_text(
      "type 1024 floats (f f32) (d f64)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 floats f=0 d=0\n"
      "0.000000002 1 floats f=-0 d=-0\n"
      "0.000000003 1 floats f=0.1 d=0.1\n"
      "0.000000004 1 floats f=1e+20 d=1e+300\n"
      "0.000000005 1 floats f=-1.5e-10 d=-1e-300\n"
      "0.000000006 1 floats f=1e-45 d=5e-324\n"
      "0.000000007 1 floats f=3.4028235e+38 d=1.7976931348623157e+308\n"
      "0.000000008 1 floats f=inf d=-inf\n"
      "0.000000009 1 floats f=nan d=nan\n");
}

TEST(TextValues, ANanKeepsItsPayload) {
  expect_same_text(
      "type 1024 floats (f f32) (d f64)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 floats f=nan:0x7f800001 d=nan:0x7ff0000000000001\n"
      "0.000000002 1 floats f=nan:0xffc00000 d=nan:0xfff8000000000000\n"
      "0.000000003 1 floats f=nan:0xffffffff d=nan:0xffffffffffffffff\n");
}

TEST(TextValues, BoolsAreWordsUnlessTheyAreNeither) {
  expect_same_text(
      "type 1024 flag (on bool)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 flag on=false\n"
      "0.000000002 1 flag on=true\n"
      "0.000000003 1 flag on=2\n"
      "0.000000004 1 flag on=255\n");
}

TEST(TextValues, EnumerationsAreLabelsWhereALabelTellsTheNumber) {
  expect_same_text(
      "type 1024 state (a enum8 labels=[0=off 1=on 2=\"two words\" 3=\"4\"]) (b enum64 "
      "labels=[18446744073709551615=last]) (c enum16) (d enum32)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 state a=off b=last c=0 d=0\n"
      "0.000000002 1 state a=on b=0 c=65535 d=4294967295\n"
      "0.000000003 1 state a=\"two words\" b=18446744073709551614 c=1 d=1\n"
      "0.000000004 1 state a=\"4\" b=1 c=1 d=1\n"
      "0.000000005 1 state a=4 b=1 c=1 d=1\n");
}

TEST(TextValues, AnEnumerationShowsItsNumberWhereTheLabelIsAmbiguousOrEmpty) {
  expect_same_text(
      "type 1024 state (a enum8 labels=[1=on 2=on 3=\"\"])\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 state a=1\n"
      "0.000000002 1 state a=2\n"
      "0.000000003 1 state a=3\n");
}

TEST(TextValues, TextsAndBytesOfEveryShape) {
  expect_same_text(
      "type 1024 texts (a text) (b text32) (c text[]) (d bytes) (e bytes32) (f bytes[]) (g bytes(3))\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 texts a=\"\" b=\"\" c=[] d=0x e=0x f=[] g=0x000000\n"
      "0.000000002 1 texts a=\"one\" b=\"two\" c=[\"three\" \"\" \"four five\"] d=0x01 e=0x0203 f=[0x04 0x 0x0506] "
      "g=0x070809\n");
}

TEST(TextValues, ArraysOfEveryKind) {
  expect_same_text(
      "type 1024 arrays (a u8[]) (b i16[]) (c f32[]) (d f64[]) (e bool[]) (f enum8[] labels=[1=one]) (g interned[]) "
      "(h u64[])\n"
      "stream 1 \"m\"\n"
      "string 1 \"here\"\n"
      "string 2 \"there\"\n"
      "0.000000001 1 arrays a=[0 255] b=[-32768 32767 0] c=[nan -0 0.5] d=[1e+300 inf] e=[true false 7] f=[one 2] "
      "g=[\"here\" \"there\" \"here\" #9 \"\"] h=[18446744073709551615]\n"
      "0.000000002 1 arrays a=[] b=[] c=[] d=[] e=[] f=[] g=[] h=[]\n");
}

TEST(TextValues, InternedTextsAreQuotedWhereTheTextTellsTheNumber) {
  expect_same_text(
      "type 1024 at (where interned)\n"
      "stream 1 \"m\"\n"
      "string 7 \"here\"\n"
      "0.000000001 1 at where=\"here\"\n"
      "0.000000002 1 at where=\"\"\n"
      "0.000000003 1 at where=#5\n"
      "string 8 \"twice\"\n"
      "0.000000004 1 at where=#8\n"
      "string 9 \"twice\"\n"
      "0.000000005 1 at where=#9\n"
      "0.000000006 1 at where=#4294967295\n");
}

TEST(TextValues, AnEmptyTextWithANumberOfItsOwnIsNotNumber0) {
  expect_same_text(
      "type 1024 at (where interned)\n"
      "stream 1 \"m\"\n"
      "string 5 \"\"\n"
      "0.000000001 1 at where=#5\n"
      "0.000000002 1 at where=#0\n");
}

TEST(TextValues, TicksAreTimesAndTickDeltasDurations) {
  expect_same_text(
      "type 1024 waited (since ticks) (how_long tick_delta)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 waited since=0.000000000 how_long=0.000000000\n"
      "5.000000000 1 waited since=-1.000000001 how_long=6.000000001\n"
      "6.000000000 1 waited since=3999999999.999999999 how_long=-3999999999.999999999\n"
      "7.000000000 1 waited since=9223372036.854775807 how_long=4611686025.427387904\n"
      "8.000000000 1 waited since=-4611686018.427387904 how_long=-9223372028.854775807\n");
}

TEST(TextValues, KindsThatAreNotKnownAreBytesAndKnownFieldsFollow) {
  expect_same_text(
      "type 1024 later (a kind77:counted16) (b u8) (c kind77:fixed4) (d text) (e kind77:counted32) (f i8) (g "
      "kind77:array2) (h u8) (i kind77:list) (j bool)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 later a=0x010203 b=1 c=0x04050607 d=\"two\" e=0x08 f=-3 g=[0x0102 0x0304] h=4 i=[0x01 0x 0x0203] "
      "j=true\n"
      "0.000000002 1 later a=0x b=0 c=0x00000000 d=\"\" e=0x f=0 g=[] h=0 i=[] j=false\n");
}

TEST(TextValues, KnownKindsOfAnotherShapeOrWidthAreBytesToo) {
  expect_same_text(
      "type 1024 odd (a kind1:fixed3) (b kind3:fixed2) (c kind9:fixed2) (d kind8:counted16) (e kind7:array4) (f "
      "kind1:list) (g u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 odd a=0x010203 b=0x0102 c=0x0102 d=0x01 e=[0x01020304 0x05060708] f=[0x01] g=9\n");
}

TEST(TextValues, BehindAShapeThatIsNotKnownAllIsBytes) {
  expect_same_text(
      "type 1024 later (a u8) (b kind77:shape32/4) (c u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 later a=1 +0x0203040506\n"
      "0.000000002 1 later a=1\n");
}

TEST(TextValues, CountedShapesThatAreNotKnownAreBytes) {
  expect_same_text(
      "type 1024 later (a u8) (b kind77:shape9/4) (c kind6:shape16/0) (d u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 later a=1 b=0x020304 c=0x d=5\n"
      "0.000000002 1 later a=1 b=0x\n");
}

TEST(TextValues, BytesBehindTheLastFieldAreKept) {
  expect_same_text(
      "type 1024 grown (a u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 grown a=1 +0x0203\n"
      "0.000000002 1 grown\n"
      "type 1025 bare\n"
      "0.000000003 1 bare +0xff\n");
}

TEST(TextValues, AFieldThatTheRowDoesNotHoldWholeIsNotThere) {
  expect_same_text(
      "type 1024 short (a u8) (b u32) (c text)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 short a=1 b=2\n"
      "0.000000002 1 short a=1 +0x020304\n"
      "0.000000003 1 short a=1 b=2 +0x0500616263\n");
}

TEST(TextValues, RowsOfMoreThan64KiB) {
  const std::string long_text(100'000, 'x');
  const std::string longest_counted(65'535, 'y');
  const std::string long_hex(200'000, 'a');
  expect_same_text(
      "type 1024 big (a text32) (b u8)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 big a=\"" +
      long_text +
      "\" b=1\n"
      "0.000000002 1 big a=\"short\" b=2\n"
      "type 1025 full (a text)\n"
      "0.000000003 1 full a=\"" +
      longest_counted +
      "\"\n"
      "0.000000004 1 type#77 +0x" +
      long_hex + "\n");
}

TEST(TextValues, BytesOfAnyFixedWidth) {
  const std::string page(2 * 65'536, '1');
  const std::string unknown(2 * 70'000, '2');
  expect_same_text(
      "type 1024 page (a bytes(65536)) (b kind77:fixed70000)\n"
      "stream 1 \"m\"\n"
      "0.000000001 1 page a=0x" +
      page + " b=0x" + unknown + "\n");
}

}  // namespace
}  // namespace evt::testing
