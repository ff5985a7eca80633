// Traces in files: made anew or added to, and what is reported when there can be none.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/folder.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

class File : public ::testing::Test {
 protected:
  Result<Writer> open(const std::string& at, bool append = false) {
    evt_options options = ordinary_options(clock);
    options.append = append ? 1 : 0;
    evt_session_info info = ordinary_session();
    if (append) info.uuid[15] = 99;
    options.session = &info;
    return Writer::open(at, options);
  }
  // Records one tick into the file.
  void record(const std::string& at, std::uint32_t n, bool append = false) {
    auto writer = open(at, append);
    ASSERT_TRUE(writer.ok()) << writer.status().message();
    writer->stream("a").emit(writer->declare<Tick>(), Tick{n});
    ASSERT_TRUE(writer->close().ok());
  }
  void expect_refused(const std::string& at, const std::string& reason) {
    const auto writer = open(at);
    EXPECT_FALSE(writer.ok());
    EXPECT_EQ(writer.status().code(), Code::kIo);
    EXPECT_EQ(writer.status().message(), "cannot write " + at + ": " + reason);
  }

  Folder folder;
  std::string path = folder / "a.evt";
  StepClock clock;
};

TEST_F(File, HoldsTheTrace) {
  record(path, 1);
  EXPECT_EQ(text_of_trace(read_file(path)), tick_text("0.000000001 1 tick n=1\n"));
}

TEST_F(File, IsItsOwnersAlone) {
  const mode_t before = umask(0);
  record(path, 1);
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
}

TEST_F(File, TakesThePlaceOfAnOldOneWhichWhoeverReadsItKeeps) {
  folder.write("a.evt", "what was there before");
  std::ifstream reader(path);
  record(path, 1);
  std::string old;
  std::getline(reader, old);
  EXPECT_EQ(old, "what was there before");
  EXPECT_EQ(text_of_trace(read_file(path)), tick_text("0.000000001 1 tick n=1\n"));
}

TEST_F(File, MakesWayForOneThatIsStillRecorded) {
  auto old = open(path);
  const auto types = old->declare<Tick>();
  Stream stream = old->stream("a");
  record(path, 2);
  stream.emit(types, Tick{1});
  EXPECT_TRUE(old->close().ok());
  EXPECT_EQ(text_of_trace(read_file(path)), tick_text("0.000000002 1 tick n=1\n"));
  const std::string other = folder / ("a." + std::to_string(getpid()) + ".evt");
  EXPECT_EQ(text_of_trace(read_file(other)), tick_text("0.000000001 1 tick n=2\n"));
}

TEST_F(File, TakesThePlaceOfALinkAndLeavesWhatItLedTo) {
  folder.write("kept", "kept");
  std::filesystem::create_symlink(folder / "kept", path);
  record(path, 1);
  EXPECT_EQ(read_file(folder / "kept"), "kept");
  EXPECT_EQ(text_of_trace(read_file(path)), tick_text("0.000000001 1 tick n=1\n"));
}

TEST_F(File, HoldsTwoSessionsWhenTheSecondIsAppended) {
  record(path, 1);
  record(path, 2, true);
  const std::string bytes = read_file(path);
  Trace trace = open_trace(bytes);
  EXPECT_TRUE(trace.status().ok()) << trace.status().message();
  EXPECT_EQ(trace.sessions().size(), 2u);
  EXPECT_EQ(ticks_of(bytes), (std::vector<std::uint32_t>{1, 2}));
}

TEST_F(File, IsMadeWhenThereIsNoneToAppendTo) {
  record(path, 1, true);
  EXPECT_EQ(ticks_of(read_file(path)), (std::vector<std::uint32_t>{1}));
}

TEST_F(File, MayBeAppendedToAfterItWasCut) {
  record(path, 1);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  record(path, 2, true);
  const std::string bytes = read_file(path);
  Trace trace = open_trace(bytes);
  ASSERT_EQ(trace.sessions().size(), 2u);
  EXPECT_FALSE(trace.sessions()[0].closed);
  EXPECT_TRUE(trace.sessions()[1].closed);
}

