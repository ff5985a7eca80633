// Programs that have more rights than the user who runs them: the environment does not set where they write.
#include <sys/stat.h>
#include <unistd.h>

#include "at_the_shell.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

// The address sanitizer does not let such programs be.
class Setuid : public AtTheShell {
 protected:
  // A copy of an example that is traced where EVTRACE names a file, and what it runs; others may not read the sources.
  void given_interpreter() {
    run("cp " EVT_BIN_FOLDER "/interpreter program && cp " EVT_SOURCE_FOLDER
        "/examples/interpreter/lists.asm . && chmod 755 . program && chmod 644 lists.asm");
  }
  // The program is somebody else's, and runs with that one's rights; false where it cannot.
  bool make_setuid() {
    return chown(path_of("program").c_str(), 1, 1) == 0 && chmod(path_of("program").c_str(), 04755) == 0 &&
           chmod(path_of(".").c_str(), 0777) == 0 &&
           run("cp $(command -v id) who && chown 1:1 who && chmod 4755 who && ./who -u").out == "1\n";
  }
  // Runs it where EVTRACE names a file; whether that is there then.
  bool is_traced() {
    EXPECT_EQ(run("EVTRACE=a.evt ./program lists.asm").out, "20100\n");
    return std::filesystem::exists(path_of("a.evt"));
  }
};

TEST_F(Setuid, ProgramIsTracedByTheEnvironmentWhereItIsNone) {
  given_interpreter();
  EXPECT_TRUE(is_traced());
}

TEST_F(Setuid, ProgramIsNotTracedByTheEnvironment) {
  if (kSanitizer) GTEST_SKIP() << "such programs do not run with it";
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot make a program another's";
  given_interpreter();
  if (!make_setuid()) GTEST_SKIP() << "programs have no rights of their own here";
  EXPECT_FALSE(is_traced());
}

}  // namespace
}  // namespace evt::testing
