// Rows that come behind later rows of their stream: they are new where no block before had them, whatever its header
// promised, and are read where they belong.
#include <evt/cut.h>
#include <evt/merge.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "raw_trace.h"

namespace evt::testing {
namespace {

// Rows of stream 1 or 2 with these ordinals: `tick n=ORDINAL` at 10 ns for each.
void add_rows(RawTrace& trace, std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
  Rows rows;
  for (std::uint64_t n = begin; n < end; ++n) rows.tick(static_cast<std::uint32_t>(10 * n), n);
  trace.events(stream, rows).events_header([&](EventsHeader& events) { events.first_ordinal = begin; });
}

std::string ticks(std::uint64_t begin, std::uint64_t end) {
  std::string text;
  for (std::uint64_t n = begin; n < end; ++n) text += fmt::format("0.{:09} 1 tick n={}\n", 10 * n, n);
  return text;
}

std::uint64_t duplicates_of(const RawTrace& raw) {
  const std::string bytes = raw.bytes();
  return open_trace(bytes).sessions().front().duplicate_rows;
}

TEST(LateRows, OfAGapAreReadWhereTheyBelong) {
  RawTrace trace = ordinary_trace();
  add_rows(trace, 1, 0, 1);
  add_rows(trace, 1, 9, 10);
  add_rows(trace, 1, 3, 7);
  EXPECT_EQ(reading_of(trace), lines({ticks(0, 1), ticks(3, 7), ticks(9, 10),
                                      "status damaged\n"
                                      "missing 4 of stream 1\n"
                                      "truncated\n"}));
  EXPECT_EQ(duplicates_of(trace), 0U);
}

TEST(LateRows, ThatFillTheGapLeaveNothingMissing) {
  RawTrace trace = ordinary_trace();
  add_rows(trace, 1, 0, 3);
  add_rows(trace, 1, 7, 10);
  add_rows(trace, 1, 3, 7);
  EXPECT_EQ(reading_of(trace), lines({ticks(0, 10), "status truncated\ntruncated\n"}));
}

TEST(LateRows, OfSeveralGapsComeFromOneBlock) {
  RawTrace trace = ordinary_trace();
  for (const std::uint64_t n : {0u, 4u, 8u}) add_rows(trace, 1, n, n + 2);
  add_rows(trace, 1, 1, 12);
  EXPECT_EQ(reading_of(trace), lines({ticks(0, 12), "status truncated\ntruncated\n"}));
  EXPECT_EQ(duplicates_of(trace), 5U) << "rows 1, 4, 5, 8 and 9";
}

TEST(LateRows, TakeThePlaceOfThoseOfALostBlock) {
  RawTrace trace = ordinary_trace();
  add_rows(trace, 1, 0, 3);
  add_rows(trace, 1, 3, 7);
  trace.spoil_payload();
  add_rows(trace, 1, 7, 10);
  add_rows(trace, 1, 2, 8);
  EXPECT_EQ(reading_of(trace), lines({ticks(0, 10),
                                      "status damaged\n"
                                      "damage 5..6: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
                                      "truncated\n"}));
  EXPECT_EQ(duplicates_of(trace), 2U) << "rows 2 and 7";
}

TEST(LateRows, OfALostBlockHelpNobody) {
  RawTrace trace = ordinary_trace();
  add_rows(trace, 1, 0, 3);
  add_rows(trace, 1, 5, 7);
  add_rows(trace, 1, 2, 6);
  trace.spoil_payload();
  EXPECT_EQ(reading_of(trace), lines({ticks(0, 3), ticks(5, 7),
                                      "status damaged\n"
                                      "damage 6..7: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
                                      "missing 2 of stream 1\n"
                                      "truncated\n"}));
}

TEST(LateRows, TakeThePlaceOfThoseThatThisVersionCannotDecode) {
  RawTrace trace = ordinary_trace();
  add_rows(trace, 1, 0, 3);
  add_rows(trace, 1, 3, 7);
  trace.events_header([](EventsHeader& events) { events.layout = 9; });
  add_rows(trace, 1, 7, 8);
  add_rows(trace, 1, 4, 6);
  EXPECT_EQ(reading_of(trace), lines({ticks(0, 3), ticks(4, 6), ticks(7, 8),
                                      "status damaged\n"
                                      "not decodable 2\n"
                                      "truncated\n"}));
}

TEST(LateRows, DoNotMakeAStreamGoOnBehindItsEnd) {
  RawTrace trace = ordinary_trace();
  add_rows(trace, 1, 0, 1);
  trace.events(1, Rows().row(90, EVT_ROW_END, "")).events_header([](EventsHeader& e) { e.first_ordinal = 3; });
  add_rows(trace, 1, 1, 3);
  EXPECT_EQ(reading_of(trace, {.check_index = true}),
            lines({ticks(0, 3), "0.000000090 1 !end\n", "status truncated\ntruncated\n"}));
}

// A jump is one where the first row of its block is read, and only there.
TEST(LateRows, BehindAJumpDoNotJump) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(500, 0));
  trace.events(1, Rows().time_base(0, EVT_TIME_BASE_JUMP).tick(100, 2));
  const std::string jump = trace.part(trace.size() - 1);
  trace.events(1, Rows().tick(200, 4)).events_header([](EventsHeader& e) { e.first_ordinal = 4; });
  trace.events(1, Rows().time_base(0, EVT_TIME_BASE_JUMP).tick(100, 2).tick(150, 3));
  trace.events_header([](EventsHeader& e) { e.first_ordinal = 1; });
  EXPECT_EQ(reading_of(trace), lines({"0.000000100 1 !jump\n"
                                      "0.000000100 1 tick n=2\n"
                                      "0.000000150 1 tick n=3\n"
                                      "0.000000200 1 tick n=4\n"
                                      "0.000000500 1 tick n=0\n"
                                      "status truncated\n"
                                      "truncated\n"}));
}

