// What a killed program left makes way for the next one, and nothing of it is lost.
#include <sys/resource.h>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class OldRun : public RingTest {
 protected:
  // A program that records ticks to `at` and is killed; the first `flushed` are in the file, the others in its ring.
  void killed_program(const std::string& at, std::uint32_t begin, std::uint32_t flushed, std::uint32_t end) {
    killed_after([&] {
      auto* const writer = new Writer(open(at));
      const auto types = writer->declare<Tick>();
      Stream stream = writer->stream("a");
      emit_ticks(stream, types, begin, flushed);
      stream.flush();
      emit_ticks(stream, types, flushed, end);
    });
  }
  // Opens as the next run of the program does; what it was told.
  std::string next_run(const evt_options& with, std::uint32_t tick) {
    evt_error said;
    evt_writer* const writer = evt_open(path.c_str(), &with, &said);
    EXPECT_NE(writer, nullptr) << said.message;
    EXPECT_EQ(said.code, EVT_OK);
    const RuntimeType type("tick", {EVT_FIELD_U32("n")});
    Stream(evt_stream_open(writer, "a"))
        .emit_with(TypeHandle(evt_declare(writer, &type.type, nullptr)), [&](RowBuilder& row) { row.add(tick); });
    EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
    return said.message;
  }
  std::string ring_of(const std::string& at) const { return ring_path(open_file(at, false).sessions()[0]); }

  // The start of a session "test".
  const std::string renamed = folder / "a.20260101T000000.evt";
};

TEST_F(OldRun, ThatWasKilledIsKeptUnderItsStart) {
  killed_program(path, 0, 100, 110);
  const std::string ring = ring_of(path);
  EXPECT_TRUE(std::filesystem::exists(ring));
  EXPECT_EQ(next_run(options(), 7), path + " was not finished by the program that wrote it: it is now " + renamed);
  EXPECT_FALSE(std::filesystem::exists(ring));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.20260101T000000.evt", "a.evt"}));
  EXPECT_EQ(ticks_in(path), numbers(7, 8));
  Trace old = open_file(renamed);
  EXPECT_EQ(old.status().message(), "");
  EXPECT_EQ(old.sessions()[0].ring, RingState::kRecovered);
  EXPECT_EQ(ticks_in(old), numbers(0, 110));
}

TEST_F(OldRun, NeverReplacesAnOlderOne) {
  for (std::uint32_t run = 0; run < 3; ++run) {
    killed_program(path, run * 10, run * 10 + 5, run * 10 + 10);
  }
  next_run(options(), 7);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.20260101T000000-2.evt", "a.20260101T000000-3.evt",
                                               "a.20260101T000000.evt", "a.evt"}));
  EXPECT_EQ(ticks_in(renamed), numbers(0, 10));
  EXPECT_EQ(ticks_in(folder / "a.20260101T000000-2.evt"), numbers(10, 20));
  EXPECT_EQ(ticks_in(folder / "a.20260101T000000-3.evt"), numbers(20, 30));
}

TEST_F(OldRun, GetsItsRingBeforeASessionIsAppended) {
  killed_program(path, 0, 100, 110);
  const std::string ring = ring_of(path);
  evt_options append = options();
  append.append = 1;
  EXPECT_EQ(next_run(append, 110), "");
  EXPECT_FALSE(std::filesystem::exists(ring));
  Trace trace = open_file(path);
  EXPECT_EQ(trace.status().message(), "");
  ASSERT_EQ(trace.sessions().size(), 2u);
  EXPECT_TRUE(trace.sessions()[1].closed);
  EXPECT_EQ(ticks_in(trace), numbers(0, 111));
}

TEST_F(OldRun, ThatWasFinishedIsReplaced) {
  EXPECT_EQ(next_run(options(), 1), "");
  EXPECT_EQ(next_run(options(), 2), "");
  EXPECT_EQ(files(), std::vector<std::string>{"a.evt"});
  EXPECT_EQ(ticks_in(path), numbers(2, 3));
}

