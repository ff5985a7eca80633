// The folder in which checkpoints of traces are kept.
#include <evt/analysis/state_history.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scheduling.h"
#include "states.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

using std::filesystem::last_write_time;

void write_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

class Checkpoints : public ::testing::Test {
 protected:
  Checkpoints() : bytes_(trace_from_text(scheduling_.text())), trace_(open_trace(bytes_)), end_(scheduling_.end_ns()) {
    right_ = words_of(StateHistory(trace_, {}).at(0, end_), end_);
  }

  HistoryOptions options() const {
    HistoryOptions options;
    options.cache_folder = folder_ / "cache";
    options.events_per_checkpoint = 4;
    options.rows_per_byte = 0;
    return options;
  }
  // The file that has them; the answer is right, whatever it is.
  std::string ask(const HistoryOptions& options) { return ask(trace_, right_, options); }
  std::string ask() { return ask(options()); }
  std::string ask(Trace& trace, const std::string& right, const HistoryOptions& options) {
    StateHistory history(trace, options);
    EXPECT_EQ(words_of(history.at(0, end_), end_), right);
    message_ = history.status().message();
    return history.checkpoint_file();
  }
  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_ / "cache");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  static unsigned mode_of(const std::string& path) {
    struct stat facts {};
    EXPECT_EQ(stat(path.c_str(), &facts), 0);
    return facts.st_mode & 07777U;
  }

  Folder folder_;
  Scheduling scheduling_{3};
  std::string bytes_;
  Trace trace_;
  std::int64_t end_;
  std::string right_;
  std::string message_;  // why none were kept
};

TEST_F(Checkpoints, AreTheUsersAlone) {
  const std::string file = ask();
  EXPECT_EQ(mode_of(folder_ / "cache"), 0700U);
  EXPECT_EQ(mode_of(file), 0600U);
}

TEST_F(Checkpoints, AreKeptForTheNextTime) {
  const std::string file = ask();
  const std::string content = read_file(file);
  EXPECT_EQ(ask(), file);
  EXPECT_EQ(read_file(file), content);
  EXPECT_EQ(files(), 1U);
}

// The pass that looked for moments to keep has met the end.
TEST_F(Checkpoints, ThatAreTooLargeForTheirTraceCostNoSecondPass) {
  HistoryOptions none_fits = options();
  none_fits.rows_per_byte = 1'000'000;
  StateHistory history(trace_, none_fits);
  EXPECT_EQ(words_of(history.at(0, end_), end_), right_);
  EXPECT_EQ(history.events_replayed(), 0U);
  const std::int64_t middle = end_ / 2;
  EXPECT_EQ(words_of(history.at(0, middle), middle), words_of(StateHistory(trace_, {}).at(0, middle), middle));
}

TEST_F(Checkpoints, OfATraceThatChangedAreOthers) {
  folder_.write("a.evt", bytes_);
  HistoryOptions of_file = options();
  of_file.trace_file = folder_ / "a.evt";
  const std::string before = ask(of_file);
  last_write_time(folder_ / "a.evt", last_write_time(folder_ / "a.evt") + std::chrono::seconds(1));
  EXPECT_NE(ask(of_file), before);
}

TEST_F(Checkpoints, OfATraceWithAnotherEndAreOthers) {
  const std::string before = ask();
  std::string other = bytes_;
  other.back() = static_cast<char>(other.back() ^ 1);
  Trace damaged = open_trace(other);
  StateHistory history(damaged, options());
  history.at(0, end_);
  EXPECT_NE(history.checkpoint_file(), before);
}

TEST_F(Checkpoints, OfAnotherTraceUnderItsNameAreMadeAgain) {
  const std::string file = ask();
  const std::string content = read_file(file);
  const std::string other_bytes = trace_from_text(Scheduling(4).text());
  Trace other = open_trace(other_bytes);
  StateHistory of_other(other, options());
  of_other.at(0, end_);
  ASSERT_NE(of_other.checkpoint_file(), file);
  std::filesystem::rename(of_other.checkpoint_file(), file);
  EXPECT_EQ(ask(), file);
  EXPECT_EQ(read_file(file), content);
}

TEST_F(Checkpoints, ThatAreDamagedAreMadeAgain) {
  const std::string file = ask();
  const std::string content = read_file(file);
  for (std::size_t at = 0; at < content.size(); at += content.size() / 100) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    write_file(file, damaged);
    ASSERT_EQ(ask(), file) << "byte " << at;
    write_file(file, content.substr(0, at));
    ASSERT_EQ(ask(), file) << at << " bytes";
    ASSERT_EQ(read_file(file), content) << at;
  }
}

