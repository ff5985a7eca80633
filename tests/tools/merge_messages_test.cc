// evt merge by messages: clocks that were set and drift, put right by what was sent and received.
#include <fmt/core.h>

#include <cstdlib>
#include <sstream>

#include "blocks.h"
#include "traces_to_merge.h"

namespace evt::testing {
namespace {

// Messages between two machines, the second of which is a second ahead and runs 40 ppm fast. Each takes 50 to 100 us.
class MergeByMessages : public TracesToMerge {
 protected:
  static constexpr long kAhead = 1'000'000'000;
  static long by_second(long ns) { return ns + kAhead + ns / 25'000; }
  // By a clock whose 0 is 5 s before anything happens.
  static std::string at(long ns) { return fmt::format("{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000); }

  MergeByMessages() {
    std::string first = "type 1024 send (id u32)\ntype 1025 receive (id u32)\nstream 1 \"first\"\n";
    std::string second = "type 1024 send (id u32)\ntype 1025 receive (id u32)\nstream 1 \"second\"\n";
    for (int i = 0; i < 500; ++i) {
      const long now = 5'000'000'000 + i * 10'000'000L;
      const long delay = 50'000 + i * 7919L % 50'000;
      const long back = now + delay + 1000;
      const long delay_back = 50'000 + i * 104'729L % 50'000;
      first += fmt::format("{} 1 send id={}\n{} 1 receive id={}\n", at(now), 2 * i, at(back + delay_back), 2 * i + 1);
      second += fmt::format("{} 1 receive id={}\n{} 1 send id={}\n", at(by_second(now + delay)), 2 * i,
                            at(by_second(back)), 2 * i + 1);
    }
    given("a.evt", 1, 0, first, "of the first machine");
    given("b.evt", 2, 0, second, "of the second machine");
  }
  // Its clock is that of its machine, as of a program that recorded, and not one that the text form made up.
  void given_clock_of_the_machine(const std::string& name) const {
    Blocks blocks(content_of(name));
    blocks.first(EVT_BLOCK_CLOCK).payload()[4] = EVT_CLOCK_MONOTONIC;
    given_file(name, blocks.together());
  }
  // Another program of the first machine, which notes each message a nanosecond after it was sent.
  void given_another_program_of_the_first() {
    std::string notes = "type 1024 note (id u32)\nstream 1 \"notes\"\n";
    for (int i = 0; i < 500; ++i) notes += fmt::format("{} 1 note id={}\n", at(5'000'000'001 + i * 10'000'000L), 2 * i);
    given("c.evt", 3, 0, notes, "of the first machine");
  }
};

TEST_F(MergeByMessages, WhatWasSentComesBeforeItIsReceived) {
  const Outcome outcome = run("evt merge a.evt b.evt --sync-on send,receive:id -o m.evt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, ::testing::MatchesRegex("evt merge: b.evt: aligned by messages [(]offset -[0-9.]+ [mun]?s, "
                                                   "drift -[0-9]+ ps/s[)]; within [0-9]+ ns\n"));
  // Of the two events with a number, the second is its receipt.
  EXPECT_EQ(run("evt dump m.evt | awk '{seen[$4]++; if (seen[$4] == (($3 == \"send\") ? 2 : 1)) print}' | head"),
            prints(""));
}

TEST_F(MergeByMessages, TwoProgramsOfOneMachineStayExactBesideAThirdElsewhere) {
  given_another_program_of_the_first();
  for (const char* name : {"a.evt", "b.evt", "c.evt"}) given_clock_of_the_machine(name);
  const Outcome outcome = run("evt merge a.evt c.evt b.evt --sync-on send,receive:id -o m.evt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err,
              ::testing::MatchesRegex(
                  "evt merge: c.evt: aligned by the same clock; exact\n"
                  "evt merge: b.evt: aligned by messages [(]offset -[0-9.]+ [mun]?s, drift -[0-9]+ ps/s[)]; within "
                  "[0-9]+ ns\n"));
  // Sent, noted, received.
  EXPECT_EQ(run("evt dump m.evt | awk '{sub(\"id=\", \"\", $NF)} $NF % 2 == 0 {print $(NF - 1)}' | uniq -c |"
                " awk '{print $1, $2}' | head -n 6"),
            prints("1 send\n1 note\n1 receive\n1 send\n1 note\n1 receive\n"));
  EXPECT_EQ(run("evt dump m.evt | awk '$NF ~ /[02468]$/ {print $(NF - 1)}' | paste -d' ' - - - | sort | uniq -c |"
                " awk '{$1 = $1; print}'"),
            prints("500 send note receive\n"));
}

TEST_F(MergeByMessages, TheBoundHoldsAgainstTheTruth) {
  const Outcome outcome = run("evt merge a.evt b.evt --sync-on send,receive -o m.evt");
  const std::size_t words = outcome.err.rfind("within ");
  ASSERT_NE(words, std::string::npos) << outcome.err;
  const long bound = std::stol(outcome.err.substr(words + 7));
  EXPECT_LT(bound, 100'000);
  const long start = std::stol(run("evt dump --csv --event send --stream first m.evt | sed -n 2p").out) - 5'000'000'000;
  // In truth message 2 i + 1 was sent at this time.
  const std::string times = run("evt dump --csv --event send --stream second m.evt | tail -n +2 | cut -d, -f1").out;
  std::istringstream lines(times);
  std::string line;
  for (int i = 0; std::getline(lines, line); ++i) {
    const long truth = 5'000'000'000 + i * 10'000'000L + 50'000 + i * 7919L % 50'000 + 1000;
    const long found = std::stol(line) - start;
    ASSERT_LE(std::labs(found - truth), bound) << "message " << 2 * i + 1;
  }
}

TEST_F(MergeByMessages, OneDirectionIsNotEnough) {
  const Outcome outcome =
      run("evt cut --event send b.evt -o c.evt && evt merge a.evt c.evt --sync-on send,receive -o m.evt");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err,
            "evt merge: c.evt: no messages in both directions: its time is by UTC\n"
            "evt merge: c.evt: aligned by wall clock; as accurate as the two clocks\n");
}

}  // namespace
}  // namespace evt::testing
