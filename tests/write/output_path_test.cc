// What may stand at a trace's path: links, FIFOs, devices, the names of descriptors; and others who change it
// meanwhile.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include <set>
#include <thread>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

constexpr const char* kKept = "what was there before";

class OutputPath : public RingTest {
 protected:
  // Records one tick; returns the notices of the session.
  std::string record(const std::string& at, std::uint32_t n, bool append = false) {
    evt_options with = options();
    with.append = append ? 1 : 0;
    auto writer = Writer::open(at, with);
    if (!writer) throw std::runtime_error("open: " + writer.status().message());
    writer->stream("a").emit(writer->declare<Tick>(), Tick{n});
    EXPECT_TRUE(writer->close().ok());
    return writer->notices();
  }
  void expect_refused(const std::string& at, const std::string& reason) {
    const auto writer = Writer::open(at, options());
    ASSERT_FALSE(writer.ok());
    EXPECT_EQ(writer.status().code(), Code::kIo);
    EXPECT_EQ(writer.status().message(), "cannot write " + at + ": " + reason);
  }
  void expect_new_file(std::uint32_t n) {
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(path)));
    EXPECT_EQ(ticks_in(path), numbers(n, n + 1));
  }
};

TEST_F(OutputPath, MayBeALinkToNowhereWhosePlaceIsTaken) {
  std::filesystem::create_symlink(folder / "nowhere", path);
  EXPECT_EQ(record(path, 1), "");
  expect_new_file(1);
  EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
}

TEST_F(OutputPath, MayBeALinkToItselfWhosePlaceIsTaken) {
  std::filesystem::create_symlink(path, path);
  record(path, 1);
  expect_new_file(1);
}

TEST_F(OutputPath, MayBeALinkThroughAFileWhosePlaceIsTaken) {
  folder.write("file", kKept);
  std::filesystem::create_symlink(folder / "file/a.evt", path);
  record(path, 1);
  expect_new_file(1);
}

TEST_F(OutputPath, MayBeALinkToWhichNothingIsAppended) {
  for (const bool dangling : {false, true}) {
    std::filesystem::remove(path);
    const std::string target = dangling ? folder / "nowhere" : folder.write("kept", kKept);
    std::filesystem::create_symlink(target, path);
    EXPECT_EQ(record(path, 1, /*append=*/true),
              path + " was a link, to which nothing is appended: it is a new file now\n");
    expect_new_file(1);
  }
  EXPECT_EQ(read_file(folder / "kept"), kKept);
}

TEST_F(OutputPath, CannotBeALinkToWhatIsNoFile) {
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder / "fifo", folder / "to_fifo");
  std::filesystem::create_symlink("/dev/null", folder / "to_null");
  std::filesystem::create_symlink(folder.path(), folder / "to_folder");
  expect_refused(folder / "to_fifo", "it is a link to a device, FIFO or socket: name that itself");
  expect_refused(folder / "to_null", "it is a link to a device, FIFO or socket: name that itself");
  expect_refused(folder / "to_folder", "it is a link to a directory");
}

// The number is one that the system gives to no driver.
TEST_F(OutputPath, CannotBeABlockDevice) {
  const std::string device = folder / "device";
  if (mknod(device.c_str(), S_IFBLK | 0600, makedev(240, 255)) != 0) GTEST_SKIP() << "this user cannot make devices";
  std::filesystem::create_symlink(device, folder / "to_device");
  expect_refused(device, "it is a block device");
  expect_refused(folder / "to_device", "it is a link to a block device");
}

TEST_F(OutputPath, MayBeACharacterDevice) { EXPECT_TRUE(open("/dev/null").close().ok()); }

