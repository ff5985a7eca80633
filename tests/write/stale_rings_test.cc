// Rings that killed programs left and nothing needs: a session that is opened removes all but a few.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "write/ring_folders.h"

namespace evt::testing {
namespace {

std::uint64_t read_so_far() {
  std::ifstream in("/proc/self/io");
  std::string word;
  std::uint64_t bytes = 0;
  if (!(in >> word >> bytes) || word != "rchar:") throw std::runtime_error("/proc/self/io");
  return bytes;
}

// The SESSION and CLOCK blocks with which a ring begins.
std::string read_front(const std::string& ring) {
  std::string front(ring::kPage, '\0');
  std::ifstream(ring, std::ios::binary).read(front.data(), static_cast<std::streamsize>(front.size()));
  return front;
}

class StaleRing : public OwnRings {
 protected:
  // As if its program had been killed so long ago.
  static void given_age(const std::string& ring, int days) {
    timespec times[2] = {};
    clock_gettime(CLOCK_REALTIME, &times[1]);
    times[1].tv_sec -= days * 86'400;
    times[0] = times[1];
    ASSERT_EQ(utimensat(AT_FDCWD, ring.c_str(), times, 0), 0);
  }
  // Bytes that this process reads while a session is opened and closed.
  std::uint64_t read_by_next_program() {
    const std::uint64_t before = read_so_far();
    next_program();
    return read_so_far() - before;
  }
  // A ring whose program was killed before it had a header, of so many bytes.
  std::string given_ring_without_header(const std::string& front, std::uint64_t size) {
    const std::string ring = rings + "/" + name_of(options());
    std::ofstream(ring, std::ios::binary) << front;
    std::filesystem::resize_file(ring, size);
    chmod(ring.c_str(), 0600);
    return ring;
  }
  static bool exists(const std::string& ring) { return std::filesystem::exists(ring); }
};

TEST_F(StaleRing, OfNoFileIsOneOfTheNewestEight) {
  std::vector<std::string> left;
  for (int i = 0; i < 12; ++i) {
    left.push_back(killed_program_with_a_pipe());
    given_age(left.back(), i < 4 ? 5 - i : 0);
  }
  next_program();
  EXPECT_EQ(count(), 8u);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(exists(left[static_cast<std::size_t>(i)]), i >= 4) << i;
}

TEST_F(StaleRing, OfATraceThatIsGoneIsOneOfTheNewestEight) {
  for (int i = 0; i < 12; ++i) {
    const std::string at = folder / std::to_string(i);
    killed_program(at);
    unlink(at.c_str());
  }
  next_program();
  EXPECT_EQ(count(), 8u);
}

TEST_F(StaleRing, OfATraceThatIsThereIsNotCountedAmongThem) {
  std::vector<std::string> needed;
  for (int i = 0; i < 10; ++i) needed.push_back(killed_program(folder / std::to_string(i)));
  for (int i = 0; i < 10; ++i) killed_program_with_a_pipe();
  next_program();
  EXPECT_EQ(count(), 18u);
  for (const std::string& ring : needed) EXPECT_TRUE(exists(ring));
}

TEST_F(StaleRing, OfNoFileStaysForSevenDays) {
  const std::string six = killed_program_with_a_pipe();
  const std::string eight = killed_program_with_a_pipe();
  given_age(six, 6);
  given_age(eight, 8);
  next_program();
  EXPECT_TRUE(exists(six));
  EXPECT_FALSE(exists(eight));
}

TEST_F(StaleRing, WhoseTraceMayBeAnywhereStaysForSevenDays) {
  const std::string six = killed_program(folder / "six");
  const std::string eight = killed_program(folder / "eight");
  for (const char* const name : {"six", "eight"}) {
    std::filesystem::rename(folder / name, folder / (std::string(name) + ".moved"));
    folder.write(name, "another file");
  }
  given_age(six, 6);
  given_age(eight, 8);
  next_program();
  EXPECT_TRUE(exists(six));
  EXPECT_FALSE(exists(eight));
}

TEST_F(StaleRing, WhoseTraceIsThereStaysHoweverOldItIs) {
  const std::string ring = killed_program(path);
  given_age(ring, 100);
  next_program();
  EXPECT_TRUE(exists(ring));
  EXPECT_EQ(ticks_in(path), numbers(0, 10));
}

TEST_F(StaleRing, OfALivingProgramIsNone) {
  const evt_options with = options();
  auto living = Writer::open(path, with);
  const std::string ring = ring_of(with);
  unlink(path.c_str());
  living->flush();  // its flusher has noted by now that the ring is in use
  given_age(ring, 100);
  next_program();
  EXPECT_TRUE(exists(ring));
  EXPECT_TRUE(living->close().ok());
}

TEST_F(StaleRing, OfALaterVersionStays) {
  const std::string ring = killed_program_with_a_pipe();
  const int fd = ::open(ring.c_str(), O_RDWR | O_CLOEXEC);
  ring::Header header = {};
  off_t at = 0;
  do {
    at += ring::kPage;
    ASSERT_EQ(pread(fd, &header, sizeof header, at), static_cast<ssize_t>(sizeof header));
  } while (std::memcmp(header.magic, ring::kMagic, sizeof header.magic) != 0);
  header.version = 2;
  ASSERT_EQ(pwrite(fd, &header, sizeof header, at), static_cast<ssize_t>(sizeof header));
  ::close(fd);
  given_age(ring, 100);
  next_program();
  EXPECT_TRUE(exists(ring));
}

TEST_F(StaleRing, ThatIsNoRingIsTreatedLikeOneOfNoTrace) {
  const std::string none = rings + "/" + name_of(options());
  std::ofstream(none) << "no ring";
  chmod(none.c_str(), 0600);
  given_age(none, 6);
  next_program();
  EXPECT_TRUE(exists(none));
  given_age(none, 8);
  next_program();
  EXPECT_FALSE(exists(none));
}

// Beside a ring that has to stay there are as many as may stay: they are looked at whenever a program starts.
TEST_F(StaleRing, WithoutAHeaderCostsTheSameWhateverItsSize) {
  const std::string front = read_front(killed_program(path));
  std::vector<std::string> left;
  for (int i = 0; i < 8; ++i) left.push_back(given_ring_without_header(front, 64 << 10));
  next_program();
  const std::uint64_t small = read_by_next_program();
  for (const std::string& ring : left) std::filesystem::resize_file(ring, 16 << 20);
  const std::uint64_t large = read_by_next_program();
  EXPECT_EQ(count(), 9u);
  EXPECT_LT(large, small + (64 << 10));
}

TEST_F(StaleRing, OfAnotherUserStays) {
  if (geteuid() != 0) GTEST_SKIP() << "this user cannot give a file away";
  const std::string ring = killed_program_with_a_pipe();
  given_age(ring, 100);
  ASSERT_EQ(chown(ring.c_str(), 1, 1), 0);
  next_program();
  EXPECT_TRUE(exists(ring));
}

// Readers share the lock of a ring.
TEST_F(StaleRing, GoesThoughOthersReadIt) {
  const std::string ring = killed_program_with_a_pipe();
  given_age(ring, 8);
  const int reader = ::open(ring.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(reader, LOCK_SH | LOCK_NB), 0);
  next_program();
  EXPECT_FALSE(exists(ring));
  ::close(reader);
}

// Of more than 16 the oldest goes into its trace, but not while another program puts it there.
TEST_F(StaleRing, WhoseTraceIsBeingRecoveredStays) {
  for (int i = 0; i < 17; ++i) given_age(killed_program(folder / std::to_string(i)), 17 - i);
  const std::string oldest = folder / "0";
  const std::string before = read_file(oldest);
  const int recovery = ::open(oldest.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(recovery, LOCK_EX | LOCK_NB), 0);
  next_program();
  EXPECT_EQ(count(), 17u);
  EXPECT_EQ(read_file(oldest), before);
  ::close(recovery);
  next_program();
  EXPECT_EQ(count(), 16u);
  EXPECT_EQ(ticks_in(oldest), numbers(0, 10));
}

// Of 40 MB these may take 5, and each takes between 2 and 3.
TEST_F(StaleRing, OfNoFileTakesAnEighthOfTheFolderWithOthers) {
  if (!can_mount()) GTEST_SKIP() << "this user cannot mount";
  auto* const left = shared<std::size_t>();
  const int status = in_child([&] {
    if (!mount_memory(rings.c_str(), "size=40m")) _exit(1);
    for (int i = 0; i < 5; ++i) killed_program_with_a_pipe();
    next_program();
    *left = count();
  });
  ASSERT_EQ(status, 0);
  EXPECT_THAT(*left, ::testing::AllOf(::testing::Ge(1u), ::testing::Le(2u)));
}

}  // namespace
}  // namespace evt::testing
