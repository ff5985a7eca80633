// Programs in older C and C++: what is for them compiles, what is not stops the compiler with one sentence.
#include <gtest/gtest.h>

#include <sstream>

#include "support/command.h"

namespace evt::testing {
namespace {

constexpr const char* kIncluded =
    " -I" EVT_SOURCE_FOLDER "/format-spec/include -I" EVT_SOURCE_FOLDER "/libtrace-write/include -I" EVT_SOURCE_FOLDER
    "/libtrace-read/core/include -I" EVT_SOURCE_FOLDER "/libtrace-read/edit/include -I" EVT_SOURCE_FOLDER
    "/libtrace-read/analyze/include -I" EVT_SOURCE_FOLDER "/libtrace-read/text/include -I" EVT_SOURCE_FOLDER
    "/libtrace-read/export/include -I" EVT_SOURCE_FOLDER
    "/libtrace-read/report/include -fsyntax-only -Wall -Wextra -Wpedantic -Werror ";

enum class Language : std::uint8_t { kC, kCpp };

Outcome compiled(Language language, const std::string& standard, const std::string& source) {
  return run((language == Language::kC ? EVT_C_COMPILER " -x c" : EVT_CXX_COMPILER " -x c++") +
                 std::string(" -fdiagnostics-color=never -std=") + standard + kIncluded + "-",
             "", source);
}

// The sentences of #error in what a compiler printed, a line each. It stops behind them, so anything else that it found
// is the file by which it does.
std::string sentences(const Outcome& outcome) {
  std::string found;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("error: ");
    if (at == std::string::npos || line.find("compilation_ends_here") != std::string::npos) continue;
    const std::size_t quote = line.find('"');
    found += quote == std::string::npos ? line : line.substr(quote + 1, line.rfind('"') - quote - 1);
    found += '\n';
  }
  return found;
}

constexpr const char* kRecording =
    "#include <evt/compact.h>\n"
    "#include <evt/emit_events.h>\n"
    "#include <evt/evt_copy.h>\n"
    "static const evt_label states[] = {{0, \"off\"}, {1, \"on\"}};\n"
    "evt_field fields[] = {EVT_FIELD_U8(\"a\"), EVT_FIELD_U32(\"b\", EVT_ROLE_THREAD), EVT_FIELD_ENUM8(\"c\", "
    "states),\n"
    "                      EVT_FIELD_U64(\"d\", EVT_ROLE_AMOUNT, EVT_UNIT_BYTES)};\n";

TEST(OlderStandards, RecordByTheHeadersOfC) {
  for (const char* const standard : {"c99", "c11", "c17", "gnu99"}) {
    EXPECT_EQ(compiled(Language::kC, standard, std::string(kRecording) + "#include <evt/events.h>\n"),
              (Outcome{0, "", ""}))
        << standard;
  }
  for (const char* const standard : {"c++11", "c++14", "c++17", "c++20"}) {
    EXPECT_EQ(compiled(Language::kCpp, standard, kRecording), (Outcome{0, "", ""})) << standard;
  }
}

TEST(OlderStandards, ThanC99HaveASentence) {
  for (const char* const standard : {"c89", "gnu89"}) {
    const Outcome outcome = compiled(Language::kC, standard, kRecording);
    EXPECT_NE(outcome.status, 0);
    EXPECT_EQ(sentences(outcome), "the headers of evtrace need C99, -std=c99, or later\n") << outcome;
  }
  const Outcome outcome = compiled(Language::kCpp, "c++98", kRecording);
  EXPECT_EQ(sentences(outcome), "the headers of evtrace need C++11, -std=c++11, or later\n") << outcome;
}

// Each header, and a program that goes on as if nothing were wrong.
TEST(OlderStandards, ThanCpp20HaveASentenceForEachHeaderThatNeedsIt) {
  const Outcome listed = run("cd " EVT_SOURCE_FOLDER
                             " && for i in format-spec libtrace-write libtrace-read/*; do cd $i/include 2>/dev/null && "
                             "grep -rl '#pragma once' evt; cd " EVT_SOURCE_FOLDER "; done");
  std::istringstream headers(listed.out);
  int count = 0;
  for (std::string header; std::getline(headers, header); ++count) {
    const std::string source = "#include <" + header + ">\nevt::Writer one(2); evt::Trace two(3); evt::event three;\n";
    const Outcome cpp = compiled(Language::kCpp, "c++17", source);
    EXPECT_NE(cpp.status, 0) << header;
    EXPECT_EQ(sentences(cpp),
              "this header of evtrace needs C++20, -std=c++20: programs in older C++ include <evt/emit.h>\n")
        << header << cpp;
  }
  EXPECT_GT(count, 30);
}

TEST(OlderStandards, InCHaveASentenceForAHeaderOfCpp) {
  const Outcome outcome = compiled(Language::kC, "c11", "#include <evt/writer.h>\n");
  EXPECT_EQ(
      sentences(outcome),
      "this header of evtrace is C++: programs in C include <evt/emit.h>, and <evt/emit_events.h> for the standard "
      "events\n")
      << outcome;
}

}  // namespace
}  // namespace evt::testing
