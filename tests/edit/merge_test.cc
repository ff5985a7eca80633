// Merging as a library call: lines through messages, and the property that a merged trace taken apart is its inputs.
#include <evt/cut.h>
#include <fmt/core.h>

#include <random>

#include "libtrace-read/edit/src/clock_fit.h"
#include "merged_traces.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

TEST(ClockFit, HoldsItsBoundWhateverTheDelays) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    const auto between = [&](std::int64_t low, std::int64_t high) {
      return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low));
    };
    const std::int64_t offset = between(-5'000'000'000, 5'000'000'000);
    const std::int64_t drift = between(-200, 200);  // ppm
    const auto own = [&](std::int64_t ns) { return ns + offset + ns * drift / 1'000'000; };
    const std::int64_t most_delay = between(1'000, 500'000);
    std::vector<TimeLimit> not_before;
    std::vector<TimeLimit> not_behind;
    for (std::int64_t now = 0; now < 10'000'000'000; now += between(1'000'000, 300'000'000)) {
      not_before.push_back({own(now + between(1, most_delay)), now});
      not_behind.push_back({own(now), now + between(1, most_delay)});
    }
    const ClockFit line = fit_line(not_before, not_behind, own(0), own(10'000'000'000));
    EXPECT_EQ(line.contradiction_ns, 0u) << seed;
    EXPECT_LT(line.bound_ns, static_cast<std::uint64_t>(2 * most_delay)) << seed;
    for (std::int64_t now = 0; now <= 10'000'000'000; now += 500'000'000) {
      const std::int64_t error = line.shift.apply(own(now)) - now;
      ASSERT_LE(std::abs(error), static_cast<std::int64_t>(line.bound_ns) + 1) << "seed " << seed << " at " << now;
    }
  }
}

TEST(ClockFit, SaysByHowMuchLimitsContradictEachOther) {
  const ClockFit line = fit_line({{0, 100}, {1000, 1100}}, {{0, 40}, {1000, 1040}}, 0, 1000);
  EXPECT_EQ(line.contradiction_ns, 30u);
}