// Of two sessions, so that there is more than one chain of them. Each byte of the table and of what locates it, and
// some of the states.
TEST_F(Checkpoints, AnyByteOfWhichIsDamagedOrMissingGiveTheRightAnswer) {
  const std::string two =
      trace_from_text(Scheduling(3).text()) +
      trace_from_text("evtrace text 1\nsession uuid=0x100102030405460788090a0b0c0d0e1f start=2.000000000\n" +
                      Scheduling(4).text());
  Trace trace = open_trace(two);
  ASSERT_EQ(trace.sessions().size(), 2U);
  const auto answers = [&](const HistoryOptions& options, std::string* file) {
    StateHistory history(trace, options);
    std::string words;
    for (const std::size_t session : {0U, 1U}) {
      const std::int64_t last = trace.sessions()[session].last_ns;
      for (const std::int64_t ns : {last / 3, last / 2, last}) words += words_of(history.at(session, ns), ns);
    }
    *file = history.checkpoint_file();
    return words;
  };
  std::string file;
  const std::string right = answers({}, &file);
  HistoryOptions few = options();
  few.events_per_checkpoint = 12;
  ASSERT_EQ(answers(few, &file), right);
  const std::string content = read_file(file);
  std::mt19937 random(1);
  for (std::size_t at = 0; at < content.size(); at += at < 8 || content.size() - at < 250 ? 1 : 11) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] + static_cast<char>(1 + random() % 255));
    for (const std::string& kept : {damaged, content.substr(0, at)}) {
      write_file(file, kept);
      ASSERT_EQ(answers(few, &file), right) << "byte " << at;
      ASSERT_EQ(read_file(file).size(), content.size()) << "byte " << at;
    }
  }
}

// A tail that claims more than a file has, or than a state may be.
TEST_F(Checkpoints, ThatClaimTooMuchAreMadeAgain) {
  const std::string file = ask();
  const std::string content = read_file(file);
  for (const std::size_t from_end : {24U, 16U, 12U}) {
    for (const char byte : {'\x7F', '\xFF'}) {
      std::string forged = content;
      forged.replace(forged.size() - from_end, 4, 4, byte);
      write_file(file, forged);
      ASSERT_EQ(ask(), file);
      ASSERT_EQ(read_file(file), content);
    }
  }
}

TEST_F(Checkpoints, UnderALinkAreNotFollowed) {
  const std::string file = ask();
  std::filesystem::rename(file, folder_ / "elsewhere");
  std::filesystem::create_symlink(folder_ / "elsewhere", file);
  const std::string content = read_file(folder_ / "elsewhere");
  EXPECT_EQ(ask(), file);
  EXPECT_FALSE(std::filesystem::is_symlink(file));
  EXPECT_EQ(read_file(folder_ / "elsewhere"), content);
}

TEST_F(Checkpoints, ThatWereUsedLongestAgoGoFirst) {
  const std::string file = ask();
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(file));
  const auto given = [&](const std::string& name, int seconds_ago) {
    folder_.write("cache/" + name, std::string(size, 'x'));
    last_write_time(folder_ / ("cache/" + name), last_write_time(file) - std::chrono::seconds(seconds_ago));
  };
  given("old.checkpoints", 30);
  given("older.checkpoints", 40);
  given("new.checkpoints", 20);
  given("notes.txt", 50);
  unlink(file.c_str());
  HistoryOptions few = options();
  few.cache_bytes = 2 * size;
  ask(few);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "cache/new.checkpoints"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache/old.checkpoints"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache/older.checkpoints"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "cache/notes.txt"));
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(Checkpoints, ThatAreReadAreTheLatestUsed) {
  const std::string file = ask();
  const auto long_ago = last_write_time(file) - std::chrono::hours(100);
  last_write_time(file, long_ago);
  ask();
  EXPECT_GT(last_write_time(file), long_ago + std::chrono::hours(50));
}

TEST_F(Checkpoints, AreNotKeptWhereOthersMayWrite) {
  std::filesystem::create_directory(folder_ / "cache");
  chmod((folder_ / "cache").c_str(), 0770);
  EXPECT_EQ(ask(), "");
  EXPECT_EQ(message_, "cannot keep checkpoints in " + folder_ / "cache: other users may write there");
}

TEST_F(Checkpoints, AreNotKeptInTheFolderOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a folder away";
  std::filesystem::create_directory(folder_ / "cache");
  chmod((folder_ / "cache").c_str(), 0700);
  ASSERT_EQ(chown((folder_ / "cache").c_str(), 1, 1), 0);
  EXPECT_EQ(ask(), "");
  EXPECT_EQ(message_, "cannot keep checkpoints in " + folder_ / "cache: it is another user's");
}

TEST_F(Checkpoints, MakeNoFolderInTheFolderOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a folder away";
  std::filesystem::create_directory(folder_ / "home");
  ASSERT_EQ(chown((folder_ / "home").c_str(), 1, 1), 0);
  HistoryOptions elsewhere = options();
  elsewhere.cache_folder = folder_ / "home/.cache/evtrace";
  EXPECT_EQ(ask(elsewhere), "");
  EXPECT_EQ(message_, "cannot keep checkpoints in " + folder_ / "home/.cache/evtrace: Permission denied");
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "home"));
}

TEST_F(Checkpoints, AreNotKeptInAFile) {
  folder_.write("cache", "");
  EXPECT_EQ(ask(), "");
  EXPECT_EQ(message_, "cannot keep checkpoints in " + folder_ / "cache: it is no folder");
}

}  // namespace
}  // namespace evt::testing
