// The archive (testdata/README.md): every trace in it is the one it was, reads as it did, and is spoken of in the words
// that are kept beside it. With EVT_ARCHIVE=write these words are written anew, and what is not there yet.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "support/command.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

const std::string kArchive = EVT_SOURCE_FOLDER "/testdata";
constexpr const char* kSums = "SHA256SUMS";

bool writing() {
  const char* const wish = getenv("EVT_ARCHIVE");
  return wish != nullptr && wish == std::string("write");
}

// Files with this ending, as `v1/name.evt`, in order.
std::vector<std::string> files(const std::vector<std::string>& folders, const std::string& ending) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(kArchive + "/" + folder)) {
      if (entry.path().extension() == ending) names.push_back(folder + "/" + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> traces() { return files({"v1", "future", "damaged"}, ".evt"); }

// What may not change: all traces, and what those of this version say.
std::vector<std::string> fixed_files() {
  std::vector<std::string> names = traces();
  for (const std::string& text : files({"v1"}, ".txt")) names.push_back(text);
  std::sort(names.begin(), names.end());
  return names;
}

// The files of which there is a sum, in order.
std::vector<std::string> files_with_sums() {
  std::vector<std::string> names;
  std::istringstream lines(read_file(kArchive + "/" + kSums));
  for (std::string sum, name; lines >> sum >> name;) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void add_missing_texts() {
  for (const std::string& name : traces()) {
    const std::string text = kArchive + "/" + name.substr(0, name.rfind('.')) + ".txt";
    if (std::filesystem::exists(text)) continue;
    std::ofstream(text, std::ios::binary) << run("evt dump --canonical " + name, kArchive).out;
  }
}

void add_missing_sums() {
  const std::vector<std::string> known = files_with_sums();
  for (const std::string& name : fixed_files()) {
    if (std::binary_search(known.begin(), known.end(), name)) continue;
    run("sha256sum " + name + " >>" + kSums + " && LC_ALL=C sort -k 2 -o " + kSums + " " + kSums, kArchive);
  }
}

TEST(Archive, IsTheOneItWas) {
  if (writing()) {
    add_missing_texts();
    add_missing_sums();
  }
  EXPECT_EQ(run(std::string("sha256sum --check --quiet ") + kSums, kArchive), (Outcome{0, "", ""}));
  EXPECT_EQ(files_with_sums(), fixed_files()) << "what is not there yet is added by ./dev archive";
}

class Archived : public ::testing::TestWithParam<std::string> {
 protected:
  Archived() {
    const std::filesystem::path path(kArchive + "/" + GetParam());
    folder_ = path.parent_path().string();
    name_ = path.stem().string();
  }

  Outcome at_the_shell(const std::string& line) const { return run(line, folder_); }
  std::string beside(const std::string& ending) const { return folder_ + "/" + name_ + ending; }
  // A command and what it says, as it looks at a shell.
  std::string said(const std::string& line) const {
    const Outcome outcome = at_the_shell(line);
    return "$ " + line + "\n" + outcome.out + outcome.err + "exit status " + std::to_string(outcome.status) + "\n";
  }

  std::string folder_;
  std::string name_;
};

TEST_P(Archived, TraceReadsAsItDid) {
  const std::string text = at_the_shell("evt dump --canonical " + name_ + ".evt").out;
  EXPECT_EQ(text, read_file(beside(".txt")));
  EXPECT_EQ(at_the_shell("cat " + name_ + ".evt | evt dump --canonical -").out, text) << "through a pipe";
}

TEST_P(Archived, TraceIsSpokenOfInTheseWords) {
  const std::string words = said("evt dump --canonical " + name_ + ".evt >/dev/null") +
                            said("evt check " + name_ + ".evt") +
                            said("evt check --json " + name_ + ".evt 2>/dev/null");
  if (writing()) std::ofstream(beside(".said"), std::ios::binary) << words;
  EXPECT_EQ(words, read_file(beside(".said")));
}

std::string test_name(const ::testing::TestParamInfo<std::string>& trace) {
  std::string name = trace.param.substr(0, trace.param.size() - std::string(".evt").size());
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Archived, ::testing::ValuesIn(traces()), test_name);

// Texts that are one trace of this version each, as it was written.
class ArchivedText : public ::testing::TestWithParam<std::string> {};

TEST_P(ArchivedText, MakesATraceThatSaysTheSame) {
  EXPECT_EQ(run("evt convert " + GetParam() + " | evt dump --canonical - 2>/dev/null", kArchive).out,
            read_file(kArchive + "/" + GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Every, ArchivedText, ::testing::ValuesIn(files({"v1"}, ".txt")), test_name);

}  // namespace
}  // namespace evt::testing