TEST_F(File, MayBeTheCallersDescriptorWhichStaysOpen) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
  auto writer = Writer::open(fd, ordinary_options(clock));
  writer->stream("a").emit(writer->declare<Tick>(), Tick{1});
  EXPECT_TRUE(writer->close().ok());
  EXPECT_EQ(write(fd, "", 0), 0);
  EXPECT_EQ(close(fd), 0);
  EXPECT_EQ(text_of_trace(read_file(path)), tick_text("0.000000001 1 tick n=1\n"));
}

TEST_F(File, TellsWhoRecordedIt) {
  {
    auto writer = Writer::open(path);
    writer->this_thread();
  }
  const std::string bytes = read_file(path);
  Trace trace = open_trace(bytes);
  const Session& session = trace.sessions().front();
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  EXPECT_EQ(session.program, "write_tests");
  EXPECT_EQ(session.pid, static_cast<std::uint64_t>(getpid()));
  EXPECT_EQ(session.host, host);
  EXPECT_EQ(session.writer, "evtrace " EVT_VERSION);
  EXPECT_EQ(session.boot_id.size(), 36u);
  EXPECT_THAT(session.command_line.at(0), ::testing::EndsWith("write_tests"));
  EXPECT_EQ(session.uuid[6] >> 4, 4);  // a random one
  EXPECT_EQ(evt_load_u64(&bytes[24]), evt_session_id(session.uuid.data())) << "its last 8 bytes";
  EXPECT_EQ(session.time_scale, EVT_TIME_SCALE_MONOTONIC);
  EXPECT_FALSE(session.draft);
  EXPECT_THAT(bytes, ::testing::HasSubstr("evtrace trace, format 1.0, written by write_tests; described in"));
}

TEST_F(File, HasAClockThatRunsWithTheSystems) {
  auto writer = Writer::open(path);
  const auto types = writer->declare<Tick>();
  Stream stream = writer->this_thread();
  stream.emit(types, Tick{1});
  usleep(20'000);
  stream.emit_ordered(types, Tick{2});
  EXPECT_TRUE(writer->close().ok());
  std::vector<std::int64_t> times;
  each_event(read_file(path), [&](const Event& event) { times.push_back(event.ns()); });
  ASSERT_EQ(times.size(), 2u);
  EXPECT_GE(times[0], 0);
  EXPECT_GE(times[1] - times[0], 19'000'000);
  EXPECT_LE(times[1] - times[0], 10'000'000'000);
}

TEST_F(File, OfEachSessionHasAnIdentityOfItsOwn) {
  const auto uuid_of_a_session = [this] {
    EXPECT_TRUE(Writer::open(path).ok());
    const std::string bytes = read_file(path);
    return open_trace(bytes).sessions().front().uuid;
  };
  const auto first = uuid_of_a_session();
  EXPECT_NE(first, uuid_of_a_session());
}

TEST_F(File, CannotBeInAFolderThatIsNotThere) { expect_refused(folder / "nowhere/a.evt", "No such file or directory"); }

TEST_F(File, CannotBeAFolder) { expect_refused(folder.path(), "it is a directory"); }

TEST_F(File, CannotBeInAFile) {
  folder.write("file", "");
  expect_refused(folder / "file/a.evt", "Not a directory");
}

TEST_F(File, CannotBeWhereNothingFits) { expect_refused("/dev/full", "No space left on device"); }

TEST_F(File, CannotBeADescriptorThatIsNotOpen) {
  evt_error error;
  EXPECT_EQ(evt_open_fd(-1, nullptr, &error), nullptr);
  EXPECT_STREQ(error.message, "cannot write descriptor -1: Bad file descriptor");
}

TEST_F(File, CannotBeADescriptorThatIsForReading) {
  const int fd = ::open(folder.write("a.evt", "").c_str(), O_RDONLY);
  evt_error error;
  EXPECT_EQ(evt_open_fd(fd, nullptr, &error), nullptr);
  EXPECT_EQ(error.code, EVT_CODE_IO);
  EXPECT_EQ(std::string(error.message), "cannot write descriptor " + std::to_string(fd) + ": Bad file descriptor");
  close(fd);
}

TEST_F(File, ThatCannotBeOpenedLeavesNothingToHandleSpecially) {
  EXPECT_EQ(evt_open((folder / "nowhere/a.evt").c_str(), nullptr, nullptr), nullptr);
}

}  // namespace
}  // namespace evt::testing
