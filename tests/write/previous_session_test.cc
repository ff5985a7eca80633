// What a killed program left makes way for the next one, and nothing of it is lost.
#include <fcntl.h>
#include <sys/resource.h>

#include "write/file_and_ring.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

class PreviousSession : public RingTest {
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
  // The same, its file having the first ones in two blocks, and its ring all of them in one slot.
  void killed_program_that_flushed(std::uint32_t first, std::uint32_t second, std::uint32_t end) {
    killed_after([&] {
      auto* const writer = new Writer(open());
      const auto types = writer->declare<Tick>();
      Stream stream = writer->stream("a");
      emit_ticks(stream, types, 0, first);
      writer->flush();
      emit_ticks(stream, types, first, second);
      writer->flush();
      emit_ticks(stream, types, second, end);
    });
  }
  // Opens as the next run of the program does; returns the notices that it has.
  std::string next_run(const evt_options& with, std::uint32_t tick) {
    evt_error said;
    evt_writer* const writer = evt_open(path.c_str(), &with, &said);
    EXPECT_NE(writer, nullptr) << said.message;
    EXPECT_EQ(said.code, EVT_OK);
    EXPECT_STREQ(said.message, "");
    const RuntimeType type("tick", {EVT_FIELD_U32("n")});
    Stream(evt_stream_open(writer, "a"))
        .emit_with(TypeHandle(evt_declare(writer, &type.type, nullptr)), [&](RowBuilder& row) { row.add(tick); });
    EXPECT_EQ(evt_close(writer, nullptr), EVT_OK);
    char notices[1024];
    evt_writer_notices(writer, notices, sizeof notices);
    return notices;
  }
  std::string ring_of(const std::string& at) const { return ring_path(open_file(at, false).sessions()[0]); }

  // The start of a session "test".
  const std::string renamed = folder / "a.20260101T000000.evt";
  const std::string was_renamed = path + " was not finished by the program that wrote it: it is now " + renamed + "\n";
};

TEST_F(PreviousSession, ThatWasKilledIsKeptUnderItsStart) {
  killed_program(path, 0, 100, 110);
  const std::string ring = ring_of(path);
  EXPECT_TRUE(std::filesystem::exists(ring));
  EXPECT_EQ(next_run(options(), 7), was_renamed);
  EXPECT_FALSE(std::filesystem::exists(ring));
  EXPECT_EQ(files(), (std::vector<std::string>{"a.20260101T000000.evt", "a.evt"}));
  EXPECT_EQ(ticks_in(path), numbers(7, 8));
  Trace old = open_file(renamed);
  EXPECT_EQ(old.status().message(), "");
  EXPECT_EQ(old.sessions()[0].ring, RingState::kRecovered);
  EXPECT_EQ(ticks_in(old), numbers(0, 110));
}

TEST_F(PreviousSession, GetsTheRowsOfALostBlockOutOfItsRing) {
  killed_program_that_flushed(20, 40, 60);
  const std::string ring = ring_of(path);
  invert_byte(path, block_offsets(path, EVT_BLOCK_EVENTS).at(1) + EVT_EVENTS_HEADER_SIZE);
  EXPECT_EQ(next_run(options(), 7), was_renamed);
  EXPECT_FALSE(std::filesystem::exists(ring));
  Trace old = open_file(renamed, false);
  EXPECT_EQ(ticks_in(old), numbers(0, 60));
  EXPECT_EQ(old.sessions()[0].missing, 0U);
  EXPECT_EQ(old.sessions()[0].duplicate_rows, 0U);
}

// The header of a ring is where its CLOCK block ends.
TEST_F(PreviousSession, GetsItsRingThoughTheClockInItIsDamaged) {
  killed_program(path, 0, 100, 110);
  const std::string ring = ring_of(path);
  invert_byte(ring, block_offsets(path, EVT_BLOCK_CLOCK).at(0) + 20);
  EXPECT_EQ(ticks_in(path), numbers(0, 110));
  EXPECT_EQ(next_run(options(), 7), was_renamed);
  EXPECT_FALSE(std::filesystem::exists(ring));
  Trace old = open_file(renamed, false);
  EXPECT_EQ(ticks_in(old), numbers(0, 110));
}

TEST_F(PreviousSession, IsNoticedByAProgramInCppToo) {
  killed_program(path, 0, 10, 20);
  Writer next = open();
  EXPECT_EQ(next.notices(), was_renamed);
  const Writer beside = open();
  EXPECT_EQ(beside.notices(),
            path + " is being written by this program already: this session writes " + beside.path() + "\n");
  Writer moved = std::move(next);
  EXPECT_EQ(moved.notices(), was_renamed);
  EXPECT_TRUE(moved.close().ok());
  EXPECT_EQ(moved.notices(), was_renamed) << "after its end, too";
  EXPECT_EQ(open(folder / "b.evt").notices(), "");
}

