// A program whose file could not be written to the end: what it lacks is in the ring, and `evt check --recover` puts it
// there.
#include <evt/writer.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "at_the_shell.h"
#include "support/events_of_writer.h"

namespace {

struct DiskStep {
  std::uint32_t n = 0;
};

}  // namespace

template <>
inline constexpr auto evt::schema<DiskStep> = evt::event("step", "", evt::field("n", &DiskStep::n));

namespace evt::testing {
namespace {

constexpr int kMayNot = 77;

// From here on this process writes no file: as if each were on a disk that is full. False where that is not allowed.
bool fill_all_disks() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_writev, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSPC),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

class FullDisk : public AtTheShell {
 protected:
  // 10 steps are in the file, 20,000 are not. Returns the message of close.
  std::string close_on_full_disk() {
    constexpr std::size_t kMax = 512;
    auto* const said =
        static_cast<char*>(mmap(nullptr, kMax, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const pid_t child = fork();
    if (child == 0) {
      evt_session_info info = {};
      info.program = "worker";
      evt_options options = {};
      options.session = &info;
      Writer writer = *Writer::open(path_of("a.evt"), options);
      leave_out_events_of_writer(writer);
      const auto types = writer.declare<DiskStep>();
      Stream stream = writer.stream("a");
      for (std::uint32_t n = 0; n < 10; ++n) stream.emit(types, DiskStep{n});
      stream.flush();
      if (!fill_all_disks()) _exit(kMayNot);
      for (std::uint32_t n = 10; n < 20'010; ++n) stream.emit(types, DiskStep{n});
      snprintf(said, kMax, "%s", writer.close().message().c_str());
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    may_not_ = WIFEXITED(status) && WEXITSTATUS(status) == kMayNot;
    std::string closed = said;
    munmap(said, kMax);
    return closed;
  }
  bool may_not() const { return may_not_; }

 private:
  bool may_not_ = false;
};

TEST_F(FullDisk, LeavesTheRestInTheRingFromWhichItIsRecovered) {
  const std::string closed = close_on_full_disk();
  if (may_not()) GTEST_SKIP() << "system calls cannot be filtered here";
  EXPECT_EQ(closed, "cannot write " + path_of("a.evt") +
                        ": No space left on device; 20000 rows are still in its ring: `evt check --recover` puts them "
                        "into the file");
  EXPECT_EQ(run("evt dump --count a.evt 2> said"), prints("20010\n")) << "the file and the ring";
  const std::string ring = run("grep -o '[^ ]*[.]ring' said").out;
  EXPECT_NE(ring, "");
  const Outcome recovered = run("evt check --recover a.evt");
  EXPECT_EQ(recovered.status, 0) << recovered;
  EXPECT_EQ(run("ls /dev/shm/" + ring + " 2> said").out, "");
  EXPECT_EQ(run("evt dump --count a.evt 2> said"), prints("20010\n"));
  EXPECT_EQ(run("evt dump a.evt 2> said | tail -1 | grep -o n=.*"), prints("n=20009\n"));
}

}  // namespace
}  // namespace evt::testing
