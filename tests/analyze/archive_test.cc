// What objects hold, as numbers, and back.
#include "libtrace-read/analyze/src/archive.h"

#include <gtest/gtest.h>

#include <random>

namespace evt::testing {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

struct Thing {
  std::string name;
  std::optional<std::int64_t> began;
  std::vector<std::uint32_t> places;  // of things; kNone for none
  bool is_last = false;

  bool operator==(const Thing&) const = default;
};

struct Things {
  std::int64_t now = 0;
  std::vector<Thing> all;

  void archive(Archive& archive) {
    archive.numbers(now);
    archive.list(all, 1000, [&](Thing& thing) {
      archive.text(thing.name);
      archive.optional(thing.began);
      archive.list(thing.places, 1000, [&](std::uint32_t& place) { archive.index(place, 1000); });
      archive.numbers(thing.is_last);
    });
  }
  bool operator==(const Things&) const = default;
};

Archive archive_of(Things things) {
  Archive archive;
  things.archive(archive);
  return archive;
}

// Some more, and some changed.
void change(std::mt19937& random, Things* things) {
  things->now = static_cast<std::int64_t>(random()) - INT32_MAX;
  things->all.resize(things->all.size() + random() % 4);
  for (Thing& thing : things->all) {
    if (random() % 2 == 0) continue;
    thing.name = std::string(random() % 20, static_cast<char>('a' + random() % 26));
    thing.began.reset();
    if (random() % 2 == 0) thing.began = random();
    thing.places.resize(random() % 5, kNone);
    for (std::uint32_t& place : thing.places)
      place = random() % 4 == 0 ? kNone : static_cast<std::uint32_t>(random() % 1000);
    thing.is_last = random() % 2 == 0;
  }
}

TEST(AnArchive, IsWhatWasWritten) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    Things before;
    for (int changes = i % 5; changes > 0; --changes) change(random, &before);
    Things now = before;
    change(random, &now);
    const Archive base = archive_of(before);
    Archive whole(archive_of(now).words());
    Archive difference(archive_of(now).words(&base), &base);
    for (Archive* const archive : {&whole, &difference}) {
      Things read;
      read.archive(*archive);
      ASSERT_TRUE(archive->is_whole());
      ASSERT_EQ(read, now);
    }
  }
}

TEST(AnArchive, HasNumbersOfOneKindSideBySide) {
  Things things{5, {{"ab", 7, {}, false}, {"cd", 8, {}, true}}};
  const std::vector<std::uint64_t> words = {1, 5, 1, 2, 2, 2, 2, 2, 1, 1, 2, 0x6261, 0x6463,
                                            2, 1, 1, 2, 7, 8, 2, 0, 0, 2, 0, 1};
  EXPECT_EQ(archive_of(things).words(), words);
}

// Whatever is in one word's place: what is made of it is no more than there are words.
TEST(AnArchive, ThatIsDamagedTakesNoMoreThanItHas) {
  std::mt19937 random(2);
  Things things;
  for (int i = 0; i < 20; ++i) change(random, &things);
  const std::vector<std::uint64_t> words = archive_of(things).words();
  for (std::size_t at = 0; at < words.size(); ++at) {
    for (const std::uint64_t other : {std::uint64_t{0}, words[at] + 1, std::uint64_t{1000}, UINT64_MAX}) {
      std::vector<std::uint64_t> damaged = words;
      damaged[at] = other;
      Archive archive(damaged);
      Things read;
      read.archive(archive);
      std::size_t elements = read.all.size();
      for (const Thing& thing : read.all) elements += thing.places.size() + thing.name.size() / 8;
      ASSERT_LE(elements, words.size()) << "word " << at << ": " << other;
    }
    Archive cut{std::span(words).first(at)};
    Things read;
    read.archive(cut);
    ASSERT_FALSE(cut.is_whole()) << at << " words";
  }
}

TEST(AnArchive, WhoseColumnsHaveOtherLengthsIsDamaged) {
  Archive archive(std::vector<std::uint64_t>{2, 7, 8, 0});
  std::uint64_t one = 1;
  std::uint64_t other = 1;
  archive.numbers(one, other);
  EXPECT_FALSE(archive.is_ok());
  EXPECT_EQ(one, 7u);
  EXPECT_EQ(other, 0u);
}

TEST(AnArchive, IsNotWholeWhereAnythingIsBehindIt) {
  std::vector<std::uint64_t> words = archive_of({}).words();
  words.insert(words.end(), {1, 0});
  Archive archive(words);
  Things read;
  read.archive(archive);
  EXPECT_TRUE(archive.is_ok());
  EXPECT_FALSE(archive.is_whole());
}

TEST(AnArchive, TakesNoIndexBeyondAList) {
  for (std::uint32_t place : {2U, 3U}) {
    Archive written;
    written.index(place, 4);
    Archive read(written.words());
    std::uint32_t found = 0;
    read.index(found, 3);
    EXPECT_EQ(read.is_whole(), place == 2) << place;
  }
}

TEST(AnArchive, OfTooMuchIsNone) {
  std::vector<std::uint64_t> numbers(Archive::kMost);
  Archive archive;
  archive.list(numbers, numbers.size(), [&](std::uint64_t& number) { archive.numbers(number); });
  EXPECT_FALSE(archive.is_ok());
}

}  // namespace
}  // namespace evt::testing
