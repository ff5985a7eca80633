// Programs that close descriptors which are not theirs, as daemons do, and open files that get the same numbers:
// nothing of a trace is written to these, and what was recorded is not lost.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <map>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

constexpr int kMaxDescriptors = 128;
constexpr std::uint32_t kManyTicks = 200'000;

class ClosedDescriptor : public RingTest {
 protected:
  void SetUp() override {
    if (kThreadSanitizer) GTEST_SKIP() << "to close a descriptor that another thread uses is the race that it reports";
  }
  // In a child: there are few numbers, so those of the session are low ones.
  static void leave_few_numbers() {
    const rlimit limit = {kMaxDescriptors, kMaxDescriptors};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  static void close_all() {
    for (int fd = 3; fd < kMaxDescriptors; ++fd) ::close(fd);
  }
  // Files of the program take all numbers that there are.
  void take_all_numbers() {
    for (int fd = 0; fd >= 0;) {
      const std::string name = folder / ("own." + std::to_string(own_.size()));
      fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      if (fd < 0 || write(fd, "own", 3) != 3) break;
      own_[fd] = name;
    }
  }
  // They are as they were, and can be used.
  bool are_untouched() const {
    for (const auto& [fd, name] : own_) {
      struct stat status;
      char bytes[4] = "";
      if (fstat(fd, &status) != 0 || status.st_size != 3 || status.st_blocks > 8) return false;
      if (pread(fd, bytes, 3, 0) != 3 || std::string(bytes) != "own" || lseek(fd, 0, SEEK_CUR) != 3) return false;
    }
    return !own_.empty();
  }
  static bool is_free(const std::string& file) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const bool free = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;
    ::close(fd);
    return free;
  }
  std::string closed_by_program() const { return "cannot write " + path + ": descriptor was closed by the program"; }

 private:
  std::map<int, std::string> own_;
};

TEST_F(ClosedDescriptor, IsNotWrittenToWhenItIsTheProgramsOwn) {
  EXPECT_EQ(in_child([&] {
              leave_few_numbers();
              Writer writer = open();
              const auto types = writer.declare<Tick>();
              Stream stream = writer.stream("a");
              emit_ticks(stream, types, 0, 10);
              stream.flush();
              close_all();
              take_all_numbers();
              emit_ticks(stream, types, 10, kManyTicks);
              const std::string closed = writer.close().message();
              if (!are_untouched()) _exit(1);
              if (!closed.starts_with(closed_by_program() + "; ")) _exit(2);
              if (closed.find(" rows are still in its ring: `evt check --recover` puts them") == std::string::npos) {
                _exit(3);
              }
            }),
            0);
  Trace file = open_file(path, /*rings=*/false);
  EXPECT_EQ(ticks_in(file), numbers(0, 10));
  // What was recorded before the session knew.
  const std::vector<std::uint32_t> came = ticks_in(path);
  EXPECT_GT(came.size(), 10u);
  EXPECT_EQ(came, numbers(0, static_cast<std::uint32_t>(came.size())));
}

TEST_F(ClosedDescriptor, IsNotWrittenToWithoutARing) {
  EXPECT_EQ(in_child([&] {
              leave_few_numbers();
              evt_options with = options();
              with.flush_inline = 1;
              Writer writer = *Writer::open(path, with);
              const auto types = writer.declare<Tick>();
              Stream stream = writer.stream("a");
              close_all();
              take_all_numbers();
              emit_ticks(stream, types, 0, kManyTicks);
              if (writer.close().message() != closed_by_program() || !are_untouched()) _exit(1);
            }),
            0);
}

TEST_F(ClosedDescriptor, OfTheCallerIsNotWrittenToWhenItIsAnotherFiles) {
  for (const bool is_pipe : {false, true}) {
    EXPECT_EQ(in_child([&] {
                leave_few_numbers();
                int ends[2] = {};
                if (is_pipe && pipe(ends) != 0) _exit(9);
                const int fd = is_pipe ? ends[1] : ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
                Writer writer = *Writer::open(fd, options());
                const auto types = writer.declare<Tick>();
                Stream stream = writer.stream("a");
                emit_ticks(stream, types, 0, 100);
                close(fd);
                take_all_numbers();
                std::string expected =
                    "cannot write descriptor " + std::to_string(fd) + ": descriptor was closed by the program";
                // What a pipe's reader has not got cannot be put there later.
                if (!is_pipe) {
                  expected += "; 100 rows are still in its ring: `evt check --recover` puts them into the file";
                }
                if (writer.close().message() != expected) _exit(1);
                if (!are_untouched()) _exit(2);
              }),
              0);
    // The ring of a descriptor's session has no path in it by which the fixture would find it.
    if (!is_pipe) unlink(ring_path(open_file(path, false).sessions()[0]).c_str());
  }
}

