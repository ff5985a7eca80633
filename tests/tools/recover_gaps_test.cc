// File and ring with random gaps between and in them, and of programs killed at random: what was to be seen of both
// before their recovery is what the file has afterwards. How many are killed is EVT_KILLS, as in ./dev kills.
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cstdlib>
#include <random>
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

  // By the rows themselves.
  static Shown expected(const Shown& in_file, std::vector<RingSlot> slots) {
    Shown all = in_file;
    std::sort(slots.begin(), slots.end(), [](const RingSlot& a, const RingSlot& b) { return a.begin() < b.begin(); });
    for (const RingSlot& slot : slots) {
      Shown::OfStream& stream = all.streams[slot.slot.stream_id];
      const std::uint64_t next = stream.ticks.empty() ? 0 : stream.ticks.back() + 1;
      if (slot.begin() > next) stream.missing += slot.begin() - next;
      for (std::uint64_t n = std::max(slot.begin(), next); n < slot.end(); ++n) {
        stream.ticks.push_back(static_cast<std::uint32_t>(n));
      }
    }
    return all;
  }
};

TEST_F(RandomGaps, LoseNothingThatWasShownBeforeTheirRecovery) {
  ASSERT_NO_FATAL_FAILURE(given_many_blocks_and_slots());
  const FileCopy whole_file(path);
  const FileCopy whole_ring(ring);
  const std::size_t whole_size = read_file(path).size();
  const auto blocks = block_offsets(path);
  const std::size_t first_events = block_offsets(path, EVT_BLOCK_EVENTS).at(0);
  auto all_slots = slots_of(ring);
  std::erase_if(all_slots, [](const RingSlot& slot) { return slot.begin() == slot.end(); });
  ASSERT_GT(blocks.size(), 15u);
  ASSERT_GT(all_slots.size(), 9u);
  std::mt19937 random(1);
  int gaps = 0;
  for (int i = 0; i < (kSanitizer ? 20 : 100); ++i) {
    SCOPED_TRACE(i);
    whole_file.put_back();
    whole_ring.put_back();
    // Half of them at the end of the file, half of them somewhere in it.
    const std::size_t size = i % 2 == 0 ? whole_size : blocks[random() % blocks.size()];
    std::filesystem::resize_file(path, std::max(size, first_events));
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
    ASSERT_EQ(run("evt check --recover a.evt").status, wanted.missing() > 0 ? 1 : 0);
    ASSERT_FALSE(ring_exists());
    ASSERT_EQ(shown_by_the_file(path), wanted);
  }
  EXPECT_GT(gaps, 10);
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
