// evt snapshot --follow: the trace of a program that runs, as a stream of blocks.
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <optional>
#include <regex>
#include <thread>

#include "support/command.h"
#include "support/events_of_writer.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

// This process is the program that runs.
class SnapshotFollow : public RingTest {
 protected:
  SnapshotFollow() : writer_(open_as_process()), types_(writer_->declare<Tick>()), stream_(writer_->stream("a")) {}
  ~SnapshotFollow() override {
    writer_.reset();
    if (sender_.joinable()) sender_.join();
    end_collector();
  }

  // Starts a line of shell, which ends by itself when the program has.
  void start(const std::string& line) {
    sender_ = std::thread([this, line] {
      outcome_ = run(line);
      has_ended_ = true;
    });
  }
  Outcome end() {
    sender_.join();
    return outcome_;
  }
  Outcome run(const std::string& line) const { return evt::testing::run(line, folder.path()); }
  void wait_for_lines(std::ptrdiff_t count) const {
    const auto lines = [&] {
      const std::string text = std::filesystem::exists(folder / "out.txt") ? read_file(folder / "out.txt") : "";
      return std::count(text.begin(), text.end(), '\n');
    };
    while (!has_ended_ && lines() < count) std::this_thread::yield();
  }
  std::string collected() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder / "to")) return entry.path();
    return "";
  }
  static std::string lines(std::uint32_t from, std::uint32_t to) {
    std::string text;
    for (std::uint32_t i = from; i < to; ++i) text += std::to_string(i) + "\n";
    return text;
  }

  void start_collector() {
    collector_ = fork();
    if (collector_ != 0) return;
    if (chdir(folder.path().c_str()) != 0 || freopen("collector.txt", "a", stderr) == nullptr) _exit(126);
    execl(EVT_BIN_FOLDER "/evt", "evt", "collect", "to", "--listen", "unix:socket", nullptr);
    _exit(127);
  }
  void end_collector() {
    if (collector_ <= 0) return;
    kill(collector_, SIGKILL);
    waitpid(collector_, nullptr, 0);
    collector_ = 0;
  }
  void wait_for_socket() const {
    while (!std::filesystem::exists(folder / "socket")) std::this_thread::yield();
  }

  Writer open_as_process() {
    evt_options with = options();
    evt_session_info session = *with.session;
    session.pid = static_cast<std::uint64_t>(getpid());
    with.session = &session;
    return *Writer::open(path, with);
  }

  std::optional<Writer> writer_;
  decltype(std::declval<Writer>().declare<Tick>()) types_;
  Stream stream_;
  std::atomic<bool> has_ended_ = false;

 private:
  std::thread sender_;
  Outcome outcome_;
  pid_t collector_ = 0;
};

