// Side files of statistics: who may read and write them, and whose are believed.
#include <evt/analysis/state_history.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "scheduling.h"
#include "states.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

class SideFile : public ::testing::Test {
 protected:
  SideFile() : bytes_(trace_from_text(scheduling_.text())), trace_(open_trace(bytes_)) {
    folder_.write("x.evt", bytes_);
    ask();
  }

  // What is said is right, whatever the file is.
  StateHistory ask() {
    HistoryOptions options;
    options.side_file = path_;
    options.trace_file = folder_ / "x.evt";
    options.other_side_file = other_;
    options.events_per_checkpoint = 4;
    options.rows_per_byte = 0;
    StateHistory history(trace_, options);
    const std::int64_t end = scheduling_.end_ns();
    EXPECT_EQ(words_of(history.at(0, end), end), words_of(StateHistory(trace_, {}).at(0, end), end));
    return history;
  }
  struct stat facts() const {
    struct stat facts {};
    EXPECT_EQ(lstat(path_.c_str(), &facts), 0);
    return facts;
  }
  bool is_made_again() {
    const struct stat before = facts();
    // What is replaced must not have its number again.
    const int held = open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    ask();
    if (held >= 0) close(held);
    return facts().st_ino != before.st_ino;
  }

  Folder folder_;
  std::string path_ = folder_ / "x.evt.state";
  std::string other_;  // where it may go instead
  Scheduling scheduling_{1};
  std::string bytes_;
  Trace trace_;
};

TEST_F(SideFile, MayBeReadAndWrittenByNoMoreThanItsTrace) {
  const mode_t before = umask(0);
  for (const mode_t mode : {0600U, 0640U, 0644U, 0664U, 0666U, 0700U, 0755U}) {
    for (const mode_t mask : {0U, 022U, 077U}) {
      umask(mask);
      chmod((folder_ / "x.evt").c_str(), mode);
      unlink(path_.c_str());
      ask();
      EXPECT_EQ(facts().st_mode & 07777U, mode & 0666U & ~mask) << std::oct << mode << " with " << mask;
    }
  }
  umask(before);
}

// As root has any group; others have the ones that they are in.
TEST_F(SideFile, IsOfTheGroupOfItsTrace) {
  constexpr gid_t kGroup = 54321;
  if (chown((folder_ / "x.evt").c_str(), geteuid(), kGroup) != 0) GTEST_SKIP() << "needs the right to give files away";
  chmod((folder_ / "x.evt").c_str(), 0640);
  unlink(path_.c_str());
  ask();
  EXPECT_EQ(facts().st_gid, kGroup);
  EXPECT_EQ(facts().st_mode & 07777U, 0640U);
}

TEST_F(SideFile, ThatAnotherGroupMayWriteIsMadeAgain) {
  chmod((folder_ / "x.evt").c_str(), 0660);
  unlink(path_.c_str());
  ask();
  EXPECT_FALSE(is_made_again());
  if (chown(path_.c_str(), geteuid(), 54321) != 0) GTEST_SKIP() << "needs the right to give files away";
  chmod(path_.c_str(), 0660);
  EXPECT_TRUE(is_made_again());
}

TEST_F(SideFile, OfATraceInMemoryIsOnesOwn) {
  HistoryOptions options;
  options.side_file = path_;
  options.events_per_checkpoint = 4;
  options.rows_per_byte = 0;
  unlink(path_.c_str());
  StateHistory(trace_, options).at(0, 5);
  EXPECT_EQ(facts().st_mode & 07777U, 0600U);
}

TEST_F(SideFile, OfOnesOwnIsBelieved) { EXPECT_FALSE(is_made_again()); }

TEST_F(SideFile, ThatOthersMayWriteButNotTheTraceIsMadeAgain) {
  chmod(path_.c_str(), 0666);
  EXPECT_TRUE(is_made_again());
  EXPECT_EQ(facts().st_mode & 022U, 0U);
}

TEST_F(SideFile, MayBeALinkAndIsNotFollowed) {
  std::filesystem::rename(path_, folder_ / "elsewhere");
  const std::string content = read_file(folder_ / "elsewhere");
  std::filesystem::create_symlink("elsewhere", path_);
  EXPECT_TRUE(is_made_again());
  EXPECT_TRUE(S_ISREG(facts().st_mode));
  EXPECT_EQ(read_file(folder_ / "elsewhere"), content);
}

TEST_F(SideFile, MayBeALinkToNowhereAndNothingIsWrittenThere) {
  unlink(path_.c_str());
  std::filesystem::create_symlink("nowhere", path_);
  EXPECT_TRUE(is_made_again());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "nowhere"));
}

TEST_F(SideFile, MayBeAFifoAndIsNotWaitedFor) {
  unlink(path_.c_str());
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_TRUE(is_made_again());
  EXPECT_TRUE(S_ISREG(facts().st_mode));
}

TEST_F(SideFile, MayBeAFolderAndStaysOne) {
  unlink(path_.c_str());
  std::filesystem::create_directory(path_);
  EXPECT_EQ(ask().status().message(), "cannot create " + path_ + ": Is a directory");
  EXPECT_TRUE(std::filesystem::is_directory(path_));
}

TEST_F(SideFile, OfAnotherUserIsMadeAgain) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a file away";
  ASSERT_EQ(chown(path_.c_str(), 1, 1), 0);
  EXPECT_TRUE(is_made_again());
  EXPECT_EQ(facts().st_uid, 0U);
}

TEST_F(SideFile, OfTheTracesOwnerIsBelieved) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a file away";
  ASSERT_EQ(chown((folder_ / "x.evt").c_str(), 1, 1), 0);
  ASSERT_EQ(chown(path_.c_str(), 1, 1), 0);
  EXPECT_FALSE(is_made_again());
}

// As root, above all: what it leaves behind only root can remove.
TEST_F(SideFile, IsNotMadeInTheFolderOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a folder away";
  unlink(path_.c_str());
  ASSERT_EQ(chown(folder_.path().c_str(), 1, 1), 0);
  EXPECT_EQ(ask().status().message(), "cannot create " + path_ + ": its folder is another user's");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SideFile, GoesElsewhereInsteadOfIntoTheFolderOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a folder away";
  unlink(path_.c_str());
  ASSERT_EQ(chown(folder_.path().c_str(), 1, 1), 0);
  const Folder own;
  other_ = own / "made/for/it";
  StateHistory history = ask();
  EXPECT_EQ(history.status().message(), "");
  EXPECT_EQ(history.side_file(), other_);
}

// Nor are folders made there, such as those of a cache of whoever called sudo.
TEST_F(SideFile, MakesNoFoldersInTheFolderOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a folder away";
  unlink(path_.c_str());
  ASSERT_EQ(chown(folder_.path().c_str(), 1, 1), 0);
  other_ = folder_ / "made/for/it";
  EXPECT_EQ(ask().status().message(), "cannot create " + path_ + ": its folder is another user's");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "made"));
}

TEST_F(SideFile, OfAnotherUserThatCannotBeReplacedIsLeftAlone) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a file away";
  ASSERT_EQ(chmod(folder_.path().c_str(), 01777), 0);
  ASSERT_EQ(chown(path_.c_str(), 1, 1), 0);
  ASSERT_EQ(seteuid(65534), 0);
  const std::string said = ask().status().message();
  const bool again = is_made_again();
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_EQ(said, "cannot create " + path_ + ": its folder is another user's");
  EXPECT_FALSE(again);
}

}  // namespace
}  // namespace evt::testing
