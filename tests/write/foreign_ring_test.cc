// What is in the place of a ring, and is none: it is left alone, and the trace is what its file has.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

class ForeignRing : public RingTest {
 protected:
  ~ForeignRing() override {
    for (const std::string& ring : rings_) unlink(ring.c_str());
  }
  // A program that records ticks and is killed; the first 10 are in its file, 2 more in its ring. Its ring's path.
  std::string killed_program(const std::string& at) {
    killed_after([&] {
      auto* const writer = new Writer(open(at));
      const auto types = writer->declare<Tick>();
      Stream stream = writer->stream("a");
      emit_ticks(stream, types, 0, 10);
      stream.flush();
      emit_ticks(stream, types, 10, 12);
    });
    rings_.push_back(ring_path(open_file(at, false).sessions()[0]));
    return rings_.back();
  }
  // One that has two streams, and more in its ring than fits one slot: its file has 10 ticks of the first, and what the
  // flusher had time to write.
  std::string killed_program_of_two_streams() {
    killed_after([&] {
      auto* const writer = new Writer(open(path));
      const auto types = writer->declare<Tick>();
      Stream a = writer->stream("a");
      Stream b = writer->stream("b");
      emit_ticks(a, types, 0, 10);
      a.flush();
      emit_ticks(a, types, 10, kTicks);
      emit_ticks(b, types, 0, kTicks);
    });
    rings_.push_back(ring_path(open_file(path, false).sessions()[0]));
    return rings_.back();
  }
  // How many ticks of each stream there are, by their ids. Each is the next one of its stream.
  std::map<std::uint32_t, std::uint32_t> fronts(bool with_ring = true) {
    Trace trace = open_file(path, with_ring);
    EXPECT_TRUE(trace.damage().empty());
    std::map<std::uint32_t, std::uint32_t> next;
    Events events = trace.events();
    while (const Event* event = events.next()) {
      const auto tick = event->as<Tick>();
      EXPECT_EQ(tick ? tick->n : kTicks, next[event->stream().id]);
      ++next[event->stream().id];
    }
    return next;
  }
  // From the last byte to the first, those that are not in holes.
  static std::vector<std::size_t> sizes_to_cut_to(const std::string& ring, std::size_t step) {
    std::vector<std::size_t> sizes;
    const int fd = ::open(ring.c_str(), O_RDONLY);
    for (off_t hole = 0, data = 0; (data = lseek(fd, hole, SEEK_DATA)) >= 0;) {
      hole = lseek(fd, data, SEEK_HOLE);
      for (off_t size = data; size < hole; size += static_cast<off_t>(step)) sizes.push_back(static_cast<size_t>(size));
    }
    close(fd);
    std::reverse(sizes.begin(), sizes.end());
    return sizes;
  }
  static constexpr std::uint32_t kTicks = 1'000;
  // No ring was read.
  void expect_only_the_file() {
    Trace trace = open_file(path);
    EXPECT_EQ(trace.status().code(), Code::kTruncated);
    EXPECT_EQ(trace.sessions()[0].ring, RingState::kAway);
    EXPECT_EQ(ticks_in(trace), numbers(0, 10));
  }
  // A file of the session at the path whose SESSION block gives this name of a ring.
  std::string with_ring_name(const std::string& name) {
    const auto uuid = open_file(path, false).sessions()[0].uuid;
    evt_session_info info = ordinary_session();
    memcpy(info.uuid, uuid.data(), sizeof info.uuid);
    info.ring_kind = EVT_RING_SHARED;
    info.ring_name = name.c_str();
    evt_options without_ring = ordinary_options(clock);
    without_ring.session = &info;
    Sink blocks(2);  // without TRAILER
    evt_close(evt_open_sink(&Sink::take, &blocks, &without_ring, nullptr), nullptr);
    return folder.write("a.evt", blocks.bytes());  // the same file: to another one the ring does not belong
  }

 private:
  std::vector<std::string> rings_;
};

TEST_F(ForeignRing, IsNoneInTheseTestsAtFirst) {
  killed_program(path);
  EXPECT_EQ(ticks_in(path), numbers(0, 12));
}

