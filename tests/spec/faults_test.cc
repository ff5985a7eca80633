// docs/FAULTS.md names for each fault the tests that show what comes of it. They are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/folder.h"

namespace evt::testing {
namespace {

using Names = std::set<std::string>;

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The words in a list that commas and spaces part.
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (is_part_of_name(c)) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// The tests of a source, as `layer.Suite.Name`, and their suites, as `layer.Suite.*`.
void add_tests(const std::string& layer, const std::string& source, Names* names) {
  for (const char* macro : {"\nTEST(", "\nTEST_F(", "\nTEST_P("}) {
    for (std::size_t at = source.find(macro); at != std::string::npos; at = source.find(macro, at + 1)) {
      const std::size_t begin = source.find('(', at) + 1;
      const std::vector<std::string> words = words_of(source.substr(begin, source.find(')', begin) - begin));
      if (words.size() != 2) continue;
      names->insert(layer + "." + words[0] + "." + words[1]);
      names->insert(layer + "." + words[0] + ".*");
    }
  }
}

// Those of a source in Python, as `layer.test_name`.
void add_python_tests(const std::string& layer, const std::string& source, Names* names) {
  constexpr std::string_view kBegins = "\n    def test_";
  for (std::size_t at = source.find(kBegins); at != std::string::npos; at = source.find(kBegins, at + 1)) {
    const std::size_t begin = at + kBegins.rfind("test_");
    names->insert(layer + "." + source.substr(begin, source.find('(', begin) - begin));
  }
}

// What can be named: tests by their layers, and fuzz targets.
Names tests_that_are_there() {
  Names names;
  const std::string top = EVT_SOURCE_FOLDER "/";
  for (const auto& file : std::filesystem::recursive_directory_iterator(top + "tests")) {
    const std::string name = file.path().filename().string();
    const std::string layer = file.path().parent_path().filename().string();
    if (name.ends_with("_test.cc")) add_tests(layer, read_file(file.path().string()), &names);
    if (name.ends_with("_test.py")) add_python_tests(layer, read_file(file.path().string()), &names);
  }
  for (const auto& file : std::filesystem::directory_iterator(top + "fuzz")) {
    const std::string stem = file.path().stem().string();
    if (file.path().extension() == ".cc" && stem.starts_with("fuzz_")) names.insert(stem);
  }
  return names;
}

struct Fault {
  std::string name;
  std::vector<std::string> tests;
};

// The rows of all tables: the first cell has the fault, the last cell has its tests, between backticks.
std::vector<Fault> faults_of(const std::string& document) {
  std::vector<Fault> faults;
  for (std::size_t at = 0; at < document.size();) {
    const std::size_t end = document.find('\n', at);
    const std::string line = document.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("| ") || line.starts_with("| fault |")) continue;
    const std::size_t last_cell = line.rfind('|', line.size() - 2);
    Fault fault{line.substr(2, line.find(" |") - 2), {}};
    std::size_t tick = line.find('`', last_cell);
    while (tick != std::string::npos) {
      const std::size_t close = line.find('`', tick + 1);
      fault.tests.push_back(line.substr(tick + 1, close - tick - 1));
      tick = line.find('`', close + 1);
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

std::vector<Fault> documented_faults() { return faults_of(source_file("docs/FAULTS.md")); }

TEST(Faults, AreShownByTestsThatAreThere) {
  const Names there = tests_that_are_there();
  std::string missing;
  for (const Fault& fault : documented_faults()) {
    for (const std::string& test : fault.tests) {
      if (!there.contains(test)) missing += fault.name + ": " + test + "\n";
    }
  }
  EXPECT_EQ(missing, "") << "docs/FAULTS.md names tests that no source has";
}

TEST(Faults, HaveATestEach) {
  std::string without;
  for (const Fault& fault : documented_faults()) without += fault.tests.empty() ? fault.name + "\n" : "";
  EXPECT_EQ(without, "");
  EXPECT_GT(documented_faults().size(), 100u);
}

TEST(Faults, StandInTheirTablesOnce) {
  Names names;
  for (const Fault& fault : documented_faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
  }
}

TEST(Faults, AreFoundInTheirTables) {
  const std::vector<Fault> faults = faults_of(
      "| fault | what comes of it | tests |\n|---|---|---|\n"
      "| a bit is another | it is `damage` | `read.A.B`, `fuzz_trace` |\n"
      "Not a row.\n"
      "| a disk is full | nobody knows | |\n");
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].name, "a bit is another");
  EXPECT_EQ(faults[0].tests, (std::vector<std::string>{"read.A.B", "fuzz_trace"}));
  EXPECT_EQ(faults[1].name, "a disk is full");
  EXPECT_TRUE(faults[1].tests.empty());
}

TEST(Faults, AreShownByTestsOfAnyForm) {
  Names names;
  add_tests("read", "\nTEST(A, One) {}\nTEST_F(B,\n       Two) {}\nTEST_P(C, Three) {}\nTESTS(D, None)\n", &names);
  EXPECT_EQ(names, (Names{"read.A.*", "read.A.One", "read.B.*", "read.B.Two", "read.C.*", "read.C.Three"}));
}

}  // namespace
}  // namespace evt::testing
