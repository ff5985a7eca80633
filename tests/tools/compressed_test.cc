// Files that gzip, zstd and xz compressed are read as they are, whatever their names; what made them is these programs.
#include <gmock/gmock.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class Compressed : public AtTheShell {
 protected:
  static constexpr std::string_view kJson =
      "[{\"ph\":\"X\",\"pid\":1,\"tid\":7,\"ts\":10.25,\"dur\":2.5,\"name\":\"parse\"},\n"
      "{\"ph\":\"C\",\"pid\":1,\"tid\":7,\"ts\":11,\"name\":\"heap\",\"args\":{\"bytes\":4096}}]\n";
  static constexpr std::string_view kTrace = "stream 1 \"m\"\n0.000000001 1 type#7\n0.000000002 1 type#8\n";
  static constexpr std::string_view kOther =
      "evtrace text 1\n"
      "session uuid=0x000102030405460788090a0b0c0d0e10 start=1767225600.000000000 program=\"other\"\n"
      "stream 1 \"n\"\n0.000000003 1 type#9\n";
  static constexpr std::string_view kLines = "   0.000000001  m  type#7\n   0.000000002  m  type#8\n";

  void SetUp() override {
    for (const char* const program : {"gzip", "zstd", "xz"}) {
      if (run(std::string("command -v ") + program).status != 0) GTEST_SKIP() << "there is no " << program;
    }
  }
};

// Each as a file, as standard input that can be seeked, and as a pipe.
TEST_F(Compressed, FilesOfAllFormatsAreRead) {
  given_trace("x.evt", kTrace);
  given_file("x.json", kJson);
  given_file("x.eventlog", source_file("testdata/eventlog/user.eventlog"));
  const std::string json =
      "   0.000000750  thread 7  chrome.counter name=\"heap\" value=4096\n"
      "   0.000002500  thread 7  chrome.span    duration=0.000002500 name=\"parse\"\n";
  EXPECT_EQ(run("evt dump x.json"), prints(json));
  const Outcome log = run("evt dump x.eventlog");
  ASSERT_EQ(log.status, 0);
  for (const std::string program : {"gzip", "zstd", "xz"}) {
    for (const auto& [file, expected] : {std::pair<std::string, Outcome>{"x.evt", prints(std::string(kLines))},
                                         {"x.json", prints(json)},
                                         {"x.eventlog", log}}) {
      EXPECT_EQ(run(program + " -c " + file + " > packed; evt dump packed"), expected) << program << " " << file;
      EXPECT_EQ(run("evt dump - < packed"), expected) << program << " " << file;
      EXPECT_EQ(run("cat packed | evt dump -"), expected) << program << " " << file;
    }
  }
}

// What a command prints of a trace, and makes of it, does not change: of one name in two folders.
TEST_F(Compressed, TracesAreReadByEveryCommand) {
  given_trace("x.evt", kTrace);
  given_trace("y.evt", kOther);
  ASSERT_EQ(run("mkdir plain packed; mv x.evt y.evt plain; gzip -c plain/x.evt > packed/x.evt; "
                "xz -c plain/y.evt > packed/y.evt"),
            prints(""));
  for (const std::string line :
       {"evt dump x.evt", "evt dump --count x.evt y.evt", "evt dump --types x.evt", "evt dump --follow x.evt",
        "evt check x.evt y.evt", "evt check --repair out x.evt; evt dump out", "evt stats x.evt | tail -n +2",
        "evt grep type#8 x.evt", "evt cut --from 2ns x.evt -o out; cat out",
        "evt merge x.evt y.evt -o out; evt dump out", "evt convert x.evt",
        "evt convert x.evt -o out --columns; cat out", "evt convert x.evt -o out.json; cat out.json",
        "cat x.evt | evt convert - -o out --rows; cat out", "evt view --text x.evt"}) {
    const Outcome plain = run("cd plain; " + line);
    EXPECT_EQ(run("cd packed; " + line), plain) << line;
    EXPECT_EQ(plain.status, 0) << line << plain;
  }
}

TEST_F(Compressed, ATextFormBecomesATrace) {
  given_text("x.txt", kTrace);
  ASSERT_EQ(run("evt convert x.txt -o expected"), prints(""));
  for (const std::string program : {"gzip", "zstd", "xz"}) {
    EXPECT_EQ(run(program + " -c x.txt > packed; evt convert packed -o out && cmp out expected"), prints(""));
    EXPECT_EQ(run("cat packed | evt convert - -o out && cmp out expected"), prints(""));
  }
  EXPECT_EQ(run("evt dump packed"),
            refuses(3,
                    "evt dump: packed, decompressed, is not a trace: it looks like the text form of a trace: "
                    "evt convert makes a trace of it\n"));
  EXPECT_EQ(run("head -c 100 packed > cut; evt convert cut -o none"),
            refuses(3, "evt convert: cut: at 100: the xz data is truncated: it ends here\n"));
}

