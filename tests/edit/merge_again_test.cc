// Merging what was merged before: the parts stay parts, with their streams, facts and places in time.
#include <evt/merge.h>
#include <evt/names.h>
#include <fmt/core.h>

#include <random>

#include "libtrace-read/edit/src/merged_parts.h"
#include "libtrace-read/edit/src/time_shift.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

class MergeAgain : public ::testing::Test {
 protected:
  // A session that began this many microseconds into 2026, with an event on its one stream a millisecond later.
  static std::string session(int who, int start_us) {
    return trace_from_text(
        fmt::format("evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{:02x} "
                    "start=1767225600.{:06}000 program=\"p{}\" pid={}\n"
                    "fact 0.002000000 session service.name \"service {}\"\n"
                    "type 1024 tick (n u8)\nstream 4 \"s{}\"\n0.001000000 4 tick n={}\n",
                    who, start_us, who, 10 + who, who, who, who));
  }

  struct Input {
    std::string name;
    std::string bytes;
  };
  std::string merged(const std::vector<Input>& inputs) {
    MergeOptions options;
    for (const Input& input : inputs) options.inputs.push_back({input.name, 0});
    options.open = [&](std::size_t i) -> Result<std::shared_ptr<Trace>> {
      return std::make_shared<Trace>(open_trace(inputs[i].bytes));
    };
    std::string out;
    const auto done = merge(options, [&](Bytes bytes) {
      out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return 0;
    });
    EXPECT_TRUE(done) << done.status().message();
    if (done) notes_ = done->notes;
    return out;
  }
  std::string first_two() { return merged({{"a", session(1, 0)}, {"b", session(2, 500)}}); }

  // A line for each part: its name, streams, offset in microseconds and how it was aligned; and for each of its facts.
  static std::string parts_of(const std::string& bytes) {
    Trace trace = open_trace(bytes);
    const Session& session = trace.sessions().front();
    std::string text;
    for (std::size_t i = 0; i < session.parts.size(); ++i) {
      const MergedPart& part = session.parts[i];
      text += fmt::format("{} {}+{} {} {}\n", part.name, part.first_stream, part.stream_count, part.offset_ns / 1000,
                          named_number(NumberList::kAlignment, part.alignment)->name);
      for (const Fact& fact : session.facts) {
        if (fact.scope != EVT_FACT_SCOPE_PART || fact.id != i) continue;
        if (fact.key == EVT_FACT_PART_START) continue;
        text += fmt::format("  {}={} at {}\n", fact.key, fact.value, fact.ns / 1000);
      }
    }
    return text;
  }

  std::vector<std::string> notes_;
};

TEST_F(MergeAgain, KeepsThePartsAndTheirFacts) {
  EXPECT_EQ(parts_of(merged({{"ab", first_two()}, {"c", session(3, 700)}})),
            "a 1+1 0 none\n"
            "  process.executable.name=p1 at 0\n"
            "  process.pid=11 at 0\n"
            "  service.name=service 1 at 2000\n"
            "b 2+1 500 utc\n"
            "  process.executable.name=p2 at 500\n"
            "  process.pid=12 at 500\n"
            "  service.name=service 2 at 2500\n"
            "c 3+1 700 utc\n"
            "  process.executable.name=p3 at 700\n"
            "  process.pid=13 at 700\n"
            "  service.name=service 3 at 2700\n");
  EXPECT_EQ(notes_, std::vector<std::string>{});
}

TEST_F(MergeAgain, PutsThePartsBehindThoseOfTheFirst) {
  EXPECT_EQ(parts_of(merged({{"c", session(3, 0)}, {"ab", first_two()}})),
            "c 1+1 0 none\n"
            "  process.executable.name=p3 at 0\n"
            "  process.pid=13 at 0\n"
            "  service.name=service 3 at 2000\n"
            "a 2+1 0 utc\n"
            "  process.executable.name=p1 at 0\n"
            "  process.pid=11 at 0\n"
            "  service.name=service 1 at 2000\n"
            "b 3+1 500 utc\n"
            "  process.executable.name=p2 at 500\n"
            "  process.pid=12 at 500\n"
            "  service.name=service 2 at 2500\n");
}

