// Which characters may be shown as they are.
#include "libtrace-read/text/utf8.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tools/at_the_shell.h"

namespace evt::testing {
namespace {

// Perl knows Unicode's properties. It prints the first and the last of each row of ignorable characters.
constexpr const char* kIgnorable =
    "perl -e 'my $before = 0; for my $code (0..0xD7FF, 0xE000..0x10FFFF) {"
    " my $is = chr($code) =~ /\\p{Default_Ignorable_Code_Point}/ ? 1 : 0;"
    " printf(\"%d\\n\", $is ? $code : $code - 1) if $is != $before; $before = $is; }'";

using Characters = AtTheShell;

TEST_F(Characters, ThatAreInvisibleByUnicodeAreNotHarmless) {
  const Outcome perl = run(kIgnorable);
  if (perl.status != 0) GTEST_SKIP() << "perl does not know the property: " << perl.err;
  std::istringstream ends(perl.out);
  std::size_t ranges = 0;
  std::uint32_t from = 0;
  for (std::uint32_t to = 0; ends >> from >> to; ++ranges) {
    for (std::uint32_t code = from; code <= to; ++code) EXPECT_FALSE(is_harmless(code)) << std::hex << code;
    // Of what surrounds them only controls of other kinds are refused.
    const auto is_control = [](std::uint32_t code) {
      return (code >= 0x2028 && code <= 0x202E) || (code >= 0xFFF9 && code <= 0xFFFB);
    };
    for (const std::uint32_t beside : {from - 1, to + 1}) {
      EXPECT_EQ(is_harmless(beside), !is_control(beside)) << std::hex << beside;
    }
  }
  EXPECT_GE(ranges, 17u);
}

TEST_F(Characters, ThatControlTerminalsLinesOrAnnotationsAreNotHarmless) {
  for (std::uint32_t code = 0; code < 0x20; ++code) EXPECT_FALSE(is_harmless(code)) << std::hex << code;
  for (std::uint32_t code = 0x7F; code < 0xA0; ++code) EXPECT_FALSE(is_harmless(code)) << std::hex << code;
  for (const std::uint32_t code : {0x2028u, 0x2029u, 0xFFF9u, 0xFFFAu, 0xFFFBu}) {
    EXPECT_FALSE(is_harmless(code)) << std::hex << code;
  }
}

TEST_F(Characters, ThatCanBeSeenAreHarmless) {
  for (const std::uint32_t code : {0x20u, 0x41u, 0x7Eu, 0xA0u, 0xE9u, 0x301u, 0x4E2Du, 0xFFFCu, 0xFFFDu, 0x1F600u}) {
    EXPECT_TRUE(is_harmless(code)) << std::hex << code;
  }
}

TEST_F(Characters, ThatAreInvisibleAreEscapedInEveryForm) {
  // A soft hyphen, two fillers, a Mongolian separator, an annotation and a variation selector.
  const std::string invisible =
      "a\xc2\xad\xe1\x85\x9f\xe3\x85\xa4\xe1\xa0\x8e\xef\xbf\xb9\xef\xb8\x8f"
      "z";
  const std::string bytes = R"(a\xc2\xad\xe1\x85\x9f\xe3\x85\xa4\xe1\xa0\x8e\xef\xbf\xb9\xef\xb8\x8fz)";
  const std::string units = R"(a\u00ad\u115f\u3164\u180e\ufff9\ufe0fz)";
  given_trace("x.evt", "type 1024 say (what text)\nstream 1 \"m\"\n0.000000001 1 say what=\"" + invisible + "\"\n");
  EXPECT_EQ(run("evt dump x.evt"), prints("   0.000000001  m  say what=\"" + bytes + "\"\n"));
  EXPECT_EQ(run("evt dump --canonical x.evt | tail -1"), prints("0.000000001 1 say what=\"" + bytes + "\"\n"));
  EXPECT_EQ(run("evt dump --csv x.evt | tail -1"), prints("1,m,say," + bytes + ",\r\n"));
  EXPECT_EQ(run("evt dump --json x.evt | grep -o '\"what\":.*'"), prints("\"what\":\"" + units + "\"}}\n"));
  EXPECT_EQ(run("evt dump $'none\\xc2\\xad.evt'"),
            refuses(3, "evt dump: cannot open none\\xc2\\xad.evt: No such file or directory\n"));
}

}  // namespace
}  // namespace evt::testing
