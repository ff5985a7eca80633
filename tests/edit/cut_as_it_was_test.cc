// Cuts of traces that are valid and unusual: what is kept is as it was.
#include <evt/cut.h>
#include <gtest/gtest.h>

#include "core/raw_trace.h"

namespace evt::testing {
namespace {

std::string part_of(const RawTrace& raw, const CutOptions& options = {}) {
  const std::string bytes = raw.bytes();
  Trace trace = open_trace(bytes);
  std::string part;
  const Status done = cut(trace, options, [&](Bytes block) {
    part.append(reinterpret_cast<const char*>(block.data()), block.size());
    return 0;
  });
  EXPECT_TRUE(done.ok()) << done.message();
  return part;
}

// Rows 1, 3, 5 and 6 have stamps that are impossible. Whichever of the others are left out: the rest keep their times.
TEST(CutAsItWas, EachRowOfAnImpossibleStampKeepsItsTime) {
  constexpr std::uint64_t kWild = UINT64_MAX;
  const char* const kLines[] = {"0.000000010 1 tick n=1\n", "0.000000010 1 tick n=2\n", "0.000000010 1 tick n=3\n",
                                "0.000000020 1 tick n=4\n", "0.000000020 1 tick n=5\n", "0.000000020 1 tick n=6\n",
                                "0.000000030 1 tick n=7\n"};
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows()
                      .time_base(kWild)
                      .tick(0, 1)
                      .time_base(0)
                      .tick(10, 2)
                      .time_base(kWild)
                      .tick(0, 3)
                      .time_base(0)
                      .tick(20, 4)
                      .time_base(kWild)
                      .tick(0, 5)
                      .tick(0, 6)
                      .time_base(0)
                      .tick(30, 7));
  trace.events_header([](EventsHeader& e) { e.bound_ticks = 1000, e.first_ticks = 10, e.last_ticks = 30; });
  trace.trailer();
  for (unsigned kept = 1; kept < 1u << std::size(kLines); ++kept) {
    CutOptions options;
    options.event = [=](const Session&, const StreamInfo&, const EventType&, Bytes fields, std::uint64_t,
                        std::int64_t) { return (kept >> (evt_load_u64(fields.data()) - 1) & 1) != 0; };
    std::string expected;
    for (std::size_t i = 0; i < std::size(kLines); ++i) {
      if ((kept >> i & 1) != 0) expected += kLines[i];
    }
    const std::string part = part_of(trace, options);
    ASSERT_EQ(reading_of(RawTrace::of(part), {.check_index = true}), expected) << "of rows " << kept;
  }
}

std::string fact(std::uint16_t scope, std::uint64_t id, const std::string& key, const std::string& value) {
  return le32(static_cast<std::uint32_t>(32 + key.size() + value.size())) + le16(scope) +
         le16(static_cast<std::uint16_t>(key.size())) + le64(id) + le64(0) +
         le32(static_cast<std::uint32_t>(value.size())) + le32(0) + key + value;
}

TEST(CutAsItWas, WhatIsNotDescribedKeepsItsFacts) {
  RawTrace trace;
  trace.session().clock({.id = 1, .hz = 1'000'000'000});
  trace.block(EVT_BLOCK_FACTS, le32(3) + fact(EVT_FACT_SCOPE_STREAM, 5, EVT_FACT_STREAM_NAME, "worker") +
                                   fact(EVT_FACT_SCOPE_STREAM, 6, EVT_FACT_STREAM_NAME, "other") +
                                   fact(EVT_FACT_SCOPE_TYPE, 2000, "a.b", "x"));
  trace.events(5, Rows().row(1, 2000, "").row(2, 2000, "")).events(6, Rows().row(3, 2001, "")).trailer();
  CutOptions options;
  options.stream = [](const Session&, const StreamInfo& stream) { return stream.id == 5; };
  options.event = [](const Session&, const StreamInfo&, const EventType&, Bytes, std::uint64_t, std::int64_t) {
    return true;
  };
  const std::string part = part_of(trace, options);
  const Trace opened = open_trace(part);
  const Session& session = opened.sessions().front();
  std::string text;
  for (const Fact& each : session.facts) {
    text += std::to_string(each.scope) + " " + std::to_string(each.id) + " " + each.key + "=" + each.value + "\n";
  }
  EXPECT_EQ(text, "2 5 evt.name=worker\n3 2000 a.b=x\n");
  EXPECT_EQ(session.stream(5)->name, "worker");
}

// The readers' sums stay at the largest number, and so do those that are written.
TEST(CutAsItWas, LossesOfMoreThanTheLargestNumberAreNoDamage) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().lost(1, kHalf, EVT_LOST_RING_FULL)).events(1, Rows().lost(2, kHalf, EVT_LOST_RING_FULL));
  trace.events_header([](EventsHeader& e) { e.lost_total = UINT64_MAX; });
  trace.events(1, Rows().lost(3, 7, EVT_LOST_RING_FULL));
  trace.events_header([](EventsHeader& e) { e.lost_total = UINT64_MAX; });
  CutOptions options;
  options.stream = [](const Session&, const StreamInfo& stream) { return stream.id == 1; };
  const std::string part = part_of(trace, options);
  Trace opened = open_trace(part, {.check_index = true});
  text_of(opened);
  EXPECT_TRUE(opened.status().ok()) << opened.damage().front().reason;
  EXPECT_EQ(opened.sessions().front().lost, UINT64_MAX);
}

}  // namespace
}  // namespace evt::testing
