// <evt/follow.h>: the events of a program while it records them.
#include <evt/follow.h>
#include <fcntl.h>
#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <thread>

#include "format-spec/src/block/block_header.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

class Followed : public RingTest {
 protected:
  static evt::Follow follow(const std::string& path, std::chrono::milliseconds delay = 20ms) {
    FollowOptions options;
    options.delay = delay;
    auto follow = evt::Follow::open(path, options);
    if (!follow) throw std::runtime_error(follow.status().message());
    return *std::move(follow);
  }
  // Adds the ticks that are due.
  static void take(evt::Follow& follow, std::vector<std::uint32_t>* ticks) {
    while (const Event* const event = follow.next()) {
      if (const auto tick = event->as<Tick>()) ticks->push_back(tick->n);
    }
  }
  // Until there are so many; false if it ends before.
  static bool take_until(std::size_t count, evt::Follow& follow, std::vector<std::uint32_t>* ticks) {
    for (take(follow, ticks); ticks->size() < count; take(follow, ticks)) {
      if (!follow.wait()) return false;
    }
    return true;
  }
  static std::vector<std::uint32_t> rest(evt::Follow& follow, std::vector<std::uint32_t> ticks = {}) {
    EXPECT_FALSE(take_until(SIZE_MAX, follow, &ticks));
    EXPECT_EQ(follow.status().message(), "");
    return ticks;
  }
  static std::vector<std::size_t> ends_of_payloads(const std::string& bytes) {
    std::vector<std::size_t> ends;
    BlockHeader header;
    for (std::size_t at = 0; at < bytes.size(); at = ends.back() + padding_after(header.payload_size)) {
      EXPECT_EQ(load_block_header(reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, bytes.size() - at, &header),
                HeaderState::kGood);
      ends.push_back(at + header.header_size + header.payload_size);
    }
    return ends;
  }
  // A program that records to `path`, and tells through a pipe that it has; it ends by what `then` does.
  template <typename Work, typename Then>
  pid_t program(Work work, Then then) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      work();
      const bool has_told = write(ends[1], "x", 1) == 1;
      if (has_told) then();
      _exit(0);
    }
    close(ends[1]);  // what ends before it has told is no longer waited for
    char told = 0;
    EXPECT_EQ(read(ends[0], &told, 1), 1);
    close(ends[0]);
    return child;
  }
};