TEST_F(ForeignRing, MayBeALinkAndIsNotFollowed) {
  const std::string ring = killed_program(path);
  const std::string moved = ring + ".moved";
  std::filesystem::rename(ring, moved);
  std::filesystem::create_symlink(moved, ring);
  expect_only_the_file();
  std::filesystem::remove(moved);
}

TEST_F(ForeignRing, MayBeAFifoAndIsNotWaitedFor) {
  const std::string ring = killed_program(path);
  std::filesystem::remove(ring);
  ASSERT_EQ(mkfifo(ring.c_str(), 0600), 0);
  expect_only_the_file();
  EXPECT_EQ(rings_of(folder), std::vector<std::string>{});
  std::filesystem::remove(ring);
}

TEST_F(ForeignRing, MayBeOfAnotherSession) {
  const std::string other_path = folder / "b.evt";
  const std::string ring = killed_program(path);
  Writer other = open(other_path);
  std::filesystem::rename(ring_path(open_file(other_path, false).sessions()[0]), ring);
  expect_only_the_file();
}

TEST_F(ForeignRing, MayBeOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a file away";
  const std::string ring = killed_program(path);
  ASSERT_EQ(chown(ring.c_str(), 1, 1), 0);
  expect_only_the_file();
}

// Through its slots, its streams, its log and its header.
TEST_F(ForeignRing, MayBeCutAnywhere) {
  const std::string ring = killed_program_of_two_streams();
  auto in_file = fronts(false);
  auto latest = fronts();
  EXPECT_EQ(latest, (std::map<std::uint32_t, std::uint32_t>{{1, kTicks}, {2, kTicks}}));
  std::set<std::uint32_t> met;  // numbers of ticks of a
  for (const std::size_t size : sizes_to_cut_to(ring, 3001)) {
    SCOPED_TRACE(size);
    std::filesystem::resize_file(ring, size);
    const auto now = fronts();
    for (const auto& [stream, ticks] : now) ASSERT_LE(ticks, latest[stream]) << "the earlier the cut, the more is lost";
    latest = now;
    ASSERT_GE(latest[1], std::max(10u, in_file[1]));
    met.insert(latest[1]);
  }
  EXPECT_EQ(latest[1], in_file[1]);
  EXPECT_EQ(latest[2], in_file[2]);
  const bool in_several_slots = kTicks - in_file[1] > kTicks / 2;  // the flusher was not faster than the kill
  EXPECT_GT(met.size(), in_several_slots ? 2u : 0u) << "a cut between slots leaves those before it";
}

// The name comes from a file, and must lead nowhere else.
TEST_F(ForeignRing, HasANameThatLeadsNowhereElse) {
  const std::string ring = killed_program(path);
  const std::string name = std::filesystem::path(ring).filename();
  EXPECT_EQ(open_file(with_ring_name(name)).recovery().rings, std::vector<std::string>{ring});
  const std::string folder_beside = ring + ".folder";
  std::filesystem::create_directory(folder_beside);
  for (const std::string& lie : {"../shm/" + name, "./" + name, ring, name + ".folder/../" + name}) {
    const Trace trace = open_file(with_ring_name(lie));
    EXPECT_EQ(trace.sessions()[0].ring_name, lie);
    EXPECT_EQ(trace.sessions()[0].ring, RingState::kAway) << lie;
    EXPECT_TRUE(trace.recovery().rings.empty()) << lie;
  }
  std::filesystem::remove(folder_beside);
}

// The recovery of a dead program's ring is killed too: the ring is still there, and has it all again. A write is
// interrupted between two pages, so at a multiple of 8.
TEST_F(ForeignRing, IsNoneOfARecoveryThatWasInterrupted) {
  killed_program(path);
  const std::string file = read_file(path);
  std::string blocks;
  {
    const Trace trace = open_file(path);
    const std::vector<std::byte>& bytes = trace.recovery().blocks;
    blocks.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    ASSERT_EQ(trace.recovery().file_size, file.size());
  }
  for (std::size_t size = 0; size <= blocks.size(); size += 8) {
    folder.write("a.evt", file + blocks.substr(0, size));
    EXPECT_EQ(ticks_in(path), numbers(0, 12)) << size << " of " << blocks.size();
  }
}

}  // namespace
}  // namespace evt::testing
