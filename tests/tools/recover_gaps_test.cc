// File and ring with random gaps between and in them, lost blocks, and programs killed at random: what was to be seen
// of both before their recovery is what the file has afterwards. How many are killed is EVT_KILLS, as in ./dev kills.
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include "killed_program.h"

namespace {

// From now on nothing more fits onto the disk, for this process.
std::atomic<bool> disk_is_full{false};

}  // namespace

extern "C" ssize_t writev(int fd, const iovec* parts, int count) {
  if (!disk_is_full) return syscall(SYS_writev, fd, parts, count);
  errno = ENOSPC;
  return -1;
}

namespace evt::testing {
namespace {

class RandomGaps : public KilledProgram {
 protected:
  static constexpr std::uint32_t kStreams = 3;
  static constexpr std::uint32_t kInFile = 400;
  static constexpr std::uint32_t kAll = 4'000;

  // Streams whose ticks are numbered as their rows are. The first of each are in the file, in many blocks, the others
  // in many slots of the ring.
  void given_many_blocks_and_slots() {
    ASSERT_NO_FATAL_FAILURE(killed_after([&] {
      auto* const writer = new Writer(open());
      const auto types = writer->declare<Tick>();
      std::vector<Stream> streams;
      for (std::uint32_t i = 0; i < kStreams; ++i) streams.push_back(writer->stream("stream " + std::to_string(i)));
      for (std::uint32_t n = 0; n < kAll; ++n) {
        if (n == kInFile) disk_is_full = true;
        for (std::uint32_t i = 0; i < kStreams; ++i) {
          streams[i].emit(types, Tick{n});
          if (n < kInFile && n % 40 == 7 * i) streams[i].flush();
          if (n + 1 == kInFile) streams[i].flush();
        }
      }
    }));
    ring = ring_path(open_file(path, false).sessions()[0]);
  }

