// Blocks that are not where they were written: swapped, moved, copied, in any order (FORMAT.md, section 10). The truth
// is the trace as it was.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "raw_trace.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

constexpr ReadOptions kHeaders{.use_index = false};
constexpr ReadOptions kIndexed{.use_index = true};
constexpr ReadOptions kChecked{.check_index = true};
constexpr ReadOptions kSalvaged{.use_index = false, .salvage = true};

// All kinds of blocks; three streams whose blocks are of one size, so that any two of them fit each other's place.
RawTrace session_of_many(std::uint8_t who, bool is_closed = true) {
  RawTrace trace;
  trace.session(who).clock({.id = 1, .hz = 1'000'000'000});
  trace.declare(
      "type 1024 tick (n u64)\ntype 1025 say (what interned)\nstream 1 \"a\"\nstream 2 \"b\"\nstream 3 \"c\"\n"
      "string 1 \"main\"\n");
  std::uint32_t now = 0;
  std::uint64_t rows = 0;
  const auto two_rows = [&](std::uint32_t stream) {
    trace.events(stream, Rows().tick(now + 1, who).tick(now + 2, now));
    now += 2;
    rows += 2;
  };
  const auto sync = [&] {
    SyncRecord facts;
    facts.clock_id = 1;
    facts.ticks = now + 1;
    facts.ns = 3 * std::int64_t{now};
    facts.rows_before = rows;
    trace.sync(facts);
  };
  for (const std::uint32_t stream : {1u, 2u, 3u, 2u}) two_rows(stream);
  sync();
  trace.index();
  trace.events(1, Rows().row(now + 1, 1025, le32(1)).lost(now + 2, 5, EVT_LOST_RING_FULL));
  rows += 2;
  trace.session(who).clock({.id = 1, .hz = 1'000'000'000}).block(EVT_BLOCK_PRIVATE, "private");
  for (const std::uint32_t stream : {3u, 1u}) two_rows(stream);
  trace.gather(2);
  two_rows(2);
  trace.events(1, Rows().time_base(5, EVT_TIME_BASE_JUMP).tick(1, 99));
  rows += 2;
  sync();
  return is_closed ? trace.index().trailer() : trace;
}

RawTrace two_sessions() { return session_of_many(1).append(session_of_many(2)); }

std::uint64_t missing_of(const Trace& trace) {
  std::uint64_t missing = trace.missing().size();
  for (const Session& session : trace.sessions()) missing += session.missing;
  return missing;
}

// All events, none twice, nothing called missing; and the fault is reported, as damage.
void expect_all_of(const std::string& events, const std::string& bytes, const std::string& what) {
  for (const ReadOptions& options : {kHeaders, kIndexed, kChecked, kSalvaged}) {
    Trace trace = open_trace(bytes, options);
    const std::string found = event_lines(text_of(trace));
    EXPECT_TRUE(found == events) << what << ", index " << options.use_index << "\n" << found;
    EXPECT_FALSE(trace.status().ok()) << what;
    EXPECT_FALSE(trace.damage().empty()) << what;
    EXPECT_EQ(missing_of(trace), 0u) << what << ", index " << options.use_index;
  }
}

class Misplaced : public ::testing::TestWithParam<RawTrace (*)()> {
 protected:
  const RawTrace whole_ = GetParam()();
  const std::string events_ = events_of(whole_.bytes());
};

TEST_P(Misplaced, BlocksAreOfAWholeTraceAtFirst) {
  const std::string bytes = whole_.bytes();
  Trace trace = open_trace(bytes);
  EXPECT_TRUE(trace.damage().empty());
  EXPECT_EQ(missing_of(trace), 0u);
  EXPECT_GE(std::count(events_.begin(), events_.end(), '\n'), 18);
}

TEST_P(Misplaced, AnyTwoBlocksLoseNoEvent) {
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    for (std::size_t k = i + 1; k < whole_.size() && !HasFailure(); ++k) {
      RawTrace swapped = whole_;
      expect_all_of(events_, swapped.swap(i, k).bytes(), "swapped " + std::to_string(i) + ", " + std::to_string(k));
    }
  }
}

TEST_P(Misplaced, AnyBlockThatWasMovedLosesNoEvent) {
  for (std::size_t i = 0; i < whole_.size(); i += kEveryCase) {
    for (std::size_t k = 0; k < whole_.size() && !HasFailure(); ++k) {
      if (k == i) continue;
      RawTrace moved = whole_;
      moved.remove(i).insert(whole_.part(i), k);
      expect_all_of(events_, moved.bytes(), "moved " + std::to_string(i) + " to " + std::to_string(k));
    }
  }
}

TEST_P(Misplaced, AnyBlockThatIsThereTwiceIsReadOnce) {
  for (std::size_t i = 0; i < whole_.size(); i += kEveryCase) {
    for (std::size_t k = 0; k <= whole_.size() && !HasFailure(); ++k) {
      RawTrace copied = whole_;
      copied.insert(whole_.part(i), k);
      expect_all_of(events_, copied.bytes(), "copied " + std::to_string(i) + " to " + std::to_string(k));
    }
  }
}

RawTrace one_session() { return session_of_many(1); }
RawTrace cut_session() { return session_of_many(1, false); }

INSTANTIATE_TEST_SUITE_P(InOneSession, Misplaced, ::testing::Values(&one_session));
INSTANTIATE_TEST_SUITE_P(InTwoSessions, Misplaced, ::testing::Values(&two_sessions));
INSTANTIATE_TEST_SUITE_P(InACutSession, Misplaced, ::testing::Values(&cut_session));

// Whatever block is damaged besides costs itself alone.
TEST(MisplacedBlocks, OfWhichOneIsDamagedCostThatOneAlone) {
  const RawTrace whole = session_of_many(1);
  for (const bool header : {false, true}) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      RawTrace alone = whole;
      header ? alone.spoil_header(i) : alone.spoil_payload(i);
      const std::string expected = events_of(alone.bytes(), kHeaders);
      for (std::size_t k = 0; k + 1 < whole.size() && !HasFailure(); ++k) {
        RawTrace swapped = alone;
        swapped.swap(k, k + 1);
        EXPECT_EQ(events_of(swapped.bytes(), kHeaders), expected)
            << (header ? "header" : "payload") << " of " << i << " damaged, " << k << " swapped with the next";
      }
    }
  }
}

TEST(MisplacedBlocks, InAnyOrderAreReadInTheirs) {
  const RawTrace whole = session_of_many(1);
  const std::string events = events_of(whole.bytes());
  std::mt19937 random(5);
  for (int i = 0; i < 300 && !::testing::Test::HasFailure(); ++i) {
    RawTrace shuffled = whole;
    for (std::size_t k = whole.size() - 1; k > 0; --k) shuffled.swap(k, random() % (k + 1));
    expect_all_of(events, shuffled.bytes(), "order " + std::to_string(i));
  }
}

// Metadata behind the rows that need it, and clock readings in another order than they were taken.
TEST(MisplacedBlocks, CountWhereTheyWereWritten) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(10, 1).tick(20, 2));
  SyncRecord sync;
  sync.clock_id = 1;
  for (const std::int64_t at : {30, 60}) {
    sync.ticks = static_cast<std::uint64_t>(at);
    sync.ns = 2 * at;
    sync.rows_before = 2;
    trace.sync(sync);
  }
  trace.type(1024, "tick", {EVT_FIELD_U64("n"), EVT_FIELD_U64("m")}).events(1, Rows().tick(70, 3)).trailer();
  RawTrace swapped = trace;
  swapped.swap(2, 8).swap(5, 6);
  EXPECT_EQ(reading_of(swapped), events_of(trace.bytes()) +
                                     "status damaged\n"
                                     "damage 3: block 3 of its session comes after block 8\n"
                                     "damage 5: block 6 of its session comes after block 8\n"
                                     "damage 6: block 5 of its session comes after block 8\n"
                                     "damage 7: block 7 of its session comes after block 8\n"
                                     "damage 8: block 2 of its session comes after block 8\n");
}

