// The page and the command line show the same characters as their codes.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "libtrace-read/text/utf8.h"
#include "support/command.h"

namespace evt::testing {
namespace {

constexpr const char* kRangesOfThePage = R"(
import { visible } from 'TEXT';
let first = -1;
for (let code = 0; code <= 0x110000; ++code) {
  const shown = code < 0x110000 && visible(String.fromCodePoint(code)) !== String.fromCodePoint(code);
  if (shown && first < 0) first = code;
  if (shown || first < 0) continue;
  console.log(first.toString(16) + '-' + (code - 1).toString(16));
  first = -1;
}
)";

// Half a character of UTF-16 is none in UTF-8.
bool is_harmless_in_a_page(std::uint32_t code) { return is_harmless(code) && (code < 0xD800 || code > 0xDFFF); }

std::string ranges_of_the_command_line() {
  std::string ranges;
  std::uint32_t first = UINT32_MAX;
  for (std::uint32_t code = 0; code <= 0x110000; ++code) {
    const bool is_shown = code < 0x110000 && !is_harmless_in_a_page(code);
    if (is_shown && first == UINT32_MAX) first = code;
    if (is_shown || first == UINT32_MAX) continue;
    ranges += fmt::format("{:x}-{:x}\n", first, code - 1);
    first = UINT32_MAX;
  }
  return ranges;
}

TEST(VisibleText, IsTheSameInThePageAsAtTheCommandLine) {
  if (run("command -v node").status != 0) GTEST_SKIP() << "the page's functions are run by Node.js";
  std::string script = kRangesOfThePage;
  script.replace(script.find("TEXT"), 4, EVT_SOURCE_FOLDER "/tools/view/page/text.js");
  EXPECT_EQ(run("node --input-type=module --no-warnings", "", script), (Outcome{0, ranges_of_the_command_line(), ""}));
}

}  // namespace
}  // namespace evt::testing
