// What the user of a program should know of its session and that is no error: where it goes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "write/ring_session.h"

namespace evt::testing {
namespace {

struct Heard {
  std::vector<std::pair<std::uint32_t, std::string>> all;
  static void take(void* self, const evt_notice* notice) {
    static_cast<Heard*>(self)->all.emplace_back(notice->kind, notice->message);
  }
};

class Notice : public RingTest {
 protected:
  // A program that was killed while it wrote the trace.
  void SetUp() override {
    killed_after([&] { emit_ticks((new Writer(open()))->stream("a"), {}, 0, 1); });
  }
  void TearDown() override { unsetenv("EVTRACE"); }

  evt_options with(Heard& heard) {
    evt_options with = options();
    with.on_notice = &Heard::take;
    with.on_notice_context = &heard;
    return with;
  }
  // What a program that does `work` prints where standard error is a terminal.
  template <typename Work>
  std::string at_a_terminal(Work work) {
    const int screen = posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_TRUE(screen >= 0 && grantpt(screen) == 0 && unlockpt(screen) == 0);
    const std::string name = ptsname(screen);
    const int keys = ::open(name.c_str(), O_RDWR | O_NOCTTY);
    EXPECT_EQ(in_child([&] {
                dup2(keys, STDERR_FILENO);
                work();
              }),
              0);
    fcntl(screen, F_SETFL, O_NONBLOCK);
    char shown[1024];
    const ssize_t size = read(screen, shown, sizeof shown);
    ::close(keys);
    ::close(screen);
    return {shown, size > 0 ? static_cast<std::size_t>(size) : 0};
  }

  const std::string sentence =
      path + " was not finished by the program that wrote it: it is now " + folder / "a.20260101T000000.evt";
};

TEST_F(Notice, IsHandedToTheProgramThatTakesNotices) {
  Heard heard;
  ::testing::internal::CaptureStderr();
  auto writer = Writer::open(path, with(heard));
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE(writer->close().ok());
  ASSERT_EQ(heard.all.size(), 1u);
  EXPECT_EQ(heard.all[0].first, std::uint32_t{EVT_NOTICE_PATH});
  EXPECT_EQ(heard.all[0].second, sentence);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(Notice, IsPrintedAtATerminalWhereNoProgramTakesIt) {
  EXPECT_EQ(at_a_terminal([&] { const Writer writer = open(); }), "evtrace: " + sentence + "\r\n");
}

TEST_F(Notice, IsNotPrintedWhereTheProgramTakesIt) {
  EXPECT_EQ(at_a_terminal([&] {
              Heard heard;
              const auto writer = Writer::open(path, with(heard));
            }),
            "");
}

TEST_F(Notice, IsNotPrintedElsewhere) {
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(open().close().ok());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// Who sets the variable is not who wrote the program.
TEST_F(Notice, OfASessionThatTheEnvironmentAsksForIsPrintedInAnyCase) {
  setenv("EVTRACE", path.c_str(), 1);
  Heard heard;
  ::testing::internal::CaptureStderr();
  { const auto writer = Writer::open_from_env(with(heard)); }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "evtrace: " + sentence + "\n");
  EXPECT_EQ(heard.all.size(), 1u);
}

TEST_F(Notice, IsShortenedToTheProgramsBuffer) {
  Writer writer = open();
  char none = 'x';
  EXPECT_EQ(evt_writer_notices(writer.get(), &none, 0), sentence.size() + 1);
  EXPECT_EQ(none, 'x');
  char some[9] = "--------";
  EXPECT_EQ(evt_writer_notices(writer.get(), some, 8), sentence.size() + 1);
  EXPECT_EQ(some, sentence.substr(0, 7));
  EXPECT_EQ(evt_writer_notices(nullptr, some, 8), 0u);
  EXPECT_STREQ(some, "");
}

}  // namespace
}  // namespace evt::testing
