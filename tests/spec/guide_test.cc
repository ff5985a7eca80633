// What the guide shows is true: its commands work, and print what is shown behind them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/command.h"
#include "support/document.h"
#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// What each command block printed, in their order. The blocks of a chapter are one script, in an empty folder.
std::vector<std::string> outputs_of(const std::vector<Fence>& fences) {
  const std::string mark = "@@@ end of a block";
  std::string script = "set -e\nexport EXAMPLES='" EVT_SOURCE_FOLDER "/examples'\n";
  for (const Fence& fence : fences) {
    if (fence.language == "sh") script += fence.text + "echo '" + mark + "'\n";
  }
  const Folder folder;
  const Outcome outcome = run(script, folder.path(), "", 300);
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
  std::vector<std::string> outputs;
  for (std::size_t at = 0, end; (end = outcome.out.find(mark + "\n", at)) != std::string::npos;
       at = end + mark.size() + 1) {
    outputs.push_back(outcome.out.substr(at, end - at));
  }
  return outputs;
}

class Chapter : public ::testing::TestWithParam<const char*> {};

// With EVT_GUIDE=write the chapter gets what its commands print, in place of what it had.
TEST_P(Chapter, CommandsPrintWhatIsShown) {
  const std::string document = std::string("docs/") + GetParam();
  std::string text = source_file(document);
  const std::vector<Fence> fences = fences_of(text);
  const std::vector<std::string> outputs = outputs_of(fences);
  const bool is_written = std::getenv("EVT_GUIDE") != nullptr;
  std::vector<std::pair<Fence, std::string>> shown;
  std::size_t block = 0;
  for (std::size_t i = 0; i < fences.size(); ++i) {
    if (fences[i].language != "sh") continue;
    ASSERT_LT(block, outputs.size()) << fences[i].text;
    const std::string& output = outputs[block++];
    if (i + 1 == fences.size() || !fences[i + 1].follows || fences[i + 1].language != "text") continue;
    if (!is_written) {
      EXPECT_EQ(output, fences[i + 1].text) << document << ": " << fences[i].text;
    }
    shown.emplace_back(fences[i + 1], output);
  }
  if (!is_written) return;
  for (std::size_t i = shown.size(); i-- > 0;) {
    text.replace(shown[i].first.begin, shown[i].first.text.size(), shown[i].second);
  }
  std::ofstream(std::string(EVT_SOURCE_FOLDER "/") + document) << text;
}

INSTANTIATE_TEST_SUITE_P(Guide, Chapter,
                         ::testing::Values("COOKBOOK.md", "AUTOMATION.md", "guide/look.md", "guide/find.md",
                                           "guide/measure.md", "guide/compare.md", "guide/parts.md", "guide/view.md",
                                           "guide/convert.md", "guide/run.md", "guide/code.md", "guide/record.md",
                                           "guide/tools.md", "guide/damage.md"),
                         [](const ::testing::TestParamInfo<const char*>& chapter) {
                           std::string name = chapter.param;
                           name = name.substr(name.rfind('/') + 1);
                           return name.substr(0, name.find('.'));
                         });

TEST(Shop, RecordsTheSameInEachRun) {
  const Folder folder;
  EXPECT_EQ(run("shop a.evt && shop b.evt && evt dump a.evt > a.txt && evt dump b.evt > b.txt && cmp a.txt b.txt && "
                "wc -l < a.txt",
                folder.path()),
            (Outcome{0, "15179\n", ""}));
}

}  // namespace
}  // namespace evt::testing
