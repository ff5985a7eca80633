// A session that cannot be opened leaves the trace of an earlier run as it was. And what it can do without, it does
// without.
#include <sys/resource.h>

#include "write/failing_calls.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

// What a child found.
struct Found {
  bool opened;
  char message[256];
  char notices[1024];
};

class FailedOpen : public RingTest {
 protected:
  FailedOpen() {
    Writer earlier = open();
    emit_ticks(earlier.stream("a"), earlier.declare<Tick>(), 0, 100);
    if (!earlier.close().ok()) throw std::runtime_error("close");
    note_earlier();
  }
  // Opens a session at the path after `limit`, in a child, and records one tick; skips the test where that returns
  // false.
  template <typename Limit>
  Found open_after(Limit limit) {
    auto* const found = shared<Found>();
    const int status = in_child([&] {
      signal(SIGXFSZ, SIG_IGN);
      const evt_options with = options();
      if (!limit()) _exit(kMayNot);
      evt_error error;
      evt_writer* const writer = evt_open(path.c_str(), &with, &error);
      found->opened = writer != nullptr;
      memcpy(found->message, error.message, sizeof error.message);
      if (writer == nullptr) _exit(0);
      evt_writer_notices(writer, found->notices, sizeof found->notices);
      Stream(evt_stream_open(writer, "b"))
          .emit(Types<Tick>({TypeHandle(encoding::declare<Tick>(writer, nullptr))}), Tick{7});
      evt_close(writer, nullptr);
    });
    const Found result = *found;
    munmap(found, sizeof *found);
    may_not_ = WIFEXITED(status) && WEXITSTATUS(status) == kMayNot;
    EXPECT_TRUE(may_not_ || status == 0) << status;
    return result;
  }
  // After a failure the folder has the earlier trace and nothing else.
  void expect_nothing_lost(const Found& found) {
    if (found.opened || may_not_) return;
    EXPECT_STRNE(found.message, "");
    EXPECT_EQ(read_file(path) == earlier_, true) << found.message;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      names.push_back(entry.path().filename());
    EXPECT_EQ(names, std::vector<std::string>{"a.evt"}) << found.message;
    EXPECT_EQ(rings_of(folder), std::vector<std::string>{}) << found.message;
  }

  // What is at the path now is the earlier trace of the next try.
  void note_earlier() { earlier_ = read_file(path); }

  bool may_not_ = false;

 private:
  std::string earlier_;
};

// Each call of the system that an open makes, one at a time.
TEST_F(FailedOpen, DestroysNothingWhicheverCallFails) {
  int failed = 0;
  for (const long call :
       {SYS_openat,    SYS_open,   SYS_write,    SYS_writev, SYS_pwritev2, SYS_flock,    SYS_fcntl,  SYS_ftruncate,
        SYS_fallocate, SYS_mmap,   SYS_clone,    SYS_clone3, SYS_linkat,   SYS_link,     SYS_rename, SYS_renameat2,
        SYS_renameat,  SYS_unlink, SYS_unlinkat, SYS_lseek,  SYS_pread64,  SYS_readlink, SYS_statfs, SYS_fstatfs}) {
    if (kSanitizer && call == SYS_mmap) continue;  // which it makes for itself, and ends where one fails
    for (const int error : {EPERM, ENOSPC, ENOMEM}) {
      const Found found = open_after([&] { return fail_from_now_on(call, error); });
      if (may_not_) GTEST_SKIP() << "system calls cannot be made to fail";
      SCOPED_TRACE(::testing::Message() << "call " << call << ", error " << error);
      expect_nothing_lost(found);
      failed += found.opened ? 0 : 1;
      if (HasFailure()) return;
      if (found.opened) note_earlier();
    }
  }
  EXPECT_GT(failed, 3) << "some of these are needed";
}

TEST_F(FailedOpen, DestroysNothingWhateverIsLimited) {
  const auto with_limit = [&](int resource, rlim_t most) {
    const Found found = open_after([&] {
      const rlimit limit = {most, most};
      return setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0;
    });
    SCOPED_TRACE(::testing::Message() << "limit of " << resource << ": " << most);
    expect_nothing_lost(found);
    if (found.opened) note_earlier();
    return found.opened;
  };
  for (const rlim_t size : {0u, 1u, 100u}) EXPECT_FALSE(with_limit(RLIMIT_FSIZE, size)) << size;
  for (const rlim_t files : {0u, 3u, 4u, 5u, 6u, 8u}) with_limit(RLIMIT_NOFILE, files);
  if (kSanitizer) return;  // whose shadow takes all addresses
  for (rlim_t size = 1 << 20; size < 512 << 20; size *= 2) with_limit(RLIMIT_AS, size);
}

// A filter of system calls, or a limit of processes.
TEST_F(FailedOpen, IsNoneWithoutThreads) {
  for (const int error : {EPERM, EAGAIN}) {
    const Found found =
        open_after([&] { return fail_from_now_on(SYS_clone, error) && fail_from_now_on(SYS_clone3, error); });
    if (may_not_) GTEST_SKIP() << "system calls cannot be made to fail";
    EXPECT_TRUE(found.opened) << found.message;
    EXPECT_EQ(std::string(found.notices), "no thread to write the trace (" + std::string(strerror(error)) +
                                              "): each thread writes its own events, and a kill loses what it holds\n");
    EXPECT_EQ(ticks_in(path), numbers(7, 8));
    EXPECT_EQ(rings_of(folder), std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace evt::testing