  // Each row that the file or the ring has.
  static Shown expected(const Shown& in_file, const std::vector<RingSlot>& slots) {
    Shown all = in_file;
    std::map<std::uint32_t, std::set<std::uint32_t>> rows;
    std::map<std::uint32_t, std::uint64_t> ends;
    for (const auto& [id, stream] : in_file.streams) {
      rows[id].insert(stream.ticks.begin(), stream.ticks.end());
      ends[id] = stream.ticks.size() + stream.missing;
    }
    for (const RingSlot& slot : slots) {
      const std::uint32_t id = slot.slot.stream_id;
      ends[id] = std::max(ends[id], slot.end());
      for (std::uint64_t n = slot.slot.first_ordinal; n < slot.end(); ++n)
        rows[id].insert(static_cast<std::uint32_t>(n));
    }
    for (const auto& [id, of_stream] : rows) {
      all.streams[id].ticks.assign(of_stream.begin(), of_stream.end());
      all.streams[id].missing = ends[id] - of_stream.size();
    }
    return all;
  }
};

// Half of the files end early, a third has a lost block; of the ring each fourth slot is gone.
class RandomGapsAnyRecovery : public RandomGaps {
 protected:
  // `recover` puts the ring into the trace, and returns where that is now.
  void lose_nothing(const std::function<std::string(bool is_whole)>& recover) {
    ASSERT_NO_FATAL_FAILURE(given_many_blocks_and_slots());
    const FileCopy whole_file(path);
    const FileCopy whole_ring(ring);
    const std::size_t whole_size = read_file(path).size();
    const auto blocks = block_offsets(path);
    const auto events = block_offsets(path, EVT_BLOCK_EVENTS);
    const auto all_slots = slots_of(ring);
    ASSERT_GT(blocks.size(), 15u);
    ASSERT_GT(all_slots.size(), 9u);
    std::mt19937 random(1);
    int gaps = 0;
    for (int i = 0; i < (kSanitizer ? 20 : 100); ++i) {
      SCOPED_TRACE(i);
      whole_file.put_back();
      whole_ring.put_back();
      const std::size_t size = i % 2 == 0 ? whole_size : blocks[random() % blocks.size()];
      std::filesystem::resize_file(path, std::max(size, events.front()));
      const std::size_t spoilt = events[random() % events.size()];
      const bool is_spoilt = i % 3 == 0 && spoilt < size;
      if (is_spoilt) invert_byte(path, spoilt + EVT_EVENTS_HEADER_SIZE);
      std::vector<RingSlot> left;
      for (RingSlot slot : all_slots) {
        left.push_back(slot);
        if (random() % 4 != 0) continue;
        left.pop_back();
        slot.slot.generation += 1;  // as if it were being prepared
        store(ring, slot);
      }
      const Shown wanted = expected(shown_by_the_file(path), left);
      gaps += wanted.missing() > 0 ? 1 : 0;
      ASSERT_EQ(shown(path), wanted);
      const std::string recovered = recover(!is_spoilt && wanted.missing() == 0);
      ASSERT_FALSE(ring_exists());
      ASSERT_EQ(shown_by_the_file(recovered), wanted);
      if (recovered != path) std::filesystem::rename(recovered, path);
    }
    EXPECT_GT(gaps, 10);
  }
};

TEST_F(RandomGapsAnyRecovery, LosesNothingThatWasShownBefore) {
  lose_nothing([&](bool is_whole) {
    EXPECT_EQ(run("evt check --recover a.evt").status, is_whole ? 0 : 1);
    return path;
  });
}

TEST_F(RandomGapsAnyRecovery, OfTheNextRunLosesNothingThatWasShownBefore) {
  lose_nothing([&](bool) {
    open();
    return folder / "a.20260101T000000.evt";
  });
}

// What the killed program had done, in memory that outlives it.
struct Progress {
  std::atomic<std::uint32_t> begun[2];
  std::atomic<std::uint32_t> ended[2];
};

class KilledWith : public KilledProgram, public ::testing::WithParamInterface<evt_full> {
 protected:
  // Two threads that emit as fast as they can, large events now and then, until they are killed.
  [[noreturn]] void record_until_killed(Progress& progress) {
    alarm(60);
    evt_options with = options();
    with.full = GetParam();
    with.ring_size = 1 << 20;
    auto writer = Writer::open(path, with);
    if (!writer) _exit(1);
    std::vector<std::thread> running;
    for (std::uint32_t i = 0; i < 2; ++i) {
      running.emplace_back([&, i] {
        const auto types = writer->declare<Tick, Cargo>();
        Stream stream = writer->stream("thread");
        const std::vector<std::byte> large(200'000);
        for (std::uint32_t n = 0;; ++n) {
          progress.begun[i] = n + 1;
          if (n % 20'000 == 10'000) {
            stream.emit(types, Cargo{{large}});
          } else {
            stream.emit(types, Tick{n});
          }
          progress.ended[i] = n + 1;
        }
      });
    }
    for (std::thread& thread : running) thread.join();
    _exit(2);
  }
};

TEST_P(KilledWith, LosesNothingByItsRecovery) {
  std::mt19937 random(1);
  auto* const progress = shared<Progress>();
  const char* const wanted = std::getenv("EVT_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : kSanitizer ? 3 : 8;
  for (int i = 0; i < kills; ++i) {
    SCOPED_TRACE(i);
    std::filesystem::remove(path);
    for (int k = 0; k < 2; ++k) progress->begun[k] = progress->ended[k] = 0;
    const pid_t child = fork();
    if (child == 0) record_until_killed(*progress);
    while (progress->ended[0] == 0 && waitpid(child, nullptr, WNOHANG) == 0) usleep(100);
    usleep(static_cast<useconds_t>(random() % 30'000));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself: " << WEXITSTATUS(status);
    ring = ring_path(open_file(path, false).sessions()[0]);

    const Shown before = shown(path);
    const std::uint64_t known = before.count() + before.lost() + before.missing();
    const bool waits = GetParam() == EVT_FULL_WAIT;
    // The large event that each was at may be gone with the kill, if the program did not wait for it.
    const std::uint64_t ended = progress->ended[0] + progress->ended[1] - (waits ? 0u : 2u);
    EXPECT_GE(known, ended);
    EXPECT_LE(known, progress->begun[0] + progress->begun[1]);
    EXPECT_LE(run("evt check --recover a.evt").status, 1);
    EXPECT_FALSE(ring_exists());
    EXPECT_EQ(shown_by_the_file(path), before);
  }
  munmap(progress, sizeof *progress);
}

std::string name_of(const ::testing::TestParamInfo<evt_full>& policy) {
  return policy.param == EVT_FULL_WAIT ? "FullWait" : "FullDrop";
}

INSTANTIATE_TEST_SUITE_P(Policy, KilledWith, ::testing::Values(EVT_FULL_WAIT, EVT_FULL_DROP), name_of);

}  // namespace
}  // namespace evt::testing