// A stranger's file may have the number of a session, which is in the name of its ring.
TEST_F(PreviousSession, ThatIsACopyDoesNotGetTheRing) {
  const std::string original = folder / "original.evt";
  killed_program(original, 0, 100, 110);
  const std::string ring = ring_of(original);
  std::filesystem::copy_file(original, path);
  next_run(options(), 7);
  EXPECT_TRUE(std::filesystem::exists(ring));
  EXPECT_EQ(read_file(renamed), read_file(original));
  EXPECT_EQ(ticks_in(original), numbers(0, 110));
}

TEST_F(PreviousSession, OfAnotherUserDoesNotGetTheRing) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a file away";
  killed_program(path, 0, 100, 110);
  const std::string ring = ring_of(path);
  const std::string bytes = read_file(path);
  ASSERT_EQ(chown(path.c_str(), 1, 1), 0);
  next_run(options(), 7);
  EXPECT_TRUE(std::filesystem::exists(ring));
  EXPECT_EQ(read_file(renamed), bytes);
}

TEST_F(PreviousSession, NeverReplacesAnOlderOne) {
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

TEST_F(PreviousSession, GetsItsRingBeforeASessionIsAppended) {
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

TEST_F(PreviousSession, ThatWasFinishedIsReplaced) {
  EXPECT_EQ(next_run(options(), 1), "");
  EXPECT_EQ(next_run(options(), 2), "");
  EXPECT_EQ(files(), std::vector<std::string>{"a.evt"});
  EXPECT_EQ(ticks_in(path), numbers(2, 3));
}

TEST_F(PreviousSession, LosesATornBlockBeforeItGetsItsRing) {
  killed_program(path, 0, 1'000, 1'010);
  // As if it had been killed while it wrote: by its ring these rows are not in the file.
  std::string bytes = read_file(path);
  const auto whole = bytes.size();
  bytes += bytes.substr(0, 100);  // a block's header, and not all of what it declares follows
  folder.write("a.evt", bytes);
  next_run(options(), 7);
  EXPECT_EQ(read_file(renamed).substr(0, whole), bytes.substr(0, whole));
  Trace old = open_file(renamed);
  EXPECT_EQ(old.status().message(), "");
  EXPECT_EQ(ticks_in(old), numbers(0, 1'010));
}

TEST_F(PreviousSession, KeepsWhatIsDamagedInFrontOfItsRing) {
  killed_program(path, 0, 1'000, 1'010);
  const std::string bytes = read_file(path) + std::string(100, 'x');
  folder.write("a.evt", bytes);
  next_run(options(), 7);
  EXPECT_EQ(read_file(renamed).substr(0, bytes.size()), bytes);
  Trace old = open_file(renamed);
  EXPECT_EQ(old.damage().size(), 1u);
  EXPECT_EQ(ticks_in(old), numbers(0, 1'010));
}

// Blocks behind the damage have rows, too, that the ring has.
TEST_F(PreviousSession, GetsTheRowsOfAGapOutOfItsRingAndNoRowTwice) {
  killed_program_that_flushed(50, 100, 110);
  const std::string ring = ring_of(path);
  for (RingSlot slot : slots_of(ring)) {
    slot.slot.flushed = 0;  // as if it had been killed between the write and this store
    store(ring, slot);
  }
  std::string bytes = read_file(path);
  bytes[block_offsets(path, EVT_BLOCK_EVENTS).at(0) + 20] ^= 1;
  folder.write("a.evt", bytes);
  next_run(options(), 7);
  EXPECT_FALSE(std::filesystem::exists(ring));
  Trace old = open_file(renamed, false);
  EXPECT_EQ(old.damage().size(), 1u);
  EXPECT_EQ(old.sessions()[0].missing, 0u);
  EXPECT_EQ(old.sessions()[0].duplicate_rows, 0u);
  EXPECT_EQ(ticks_in(old), numbers(0, 110));
}

TEST_F(PreviousSession, GetsWhatItsFileLostAtTheEndOutOfItsRing) {
  killed_program_that_flushed(50, 100, 110);
  const std::string ring = ring_of(path);
  std::filesystem::resize_file(path, block_offsets(path, EVT_BLOCK_EVENTS).at(1));
  next_run(options(), 7);
  EXPECT_FALSE(std::filesystem::exists(ring));
  Trace old = open_file(renamed, false);
  EXPECT_EQ(old.sessions()[0].missing, 0u);
  EXPECT_EQ(ticks_in(old), numbers(0, 110));
}

// The reader knows any number of gaps.
TEST_F(PreviousSession, WithMoreGapsThanItCountsKeepsItsRing) {
  constexpr std::uint32_t kStreams = 100;
  constexpr std::uint32_t kRounds = 100;
  killed_after([&] {
    auto* const writer = new Writer(open());
    const auto types = writer->declare<Tick>();
    std::vector<Stream> streams;
    for (std::uint32_t i = 0; i < kStreams; ++i) streams.push_back(writer->stream(std::to_string(i)));
    for (std::uint32_t n = 0; n < kRounds; ++n) {
      for (Stream& stream : streams) stream.emit(types, Tick{n});
      writer->flush();
    }
  });
  const std::string ring = ring_of(path);
  std::string bytes = read_file(path);
  const auto blocks = block_offsets(path);
  const auto events = block_offsets(path, EVT_BLOCK_EVENTS);
  ASSERT_GE(events.size(), kRounds);
  for (std::size_t i = events.size() - 1; i > 1; i -= 2) {
    const std::size_t begin = events[i - 1];
    bytes.erase(begin, *std::upper_bound(blocks.begin(), blocks.end(), begin) - begin);
  }
  folder.write("a.evt", bytes);
  EXPECT_EQ(next_run(options(), 7), was_renamed);
  EXPECT_TRUE(std::filesystem::exists(ring));
  Trace old = open_file(renamed);
  EXPECT_EQ(old.sessions()[0].missing, 0u);
  EXPECT_EQ(ticks_in(old).size(), std::size_t{kStreams} * kRounds);
}

TEST_F(PreviousSession, KeepsWhatStandsBehindATornBlock) {
  killed_program(path, 0, 100, 110);
  const std::string whole = read_file(path);
  const std::size_t torn = block_offsets(path, EVT_BLOCK_EVENTS).at(0);
  const std::string session = whole.substr(0, block_offsets(path).at(1));
  const std::string bytes = whole.substr(0, torn + 160) + session;  // less than what the truncated block claims
  folder.write("a.evt", bytes);
  next_run(options(), 7);
  EXPECT_EQ(read_file(renamed).substr(0, bytes.size()), bytes);
}

TEST_F(PreviousSession, OfAnotherKindIsReplaced) {
  folder.write("a.evt", "not a trace at all");
  EXPECT_EQ(next_run(options(), 7), "");
  EXPECT_EQ(files(), std::vector<std::string>{"a.evt"});
  EXPECT_EQ(ticks_in(path), numbers(7, 8));
}

TEST_F(PreviousSession, WhoseRingIsGoneIsKeptAsItIs) {
  killed_program(path, 0, 100, 110);
  unlink(ring_of(path).c_str());
  next_run(options(), 7);
  Trace old = open_file(renamed);
  EXPECT_EQ(old.status().code(), Code::kTruncated);
  EXPECT_EQ(old.sessions()[0].ring, RingState::kAway);
  EXPECT_EQ(ticks_in(old), numbers(0, 100));
}

TEST_F(PreviousSession, WithLossesIsToldOfThemOnce) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open());
    const auto types = writer->declare<Tick>();
    Stream stream = writer->stream("a");
    emit_ticks(stream, types, 0, 10);
    evt_stream_lost(stream.get(), EVT_LOST_OVERWRITTEN, 3, 10, 10);
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

// More than 16, of any owners.
TEST_F(PreviousSession, IsSavedWhenThereAreTooMany) {
  constexpr std::uint32_t kRuns = 20;
  leaves_many_dead_rings();
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

// The trace of a session that was opened on a descriptor has no path: `evt check --recover` is given it.
TEST_F(PreviousSession, OnADescriptorPushesNoOtherRingOut) {
  constexpr int kRuns = 20;
  leaves_many_dead_rings();
  std::vector<std::string> of_descriptors;
  for (int run = 0; run < kRuns; ++run) {
    const std::string at = folder / std::to_string(run);
    killed_after([&] {
      auto* const writer = new Writer(*Writer::open(::open(at.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600), options()));
      emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 10);
    });
    of_descriptors.push_back(ring_of(at));
  }
  killed_program(path, 0, 5, 10);
  EXPECT_TRUE(open(folder / "next").close().ok());
  EXPECT_TRUE(std::filesystem::exists(ring_of(path)));
  for (const std::string& ring : of_descriptors) {
    EXPECT_TRUE(std::filesystem::exists(ring));
    unlink(ring.c_str());
  }
}

// Rings are put away into the traces of which they have the paths, if these are the files that they were made for.
TEST_F(PreviousSession, WhosePathLeadsToAnotherFileIsNotWrittenToWhenThereAreTooMany) {
  constexpr std::uint32_t kRuns = 20;
  leaves_many_dead_rings();
  killed_program(path, 0, 5, 10);
  const std::string bytes = read_file(path);
  const std::string moved = folder / "moved";
  std::filesystem::rename(path, moved);
  std::filesystem::create_symlink(moved, path);
  for (std::uint32_t run = 0; run < kRuns; ++run) killed_program(folder / std::to_string(run), 0, 5, 10);
  EXPECT_TRUE(open(folder / "next").close().ok());
  EXPECT_EQ(read_file(moved), bytes);
}

// With a limit on the size of files there is no shared memory.
TEST_F(PreviousSession, OfAProgramWithoutSharedMemoryIsWhatWasWritten) {
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
  EXPECT_EQ(trace.status().code(), Code::kTruncated);
  EXPECT_EQ(ticks_in(trace), numbers(0, 100));
}

TEST_F(PreviousSession, WithoutSharedMemoryClosesLikeAnyOther) {
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
