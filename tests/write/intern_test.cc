// Interned text: one id for one text.
#include <evt/evt_copy.h>
#include <gtest/gtest.h>

#include <thread>

#include "write/recording.h"

namespace {

struct Call {
  evt::Interned function;
};

}  // namespace

template <>
inline constexpr auto evt::schema<Call> = evt::event("call", "", evt::field("function", &Call::function));

namespace evt::testing {
namespace {

std::string call_text(std::string_view events) {
  std::string text = "type 1024 call (function interned)\nstream 1 \"a\"\n";
  text.append(events);
  return text;
}

std::uint32_t intern_as(Recording& recording, std::uint32_t id, std::string_view text) {
  return evt_intern_as(recording->get(), id, text.data(), text.size());
}

TEST(Intern, GivesOneIdToOneText) {
  Recording recording;
  const Interned first = recording->intern("main");
  const Interned other = recording->intern("Main");
  EXPECT_EQ(recording->intern("main"), first);
  EXPECT_EQ(recording->intern("Main"), other);
  EXPECT_EQ(recording.text(), "string 1 \"main\"\nstring 2 \"Main\"\n");
}

TEST(Intern, LetsEventsNameTheText) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Call>();
  stream.emit(types, Call{recording->intern("main")});
  stream.emit(types, Call{recording->intern("help")});
  stream.emit(types, Call{recording->intern("main")});
  EXPECT_EQ(recording.text(), call_text("string 1 \"main\"\n"
                                        "0.000000001 1 call function=\"main\"\n"
                                        "string 2 \"help\"\n"
                                        "0.000000002 1 call function=\"help\"\n"
                                        "0.000000003 1 call function=\"main\"\n"));
}

TEST(Intern, GivesTheEmptyTextNumberZeroAndNoRecord) {
  Recording recording;
  EXPECT_EQ(recording->intern("").id, 0u);
  EXPECT_EQ(evt_intern(recording->get(), nullptr, 0), 0u);
  recording->stream("a").emit(recording->declare<Call>(), Call{recording->intern("")});
  EXPECT_EQ(recording.text(), call_text("0.000000001 1 call function=\"\"\n"));
}

TEST(Intern, TellsTextsApartThatDifferBehindAZero) {
  Recording recording;
  const Interned first = recording->intern(std::string_view("a\0b", 3));
  EXPECT_NE(recording->intern(std::string_view("a\0c", 3)), first);
  EXPECT_EQ(recording.text(), "string 1 \"a\\x00b\"\nstring 2 \"a\\x00c\"\n");
}

TEST(Intern, WritesTheTextBeforeTheEventsThatNameIt) {
  Recording recording;
  Stream stream = recording->stream("a");
  const auto types = recording->declare<Call>();
  stream.emit(types, Call{recording->intern("main")});
  stream.flush();
  // The session is not closed: what has been written so far is enough.
  EXPECT_EQ(text_of_trace(recording.blocks.bytes()), call_text("string 1 \"main\"\n"
                                                               "0.000000001 1 call function=\"main\"\n"
                                                               "truncated\n"));
}

TEST(Intern, CutsTextBetweenCharactersAtOneMebibyte) {
  Recording recording;
  const std::string most(EVT_MAX_STRING, 'x');
  const std::string more = most.substr(1) + "\xC3\xA9";
  const Interned whole = recording->intern(most);
  EXPECT_EQ(recording->intern(most + "y"), whole);
  EXPECT_EQ(recording->intern(more), recording->intern(most.substr(1)));
  EXPECT_EQ(recording.text(), "string 1 \"" + most + "\"\nstring 2 \"" + most.substr(1) + "\"\n");
}

TEST(Intern, TakesAnIdOfTheCallersChoice) {
  Recording recording;
  EXPECT_EQ(intern_as(recording, 7, "seven"), 7u);
  EXPECT_EQ(intern_as(recording, 7, "seven"), 7u);
  EXPECT_EQ(recording->intern("seven").id, 7u);
  EXPECT_EQ(intern_as(recording, UINT32_MAX, "last"), UINT32_MAX);
  EXPECT_EQ(recording.text(), "string 7 \"seven\"\nstring 4294967295 \"last\"\n");
}

TEST(Intern, RefusesAnIdThatIsAnothers) {
  Recording recording;
  EXPECT_EQ(intern_as(recording, 7, "seven"), 7u);
  EXPECT_EQ(intern_as(recording, 7, "eight"), 0u);
  EXPECT_EQ(recording.text(), "string 7 \"seven\"\n");
}

TEST(Intern, TakesASecondIdForATextWhenTheCallerWantsIt) {
  Recording recording;
  EXPECT_EQ(recording->intern("text").id, 1u);
  EXPECT_EQ(intern_as(recording, 2, "text"), 2u);
  EXPECT_EQ(intern_as(recording, 3, ""), 3u);
  EXPECT_EQ(recording.text(), "string 1 \"text\"\nstring 2 \"text\"\nstring 3 \"\"\n");
}

TEST(Intern, StepsOverIdsThatWereChosen) {
  Recording recording;
  intern_as(recording, 1, "one");
  intern_as(recording, 2, "two");
  EXPECT_EQ(recording->intern("three").id, 3u);
}

TEST(Intern, GivesAllThreadsTheSameIds) {
  constexpr int kThreads = 8;
  constexpr int kTexts = 500;
  Recording recording;
  std::vector<std::vector<std::uint32_t>> seen(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&recording, &mine] {
      for (int i = 0; i < kTexts; ++i) mine.push_back(recording->intern("text " + std::to_string(i)).id);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  const auto& strings = trace.sessions().front().strings;
  EXPECT_EQ(strings.size(), std::size_t{kTexts});
  for (std::size_t i = 0; i < kTexts; ++i) EXPECT_EQ(strings.at(seen[0][i]), "text " + std::to_string(i));
}

TEST(Intern, WritesManyTextsInBlocksOfAReasonableSize) {
  Recording recording;
  for (int i = 0; i < 100; ++i) recording->intern(std::to_string(i) + std::string(30'000, 'x'));
  const std::string bytes = recording.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_TRUE(trace.status().ok()) << trace.status().message();
  EXPECT_EQ(trace.sessions().front().strings.size(), 100u);
}

}  // namespace
}  // namespace evt::testing