// A log is rotated: what is compressed later is put behind it. A tape pads with zeros.
TEST_F(Compressed, PartsThatFollowOneAnotherAreOneFile) {
  given_trace("x.evt", kTrace);
  ASSERT_EQ(run("head -c 300 x.evt > front; tail -c +301 x.evt > rest; : > none"), prints(""));
  for (const std::string program : {"gzip", "zstd", "xz"}) {
    EXPECT_EQ(run("for each in front none rest; do " + program + " -c $each; done > packed; evt dump packed"),
              prints(std::string(kLines)));
    EXPECT_EQ(run("(" + program + " -c front; head -c 4096 /dev/zero; " + program +
                  " -c rest; head -c 70000 /dev/zero) > packed; evt dump packed"),
              prints(std::string(kLines)));
  }
}

TEST_F(Compressed, FramesOfZstdMaySayNothingOfTheirSizeOrBeSkipped) {
  given_trace("x.evt", kTrace);
  EXPECT_EQ(run("cat x.evt | zstd -c --long=27 > packed; evt dump packed"), prints(std::string(kLines)));
  // A frame to skip, of four bytes, as pzstd writes one in front of each of its own.
  const std::string skipped("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
  given_file("skipped", skipped);
  EXPECT_EQ(run("zstd -qc x.evt | cat skipped - skipped > packed; evt dump packed"), prints(std::string(kLines)));
}

TEST_F(Compressed, AWindowThatNoMachineHasIsRefused) {
  // A frame whose window is 2 to the power of 28; a stream of xz whose dictionary is 192 MiB.
  given_file("packed", "\x28\xb5\x2f\xfd" + std::string("\0\x90\x01\0\0", 5));
  EXPECT_EQ(run("evt dump packed"),
            refuses(3,
                    "evt dump: packed cannot be decompressed: the zstd data is damaged here: its window is larger than "
                    "128 MiB, which are the most that are read\n"));
  given_file("small", "x");
  EXPECT_EQ(run("xz --format=xz --lzma2=preset=0,dict=192MiB -c small > packed; evt dump packed"),
            refuses(3,
                    "evt dump: packed cannot be decompressed: the xz data is damaged here: its window is larger than "
                    "128 MiB, which are the most that are read\n"));
}

// A download broke off. What came before is there.
TEST_F(Compressed, ATruncatedFileIsReadUpToItsEnd) {
  std::string json = "[";
  for (int i = 1; i <= 20000; ++i) {
    json += (i > 1 ? ",\n" : "") + std::string("{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":") +
            std::to_string(i * i % 7919 + i) + ",\"dur\":1,\"name\":\"n" + std::to_string(i) + "\"}";
  }
  given_file("x.json", json + "]\n");
  for (const std::string program : {"gzip", "zstd", "xz"}) {
    ASSERT_EQ(run(program + " -c x.json > packed; head -c -1000 packed > cut; stat -c %s cut | tr -d '\\n' > size"),
              prints(""));
    // The program itself decompresses as much of it.
    const Outcome front =
        run(program + " -dc cut 2>/dev/null > front; evt dump front 2>&1 | sed 's/dump: front/dump: cut/'");
    EXPECT_THAT(front.out, HasSubstr("n18000"));
    EXPECT_EQ(run("evt dump cut 2>&1 | grep -v 'data is truncated'"), front);
    EXPECT_EQ(
        run("evt dump cut 2>&1 > none | grep 'data is truncated'"),
        prints("evt dump: cut: at " + content_of("size") + ": the " + program + " data is truncated: it ends here\n"));
    EXPECT_EQ(run("cat cut | evt dump --count - 2> none").status, 1);
  }
}

// Its own checksum is wrong, those of the trace are right.
TEST_F(Compressed, AFileWhoseChecksumIsWrongIsReadAndNamed) {
  given_trace("x.evt", kTrace);
  ASSERT_EQ(run("gzip -c x.evt > packed; (head -c -8 packed; printf '\\1\\2\\3\\4'; tail -c 4 packed) > broken; "
                "stat -c %s broken | tr -d '\\n' > size"),
            prints(""));
  const std::string at = std::to_string(std::stoi(content_of("size")) - 4);
  EXPECT_EQ(run("evt dump broken"), (Outcome{1, std::string(kLines),
                                             "evt dump: broken: 4 bytes from offset " + at +
                                                 " ignored: the gzip data is damaged here: incorrect data check\n"}));
  EXPECT_EQ(run("cat broken | evt dump -"), (Outcome{1, std::string(kLines),
                                                     "evt dump: standard input: at " + at +
                                                         ": the gzip data is damaged here: incorrect data check\n"}));
}

TEST_F(Compressed, AFrameOfZstdWhoseChecksumIsWrongIsReadAndNamed) {
  given_trace("x.evt", kTrace);
  ASSERT_EQ(run("zstd -qc x.evt > packed; (head -c -4 packed; printf '\\1\\2\\3\\4') > broken; "
                "stat -c %s broken | tr -d '\\n' > size"),
            prints(""));
  // It has taken the first byte of the checksum.
  const std::string at = std::to_string(std::stoi(content_of("size")) - 3);
  EXPECT_EQ(run("evt dump broken"),
            (Outcome{1, std::string(kLines),
                     "evt dump: broken: 3 bytes from offset " + at +
                         " ignored: the zstd data is damaged here: Restored data doesn't match checksum\n"}));
}

TEST_F(Compressed, WhatFollowsThatIsNotCompressedIsDamage) {
  given_trace("x.evt", kTrace);
  ASSERT_EQ(run("gzip -c x.evt > packed; stat -c %s packed | tr -d '\\n' > size; echo more >> packed"), prints(""));
  EXPECT_EQ(run("evt dump packed"), (Outcome{1, std::string(kLines),
                                             "evt dump: packed: 5 bytes from offset " + content_of("size") +
                                                 " ignored: what follows is no gzip data\n"}));
}

TEST_F(Compressed, AFileOfNothingUsableIsRefused) {
  given_file("f", "\x1f\x8b\x08 and what is no gzip data");
  EXPECT_EQ(
      run("evt dump f"),
      refuses(3, "evt dump: f cannot be decompressed: the gzip data is damaged here: unknown header flags set\n"));
  EXPECT_EQ(run(": | gzip > f; evt dump f"), refuses(3, "evt dump: f, decompressed, is empty\n"));
  EXPECT_EQ(run("echo a letter | xz > f; evt dump f"),
            refuses(3, "evt dump: f, decompressed, is not a trace: it begins with plain text\n"));
}

TEST_F(Compressed, WhatIsCompressedTwiceIsNamed) {
  given_trace("x.evt", kTrace);
  EXPECT_EQ(run("zstd -qc x.evt | gzip > f; evt dump f"),
            refuses(3, "evt dump: f, decompressed, is not a trace: it looks like a zstd file: decompress it first\n"));
  EXPECT_EQ(run("gzip -c x.evt | xz > f; cat f | evt dump -"),
            refuses(3,
                    "evt dump: standard input, decompressed, is not a trace: it looks like a gzip file: "
                    "decompress it first\n"));
  EXPECT_EQ(
      run("xz -c x.evt | zstd -qc > f; evt convert f -o out"),
      refuses(3, "evt convert: f, decompressed, is not a trace: it looks like an xz file: decompress it first\n"));
}

// One of zeros ends by its front, one that begins as JSON does by how large it becomes.
TEST_F(Compressed, BombsEnd) {
  EXPECT_EQ(run("head -c 8G /dev/zero 2>/dev/null | head -c 40M | zstd -qc > f; evt dump f"),
            refuses(3, "evt dump: f, decompressed, is not a trace: it begins with zeros\n"));
  const std::string bomb = "(printf '['; head -c 80M /dev/zero | tr '\\0' ' ') | zstd -qc > f; ";
  EXPECT_EQ(run(bomb + "evt dump f"),
            refuses(3, "evt dump: f is not a trace: it decompresses to more than 64 MiB and 1000 times its size\n"));
  EXPECT_EQ(
      run("cat f | evt check -"),
      refuses(
          3,
          "evt check: standard input is not a trace: it decompresses to more than 64 MiB and 1000 times its size\n"));
}

// The folder of temporary files is a disk of 16 MiB, of which a sixteenth stays free.
TEST_F(Compressed, ADiskForTemporaryFilesIsNotFilled) {
  const std::string line =
      "(printf '[{\"a\":\"'; head -c 12M /dev/urandom | od -An -tx1 | tr -d '\\n') | gzip -1 > f; mkdir disk; "
      "unshare -m true 2>/dev/null || exit 99\n"
      "unshare -m bash -c 'mount -t tmpfs -o size=16m none disk 2>/dev/null || exit 99; ";
  const Outcome outcome = run(line + "TMPDIR=disk evt dump f'");
  if (outcome.status == 99) GTEST_SKIP() << "no disk can be mounted here";
  EXPECT_EQ(outcome, refuses(3,
                             "evt dump: cannot keep f in a temporary file: 1 MiB have to stay free in the folder of "
                             "temporary files (TMPDIR names another)\n"));
}

TEST_F(Compressed, AFolderOfTracesMayHaveSome) {
  given_trace("x.evt", kTrace);
  given_trace("y.evt", kOther);
  ASSERT_EQ(run("mkdir plain packed; mv x.evt y.evt plain; gzip -c plain/x.evt > packed/x.evt.gz; "
                "zstd -qc plain/y.evt > packed/y.evt.zst; cp plain/y.evt packed/not.gz"),
            prints(""));
  const Outcome plain = run("evt dump plain");
  EXPECT_EQ(run("evt dump packed"), plain);
  EXPECT_EQ(run("evt dump --count packed"), prints("3\n"));
}

// A ring is one of the file that its program wrote.
TEST_F(Compressed, ATraceIsNotRecovered) {
  given_trace("x.evt", kTrace);
  EXPECT_EQ(run("gzip x.evt; evt check --recover x.evt.gz"),
            refuses(3, "evt check: cannot recover x.evt.gz: it is compressed: decompress it first\n"));
}

}  // namespace
}  // namespace evt::testing