TEST_F(MergeAgain, GivesEachStreamToThePartThatItIsOf) {
  const std::string bytes = merged({{"c", session(3, 0)}, {"ab", first_two()}});
  Trace trace = open_trace(bytes);
  std::string text;
  Events events = trace.events();
  while (const Event* const event = events.next()) {
    for (const MergedPart& part : trace.sessions().front().parts) {
      if (part.has_stream(event->stream().id)) text += part.name + ":" + event->stream().name + " ";
    }
  }
  EXPECT_EQ(text, "c:s3 a:s1 b:s2 ");
}

TEST_F(MergeAgain, IsTheSameAsMergingThePartsAtOnce) {
  EXPECT_EQ(parts_of(merged({{"ab", first_two()}, {"c", session(3, 700)}})),
            parts_of(merged({{"a", session(1, 0)}, {"b", session(2, 500)}, {"c", session(3, 700)}})));
}

TEST(AlignWithin, MovesAPartAsBothMovesDo) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto between = [&](std::int64_t low, std::int64_t high) {
      return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
    };
    const auto drift = [&] { return random() % 2 == 0 ? 0 : between(-200'000'000, 200'000'000); };  // to 200 ppm
    const auto moved = [&] {
      MergedPart part;
      part.offset_ns = between(-5'000'000'000, 5'000'000'000);
      part.drift_ps = drift();
      part.pivot_ns = part.drift_ps == 0 ? 0 : between(0, 10'000'000'000);
      part.bound_ns = random() % 1000;
      return part;
    };
    MergedPart part = moved();
    const MergedPart whole = moved();
    const TimeShift own{part.offset_ns, part.drift_ps, part.pivot_ns};
    const TimeShift then{whole.offset_ns, whole.drift_ps, whole.pivot_ns};
    const std::uint64_t bound = part.bound_ns + whole.bound_ns;
    align_within(whole, &part);
    EXPECT_EQ(part.bound_ns, bound);
    const TimeShift both{part.offset_ns, part.drift_ps, part.pivot_ns};
    for (std::int64_t ns = 0; ns <= 10'000'000'000; ns += 500'000'000) {
      // The product of two drifts of 200 ppm is 40 ns in a second.
      const std::int64_t limit = own.drift_ps == 0 || then.drift_ps == 0 ? 1 : 1000;
      ASSERT_LE(std::abs(both.apply(ns) - then.apply(own.apply(ns))), limit) << "seed " << seed << " at " << ns;
    }
  }
}

TEST(AlignWithin, DependsOnTheWeakerOfTwoAlignments) {
  const auto both = [](std::uint16_t whole_by, std::uint16_t part_by) {
    MergedPart whole;
    whole.alignment = whole_by;
    MergedPart part;
    part.alignment = part_by;
    align_within(whole, &part);
    return part.alignment;
  };
  EXPECT_EQ(both(EVT_ALIGNED_NONE, EVT_ALIGNED_NONE), EVT_ALIGNED_NONE);
  EXPECT_EQ(both(EVT_ALIGNED_NONE, EVT_ALIGNED_SAME_CLOCK), EVT_ALIGNED_SAME_CLOCK);
  EXPECT_EQ(both(EVT_ALIGNED_SAME_BOOT, EVT_ALIGNED_NONE), EVT_ALIGNED_SAME_BOOT);
  EXPECT_EQ(both(EVT_ALIGNED_UTC, EVT_ALIGNED_SAME_BOOT), EVT_ALIGNED_UTC);
  EXPECT_EQ(both(EVT_ALIGNED_SAME_BOOT, EVT_ALIGNED_MESSAGES), EVT_ALIGNED_MESSAGES);
  EXPECT_EQ(both(EVT_ALIGNED_MESSAGES, EVT_ALIGNED_UTC), EVT_ALIGNED_UTC);
  EXPECT_EQ(both(EVT_ALIGNED_UTC, EVT_ALIGNED_BY_HAND), EVT_ALIGNED_BY_HAND);
  EXPECT_EQ(both(77, EVT_ALIGNED_BY_HAND), 77) << "a number of a later version";
}

TEST(AlignWithin, HasEndedOnlyWhereBothHave) {
  MergedPart whole;
  MergedPart part;
  part.ended = true;
  align_within(whole, &part);
  EXPECT_FALSE(part.ended);
}

}  // namespace
}  // namespace evt::testing