TEST(TimeShift, DriftsInBothDirections) {
  const TimeShift shift{10, 1'000'000, 1'000'000'000};  // 1 ppm
  EXPECT_EQ(shift.apply(1'000'000'000), 1'000'000'010);
  EXPECT_EQ(shift.apply(2'000'000'000), 2'000'001'010);
  EXPECT_EQ(shift.apply(0), -990);
}

// Traces of one to three inputs, whose names and numbers get in each other's way.
class RandomTraces {
 public:
  explicit RandomTraces(unsigned seed) : random_(seed) {}

  std::string trace(int who) {
    std::string text = fmt::format(
        "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{:02x} "
        "start=1767225600.{:09} program=\"p{}\"\n",
        who, below(1000), who);
    const unsigned types = 1 + below(4);
    const unsigned shift = below(4);
    std::vector<std::string> fields;
    for (unsigned i = 0; i < types; ++i) {
      static constexpr const char* kFields[] = {"", " (a u32)", " (a u32) (what interned)", " (what interned)"};
      fields.emplace_back(kFields[below(4)]);
      text += fmt::format("type {} t{}{}\n", 1024 + (i + shift) % 4, i, fields.back());
    }
    const unsigned streams = 1 + below(3);
    for (unsigned i = 0; i < streams; ++i) text += fmt::format("stream {} \"s{}.{}\"\n", i * 2 + 1, who, i);
    for (unsigned i = 1; i <= 3; ++i) text += fmt::format("string {} \"text {}\"\n", i, below(4) * 10 + i);
    std::vector<unsigned> declared;
    for (unsigned i = 0; i < types; ++i) declared.push_back(i);
    const unsigned events = below(200);
    for (unsigned i = 0; i < events; ++i) {
      const unsigned type = below(types);
      std::string values;
      if (fields[type].find("a u32") != std::string::npos) values += fmt::format(" a={}", below(1000));
      if (fields[type].find("what") != std::string::npos) values += fmt::format(" what=#{}", 1 + below(3));
      text += fmt::format("0.{:09} {} t{}{}\n", 1000 + i * 1000 + below(900), below(streams) * 2 + 1, type, values);
      if (below(40) == 0)
        text += fmt::format("0.{:09} 1 !lost count=2 cause=ring_full duration=0.000000000\n", 1000 + i * 1000 + 950);
    }
    return trace_from_text(text);
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

 private:
  std::mt19937 random_;
};

// A line for each event: when it was by the clock on the wall, whose it is, its fields with texts spelt out.
std::string events_of(const Trace& trace, Events events) {
  std::string lines;
  while (const Event* const event = events.next()) {
    const std::string& name = event->type().name();
    lines += fmt::format("{} {} {}", event->utc_ns(), event->stream().name, name.substr(0, name.find('~')));
    auto values = event->values();
    while (const auto value = values.next()) {
      const std::string* const text = value->kind() == Kind::kInterned
                                          ? trace.sessions()[0].text({static_cast<std::uint32_t>(value->as_unsigned())})
                                          : nullptr;
      lines += text != nullptr ? " " + *text : fmt::format(" {}", value->as_unsigned());
    }
    lines += '\n';
  }
  EXPECT_TRUE(events.status().ok()) << events.status().message();
  return lines;
}

TEST(MergeProperty, AMergedTraceTakenApartIsItsInputs) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    RandomTraces random(seed);
    std::vector<std::string> inputs;
    const unsigned count = 1 + random.below(3);
    for (unsigned i = 0; i < count; ++i) inputs.push_back(random.trace(static_cast<int>(i) + 1));
    const std::string bytes = merged(inputs);
    ReadOptions all_checked;
    all_checked.check_index = true;
    Trace trace = open_trace(bytes, all_checked);
    ASSERT_TRUE(trace.status().ok()) << seed << ": " << trace.status().message();
    EventOptions markers;
    markers.markers = true;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const MergedPart& part = trace.sessions()[0].parts.at(i);
      EventOptions of_part = markers;
      of_part.stream = [&](const Session&, const StreamInfo& stream) { return part.has_stream(stream.id); };
      Trace input = open_trace(inputs[i]);
      ASSERT_EQ(events_of(trace, trace.events(of_part)), events_of(input, input.events(markers)))
          << "seed " << seed << ", input " << i;

      CutOptions cutting;
      cutting.stream = of_part.stream;
      std::string cut_bytes;
      ASSERT_TRUE(cut(trace, cutting, into(&cut_bytes)).ok());
      Trace apart = open_trace(cut_bytes, all_checked);
      ASSERT_TRUE(apart.status().ok()) << seed << ": " << apart.status().message();
      ASSERT_EQ(events_of(apart, apart.events(markers)), events_of(input, input.events(markers)))
          << "seed " << seed << ", input " << i;
    }
  }
}

TEST(CutProperty, ACutIsAFilter) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    RandomTraces random(seed);
    const std::string bytes = random.trace(1);
    Trace trace = open_trace(bytes);
    CutOptions cutting;
    cutting.state = false;
    EventOptions filter;
    filter.markers = true;
    const auto from = static_cast<std::int64_t>(random.below(200'000));
    const TimeRange range{from, from + random.below(100'000)};
    if (random.below(2) == 0) cutting.range = filter.range = [&](const Session&) { return range; };
    const std::uint32_t id = random.below(2) == 0 ? 1 : 3;
    if (random.below(2) == 0) {
      cutting.stream = filter.stream = [&](const Session&, const StreamInfo& stream) { return stream.id == id; };
    }
    if (random.below(3) == 0) cutting.form = Form::kColumns;
    std::string cut_bytes;
    ASSERT_TRUE(cut(trace, cutting, into(&cut_bytes)).ok());
    ReadOptions all_checked;
    all_checked.check_index = true;
    Trace part = open_trace(cut_bytes, all_checked);
    ASSERT_TRUE(part.status().ok()) << seed << ": " << part.status().message();
    EventOptions markers;
    markers.markers = true;
    ASSERT_EQ(events_of(part, part.events(markers)), events_of(trace, trace.events(filter))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace evt::testing
