// Who may read what is made of a trace: nobody who may not read that.
#include <sys/stat.h>
#include <unistd.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class OutputOf : public AtTheShell {
 protected:
  OutputOf() {
    for (const char* const name : {"x.evt", "y.evt"}) {
      given_trace(name,
                  "evtrace text 1\n"
                  "session uuid=0x0001020304054607880" +
                      std::string(name == std::string_view("x.evt") ? "9" : "8") +
                      "0a0b0c0d0e0f start=1767225600 program=\"test\"\n"
                      "type 1024 run role=threadRun (thread u32 role=thread)\n"
                      "type 1025 begin role=spanBegin (name text role=name)\n"
                      "type 1026 end role=spanEnd\n"
                      "type 1027 count role=counter (value u32 role=value)\n"
                      "stream 1 \"a\" thread=7\n"
                      "0.1 1 run thread=7\n0.2 1 begin name=\"s\"\n0.3 1 count value=1\n0.4 1 end\n");
    }
  }

  // The modes of all that a command makes, each once: with inputs of this mode, and this umask.
  std::string modes(const std::string& umask, const std::string& mode, const std::string& command) const {
    const Outcome made =
        run("rm -rf out && mkdir out && chmod " + mode + " x.evt y.evt && umask " + umask + " && (" + command +
            ") >/dev/null 2>err || cat err; find out -mindepth 1 -type f -printf '%m\\n' | sort -u");
    EXPECT_EQ(made.err, "") << command;
    return made.out;
  }
};

// One line for each way to write a file.
const std::vector<std::string>& commands() {
  static const std::vector<std::string> all = {
      "evt convert x.evt -o out/y.txt",
      "evt convert x.evt --columns -o out/y.evt",
      "evt convert x.evt -o out/y.json",
      "evt convert x.evt -o out/y.jsonl",
      "evt convert x.evt -o out/y.csv",
      "evt convert x.evt -o out/y.pftrace",
      "evt convert x.evt -o out/y.vcd",
      "evt convert x.evt -o out/y.folded",
      "evt convert x.evt -o out/y.speedscope.json",
      "evt convert x.evt -o out/y.ctf/",
      "evt convert x.evt y.evt -o out/y.parquet/",
      "evt convert x.evt y.evt --format rowbinary --table run -o out/y.bin",
      "evt cut x.evt -o out/y.evt",
      "evt cut x.evt --split-every 0.2s -o out/y.evt",
      "evt merge x.evt y.evt -o out/y.evt",
      "evt check x.evt --repair out/y.evt",
      "evt view x.evt -o out/y.svg",
      "evt view x.evt y.evt -o out/y.html",
  };
  return all;
}

TEST_F(OutputOf, EveryCommandIsForThoseWhoMayReadItsInput) {
  for (const std::string& command : commands()) {
    EXPECT_EQ(modes("022", "600", command), "600\n") << command;
    EXPECT_EQ(modes("022", "640", command), "640\n") << command;
    EXPECT_EQ(modes("022", "644", command), "644\n") << command;
  }
}

TEST_F(OutputOf, ACommandIsForThoseWhomTheUmaskLeaves) {
  EXPECT_EQ(modes("077", "644", "evt cut x.evt -o out/y.evt"), "600\n");
  EXPECT_EQ(modes("002", "664", "evt cut x.evt -o out/y.evt"), "664\n");
  EXPECT_EQ(modes("022", "444", "evt cut x.evt -o out/y.evt"), "644\n") << "its owner may write it";
}

TEST_F(OutputOf, SeveralInputsIsForThoseWhoMayReadAllOfThem) {
  for (const char* const command : {"evt merge x.evt y.evt -o out/y.evt", "evt convert x.evt y.evt -o out/y.parquet/",
                                    "evt view x.evt y.evt -o out/y.svg"}) {
    EXPECT_EQ(modes("022", "644", std::string("chmod 640 y.evt; ") + command), "640\n") << command;
    EXPECT_EQ(modes("022", "640", std::string("chmod 604 y.evt; ") + command), "600\n") << command;
  }
}

TEST_F(OutputOf, AFolderIsForThoseWhoMayReadAllOfIt) {
  run("evt convert x.evt -o in.ctf/");
  EXPECT_EQ(modes("022", "644", "chmod 700 in.ctf; evt convert in.ctf -o out/y.txt"), "600\n");
  EXPECT_EQ(modes("022", "644", "chmod 755 in.ctf; chmod 600 in.ctf/metadata; evt convert in.ctf -o out/y.txt"),
            "600\n");
  EXPECT_EQ(modes("022", "644", "chmod -R a+rX in.ctf; evt convert in.ctf -o out/y.txt"), "644\n");
}

TEST_F(OutputOf, WhatIsNoFileIsItsOwnersAlone) {
  EXPECT_EQ(modes("022", "644", "cat x.evt | evt cut - -o out/y.evt"), "600\n");
  EXPECT_EQ(modes("022", "640", "evt cut - -o out/y.evt < x.evt"), "640\n") << "a file on standard input has a mode";
}

TEST_F(OutputOf, ACommandThatMakesAFolderIsClosedWithIt) {
  EXPECT_EQ(run("umask 022; chmod 600 x.evt; evt convert x.evt -o y.parquet/; evt convert -q x.evt -o y.ctf/; "
                "find y.parquet y.ctf -type d -printf '%m\n' | sort -u"),
            prints("700\n"));
  EXPECT_EQ(run("umask 022; chmod 640 x.evt; evt convert x.evt -o z.parquet/; evt convert -q x.evt -o z.ctf/; "
                "find z.parquet z.ctf -type d -printf '%m\n' | sort -u"),
            prints("750\n"));
}

// Members of the group of the output are others to the input.
TEST_F(OutputOf, AnInputOfAnotherGroupIsForThoseWhomItTakesForOthers) {
  if (getuid() != 0) GTEST_SKIP() << "only root gives files to other groups";
  ASSERT_EQ(chown(path_of("x.evt").c_str(), 0, 12345), 0);
  EXPECT_EQ(modes("002", "660", "evt cut x.evt -o out/y.evt"), "600\n");
  EXPECT_EQ(modes("002", "664", "evt cut x.evt -o out/y.evt"), "644\n");
}

TEST_F(OutputOf, ACommandThatReplacesAFileHasTheModeOfThat) {
  EXPECT_EQ(modes("022", "600", "touch out/y.evt; chmod 644 out/y.evt; evt cut x.evt -o out/y.evt"), "644\n");
}

}  // namespace
}  // namespace evt::testing
