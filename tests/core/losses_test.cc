// Why events were lost: by the index, or by the rows of those blocks alone that have losses.
#include <fmt/core.h>

#include "raw_trace.h"
#include "support/row_sizes.h"

namespace evt::testing {
namespace {

std::string losses_of(const Trace& trace) {
  std::string text;
  for (const Loss& loss : trace.losses(trace.sessions()[0])) {
    text += fmt::format("{} {} {}{}\n", loss.stream->id, loss.cause.empty() ? "?" : loss.cause, loss.events,
                        loss.is_rest ? " more" : "");
  }
  return text;
}

// Of two streams, in blocks 4 to 7; only the second and the last have losses.
RawTrace two_streams() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(1, Rows().tick(2, 2).lost(3, 5, EVT_LOST_RING_FULL).lost(3, 1, 99));
  trace.events(1, Rows().tick(4, 3)).events(2, Rows().lost(5, 7, EVT_LOST_TOO_LARGE));
  return trace;
}
constexpr const char* kOfTwoStreams = "1 ring_full 5\n1 cause 99 1\n2 too_large 7\n";

TEST(Losses, AreToldByRowsWhereNoIndexHasThem) {
  const std::string bytes = two_streams().bytes();
  EXPECT_EQ(losses_of(open_trace(bytes)), kOfTwoStreams);
}

TEST(Losses, OfSeveralStreamsInOneBlockAreTold) {
  const std::string bytes = two_streams().gather(2).bytes();
  EXPECT_EQ(losses_of(open_trace(bytes)), kOfTwoStreams);
}

TEST(Losses, OfWhichTheRowsCannotBeReadHaveNoCauseAndAreNoMoreDamage) {
  const std::string bytes = two_streams().spoil_payload(5).bytes();
  const Trace trace = open_trace(bytes);
  EXPECT_EQ(losses_of(trace), "1 ? 6\n2 too_large 7\n");
  EXPECT_TRUE(trace.damage().empty());
}

TEST(Losses, OfRowsThatAreMissingHaveNoCause) {
  RawTrace trace = ordinary_trace().events(1, Rows().lost(1, 2, EVT_LOST_SINK)).leave_out_rows(1, 1);
  trace.events(1, Rows().tick(4, 1).lost(5, 3, EVT_LOST_SINK));
  trace.events_header([](EventsHeader& events) { events.lost_total = 9; });
  const std::string bytes = trace.bytes();
  EXPECT_EQ(losses_of(open_trace(bytes)), "1 sink 5\n1 ? 4 more\n");
}

// A killed program may leave a large file without an index.
TEST(Losses, AreReadFromBlocksThatHaveSomeAlone) {
  RawTrace trace = ordinary_trace();
  Rows many;
  for (std::uint32_t i = 0; i < 10'000; ++i) many.tick(1, i);
  for (int i = 0; i < 20; ++i) trace.events(1, many);
  trace.events(1, Rows().lost(2, 7, EVT_LOST_RING_FULL));
  const std::string bytes = trace.bytes();
  const Trace opened = open_trace(bytes);
  const std::uint64_t before = opened.bytes_read();
  EXPECT_EQ(losses_of(opened), "1 ring_full 7\n");
  EXPECT_EQ(opened.bytes_read() - before, kRowHeader + EVT_LOST_PAYLOAD);
  EXPECT_EQ(losses_of(opened), "1 ring_full 7\n");
  EXPECT_EQ(opened.bytes_read() - before, kRowHeader + EVT_LOST_PAYLOAD) << "once";
}

TEST(Losses, OfAnIndexAreNotReadAgain) {
  RawTrace trace = ordinary_trace().events(1, Rows().lost(1, 2, EVT_LOST_RING_FULL));
  const std::string bytes = trace.index().trailer().bytes();
  const Trace opened = open_trace(bytes);
  const std::uint64_t before = opened.bytes_read();
  EXPECT_EQ(losses_of(opened), "1 ring_full 2\n");
  EXPECT_EQ(opened.bytes_read(), before);
}

}  // namespace
}  // namespace evt::testing