TEST_F(Followed, HasEachEventOnceAndInOrder) {
  std::optional<Writer> writer(open());
  const auto types = writer->declare<Tick>();
  Stream one = writer->stream("one");
  Stream other = writer->stream("other");
  emit_ticks(one, types, 0, 10);
  emit_ticks(other, types, 10, 20);
  evt::Follow follow = this->follow(path);
  std::vector<std::uint32_t> ticks;
  ASSERT_TRUE(take_until(20, follow, &ticks));
  emit_ticks(one, types, 20, 30);  // in the ring alone
  ASSERT_TRUE(take_until(30, follow, &ticks));
  one.flush();  // now in the file
  for (std::uint32_t n = 30; n < 20'000; ++n) emit_ticks(n % 3 == 0 ? other : one, types, n, n + 1);
  writer.reset();
  EXPECT_EQ(rest(follow, ticks), ticks_in(path));
  EXPECT_EQ(follow.late(), 0U);
}

TEST_F(Followed, HasStreamsTypesAndTextsThatComeLater) {
  std::optional<Writer> writer(open());
  const auto types = writer->declare<Tick>();
  emit_ticks(writer->stream("one"), types, 0, 5);
  evt::Follow follow = this->follow(path);
  std::vector<std::uint32_t> ticks;
  ASSERT_TRUE(take_until(5, follow, &ticks));
  emit_ticks(writer->stream("two"), types, 5, 10);
  ASSERT_TRUE(take_until(10, follow, &ticks));
  const Session& session = follow.trace().sessions().back();
  EXPECT_EQ(session.streams.back().name, "two");
  EXPECT_NE(session.type("tick"), nullptr);
  writer.reset();
  EXPECT_EQ(rest(follow, ticks), numbers(0, 10));
}

TEST_F(Followed, GoesOnInTheNextFile) {
  const std::string pattern = folder / "app.%n.evt";
  constexpr std::uint32_t kCount = 400'000;  // five files
  evt_options with = options();
  with.rotate_bytes = 1 << 20;
  auto writer = Writer::open(pattern, with);
  ASSERT_TRUE(writer);
  const auto types = (*writer).declare<Tick>();
  Stream stream = (*writer).stream("a");
  evt::Follow follow = this->follow(folder / "app.000000.evt");
  std::vector<std::uint32_t> ticks;
  for (std::uint32_t n = 0; n < kCount; n += 20'000) {
    emit_ticks(stream, types, n, n + 20'000);
    ASSERT_TRUE(take_until(n + 20'000, follow, &ticks));
  }
  ASSERT_EQ((*writer).close().message(), "");
  EXPECT_EQ(rest(follow, ticks), numbers(0, kCount));
  EXPECT_GT(follow.files().size(), 4U);
  EXPECT_EQ(follow.files().size(), files().size());
  auto whole = follow.whole();
  ASSERT_TRUE(whole);
  EXPECT_EQ(ticks_in(*whole), numbers(0, kCount));
  EXPECT_EQ(follow.late(), 0U);
}

TEST_F(Followed, GoesOnInTheSegmentsOfAFlightRecorder) {
  constexpr std::uint32_t kCount = 400'000;
  evt_options with = options();
  with.flight_bytes = 64 << 20;
  auto writer = Writer::open(folder / "app.evt", with);
  ASSERT_TRUE(writer);
  const auto types = (*writer).declare<Tick>();
  Stream stream = (*writer).stream("a");
  evt::Follow follow = this->follow(folder / "app.evt");
  std::vector<std::uint32_t> ticks;
  for (std::uint32_t n = 0; n < kCount; n += 50'000) {
    emit_ticks(stream, types, n, n + 50'000);
    ASSERT_TRUE(take_until(n + 50'000, follow, &ticks));
  }
  ASSERT_EQ((*writer).close().message(), "");
  EXPECT_EQ(rest(follow, ticks), numbers(0, kCount));
  EXPECT_EQ(follow.files(), std::vector<std::string>{folder / "app.evt"});
  auto whole = follow.whole();
  ASSERT_TRUE(whole);
  EXPECT_EQ(ticks_in(*whole), numbers(0, kCount));
}

TEST_F(Followed, MayBeginWithAnEarlierFileAndEndsWhereTheNextIsMissing) {
  evt_options with = options();
  with.rotate_bytes = 1 << 20;
  {
    auto writer = Writer::open(folder / "app.%n.evt", with);
    ASSERT_TRUE(writer);
    emit_ticks((*writer).stream("a"), (*writer).declare<Tick>(), 0, 400'000);
    ASSERT_EQ((*writer).close().message(), "");
  }
  evt::Follow all = follow(folder / "app.000000.evt");
  EXPECT_EQ(rest(all), numbers(0, 400'000));
  EXPECT_EQ(all.files().size(), files().size());
  std::filesystem::remove(folder / "app.000002.evt");
  std::filesystem::rename(folder / "app.000001.evt", folder / "other.000001.evt");
  evt::Follow past_gap = follow(folder / "app.000000.evt");
  const std::vector<std::uint32_t> ticks = rest(past_gap);
  EXPECT_EQ(ticks.back(), 399'999U);
  EXPECT_LT(ticks.size(), 400'000U);
  for (const std::string& file : files()) {
    if (file != "app.000000.evt") std::filesystem::remove(folder / file);
  }
  evt::Follow alone = follow(folder / "app.000000.evt");
  const std::size_t count = rest(alone).size();
  EXPECT_GT(count, 50'000U);
  EXPECT_LT(count, 200'000U);
}

TEST_F(Followed, IsReadToItsEndWhenItIsKilled) {
  const pid_t child = program(
      [&] {
        auto* const writer = new Writer(open());
        emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 1000);
      },
      [] { pause(); });
  evt::Follow follow = this->follow(path);
  std::vector<std::uint32_t> ticks;
  ASSERT_TRUE(take_until(1000, follow, &ticks));
  EXPECT_TRUE(follow.wait());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(rest(follow, ticks), numbers(0, 1000));
}

TEST_F(Followed, WaitsWhileItIsStopped) {
  if (kThreadSanitizer) GTEST_SKIP() << "does not let a thread of a fork child stop it";
  std::optional<Writer> writer;
  const pid_t child = program(
      [&] {
        writer = open();
        emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 100);
      },
      [&] {
        std::thread([&] {
          raise(SIGSTOP);
          emit_ticks(writer->stream("b"), writer->declare<Tick>(), 100, 200);
          _exit(writer->close().ok() ? 0 : 1);
        }).join();
      });
  int status = 0;
  waitpid(child, &status, WUNTRACED);
  ASSERT_TRUE(WIFSTOPPED(status));
  evt::Follow follow = this->follow(path);
  std::vector<std::uint32_t> ticks;
  ASSERT_TRUE(take_until(100, follow, &ticks));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(follow.wait());
  EXPECT_EQ(follow.next(), nullptr);
  kill(child, SIGCONT);
  EXPECT_EQ(rest(follow, ticks), numbers(0, 200));
  waitpid(child, nullptr, 0);
}

TEST_F(Followed, EndsWhereItBecomesAnotherProgram) {
  const pid_t child = program(
      [&] {
        auto* const writer = new Writer(open());
        emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 100);
      },
      [] { execl("/bin/sleep", "sleep", "30", nullptr); });
  evt::Follow follow = this->follow(path);
  EXPECT_EQ(rest(follow), numbers(0, 100));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(Followed, ReturnsWhatComesLateAtOnce) {
  std::optional<Writer> writer(open());
  const auto types = writer->declare<Tick>();
  Stream one = writer->stream("one");
  Stream other = writer->stream("other");
  one.emit_at(1000, types, Tick{0});
  one.emit_at(2000, types, Tick{1});
  evt::Follow follow = this->follow(path);
  std::vector<std::uint32_t> ticks;
  ASSERT_TRUE(take_until(2, follow, &ticks));
  other.emit_at(1500, types, Tick{2});
  other.emit_at(2500, types, Tick{3});
  std::vector<std::pair<std::uint32_t, bool>> came;
  while (came.size() < 2 && follow.wait()) {
    while (const Event* const event = follow.next()) {
      if (const auto tick = event->as<Tick>()) came.emplace_back(tick->n, follow.is_late());
    }
  }
  EXPECT_THAT(came, ElementsAre(std::pair(2U, true), std::pair(3U, false)));
  EXPECT_EQ(follow.late(), 1U);
}

TEST_F(Followed, LeavesOutStreamsAndTimes) {
  std::optional<Writer> writer(open());
  const auto types = writer->declare<Tick>();
  Stream one = writer->stream("one");
  Stream other = writer->stream("other");
  for (std::uint32_t n = 0; n < 10; ++n) (n % 2 == 0 ? one : other).emit_at(1000 * n, types, Tick{n});
  writer.reset();
  FollowOptions options;
  options.events.stream = [](const Session&, const StreamInfo& stream) { return stream.name == "one"; };
  options.events.range = [](const Session&) { return TimeRange{3500, 8500}; };
  auto follow = evt::Follow::open(path, options);
  ASSERT_TRUE(follow);
  EXPECT_EQ(rest(*follow), (std::vector<std::uint32_t>{4, 6, 8}));
}

TEST_F(Followed, MayComeThroughAPipe) {
  {
    Writer writer = open();
    emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 50'000);
  }
  const std::string bytes = read_file(path);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread sender([&] {
    constexpr std::size_t kStep = 100'001;
    for (std::size_t at = 0; at < bytes.size(); at += kStep) {
      const std::size_t size = std::min(kStep, bytes.size() - at);
      EXPECT_EQ(write(ends[1], bytes.data() + at, size), static_cast<ssize_t>(size));
      std::this_thread::sleep_for(20ms);
    }
    close(ends[1]);
  });
  auto follow = evt::Follow::open(ends[0], "standard input");
  ASSERT_TRUE(follow);
  EXPECT_EQ(rest(*follow), numbers(0, 50'000));
  EXPECT_TRUE((*follow).trace().sessions().back().closed);
  EXPECT_EQ((*follow).whole().status().message(), "a pipe is read once");
  sender.join();
  close(ends[0]);
}

TEST_F(Followed, MayBeginWithAFewBytesOfAPipe) {
  for (const char* const name : {"a.evt", "b.evt"}) {
    Writer writer = open(folder / name);
    emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10);
  }
  const std::string bytes = read_file(folder / "a.evt") + read_file(folder / "b.evt");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread sender([&] {
    for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, 20}, {20, 100}, {100, bytes.size()}}) {
      EXPECT_EQ(write(ends[1], bytes.data() + begin, end - begin), static_cast<ssize_t>(end - begin));
      std::this_thread::sleep_for(100ms);
    }
    close(ends[1]);
  });
  auto follow = evt::Follow::open(ends[0], "standard input");
  ASSERT_TRUE(follow) << follow.status().message();
  std::vector<std::uint32_t> both = numbers(0, 10);
  both.insert(both.end(), both.begin(), both.begin() + 10);
  EXPECT_EQ(rest(*follow), both);
  sender.join();
  close(ends[0]);
}

// Pieces end behind each block's payload, inside its padding, and inside the next header.
TEST_F(Followed, MayComeInPiecesThatEndAnywhereAroundItsPadding) {
  {
    Writer writer = open();
    const auto types = writer.declare<Tick>();
    Stream stream = writer.stream("a");
    for (std::uint32_t n = 0; n < 8; ++n) {
      emit_ticks(stream, types, n, n + 1);
      if (n % 3 == 1) writer.intern(std::string(n, 'x'));
      stream.flush();
    }
  }
  const std::string bytes = read_file(path);
  for (const std::size_t behind : {std::size_t{0}, std::size_t{1}, std::size_t{9}}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    std::optional<evt::Follow> follow;
    std::vector<std::uint32_t> ticks;
    std::size_t sent = 0;
    for (const std::size_t end : ends_of_payloads(bytes)) {
      const std::size_t size = std::min(end + behind, bytes.size()) - sent;
      ASSERT_EQ(write(ends[1], bytes.data() + sent, size), static_cast<ssize_t>(size));
      sent += size;
      if (!follow) follow.emplace(*evt::Follow::open(ends[0], "a pipe", {.delay = 0ms}));
      take(*follow, &ticks);
      ASSERT_TRUE(follow->wait());
    }
    close(ends[1]);
    EXPECT_EQ(rest(*follow, std::move(ticks)), numbers(0, 8)) << behind;
    for (const Damage& damage : follow->damage()) ADD_FAILURE() << damage.offset << ": " << damage.reason;
    close(ends[0]);
  }
}

TEST_F(Followed, ThatIsNoTraceIsSaid) {
  folder.write("no.evt", "this is no trace");
  const auto follow = evt::Follow::open(folder / "no.evt");
  EXPECT_EQ(follow.status().code(), Code::kNotATrace);
}

TEST_F(Followed, TakesNoMoreMemoryAfterADay) {
  std::optional<Writer> writer(open());
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  evt::Follow follow = this->follow(path, 1ms);
  std::vector<std::uint32_t> ticks;
  std::uint64_t count = 0;
  std::uint64_t before = 0;
  for (std::uint32_t hour = 0; hour < 24; ++hour) {
    for (std::uint32_t n = 0; n < 36'000; ++n) {
      clock.ticks += 100'000'000;
      stream.emit(types, Tick{n});
    }
    count += 36'000;
    ticks.clear();
    ASSERT_TRUE(take_until(36'000, follow, &ticks));
    if (hour == 2) before = bytes_in_use();
  }
  EXPECT_LT(bytes_in_use(), before + (4 << 20));
  writer.reset();
  ticks.clear();
  EXPECT_EQ(rest(follow, ticks).size(), 0U);
  EXPECT_EQ(count, 864'000U);
}

}  // namespace
}  // namespace evt::testing
