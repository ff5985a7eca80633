// Where rings are: folders of which a writer makes its ring in one, and readers look in all.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "write/ring_folders.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class FolderOfRings : public OwnRings {
 protected:
  static RingState state_of(const std::string& at) { return open_file(at).sessions()[0].ring; }
};

TEST_F(FolderOfRings, IsWhatTheEnvironmentNames) {
  const std::string ring = killed_program(path);
  EXPECT_TRUE(std::filesystem::exists(ring));
  EXPECT_FALSE(std::filesystem::exists(ring_path(open_file(path, false).sessions()[0])));
  EXPECT_EQ(ticks_in(path), numbers(0, 10));
  unsetenv("EVTRACE_RING_DIR");
  EXPECT_EQ(state_of(path), RingState::kAway);
}

TEST_F(FolderOfRings, IsNotEmptiedOfALivingProgramsRing) {
  const evt_options with = options();
  auto writer = Writer::open(path, with);
  EXPECT_EQ(writer->notices(), "");
  EXPECT_EQ(state_of(path), RingState::kLive);
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(count(), 0u);
}

TEST_F(FolderOfRings, IsWhereTheNextRunFindsTheRingOfTheLast) {
  killed_program(path);
  EXPECT_TRUE(open().close().ok());
  EXPECT_EQ(count(), 0u);
  EXPECT_EQ(ticks_in(folder / "a.20260101T000000.evt"), numbers(0, 10));
}

// Also when the environment does not name it.
TEST_F(FolderOfRings, MayBeTheTraces) {
  const std::string ring = killed_program(path);
  unsetenv("EVTRACE_RING_DIR");
  std::filesystem::rename(ring, folder / std::filesystem::path(ring).filename().string());
  EXPECT_EQ(ticks_in(path), numbers(0, 10));
}

TEST_F(FolderOfRings, MayBeThatOfTheUsersSession) {
  const std::string ring = killed_program(path);
  unsetenv("EVTRACE_RING_DIR");
  setenv("XDG_RUNTIME_DIR", folder.path().c_str(), 1);
  std::filesystem::create_directory(folder / "evtrace");
  std::filesystem::rename(ring, folder / ("evtrace/" + std::filesystem::path(ring).filename().string()));
  EXPECT_EQ(ticks_in(path), numbers(0, 10));
}

TEST_F(FolderOfRings, HasRingsThatTheirUserAloneMayRead) {
  const std::string ring = killed_program(path);
  struct stat status = {};
  ASSERT_EQ(stat(ring.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  ASSERT_EQ(chmod(ring.c_str(), 0640), 0);
  EXPECT_EQ(state_of(path), RingState::kAway) << "others may have read it, and it is not what a writer made";
}

TEST_F(FolderOfRings, ThatIsNotThereLeavesSharedMemory) {
  setenv("EVTRACE_RING_DIR", "/none/such/", 1);
  Writer writer = open();
  EXPECT_EQ(writer.notices(), "no ring in /none/such: No such file or directory; the ring is in /dev/shm\n");
  EXPECT_TRUE(std::filesystem::exists(ring_path(open_file(path, false).sessions()[0])));
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(FolderOfRings, HasAnAbsolutePath) {
  setenv("EVTRACE_RING_DIR", "rings", 1);
  Writer writer = open();
  EXPECT_EQ(writer.notices(), "EVTRACE_RING_DIR: expected an absolute path, found rings\n");
  EXPECT_TRUE(writer.close().ok());
}

// The notices of a session for which shared memory is mounted so, with `first` done before.
class SharedMemory : public RingTest {
 protected:
  struct Said {
    char notices[1024];
    char at_close[256];
  };
  template <typename Work>
  std::string notices_with(const char* size, bool read_only, Work first) {
    Said* const said = shared<Said>();
    const int status = in_child([&] {
      if (!mount_memory("/dev/shm", size, read_only)) _exit(1);
      first();
      Writer writer = open();
      emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 10);
      std::snprintf(said->notices, sizeof said->notices, "%s", writer.notices().c_str());
      std::snprintf(said->at_close, sizeof said->at_close, "%s", writer.close().message().c_str());
    });
    EXPECT_EQ(status, 0);
    EXPECT_STREQ(said->at_close, "");
    EXPECT_EQ(ticks_in(path), numbers(0, 10));
    return said->notices;
  }
  void SetUp() override {
    if (!can_mount()) GTEST_SKIP() << "this user cannot mount";
  }
};

TEST_F(SharedMemory, ThatIsReadOnlyIsAMatterOfANotice) {
  EXPECT_EQ(notices_with("size=16m", true, [] {}),
            "no ring in /dev/shm: Read-only file system; a kill loses what is not in the trace yet\n");
}

TEST_F(SharedMemory, ThatIsTinyIsAMatterOfANotice) {
  EXPECT_EQ(notices_with("size=512k", false, [] {}),
            "no ring in /dev/shm: No space left on device; a kill loses what is not in the trace yet\n");
}

TEST_F(SharedMemory, ThatIsFullIsAMatterOfANotice) {
  const auto fill = [] {
    const int fd = ::open("/dev/shm/other", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (posix_fallocate(fd, 0, 31 << 20) != 0) _exit(2);
  };
  EXPECT_EQ(notices_with("size=32m", false, fill),
            "no ring in /dev/shm: No space left on device; a kill loses what is not in the trace yet\n");
}

TEST_F(SharedMemory, ThatIsLargeEnoughIsNot) {
  EXPECT_EQ(notices_with("size=32m", false, [] {}), "");
}

// The name of the earlier trace, and that there is no ring.
TEST_F(SharedMemory, ThatIsReadOnlyIsOneNoticeOfSeveral) {
  ASSERT_NO_FATAL_FAILURE(killed_after([&] { emit_ticks((new Writer(open()))->stream("a"), {}, 0, 1); }));
  EXPECT_THAT(notices_with("size=16m", true, [] {}),
              ::testing::AllOf(HasSubstr("is now "), HasSubstr("\nno ring in /dev/shm: Read-only file system")));
}

// What root sees of others' programs.
class RingOfAnotherUser : public OwnRings {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "this user is not root";
  }
};

TEST_F(RingOfAnotherUser, IsReadByRootWithATraceOfThatUser) {
  const std::string ring = killed_program(path);
  ASSERT_EQ(chown(ring.c_str(), 1, 1), 0);
  EXPECT_EQ(open_file(path).sessions()[0].ring, RingState::kAway) << "a stranger's ring, root's trace";
  ASSERT_EQ(chown(path.c_str(), 1, 1), 0);
  EXPECT_EQ(ticks_in(path), numbers(0, 10));
}

}  // namespace
}  // namespace evt::testing
