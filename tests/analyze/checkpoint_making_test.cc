// What it takes to make checkpoints.
#include "libtrace-read/analyze/src/checkpoint/checkpoint_making.h"

#include <fmt/core.h>

#include "scheduling.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

class CheckpointMaking : public ::testing::Test {
 protected:
  // Of threads whose names fill the directory, and then this many events.
  MakingWork work_for(unsigned events) {
    constexpr unsigned kNamed = 80;
    std::string text = std::string(kThreadTypes) + "stream 1 \"a\"\n";
    for (unsigned i = 1; i <= kNamed; ++i) {
      text += fmt::format("0.{:09} 1 thread.name thread={} name=\"{}\"\n", i, i, std::string(60'000, 'x'));
    }
    for (unsigned i = 1; i <= events; ++i) {
      text += fmt::format("0.{:09} 1 thread.run thread={} cpu=0\n", kNamed + i, 1 + i % kNamed);
    }
    const std::string bytes = trace_from_text(text);
    Trace trace = open_trace(bytes);
    HistoryOptions options;
    options.events_per_checkpoint = 1;
    options.rows_per_byte = 0;
    CheckpointFileWriter writer;
    EXPECT_TRUE(writer.open(folder_ / "a").ok());
    MakingWork work;
    EXPECT_TRUE(make_state(trace, options, writer, &work).ok());
    return work;
  }

  Folder folder_;
};

TEST_F(CheckpointMaking, LooksAtAllActorsNoMoreOnceTheDirectoryIsFull) {
  const std::uint64_t of_few = work_for(200).actors_measured;
  EXPECT_GT(of_few, 0U);
  EXPECT_EQ(work_for(2000).actors_measured, of_few);
}

}  // namespace
}  // namespace evt::testing