// Another thread may close it while the flusher waits for the reader.
TEST_F(ClosedDescriptor, OfASocketThatIsFullIsNotWrittenToAfterwards) {
  EXPECT_EQ(in_child([&] {
              leave_few_numbers();
              int ends[2];
              if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) _exit(9);
              Writer writer = *Writer::open(ends[1], options());
              emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, kManyTicks);
              usleep(20'000);
              close(ends[1]);
              take_all_numbers();
              char bytes[65'536];
              while (read(ends[0], bytes, sizeof bytes) > 0) usleep(100);
              if (writer.close().ok() || !are_untouched()) _exit(1);
            }),
            0);
}

// The ring grows by the descriptor of its lock, and others know by the lock that its writer lives.
TEST_F(ClosedDescriptor, OfTheRingIsHadAgain) {
  EXPECT_EQ(in_child([&] {
              leave_few_numbers();
              Sink blocks;
              Writer writer = *Writer::open(&Sink::take, &blocks, options());
              const auto types = writer.declare<Tick>();
              Stream stream = writer.stream("a");
              stream.flush();
              const std::string first = blocks.bytes();
              const std::string ring = ring_path(open_trace(first).sessions()[0]);
              if (is_free(ring)) _exit(1);
              close_all();  // the flusher may have locked it again by the next line
              for (int i = 0; i < 10'000 && is_free(ring); ++i) {
                emit_ticks(stream, types, 0, 1);
                stream.flush();
                usleep(1'000);
              }
              if (is_free(ring)) _exit(2);
              take_all_numbers();
              emit_ticks(stream, types, 0, kManyTicks);
              if (!writer.close().ok() || !are_untouched()) _exit(3);
              if (std::filesystem::exists(ring)) _exit(4);
            }),
            0);
}

TEST_F(ClosedDescriptor, OfTheRingIsNotUsedWhenItIsTheProgramsOwn) {
  if (kSanitizer) GTEST_SKIP() << "a sanitizer looks at memory through a descriptor, of which none is left";
  EXPECT_EQ(in_child([&] {
              leave_few_numbers();
              Sink blocks;
              Writer writer = *Writer::open(&Sink::take, &blocks, options());
              const auto types = writer.declare<Tick>();
              Stream stream = writer.stream("a");
              close_all();
              take_all_numbers();  // none is left for the lock
              emit_ticks(stream, types, 0, kManyTicks);
              if (!writer.close().ok() || !are_untouched()) _exit(1);
              if (ticks_of(blocks.bytes()) != numbers(0, kManyTicks)) _exit(2);
            }),
            0);
}

TEST_F(ClosedDescriptor, ThatIsTheProgramsOwnStaysOpenInAChild) {
  if (!kForkChildMayAllocate) GTEST_SKIP() << kForkChildMayNotAllocate;
  if (kThreadSanitizer) GTEST_SKIP() << "does not let children of programs with threads be";
  EXPECT_EQ(in_child([&] {
              leave_few_numbers();
              const Writer writer = open();
              close_all();
              take_all_numbers();
              if (in_child([&] { _exit(are_untouched() ? 0 : 1); }) != 0) _exit(1);
            }),
            0);
}

// A loop to 1024, the usual limit, does not meet them.
TEST_F(ClosedDescriptor, HasAHighNumberWhereThatIsAllowed) {
  const auto lowest_of_session = [&](rlim_t limit) {
    const int status = in_child([&] {
      const rlimit most = {limit, limit};
      if (setrlimit(RLIMIT_NOFILE, &most) != 0) _exit(9);
      const Writer writer = open();
      int lowest = 0;
      for (int fd = 3; fd < static_cast<int>(limit) && lowest == 0; ++fd) {
        char link[40];
        char target[512] = "";
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        if (readlink(link, target, sizeof target - 1) <= 0) continue;
        if (target == path || std::string_view(target).starts_with("/dev/shm/")) lowest = fd;
      }
      _exit(lowest >= 1024 ? 1 : lowest >= 1000 ? 2 : lowest > 0 ? 3 : 4);
    });
    std::filesystem::remove(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  rlimit now;
  getrlimit(RLIMIT_NOFILE, &now);
  if (now.rlim_cur >= 2'048) {
    EXPECT_EQ(lowest_of_session(2'048), 1);
    EXPECT_EQ(lowest_of_session(1'024), 2);
  }
  EXPECT_EQ(lowest_of_session(512), 3);
}

}  // namespace
}  // namespace evt::testing
