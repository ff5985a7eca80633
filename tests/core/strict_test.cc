// What a trace reports of how well it could be read: status, damage, and the strict reader.
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

ReadOptions strict() {
  ReadOptions options;
  options.strict = true;
  return options;
}

// Block 4 and 5: two events of stream 1. Block 6: TRAILER.
RawTrace two_events() { return ordinary_trace().events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2)).trailer(); }

TEST(Status, IsOkForAWholeTrace) {
  const std::string bytes = two_events().bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  while (events.next() != nullptr) {
  }
  EXPECT_TRUE(trace.status().ok());
  EXPECT_EQ(trace.status().message(), "");
  EXPECT_EQ(trace.status().offset(), Status::kNowhere);
  EXPECT_TRUE(events.status().ok());
  EXPECT_TRUE(trace.damage().empty());
  EXPECT_EQ(trace.size(), bytes.size());
  EXPECT_EQ(trace.spooled_bytes(), 0u);
}

TEST(Status, NamesTheFirstDamageAndItsPlace) {
  RawTrace raw = two_events().insert("garbage", 5).insert("more garbage", 7);
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_EQ(trace.status().code(), Code::kDamaged);
  EXPECT_EQ(trace.status().offset(), raw.offset_of(5));
  EXPECT_EQ(trace.status().message(), "at " + std::to_string(raw.offset_of(5)) + ": no block header");
  ASSERT_EQ(trace.damage().size(), 3u);
  EXPECT_EQ(trace.damage()[1].offset, raw.offset_of(7));
  EXPECT_EQ(trace.damage()[1].length, 12u);
  EXPECT_EQ(trace.damage()[2].reason, "a TRAILER whose session has another length");
}

TEST(Status, KnowsOfDamagedRowsOnceTheyAreRead) {
  const std::string bytes = two_events().spoil_payload(5).bytes();
  Trace trace = open_trace(bytes);
  EXPECT_TRUE(trace.status().ok()) << "headers are all that has been read";
  EXPECT_EQ(trace.sessions()[0].missing, 0u);
  Events events = trace.events();
  EXPECT_NE(events.next(), nullptr);
  EXPECT_EQ(events.next(), nullptr);
  EXPECT_EQ(code_of(events.status()), "damaged");
  EXPECT_EQ(code_of(trace.status()), "damaged");
  EXPECT_EQ(trace.damage().size(), 1u);
  EXPECT_EQ(trace.sessions()[0].missing, 1u);
  EXPECT_EQ(trace.sessions()[0].stream(1)->missing, 1u);
}

TEST(Status, CountsDamageOnceHoweverOftenItIsRead) {
  const std::string bytes = two_events().spoil_payload(5).bytes();
  Trace trace = open_trace(bytes);
  for (int i = 0; i < 3; ++i) {
    Events events = trace.events();
    while (events.next() != nullptr) {
    }
  }
  EXPECT_EQ(trace.damage().size(), 1u);
  EXPECT_EQ(trace.sessions()[0].missing, 1u);
}

TEST(Status, SaysHowManyRowsAreMissing) {
  const std::string bytes = ordinary_trace().leave_out_rows(1, 3).events(1, Rows().tick(1, 1)).trailer().bytes();
  Trace trace = open_trace(bytes);
  EXPECT_EQ(code_of(trace.status()), "damaged");
  EXPECT_EQ(trace.status().message(), "3 rows are missing");
  EXPECT_EQ(trace.sessions()[0].missing, 3u);
}

TEST(Status, SaysWhatIsNotKnownToThisVersion) {
  const auto message = [](const RawTrace& raw) {
    const std::string bytes = raw.bytes();
    return open_trace(bytes).status().message();
  };
  RawTrace layout = ordinary_trace().events(1, Rows().tick(1, 1).tick(2, 2));
  EXPECT_EQ(message(layout.events_header([](EventsHeader& e) { e.layout = 9; }).trailer()),
            "2 rows are stored in a way that is not known to this version");
  RawTrace block = ordinary_trace().block(77, "?").header([](BlockHeader& h) { h.must_understand = 1; });
  EXPECT_EQ(message(block.trailer()), "1 blocks that must be understood are not known to this version");
}

TEST(Status, KeepsTheFirstThingThatWentWrong) {
  const std::string bytes = ordinary_trace().events(1, Rows().tick(1, 1)).bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  EXPECT_EQ(code_of(events.status()), "truncated");
  while (events.next() != nullptr) {
  }
  EXPECT_EQ(code_of(events.status()), "truncated");
}

TEST(Strict, OpensAWholeTrace) {
  const std::string bytes = two_events().bytes();
  EXPECT_EQ(events_of(bytes, strict()), "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n");
}

TEST(Strict, RefusesWhatOthersWouldSkip) {
  const RawTrace garbage = two_events().insert("garbage", 5);
  EXPECT_EQ(reading_of(garbage, strict()),
            "damaged: at " + std::to_string(garbage.offset_of(5)) + ": no block header\n");
  EXPECT_EQ(reading_of(two_events().remove(0), strict()),
            "damaged: the SESSION block is missing: who was recorded is not known\n");
  EXPECT_EQ(reading_of(two_events().remove(6), strict()),
            "truncated: the session of test is truncated: its end is missing\n");
  RawTrace torn = two_events().remove(6);
  EXPECT_EQ(reading_of(torn.cut(100), strict()), "truncated: the file ends inside a block\n");
  EXPECT_EQ(reading_of(ordinary_trace().leave_out_rows(1, 3).events(1, Rows().tick(1, 1)).trailer(), strict()),
            "damaged: 3 rows are missing\n");
}

TEST(Strict, EndsTheEventsAtRowsThatAreDamaged) {
  const std::string bytes = two_events().spoil_payload(4).bytes();
  auto trace = Trace::from_memory(as_bytes(bytes), strict());
  ASSERT_TRUE(trace.ok()) << "the damage has not been met yet";
  Events events = trace->events();
  while (events.next() != nullptr) {
  }
  EXPECT_EQ(code_of(events.status()), "damaged");
  EXPECT_EQ(trace->events().next(), nullptr) << "nothing more comes of it";
}

TEST(Strict, HandsOutNoEventFromBehindDamage) {
  const std::string bytes = two_events().spoil_payload(4).bytes();
  auto trace = Trace::from_memory(as_bytes(bytes), strict());
  ASSERT_TRUE(trace.ok());
  Events events = trace->events();
  EXPECT_EQ(events.next(), nullptr);
}

}  // namespace
}  // namespace evt::testing