// Blocks with rows of two streams, in any order, again and again, some of them lost: what is read is what a set of
// ordinals has.
class RandomBlocks {
 public:
  explicit RandomBlocks(unsigned seed) : random_(seed), trace_(ordinary_trace()) {
    for (std::uint64_t blocks = 1 + pick(8); blocks > 0; --blocks) add_block();
  }

  std::string expected() const {
    std::string text;
    for (const auto& [n, stream] : held_) text += fmt::format("0.{:09} {} tick n={}\n", 10 * n, stream, n);
    return text;
  }
  std::uint64_t missing(std::uint32_t stream) const {
    std::uint64_t held = 0;
    for (const auto& [n, of] : held_) held += of == stream ? 1 : 0;
    return ends_.at(stream) - held;
  }
  std::uint64_t duplicates() const { return duplicates_; }
  const RawTrace& trace() const { return trace_; }

 private:
  std::uint64_t pick(std::uint64_t most) { return random_() % most; }

  void add_block() {
    const bool is_lost = pick(3) == 0;
    const std::uint64_t pieces = 1 + pick(3);
    for (std::uint64_t i = 0; i < pieces; ++i) {
      const auto stream = static_cast<std::uint32_t>(1 + pick(2));
      const std::uint64_t begin = pick(20);
      const std::uint64_t end = begin + 1 + pick(8);
      add_rows(trace_, stream, begin, end);
      std::uint64_t& last = ends_.at(stream);
      last = std::max(last, end);
      for (std::uint64_t n = begin; n < end && !is_lost; ++n) {
        duplicates_ += held_.emplace(n, stream).second ? 0 : 1;
      }
    }
    if (pieces > 1) trace_.gather(pieces);
    if (!is_lost) return;
    std::string& part = trace_.part(trace_.size() - 1);
    part.at(part.size() - 8) ^= 1;  // of the last row, behind the table
  }

  std::mt19937 random_;
  RawTrace trace_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> held_;
  std::array<std::uint64_t, 3> ends_{};
  std::uint64_t duplicates_ = 0;
};

TEST(LateRows, AreThoseThatASetOfOrdinalsHasInWhateverOrderBlocksCome) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    const RandomBlocks made(seed);
    const std::string bytes = made.trace().bytes();
    for (const bool is_checked : {false, true}) {
      Trace trace = open_trace(bytes, {.check_index = is_checked});
      ASSERT_EQ(event_lines(text_of(trace)), made.expected());
      const Session& session = trace.sessions().front();
      for (const StreamInfo& stream : session.streams) ASSERT_EQ(stream.missing, made.missing(stream.id));
      ASSERT_EQ(session.missing, made.missing(1) + made.missing(2));
      ASSERT_EQ(session.duplicate_rows, made.duplicates());
    }
  }
}

TakeBytes append_to(std::string* out) {
  return [out](Bytes bytes) {
    out->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return 0;
  };
}

std::string merged(const std::string& bytes) {
  MergeOptions options;
  options.inputs.push_back({"a", 0});
  options.open = [&](std::size_t) -> Result<std::shared_ptr<Trace>> {
    return std::make_shared<Trace>(open_trace(bytes));
  };
  std::string out;
  EXPECT_TRUE(merge(options, append_to(&out)));
  return out;
}

std::string all_of(const std::string& bytes) {
  Trace trace = open_trace(bytes);
  std::string out;
  EXPECT_TRUE(cut(trace, {}, append_to(&out)).ok());
  return out;
}

// The ticks of a trace in its order, and how many rows of each stream are missing or lost by damage.
std::string told_by(const std::string& bytes) {
  Trace trace = open_trace(bytes, {.check_index = true});
  std::string text;
  std::map<std::string, std::uint64_t> gone;
  for (Events events = trace.events({.markers = true}); const Event* const event = events.next();) {
    if (event->is_lost()) {
      gone[event->stream().name] += event->value("count")->as_unsigned();
    } else {
      text += fmt::format("{} {} {}\n", event->ns(), event->stream().name, event->value("n")->as_unsigned());
    }
  }
  for (const StreamInfo& stream : trace.sessions().front().streams) gone[stream.name] += stream.missing;
  for (const auto& [stream, rows] : gone) text += rows > 0 ? fmt::format("{} of {} gone\n", rows, stream) : "";
  return text;
}

TEST(LateRows, AreInTheirPlacesInCopies) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomBlocks made(seed);
    const std::string bytes = made.trace().bytes();
    const std::string told = told_by(bytes);
    ASSERT_EQ(told_by(merged(bytes)), told);
    ASSERT_EQ(told_by(all_of(bytes)), told);
  }
}

}  // namespace
}  // namespace evt::testing
