// A program is started again over the trace of a run that was killed, while others look at rings or recover the trace:
// none of them is taken for the killed writer.
#include <evt/rings.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>

#include "write/ring_folders.h"

namespace evt::testing {
namespace {

// Does `work` again and again in a process of its own, until it is destroyed.
class Repeated {
 public:
  template <typename Work>
  explicit Repeated(Work work) : process_(fork()) {
    if (process_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) work();
  }
  ~Repeated() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;

 private:
  pid_t process_;
};

class RestartedProgram : public OwnRings {
 protected:
  // A run that records ten ticks and is killed. Its trace and its ring can be had again and again.
  void given_killed_run() {
    const std::string ring = killed_program(path);
    bytes_ = read_file(path);
    std::filesystem::create_hard_link(ring, kept_ring);
    ring_ = ring;
  }
  // The trace was put away, with all of its ring, and the new run had its path. Then all is as it was before.
  void expect_put_away_and_restore() {
    std::vector<std::string> traces = files();
    std::erase_if(traces, [](const std::string& name) { return !name.ends_with(".evt"); });
    ASSERT_EQ(traces, (std::vector<std::string>{"a.20260101T000000.evt", "a.evt"}));
    EXPECT_FALSE(std::filesystem::exists(ring_));
    Trace trace = open_file(old, false);
    ASSERT_EQ(ticks_in(trace), numbers(0, 10));
    ASSERT_EQ(trace.sessions()[0].duplicate_rows, 0U);
    std::filesystem::resize_file(old, bytes_.size());
    std::filesystem::create_hard_link(kept_ring, ring_);
    std::filesystem::rename(old, path);
  }
  void run() {
    evt_options with = options();
    with.flush_inline = 1;
    Writer writer = *Writer::open(path, with);
    EXPECT_TRUE(writer.close().ok());
  }

  const std::string kept_ring = folder / "kept.ring";
  const std::string old = folder / "a.20260101T000000.evt";

 private:
  std::string ring_;
  std::string bytes_;
};

// As a reader does, which shares the lock for as long as it copies the ring.
TEST_F(RestartedProgram, TakesAReaderOfItsRingForNoWriter) {
  given_killed_run();
  const int reader = ::open(kept_ring.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(reader, LOCK_SH | LOCK_NB), 0);
  run();
  expect_put_away_and_restore();
  ::close(reader);
}

TEST_F(RestartedProgram, TakesNoneOfThoseWhoLookAtRingsForAWriter) {
  given_killed_run();
  const Folder elsewhere;
  const evt_options with = options();
  const Repeated list([] { list_rings(); });
  const Repeated reader([&] { (void)Trace::open(path); });
  const Repeated writer([&] { (void)Writer::open(elsewhere / "b.evt", with); });
  for (int restart = 0; restart < 1'000; ++restart) {
    SCOPED_TRACE(restart);
    run();
    ASSERT_NO_FATAL_FAILURE(expect_put_away_and_restore());
  }
}

// A recovery has the lock of the file that the writer had, and the ring shows that the writer is dead.
TEST_F(RestartedProgram, WaitsForARecoveryOfItsTrace) {
  given_killed_run();
  int locked[2];
  ASSERT_EQ(pipe(locked), 0);
  const pid_t recovery = fork();
  if (recovery == 0) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    const bool has_it = flock(file, LOCK_EX | LOCK_NB) == 0;
    (void)!write(locked[1], "y", has_it ? 1 : 0);
    usleep(100'000);
    _exit(has_it ? 0 : 1);
  }
  ::close(locked[1]);
  char answer = 0;
  ASSERT_EQ(read(locked[0], &answer, 1), 1);
  run();
  expect_put_away_and_restore();
  int status = -1;
  waitpid(recovery, &status, 0);
  EXPECT_EQ(status, 0);
  ::close(locked[0]);
}

}  // namespace
}  // namespace evt::testing
