// `evt check --recover` that is killed at any of its system calls, or whose writes fail: what was to be seen of file
// and ring is still to be seen, and the next recovery puts it into the file, once. With EVT_KILLS it is killed at each
// of all its calls, as in ./dev kills.
#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "killed_program.h"

namespace evt::testing {
namespace {

// Leaks cannot be looked for under strace.
constexpr std::string_view kStrace = "ASAN_OPTIONS=detect_leaks=0:$ASAN_OPTIONS strace -f -qq -o calls ";

class InterruptedRecovery : public KilledProgram {
 protected:
  void SetUp() override {
    if (run(std::string(kStrace) + "true").status != 0) GTEST_SKIP() << "no strace here, or it may not trace";
    // A block in the middle is gone, and the file ends inside one.
    ASSERT_NO_FATAL_FAILURE(given_killed_program({40, 20, 40, 12}));
    const auto events = block_offsets(path, EVT_BLOCK_EVENTS);
    ASSERT_EQ(events.size(), 3u);
    const std::string bytes = read_file(path);
    folder.write("a.evt", bytes.substr(0, events[1]) + bytes.substr(events[2]) + bytes.substr(events[0], 200));
    file_.emplace(path);
    ring_.emplace(ring);
    expected_.streams[1].ticks = numbers(0, 40);
    for (const std::uint32_t n : numbers(60, 112)) expected_.streams[1].ticks.push_back(n);
    expected_.streams[1].missing = 20;
    ASSERT_EQ(shown(path), expected_);
  }
  void put_back() const {
    file_->put_back();
    ring_->put_back();
  }
  // `how`: what strace does to the calls of the recovery.
  Outcome recover(const std::string& how) const {
    return run(std::string(kStrace) + how + " evt check --recover a.evt");
  }
  // The calls of a recovery that nothing happens to, by their names.
  std::vector<std::string> calls() const {
    EXPECT_THAT(recover("-e signal=none").err, ::testing::HasSubstr("12 rows from its ring are in the file now"));
    std::istringstream lines(read_file(folder / "calls"));
    std::vector<std::string> names;
    // Numbers of processes are padded to five digits.
    for (std::string process, line; lines >> process >> std::ws && std::getline(lines, line);) {
      if (line.find("resumed>") == std::string::npos) names.push_back(line.substr(0, line.find('(')));
    }
    return names;
  }
  void expect_recovered_by_the_next_one() const {
    EXPECT_EQ(shown(path), expected_);
    const Outcome next = run("evt check --recover a.evt");
    EXPECT_EQ(next.status, 1) << next.err;
    EXPECT_EQ(shown_by_the_file(path), expected_);
    EXPECT_FALSE(ring_exists());
  }

  Shown expected_;

 private:
  std::optional<FileCopy> file_;
  std::optional<FileCopy> ring_;
};

TEST_F(InterruptedRecovery, ByAKillAtAnyOfItsCallsLosesNothing) {
  const std::vector<std::string> all = calls();
  std::vector<std::string> kills;
  // These change something; before the last two, what was written is read again.
  for (const char* const call : {"ftruncate", "pwrite64", "fdatasync", "unlink", "write"}) {
    EXPECT_TRUE(std::find(all.begin(), all.end(), call) != all.end()) << call;
    kills.push_back(std::string(call) + ":signal=SIGKILL:when=1");
  }
  // The others read.
  const std::size_t step = std::getenv("EVT_KILLS") != nullptr ? 1 : 20;
  for (std::size_t n = 1; n <= all.size(); n += step) {
    kills.push_back("all:signal=SIGKILL:when=" + std::to_string(n));
  }
  for (const std::string& kill : kills) {
    SCOPED_TRACE(kill + " of " + std::to_string(all.size()));
    put_back();
    recover("-e inject=" + kill);
    expect_recovered_by_the_next_one();
    if (HasFailure()) return;
  }
}

TEST_F(InterruptedRecovery, ByAWriteThatFailsLeavesTheRing) {
  for (const auto& [call, error, sentence] :
       {std::tuple("pwrite64", "ENOSPC", "No space left on device"),
        std::tuple("pwrite64", "EIO", "Input/output error"), std::tuple("ftruncate", "EIO", "Input/output error"),
        std::tuple("fdatasync", "EDQUOT", "Disk quota exceeded")}) {
    SCOPED_TRACE(std::string(call) + " " + error);
    put_back();
    const Outcome outcome = recover(std::string("-e inject=") + call + ":error=" + error + ":when=1");
    EXPECT_EQ(outcome, (Outcome{3, "", std::string("evt check: cannot write a.evt: ") + sentence + "\n"}));
    EXPECT_TRUE(ring_exists());
    expect_recovered_by_the_next_one();
  }
}

TEST_F(InterruptedRecovery, ByADiskThatForgetsWhatWasWrittenLeavesTheRing) {
  const std::size_t blocks = open_file(path).recovery().blocks.size();
  const Outcome outcome = recover("-e inject=pwrite64:retval=" + std::to_string(blocks) + ":when=1");
  EXPECT_EQ(
      outcome,
      (Outcome{1, "",
               "evt check: a.evt: read again, it has 80 events in 80 rows, 0 lost and 20 missing of stream 1 of "
               "session 1, and had 92 events in 92 rows, 0 lost and 20 missing with its ring: the ring stays\n"}));
  EXPECT_TRUE(ring_exists());
  expect_recovered_by_the_next_one();
}

TEST_F(InterruptedRecovery, ByARingThatCannotBeRemovedHasAllInTheFile) {
  const Outcome outcome = recover("-e inject=unlink:error=EPERM:when=1");
  EXPECT_EQ(outcome, (Outcome{3, "", "evt check: cannot remove " + ring + ": Operation not permitted\n"}));
  EXPECT_EQ(shown_by_the_file(path), expected_);
  expect_recovered_by_the_next_one();
}

}  // namespace
}  // namespace evt::testing
