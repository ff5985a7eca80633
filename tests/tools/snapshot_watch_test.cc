// `evt snapshot --when`: snapshots of a program at the events that are waited for.
#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <thread>

#include "support/command.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

// This process is the program that runs.
class SnapshotWatchCommand : public RingTest {
 protected:
  SnapshotWatchCommand() : writer_(open()), types_(writer_->declare<Tick>()), stream_(writer_->stream("a")) {}
  ~SnapshotWatchCommand() override {
    if (watcher_.joinable()) watcher_.join();
  }

  void watch(const std::string& options) {
    watcher_ = std::thread([this, options] {
      outcome_ = run("evt snapshot a.evt -o s.%n.evt --when tick " + options, folder.path());
      has_ended_ = true;
    });
  }
  void emit(std::uint32_t n) { stream_.emit(types_, Tick{n}); }
  // What comes before the command has begun is no reason for it. Emits this tick until there is a snapshot of this
  // number, or the command has ended.
  void emit_until(const std::string& name, std::uint32_t n) {
    while (!has_ended_ && !std::filesystem::exists(folder / name)) {
      emit(n);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  Outcome end() {
    writer_.reset();
    watcher_.join();
    return outcome_;
  }

  std::optional<Writer> writer_;
  decltype(std::declval<Writer>().declare<Tick>()) types_;
  Stream stream_;

 private:
  std::thread watcher_;
  Outcome outcome_;
  std::atomic<bool> has_ended_ = false;
};

TEST_F(SnapshotWatchCommand, TakesOneAtAnEventThatComes) {
  for (std::uint32_t n = 0; n < 10; ++n) emit(n);
  watch("--where 'n>=500' --before 1h --most 1");
  emit_until("s.000000.evt", 501);
  const Outcome outcome = end();
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(outcome.err.starts_with("evt snapshot: s.000000.evt: tick at 0.000")) << outcome;
  const std::vector<std::uint32_t> ticks = ticks_in(folder / "s.000000.evt");
  ASSERT_GT(ticks.size(), 10u);
  EXPECT_EQ(std::vector(ticks.begin(), ticks.begin() + 10), numbers(0, 10));
  EXPECT_EQ(ticks[10], 501u);
  EXPECT_EQ(open_file(folder / "s.000000.evt").sessions()[0].cut, "--when tick");
}

// A storm makes as many snapshots as may be, one at a time.
TEST_F(SnapshotWatchCommand, HoldsToItsMost) {
  watch("--rearm 0s --most 3 --before 1h");
  emit_until("s.000002.evt", 1);
  EXPECT_EQ(end().status, 0);
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt", "s.000000.evt", "s.000001.evt", "s.000002.evt"}));
}

TEST_F(SnapshotWatchCommand, WaitsUntilItIsArmedAgain) {
  watch("--rearm 1h --before 1h");
  emit_until("s.000000.evt", 1);
  for (int i = 0; i < 3; ++i) emit(2);
  const Outcome outcome = end();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.err.find("came within 1.00 h after another: no snapshot was taken of them\n"), std::string::npos)
      << outcome;
  EXPECT_EQ(files(), (std::vector<std::string>{"a.evt", "s.000000.evt"}));
}

TEST_F(SnapshotWatchCommand, HasWhatComesAfterTheEvent) {
  watch("--after 500ms --before 0s");
  emit_until("s.000000.evt", 7);
  EXPECT_EQ(end().status, 0);
  EXPECT_GT(ticks_in(folder / "s.000000.evt").size(), 1u);
}

// Where the trace goes on in another file, too.
TEST_F(SnapshotWatchCommand, GoesOnInTheNextFile) {
  evt_options with = options();
  with.rotate_bytes = 1 << 20;
  auto writer = Writer::open(folder / "app.%n.evt", with);
  ASSERT_TRUE(writer);
  const auto types = (*writer).declare<Tick>();
  Stream stream = (*writer).stream("a");
  std::atomic<bool> has_ended = false;
  Outcome outcome;
  std::thread watcher([&] {
    outcome = run("evt snapshot app.000000.evt -o s.%n.evt --when tick --where 'n>=500000' --most 1", folder.path());
    has_ended = true;
  });
  for (std::uint32_t n = 0; n < 400'000; n += 1000) emit_ticks(stream, types, n, n + 1000);
  while (!has_ended) stream.emit(types, Tick{500'000});
  watcher.join();
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(ticks_in(folder / "s.000000.evt").back(), 500'000U);
  EXPECT_EQ((*writer).close().message(), "");
}

TEST_F(SnapshotWatchCommand, SaysThatNoneCame) {
  watch("--where 'n>=500'");
  emit(1);
  EXPECT_EQ(end(), (Outcome{1, "", "evt snapshot: the program has ended, and no such event was met\n"}));
}

TEST_F(SnapshotWatchCommand, RefusesWhatDoesNotFit) {
  const auto refusal = [&](const std::string& words) { return run("evt snapshot a.evt " + words, folder.path()); };
  EXPECT_EQ(
      refusal("--when tick -o x.evt"),
      (Outcome{2, "",
               "evt snapshot: --output: several snapshots need several names: write %n where the number goes\n"}));
  EXPECT_EQ(refusal("--when tick --where 'duration>1ms' -o x.%n.evt"),
            (Outcome{2, "", "evt snapshot: --where does not know how long spans are before they end\n"}));
  EXPECT_EQ(run("evt snapshot - --when tick -o x.%n.evt < a.evt", folder.path()),
            (Outcome{2, "", "evt snapshot: --when takes a program or a file, because a pipe is read once\n"}));
  EXPECT_EQ(refusal("--before 1s -o x.evt"), (Outcome{2, "", "evt snapshot: --before requires --when\n"}));
  EXPECT_EQ(refusal("--when tick --last 1s -o x.%n.evt"), (Outcome{2, "", "evt snapshot: --last excludes --when\n"}));
  EXPECT_EQ(refusal("--when tick --before soon -o x.%n.evt"),
            (Outcome{2, "", "evt snapshot: --before: expected a time like 30s, found soon\n"}));
}

}  // namespace
}  // namespace evt::testing
