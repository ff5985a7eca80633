// A snapshot is a session of its own: closed, with all rows, and with what was not kept stated.
#include <evt/snapshot.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/segmented_trace.h"
#include "merged_traces.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

std::string snapshot_of(std::string_view bytes) {
  Trace trace = open_trace(bytes);
  std::string out;
  const Status done = snapshot(trace, {}, into(&out));
  EXPECT_TRUE(done.ok()) << done.message();
  return out;
}

std::string in_columns(const std::string& bytes) {
  const Folder folder;
  std::string out;
  const auto done = recode(folder.write("a.evt", bytes), Form::kColumns, into(&out));
  EXPECT_TRUE(done) << done.status().message();
  return out;
}

// Its events, in order, and all else that a reader tells.
std::string snapshot_facts(std::string_view bytes) {
  Trace trace = open_trace(bytes, {.check_index = true});
  const Session& session = trace.sessions().front();
  std::string text = event_lines(text_of(trace)) + trace.status().message() + "\n";
  for (const StreamInfo& stream : session.streams) {
    text += std::to_string(stream.id) + " " + stream.name + ": " + std::to_string(stream.rows) + " rows after " +
            std::to_string(stream.not_kept) + ", " + std::to_string(stream.lost) + " lost\n";
  }
  for (const Damage& damage : trace.damage()) text += damage.reason + "\n";
  return text + std::to_string(session.not_kept) + " not kept, " + std::to_string(session.lost) + " lost, " +
         std::to_string(session.types.size()) + " types, to segment " + std::to_string(session.last_segment) +
         (session.closed ? ", closed" : "");
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::istringstream in(event_lines(text));
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  std::ranges::sort(all);
  return all;
}

// Of segments behind one another nothing is missing, whichever are the first and the last.
TEST(Snapshot, HasAllRowsOfItsSegmentsAndStatesThoseBefore) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const SegmentedTrace made(seed, 3);
    for (const std::string& origin :
         {made.segment(0) + made.segment(1) + made.segment(2), made.segment(1) + made.segment(2), made.segment(2)}) {
      if (!open_trace(origin).status().ok()) continue;  // a segment has no end
      for (const std::string& stored : {origin, in_columns(origin)}) {
        std::string wanted = snapshot_facts(stored);
        const bool is_whole = open_trace(stored).sessions().front().not_kept == 0;
        if (is_whole) wanted.replace(wanted.find("to segment 2"), 12, "to segment 0");
        // The only segment of the snapshot is the first that was kept.
        if (!is_whole && origin.size() > made.segment(2).size()) {
          wanted.replace(wanted.find("to segment 2"), 12, "to segment 1");
        }
        const std::string taken = snapshot_of(stored);
        EXPECT_EQ(snapshot_facts(taken), wanted) << seed;
        const Trace trace = open_trace(taken);
        const Session& session = trace.sessions().front();
        EXPECT_EQ(session.origins, std::vector{open_trace(origin).sessions().front().uuid});
        EXPECT_NE(session.uuid, open_trace(origin).sessions().front().uuid);
        EXPECT_FALSE(session.left_out);
        EXPECT_EQ(session.cut, "");
        EXPECT_EQ(session.ring_name, "");
        EXPECT_EQ(snapshot_facts(snapshot_of(taken)), wanted);
      }
    }
  }
}

// A single segment cannot state what is missing in its middle, nor the times of what was there.
TEST(Snapshot, SaysThatRowsInTheMiddleWereNotThere) {
  unsigned met = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const SegmentedTrace made(seed, 4);
    const std::string origin = made.segment(1) + made.segment(3);
    Trace of = open_trace(origin);
    if (!of.status().ok()) continue;
    const std::uint64_t between = made.gone({1, 3}).not_kept - made.gone({1}).not_kept;
    const std::string taken = snapshot_of(origin);
    Trace trace = open_trace(taken, {.check_index = true});
    const Session& session = trace.sessions().front();
    EXPECT_EQ(trace.status().message(), "") << seed;
    EXPECT_GE(session.not_kept, made.gone({1}).not_kept) << seed;
    EXPECT_LE(session.not_kept, made.gone({1, 3}).not_kept) << seed;
    EXPECT_EQ(sorted_lines(text_of(trace)), sorted_lines(text_of(of))) << seed;
    EXPECT_EQ(session.cut, between == 0 ? "" : "rows of other segments were not there") << seed;
    met += between > 0 ? 1 : 0;
  }
  EXPECT_GT(met, 0u);
}

TEST(Snapshot, TakesTheSessionsThatAreWanted) {
  const std::string one = trace_from_text(
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e01 start=1767225600.000000000 program=\"one\"\n");
  const std::string two = trace_from_text(
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e02 start=1767225600.000000000 program=\"two\"\n");
  Trace trace = open_trace(one + two);
  std::string out;
  SnapshotOptions options;
  options.session = [](const Session& session) { return session.program == "two"; };
  ASSERT_TRUE(snapshot(trace, options, into(&out)).ok());
  const Trace taken = open_trace(out);
  ASSERT_EQ(taken.sessions().size(), 1u);
  EXPECT_EQ(taken.sessions().front().program, "two");
}

// Blocks are passed on as they are stored: the compressed bytes are those of the origin.
TEST(Snapshot, CopiesCompressedRowsAsTheyAre) {
  std::string text = std::string(
                         "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e01 start=1767225600.000000000 "
                         "program=\"one\"\n") +
                     "type 16 tick (n u64)\nstream 1 \"a\"\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ".000000000 1 tick n=" + std::to_string(i) + "\n";
  const std::string origin = in_columns(trace_from_text(text));
  Trace trace = open_trace(origin);
  std::string out;
  ASSERT_TRUE(snapshot(trace, {}, into(&out)).ok());
  EXPECT_EQ(trace.bytes_unpacked(), 0u);
  EXPECT_EQ(snapshot_facts(out), snapshot_facts(origin));
  EXPECT_LT(out.size(), origin.size() + 1000);
}

// What a disk has lost is lost in the snapshot too, which is a whole trace all the same.
TEST(Snapshot, CountsDamagedRowsAsLost) {
  std::string text = std::string(
                         "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e01 start=1767225600.000000000 "
                         "program=\"one\"\n") +
                     "type 16 tick (n u64)\nstream 1 \"a\"\n";
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + ".000000000 1 tick n=" + std::to_string(i) + "\n";
  for (const bool is_compressed : {false, true}) {
    std::string origin = trace_from_text(text);
    if (is_compressed) origin = in_columns(origin);
    origin[origin.size() / 2] = static_cast<char>(origin[origin.size() / 2] ^ 1);
    Trace damaged = open_trace(origin);
    text_of(damaged);
    ASSERT_EQ(damaged.missing().size(), 1u);
    const std::string taken = snapshot_of(origin);
    Trace trace = open_trace(taken, {.check_index = true});
    EXPECT_EQ(trace.status().message(), "");
    EXPECT_EQ(trace.sessions().front().lost, damaged.missing().front().rows);
  }
}

}  // namespace
}  // namespace evt::testing
