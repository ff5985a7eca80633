// Steps back in time that are meant: what comes after one is ordered by its own times.
#include <gtest/gtest.h>

#include "support/row_sizes.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

class Jump : public ::testing::Test {
 protected:
  void tick(Stream& stream, std::uint64_t time) { stream.emit_at(time, types, Tick{static_cast<std::uint32_t>(time)}); }
  Recording recording;
  Types<Tick> types = recording->declare<Tick>();
  Stream a = recording->stream("a");
  Stream b = recording->stream("b");
};

TEST_F(Jump, PutsWhatFollowsWhereItsTimesSay) {
  tick(a, 9);
  tick(b, 5);
  a.jump();
  tick(a, 4);
  tick(a, 6);
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000004 1 !jump\n"
            "type 1024 tick (n u32)\n"
            "0.000000004 1 tick n=4\n"
            "stream 2 \"b\"\n"
            "0.000000005 2 tick n=5\n"
            "0.000000006 1 tick n=6\n"
            "0.000000009 1 tick n=9\n");
}

TEST_F(Jump, MayBeFlushedBeforeAnythingFollows) {
  tick(a, 9);
  tick(b, 5);
  a.jump();
  a.flush();
  tick(a, 4);
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000004 1 !jump\n"
            "type 1024 tick (n u32)\n"
            "0.000000004 1 tick n=4\n"
            "stream 2 \"b\"\n"
            "0.000000005 2 tick n=5\n"
            "0.000000009 1 tick n=9\n");
}

TEST_F(Jump, MayBeFollowedByALargeEvent) {
  const auto papers = recording->declare<Paper>();
  const std::string text(70'000, 'x');
  tick(a, 9);
  tick(b, 5);
  a.jump();
  a.emit_at(4, papers, Paper{{text}});
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000004 1 !jump\n"
            "type 1025 paper (text text32)\n"
            "0.000000004 1 paper text=\"" +
                text +
                "\"\n"
                "type 1024 tick (n u32)\n"
                "stream 2 \"b\"\n"
                "0.000000005 2 tick n=5\n"
                "0.000000009 1 tick n=9\n");
}

TEST_F(Jump, MayGoFarBack) {
  tick(a, 1ull << 40);
  a.jump();
  tick(a, 1);
  tick(b, 2);
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000001 1 !jump\n"
            "type 1024 tick (n u32)\n"
            "0.000000001 1 tick n=1\n"
            "stream 2 \"b\"\n"
            "0.000000002 2 tick n=2\n"
            "1099.511627776 1 tick n=0\n");
}

TEST_F(Jump, MayBeSaidTwice) {
  tick(a, 9);
  tick(b, 5);
  a.jump();
  a.jump();
  a.flush();
  tick(a, 4);
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000004 1 !jump\n"
            "type 1024 tick (n u32)\n"
            "0.000000004 1 tick n=4\n"
            "stream 2 \"b\"\n"
            "0.000000005 2 tick n=5\n"
            "0.000000009 1 tick n=9\n");
}

TEST_F(Jump, MayBeFollowedByAnEventOfAnySizeAtAnyTime) {
  for (const std::uint64_t late : {std::uint64_t{2}, std::uint64_t{1} << 40}) {
    for (std::size_t size = 3'700; size < 4'200; size += 3) {
      Recording small({.buffer_size = 4096});
      Stream stream = small->stream("a");
      const auto both = small->declare<Tick, Paper>();
      const std::string text(size, 'x');
      stream.emit_at(late, both, Tick{1});
      stream.jump();
      stream.emit_at(1, both, Paper{{text}});
      ASSERT_EQ(small.text(),
                "stream 1 \"a\"\n0.000000001 1 !jump\ntype 1025 paper (text text32)\n0.000000001 1 paper text=\"" +
                    text + "\"\ntype 1024 tick (n u32)\n" + (late == 2 ? "0.000000002" : "1099.511627776") +
                    " 1 tick n=1\n")
          << "with " << size;
    }
  }
}

TEST_F(Jump, MayBeFollowedByTheLargestEvent) {
  const auto papers = recording->declare<Paper>();
  const std::string text(std::size_t{EVT_MAX_EVENT_ROW} - kLargeRowHeader - 4, 'x');
  tick(a, 9);
  a.jump();
  a.emit_at(4, papers, Paper{{text}});
  std::vector<std::uint64_t> times;
  each_event(recording.bytes(), [&](const Event& event) { times.push_back(event.ticks()); });
  EXPECT_EQ(times, (std::vector<std::uint64_t>{4, 4, 9}));  // the jump, the event, the tick
}

TEST_F(Jump, AtTheVeryStartIsNoHarm) {
  a.jump();
  tick(a, 1);
  EXPECT_EQ(recording.text(),
            "stream 1 \"a\"\n"
            "0.000000001 1 !jump\n"
            "type 1024 tick (n u32)\n"
            "0.000000001 1 tick n=1\n"
            "stream 2 \"b\"\n");
}

}  // namespace
}  // namespace evt::testing
