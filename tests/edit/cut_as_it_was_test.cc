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
    options.event = [=](const Session&, const StreamInfo&, const EventType&, Bytes fields, std::int64_t) {
      return (kept >> (evt_load_u64(fields.data()) - 1) & 1) != 0;
    };
    std::string expected;
    for (std::size_t i = 0; i < std::size(kLines); ++i) {
      if ((kept >> i & 1) != 0) expected += kLines[i];
    }
    const std::string part = part_of(trace, options);
    ASSERT_EQ(reading_of(RawTrace::of(part), {.check_index = true}), expected) << "of rows " << kept;
  }
}

}  // namespace
}  // namespace evt::testing