// What it leads to is fixed, whichever user moves the name: here it is a FIFO, a link to another's file, and so on.
TEST_F(OutputPath, ThatIsSwappedMeanwhileLeadsNowhereElse) {
  const std::string victim = folder.write("victim", kKept);
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  std::atomic<bool> ends{false};
  std::thread swapper([&] {
    const std::string next = folder / "next";
    char bytes[4'096];
    while (!ends) {
      EXPECT_EQ(link(fifo.c_str(), next.c_str()), 0);
      rename(next.c_str(), path.c_str());
      unlink(next.c_str());  // a name that was the same FIFO's stays where it was
      EXPECT_EQ(symlink(victim.c_str(), next.c_str()), 0);
      rename(next.c_str(), path.c_str());
      while (read(reader, bytes, sizeof bytes) > 0) {
      }
    }
  });
  for (int i = 0; i < 200; ++i) {
    evt_options with = options();
    with.flush_inline = 1;
    auto writer = Writer::open(path, with);
    EXPECT_TRUE(!writer.ok() || writer->close().ok());
    ASSERT_EQ(read_file(victim), kKept) << i;
  }
  ends = true;
  swapper.join();
  close(reader);
}

// Each of many that begin at the same moment has a file of its own, whatever was at the path before.
class CommonPath : public OutputPath {
 protected:
  template <typename Prepare>
  void expect_a_file_each(Prepare prepare) {
    constexpr std::uint32_t kWriters = 6;
    for (int round = 0; round < 20 && !HasFailure(); ++round) {
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) std::filesystem::remove(entry);
      prepare();
      std::vector<std::thread> threads;
      std::atomic<std::uint32_t> ready{0};
      for (std::uint32_t n = 0; n < kWriters; ++n) {
        threads.emplace_back([&, n] {
          evt_session_info info = {};
          evt_options with = {};
          with.session = &info;
          with.flush_inline = 1;
          ++ready;
          while (ready < kWriters) std::this_thread::yield();
          auto writer = Writer::open(path, with);
          ASSERT_TRUE(writer.ok()) << writer.status().message();
          while (ready < 2 * kWriters) {  // all live at the same time
            if (!opened_[n].exchange(true)) ++ready;
            std::this_thread::yield();
          }
          writer->stream("a").emit(writer->declare<Tick>(), Tick{n});
          EXPECT_TRUE(writer->close().ok());
        });
      }
      for (std::thread& thread : threads) thread.join();
      for (std::atomic<bool>& opened : opened_) opened = false;
      std::multiset<std::uint32_t> came;
      for (const std::string& name : files()) {
        for (const std::uint32_t n : ticks_in(folder / name)) came.insert(n);
      }
      EXPECT_EQ(came, (std::multiset<std::uint32_t>{0, 1, 2, 3, 4, 5}));
    }
  }

 private:
  std::atomic<bool> opened_[6] = {};
};

TEST_F(CommonPath, OfALinkIsTakenOnce) {
  expect_a_file_each([&] { std::filesystem::create_symlink(folder / "nowhere", path); });
}

TEST_F(CommonPath, OfAFinishedTraceIsTakenOnce) {
  expect_a_file_each([&] { EXPECT_TRUE(open(path).close().ok()); });
}

// Names of the process's own descriptors are not opened: their files go on where they stand.
class DescriptorPath : public OutputPath {
 protected:
  // What comes out of a child that writes to this path; its descriptor 1 is a pipe.
  static std::string through_pipe(const std::string& to) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      StepClock clock;
      auto writer = Writer::open(to, ordinary_options(clock));
      if (!writer || !writer->path().empty()) _exit(1);
      writer->stream("a").emit(writer->declare<Tick>(), Tick{1});
      _exit(writer->close().ok() ? 0 : 2);
    }
    close(ends[1]);
    std::string bytes;
    char some[1'024];
    for (ssize_t n = 0; (n = read(ends[0], some, sizeof some)) > 0;) bytes.append(some, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << to;
    return bytes;
  }
};

TEST_F(DescriptorPath, OfStandardOutputMayBeAPipe) {
  for (const char* const name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    EXPECT_EQ(text_of_trace(through_pipe(name)), tick_text("0.000000001 1 tick n=1\n")) << name;
  }
}

TEST_F(DescriptorPath, MayBeAFileWhichGoesOnWhereItStands) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0644);
  ASSERT_EQ(write(fd, kKept, strlen(kKept)), static_cast<ssize_t>(strlen(kKept)));
  const std::string name = "/dev/fd/" + std::to_string(fd);
  Writer writer = open(name);
  EXPECT_EQ(writer.path(), path);
  writer.stream("a").emit(writer.declare<Tick>(), Tick{1});
  EXPECT_TRUE(writer.close().ok());
  EXPECT_EQ(write(fd, "end", 3), 3);
  close(fd);
  const std::string bytes = read_file(path);
  ASSERT_EQ(bytes.substr(0, strlen(kKept)), kKept);
  ASSERT_EQ(bytes.substr(bytes.size() - 3), "end");
  EXPECT_EQ(ticks_of(bytes.substr(strlen(kKept), bytes.size() - strlen(kKept) - 3)), numbers(1, 2));
}

TEST_F(DescriptorPath, ThatIsNotOpenCannotBeWritten) { expect_refused("/dev/fd/19999", "Bad file descriptor"); }

TEST_F(DescriptorPath, OfATerminalIsRefused) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "there are no terminals here";
  expect_refused("/dev/fd/" + std::to_string(terminal), "it is a terminal");
  close(terminal);
}

TEST_F(DescriptorPath, IsAnOrdinaryNameInAFolder) {
  path = folder / "-";
  record(path, 1);
  expect_new_file(1);
}

}  // namespace
}  // namespace evt::testing