TEST(MisplacedBlocks, AreNamedAndSoIsWhatIsNowhere) {
  RawTrace trace = session_of_many(1);
  trace.remove(9).swap(7, 11);  // an EVENTS block; two others
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes, kHeaders);
  std::string reasons;
  for (const Damage& damage : opened.damage()) reasons += trace.place(damage.offset) + ": " + damage.reason + "\n";
  EXPECT_EQ(reasons,
            "8: block 8 of its session comes after block 12\n"
            "9: block 9 of the session is missing\n"
            "9: block 10 of its session comes after block 12\n"
            "11: block 7 of its session comes after block 12\n"
            "19: a TRAILER whose session has another length\n");
}

// Rows of streams 1 and 2 by turns, in blocks of one size, which the index describes.
RawTrace indexed_ticks(std::size_t blocks) {
  RawTrace trace = ordinary_trace();
  for (std::uint32_t n = 0; n < blocks; ++n) trace.events(n % 2 + 1, Rows().tick(n, n));
  return trace.index().trailer();
}

TEST(MisplacedBlocks, ThatFitThePlacesInTheIndexAreFoundByTheirNumbers) {
  const RawTrace whole = indexed_ticks(20);
  const std::string events = events_of(whole.bytes());
  RawTrace trace = whole;
  EXPECT_EQ(reading_of(trace.swap(6, 15)), events +
                                               "status damaged\n"
                                               "damage 7: block 7 of its session comes after block 15\n"
                                               "damage 15: block 6 of its session comes after block 15\n");
  trace = whole;
  EXPECT_EQ(reading_of(trace.remove(20).insert(whole.part(20), 5)),
            events + "status damaged\ndamage 6: block 5 of its session comes after block 20\n");
}

TEST(MisplacedBlocks, OfWhichACopyTookThePlaceOfAnotherLackThatOne) {
  RawTrace trace = indexed_ticks(20);
  trace.part(8) = trace.part(13);
  EXPECT_EQ(event_lines(reading_of(trace)), event_lines(reading_of(trace, kHeaders)));
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  text_of(opened);
  EXPECT_EQ(opened.sessions()[0].missing, 1u);
  EXPECT_EQ(opened.missing()[0].stream, 1u);
}

TEST(MisplacedBlocks, OfATraceThatIsBehindItselfFillWhatIsDamaged) {
  const RawTrace whole = session_of_many(1);
  RawTrace twice = whole;
  twice.append(whole).spoil_header(6);
  EXPECT_EQ(events_of(twice.bytes()), events_of(whole.bytes()));
}

}  // namespace
}  // namespace evt::testing