TEST_F(SnapshotFollow, HasRowsOfTheRingForOneThatFollows) {
  emit_ticks(stream_, types_, 0, 50);
  start("evt snapshot --follow a.evt -o - | evt dump --follow --format '{n}' - > out.txt");
  wait_for_lines(50);
  emit_ticks(stream_, types_, 50, 60);  // in the ring alone
  wait_for_lines(60);
  stream_.flush();  // now in the file
  emit_ticks(stream_, types_, 60, 65);
  wait_for_lines(65);
  emit_ticks(stream_, types_, 65, 20'000);
  wait_for_lines(20'000);
  writer_.reset();
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(read_file(folder / "out.txt"), lines(0, 20'000));
}

TEST_F(SnapshotFollow, IsTheSameFileWhereItIsCollected) {
  emit_ticks(stream_, types_, 0, 50);
  start("evt snapshot --follow pid:" + std::to_string(getpid()) + " -o - | tee sent | evt collect to");
  for (std::uint32_t n = 50; n < 60'000; n += 50) {
    emit_ticks(stream_, types_, n, n + 50);
    if (n % 7 == 0) stream_.flush();
  }
  while (!has_ended_ && run("evt dump --count sent 2>/dev/null").out.substr(0, 5) != "60000") std::this_thread::yield();
  writer_.reset();
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(read_file(collected()), read_file(path));
  EXPECT_EQ(run("evt check --quiet to/*").status, 0);
}

// Rows of the ring are in front of the blocks that the program writes of them, and of its index and its end.
TEST_F(SnapshotFollow, IsATraceInAFile) {
  leave_out_events_of_writer(*writer_);
  start("evt snapshot --follow a.evt -o - > sent");
  std::uint32_t n = 0;
  for (int round = 0; round < 3; ++round) {
    emit_ticks(stream_, types_, n, n + 20'000);
    n += 20'000;
    emit_ticks(stream_, types_, n, n + 5);  // in the ring alone
    n += 5;
    const std::string count = std::to_string(n) + "\n";
    while (!has_ended_ && run("evt dump -q --count --event tick sent").out != count) std::this_thread::yield();
  }
  writer_.reset();
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  const Outcome checked = run("evt check sent");
  EXPECT_EQ(checked.out, "sent: session of test, 60015 events, 0 lost: closed\n");
  EXPECT_TRUE(
      std::regex_match(checked.err, std::regex("evt check: sent: [0-9,]+ rows are here twice, and are read once\n")))
      << checked;
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(run("evt dump --format '{n}' --event tick sent 2>/dev/null").out, lines(0, 60'015));
}

// Without an index, which short sessions lack.
TEST_F(SnapshotFollow, IsATraceInAFileIfItIsShort) {
  leave_out_events_of_writer(*writer_);
  start("evt snapshot --follow a.evt -o - > sent");
  emit_ticks(stream_, types_, 0, 5);
  while (!has_ended_ && run("evt dump -q --count --event tick sent").out != "5\n") std::this_thread::yield();
  writer_.reset();
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(run("evt check sent"), (Outcome{0, "sent: session of test, 5 events, 0 lost: closed\n",
                                            "evt check: sent: 5 rows are here twice, and are read once\n"}));
}

TEST_F(SnapshotFollow, HasTheRingOfAProgramThatIsKilled) {
  const std::string killed = folder / "killed.evt";
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open(killed));
    emit_ticks(writer->stream("a"), writer->declare<Tick>(), 0, 5000);
  }));
  EXPECT_EQ(run("evt snapshot --follow killed.evt -o - | evt collect to"), (Outcome{0, "", ""}));
  EXPECT_EQ(ticks_in(collected()), numbers(0, 5000));
  EXPECT_EQ(run("evt snapshot --follow killed.evt -o - | evt collect to"), (Outcome{0, "", ""})) << "again";
  EXPECT_EQ(run("evt dump --format '{n}' to/* 2>&1").out,
            lines(0, 5000) + "evt dump: to/" + std::filesystem::path(collected()).filename().string() +
                ": its writer ended without closing it; nothing is lost\n");
}

TEST_F(SnapshotFollow, EndsQuietlyWhenItsReaderIsGone) {
  emit_ticks(stream_, types_, 0, 50);
  EXPECT_EQ(run("{ evt snapshot --follow a.evt -o -; echo $? > status; } | head -c 100 > out.txt; cat status"),
            (Outcome{0, "0\n", ""}));
}

TEST_F(SnapshotFollow, IsResumedByACollectorThatIsKilledAgainAndAgain) {
  start_collector();
  wait_for_socket();
  start("evt snapshot --follow a.evt -o unix:socket");
  while (!has_ended_ && (!std::filesystem::exists(folder / "to") || collected().empty())) std::this_thread::yield();
  std::uint32_t n = 0;
  for (int kills = 0; kills < 20; ++kills) {
    for (int i = 0; i < 20; ++i, n += 1000) emit_ticks(stream_, types_, n, n + 1000);
    stream_.flush();
    end_collector();
    start_collector();
  }
  writer_.reset();
  EXPECT_EQ(end(), (Outcome{0, "", "evt snapshot: socket: the collector went away; waiting for it\n"}));
  EXPECT_EQ(read_file(collected()), read_file(path));
  EXPECT_EQ(read_file(folder / "collector.txt"), "");
}

TEST_F(SnapshotFollow, RefusesWhatItCannotSendOrReach) {
  EXPECT_EQ(run("evt snapshot --follow a.evt -o unix:none"),
            (Outcome{3, "", "evt snapshot: cannot connect to none: No such file or directory\n"}));
  EXPECT_EQ(run("evt snapshot --follow a.evt -o b.evt"),
            (Outcome{2, "", "evt snapshot: --output: with --follow: expected - or unix:PATH, found b.evt\n"}));
  EXPECT_EQ(run("evt snapshot --follow - -o - < a.evt | cat"),
            (Outcome{0, "", "evt snapshot: --follow takes a file, because a pipe grows by itself\n"}));
  EXPECT_EQ(run("evt snapshot --follow a.evt --last 3s -o - | cat").err, "evt snapshot: --follow excludes --last\n");
  EXPECT_EQ(run("evt snapshot --follow none.evt -o - | cat").err,
            "evt snapshot: cannot open none.evt: No such file or directory\n");
}

}  // namespace
}  // namespace evt::testing