TEST_F(OldRun, LosesATornBlockBeforeItGetsItsRing) {
  killed_program(path, 0, 1'000, 1'010);
  // As if it had been killed while it wrote: its ring says of these rows that they are not in the file.
  std::string bytes = read_file(path);
  const auto whole = bytes.size();
  bytes += bytes.substr(0, 100);  // a block's header, and not all of what it says follows
  folder.write("a.evt", bytes);
  next_run(options(), 7);
  EXPECT_EQ(read_file(renamed).substr(0, whole), bytes.substr(0, whole));
  Trace old = open_file(renamed);
  EXPECT_EQ(old.status().message(), "");
  EXPECT_EQ(ticks_in(old), numbers(0, 1'010));
}

TEST_F(OldRun, KeepsWhatIsDamagedInFrontOfItsRing) {
  killed_program(path, 0, 1'000, 1'010);
  const std::string bytes = read_file(path) + std::string(100, 'x');
  folder.write("a.evt", bytes);
  next_run(options(), 7);
  EXPECT_EQ(read_file(renamed).substr(0, bytes.size()), bytes);
  Trace old = open_file(renamed);
  EXPECT_EQ(old.damage().size(), 1u);
  EXPECT_EQ(ticks_in(old), numbers(0, 1'010));
}

TEST_F(OldRun, OfAnotherKindIsReplaced) {
  folder.write("a.evt", "not a trace at all");
  EXPECT_EQ(next_run(options(), 7), "");
  EXPECT_EQ(files(), std::vector<std::string>{"a.evt"});
  EXPECT_EQ(ticks_in(path), numbers(7, 8));
}

TEST_F(OldRun, WhoseRingIsGoneIsKeptAsItIs) {
  killed_program(path, 0, 100, 110);
  unlink(ring_of(path).c_str());
  next_run(options(), 7);
  Trace old = open_file(renamed);
  EXPECT_EQ(old.status().code(), Code::kCut);
  EXPECT_EQ(old.sessions()[0].ring, RingState::kAway);
  EXPECT_EQ(ticks_in(old), numbers(0, 100));
}

TEST_F(OldRun, WithLossesIsToldOfThemOnce) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open());
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    emit_ticks(stream, types, 0, 10);
    evt_stream_lost(stream.get(), EVT_LOST_OVERWRITTEN, 3, 10);
    stream.emit_with(types.get<Tick>(), [](RowBuilder& row) { row.raw(std::vector<std::byte>(17 << 20)); });
    emit_ticks(stream, types, 10, 20);
    stream.emit_with(types.get<Tick>(), [&](RowBuilder& row) {
      stream.emit(types, Tick{1});  // as a signal handler would
      row.add(20u);
    });
  }));
  const Fate before = [&] {
    Trace trace = open_file(path);
    return fate_of(trace);
  }();
  next_run(options(), 7);
  Trace old = open_file(renamed);
  EXPECT_EQ(old.status().message(), "");
  const Fate after = fate_of(old);
  for (const Fate& fate : {before, after}) {
    EXPECT_EQ(fate.came, 21u);
    EXPECT_EQ(fate.lost[EVT_LOST_OVERWRITTEN], 3u);
    EXPECT_EQ(fate.lost[EVT_LOST_TOO_LARGE], 1u);
    EXPECT_EQ(fate.lost[EVT_LOST_REENTERED], 1u);
  }
  EXPECT_EQ(old.sessions()[0].lost, 5u);
}

// More than 16, whoever they belong to.
TEST_F(OldRun, IsSavedWhenThereAreTooMany) {
  constexpr std::uint32_t kRuns = 20;
  std::vector<std::string> rings;
  for (std::uint32_t run = 0; run < kRuns; ++run) {
    const std::string at = folder / std::to_string(run);
    killed_program(at, run * 10, run * 10 + 5, run * 10 + 10);
    rings.push_back(ring_of(at));
  }
  next_run(options(), 7);
  std::uint32_t gone = 0;
  for (std::uint32_t run = 0; run < kRuns; ++run) {
    gone += std::filesystem::exists(rings[run]) ? 0 : 1;
    EXPECT_EQ(ticks_in(folder / std::to_string(run)), numbers(run * 10, run * 10 + 10));
  }
  EXPECT_GE(gone, kRuns - 16);
}

// With a limit on the size of files there is no shared memory.
TEST_F(OldRun, OfAProgramWithoutSharedMemoryIsWhatWasWritten) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    const rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto* const writer = new Writer(open());
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    emit_ticks(stream, types, 0, 100);
    stream.flush();
    emit_ticks(stream, types, 100, 110);
  }));
  Trace trace = open_file(path);
  EXPECT_EQ(trace.sessions()[0].ring, RingState::kPrivate);
  EXPECT_EQ(trace.sessions()[0].ring_name, "");
  EXPECT_EQ(trace.status().code(), Code::kCut);
  EXPECT_EQ(ticks_in(trace), numbers(0, 100));
}

TEST_F(OldRun, WithoutSharedMemoryClosesLikeAnyOther) {
  EXPECT_EQ(in_child([&] {
              const rlimit limit = {1 << 20, 1 << 20};
              setrlimit(RLIMIT_FSIZE, &limit);
              Writer writer = open();
              emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10'000);
              if (!writer.close().ok()) _exit(1);
            }),
            0);
  Trace trace = open_file(path);
  EXPECT_TRUE(trace.sessions()[0].closed);
  EXPECT_EQ(ticks_in(trace), numbers(0, 10'000));
}

}  // namespace
}  // namespace evt::testing
