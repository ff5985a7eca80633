// The archive (testdata/README.md): every trace in it is the one it was, reads as it did, and is spoken of in the words
// that are kept beside it. With EVT_ARCHIVE=write these words are written anew, and what is not there yet.
#include <evt/trace.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include "format-spec/src/ring/ring_layout.h"
#include "support/command.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

const std::string kArchive = EVT_SOURCE_FOLDER "/testdata";
constexpr const char* kSums = "SHA256SUMS";

bool writing() {
  const char* const request = getenv("EVT_ARCHIVE");
  return request != nullptr && request == std::string("write");
}

// Files with this ending, as `v1/name.evt`, in order.
std::vector<std::string> files(const std::vector<std::string>& folders, const std::string& ending) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(kArchive + "/" + folder)) {
      if (entry.path().extension() == ending) names.push_back(folder + "/" + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> traces() { return files({"v1", "future", "damaged"}, ".evt"); }

// Files that may not change: all traces and rings, and the texts of v1, candidate and rings.
std::vector<std::string> fixed_files() {
  std::vector<std::string> names = traces();
  for (const std::string& text : files({"v1", "candidate", "rings"}, ".txt")) names.push_back(text);
  for (const std::string& trace : files({"candidate", "rings"}, ".evt")) names.push_back(trace);
  for (const std::string& ring : files({"rings"}, ".zst")) names.push_back(ring);
  std::sort(names.begin(), names.end());
  return names;
}

// The files of which there is a sum, in order.
std::vector<std::string> files_with_sums() {
  std::vector<std::string> names;
  std::istringstream lines(read_file(kArchive + "/" + kSums));
  for (std::string sum, name; lines >> sum >> name;) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

void add_missing_texts() {
  for (const std::string& name : traces()) {
    const std::string text = kArchive + "/" + name.substr(0, name.rfind('.')) + ".txt";
    if (std::filesystem::exists(text)) continue;
    std::ofstream(text, std::ios::binary) << run("evt dump --canonical " + name, kArchive).out;
  }
}

void add_missing_sums() {
  const std::vector<std::string> known = files_with_sums();
  for (const std::string& name : fixed_files()) {
    if (std::binary_search(known.begin(), known.end(), name)) continue;
    run("sha256sum " + name + " >>" + kSums + " && LC_ALL=C sort -k 2 -o " + kSums + " " + kSums, kArchive);
  }
}

// What an expression finds in a text, one behind the other: its groups, joined by spaces.
std::vector<std::string> found(const std::string& text, const char* expression) {
  const std::regex regex(expression, std::regex::ECMAScript | std::regex::multiline);
  std::vector<std::string> all;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    all.push_back((*at)[1]);
    for (std::size_t group = 2; group < at->size(); ++group) all.back() += " " + (*at)[group].str();
  }
  return all;
}

// A trace `v1/name.evt`, and the files beside it.
class InArchive : public ::testing::Test {
 protected:
  explicit InArchive(const std::string& trace) {
    const std::filesystem::path path(kArchive + "/" + trace);
    folder_ = path.parent_path().string();
    name_ = path.stem().string();
  }

  Outcome at_the_shell(const std::string& line) const { return run(line, folder_); }
  std::string beside(const std::string& ending) const { return folder_ + "/" + name_ + ending; }
  // A command and what it prints, as it looks at a shell.
  std::string said(const std::string& line) const {
    const Outcome outcome = at_the_shell(line);
    return "$ " + line + "\n" + outcome.out + outcome.err + "exit status " + std::to_string(outcome.status) + "\n";
  }
  void expect_spoken_of_in_the_words_that_are_kept() const {
    const std::string words = said("evt dump --canonical " + name_ + ".evt >/dev/null") +
                              said("evt check " + name_ + ".evt") +
                              said("evt check --json " + name_ + ".evt 2>/dev/null");
    if (writing()) std::ofstream(beside(".said"), std::ios::binary) << words;
    EXPECT_EQ(words, read_file(beside(".said")));
  }

  // Of each session, by every command.
  void expect_one_word_for_its_end() const {
    const std::string file = name_ + ".evt";
    std::vector<std::string> words;
    if (const auto trace = Trace::open(beside(".evt"))) {
      for (const Session& session : trace->sessions()) words.emplace_back(word_of(session.end()));
    }
    constexpr const char* kMember = "\"end\":\"(\\w+)\"";
    constexpr const char* kLine = "^end +(.*)$";
    EXPECT_EQ(found(at_the_shell("evt stats summary --json " + file).out, kMember), words);
    EXPECT_EQ(found(at_the_shell("evt dump --header --json " + file).out, kMember), words);
    EXPECT_EQ(found(at_the_shell("evt check --json " + file).out, kMember), words);
    EXPECT_EQ(found(at_the_shell("evt stats summary " + file).out, kLine), words);
    EXPECT_EQ(found(at_the_shell("evt dump --header " + file).out, kLine), words);
    EXPECT_EQ(found(at_the_shell("evt check " + file).out, "session of .*: (\\w+)(?:, nothing .*)?$"), words);
  }
  // By every command, whatever it reads of the trace.
  void expect_one_cause_of_each_loss() const {
    const std::string file = name_ + ".evt";
    constexpr const char* kSentence = "([0-9]+ (?:more )?events? of stream [0-9]+ \".*\" lost.*)$";
    const std::vector<std::string> causes = found(at_the_shell("evt check " + file).err, kSentence);
    for (const char* const command : {"stats", "stats cpu", "stats cpu --to 0", "dump", "dump --header", "dump --count",
                                      "grep nothing", "convert --format json", "convert --format chrome"}) {
      EXPECT_EQ(found(at_the_shell("evt " + std::string(command) + " " + file).err, kSentence), causes) << command;
    }
    const auto in_json = [&](const std::string& command) {
      std::vector<std::string> all;
      for (const std::string& list : found(at_the_shell(command + file).out, "\"losses\":\\[(.*?)\\]")) {
        for (std::string& loss :
             found(list, "\"stream\":([0-9]+),(?:\"name\":.*?,)?\"cause\":(.*?),\"events\":([0-9]+)")) {
          all.push_back(std::move(loss));
        }
      }
      return all;
    };
    EXPECT_EQ(in_json("evt stats summary --json "), in_json("evt check --json "));
    EXPECT_EQ(in_json("evt check --json ").size(), causes.size());
  }

  std::string folder_;
  std::string name_;
};

class Archived : public InArchive, public ::testing::WithParamInterface<std::string> {
 protected:
  Archived() : InArchive(GetParam()) {}
};

TEST_P(Archived, TraceReadsAsItDid) {
  const std::string text = at_the_shell("evt dump --canonical " + name_ + ".evt").out;
  EXPECT_EQ(text, read_file(beside(".txt")));
  EXPECT_EQ(at_the_shell("cat " + name_ + ".evt | evt dump --canonical -").out, text) << "through a pipe";
}

TEST_P(Archived, TraceIsSpokenOfInTheseWords) { expect_spoken_of_in_the_words_that_are_kept(); }

TEST_P(Archived, EndHasOneWord) { expect_one_word_for_its_end(); }
TEST_P(Archived, LossesHaveOneCause) { expect_one_cause_of_each_loss(); }

std::string test_name(const ::testing::TestParamInfo<std::string>& trace) {
  std::string name = trace.param.substr(0, trace.param.size() - std::string(".evt").size());
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Archived, ::testing::ValuesIn(traces()), test_name);

// What a program left that was killed, its ring among it, which is put where it was.
class ArchivedRing : public InArchive {
 protected:
  ArchivedRing() : InArchive("rings/killed.evt") {}
  ~ArchivedRing() override {
    if (!ring_.empty()) unlink(ring_.c_str());
    close(turn_);
  }

  void SetUp() override {
    if (std::endian::native != std::endian::little) GTEST_SKIP() << "a ring is for machines like the one that wrote it";
    keeps_dead_rings();
    flock(turn_, LOCK_EX);
    ReadOptions without;
    without.rings = false;
    const auto trace = Trace::open(beside(".evt"), without);
    ASSERT_TRUE(trace) << trace.status().message();
    ring_ = ring::kFolder + ("/" + trace->sessions()[0].ring_name);
    const std::string packed = read_file(beside(".ring.zst"));
    std::string bytes(static_cast<std::size_t>(ZSTD_getFrameContentSize(packed.data(), packed.size())), '\0');
    ASSERT_EQ(ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()), bytes.size());
    write_with_holes(ring_, bytes);
    belongs_to(beside(".evt"));
  }
  // A ring names its trace by device and inode, which no archive keeps.
  void belongs_to(const std::string& trace) const {
    struct stat status;
    ASSERT_EQ(stat(trace.c_str(), &status), 0);
    const int fd = open(ring_.c_str(), O_RDWR | O_CLOEXEC);
    ring::Header header = {};
    off_t at = 0;
    do {
      at += ring::kPage;
      ASSERT_EQ(pread(fd, &header, sizeof header, at), ssize_t{sizeof header});
    } while (memcmp(header.magic, ring::kMagic, sizeof header.magic) != 0);
    ring::Output& output = header.outputs[header.segment % 2];
    output.device = status.st_dev;
    output.inode = status.st_ino;
    ASSERT_EQ(pwrite(fd, &header, sizeof header, at), ssize_t{sizeof header});
    close(fd);
  }
  // As a writer's ring is: little of what it may take is in memory.
  static void write_with_holes(const std::string& path, const std::string& bytes) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(ftruncate(fd, static_cast<off_t>(bytes.size())), 0);
    const std::string zeros(ring::kPage, '\0');
    for (std::size_t at = 0; at < bytes.size(); at += ring::kPage) {
      const std::size_t size = std::min(ring::kPage, bytes.size() - at);
      if (bytes.compare(at, size, zeros, 0, size) == 0) continue;
      ASSERT_EQ(pwrite(fd, bytes.data() + at, size, static_cast<off_t>(at)), static_cast<ssize_t>(size));
    }
    close(fd);
  }

  std::string ring_;
  // There is one place for it, and tests may run beside each other.
  const int turn_ = open(beside(".ring.zst").c_str(), O_RDONLY | O_CLOEXEC);
};

TEST_F(ArchivedRing, IsReadWithTheTraceThatItBelongsTo) {
  const std::string text = at_the_shell("evt dump --canonical " + name_ + ".evt").out;
  if (writing() && !std::filesystem::exists(beside(".txt"))) std::ofstream(beside(".txt"), std::ios::binary) << text;
  EXPECT_EQ(text, read_file(beside(".txt")));
}

TEST_F(ArchivedRing, IsSpokenOfInTheseWords) { expect_spoken_of_in_the_words_that_are_kept(); }

TEST_F(ArchivedRing, EndHasOneWord) { expect_one_word_for_its_end(); }
TEST_F(ArchivedRing, LossesHaveOneCause) { expect_one_cause_of_each_loss(); }

TEST_F(ArchivedRing, IsPutIntoACopyOfItsTrace) {
  const Folder folder;
  const std::string copy = folder / "copy.evt";
  std::filesystem::copy_file(beside(".evt"), copy);
  belongs_to(copy);
  EXPECT_EQ(run("evt check --recover copy.evt", folder.path()).status, 0);
  EXPECT_NE(access(ring_.c_str(), F_OK), 0);
  EXPECT_EQ(run("evt dump --canonical copy.evt", folder.path()).out, read_file(beside(".txt")));
}

TEST(Archive, IsTheOneItWas) {
  if (writing()) {
    add_missing_texts();
    add_missing_sums();
  }
  EXPECT_EQ(run(std::string("sha256sum --check --quiet ") + kSums, kArchive), (Outcome{0, "", ""}));
  EXPECT_EQ(files_with_sums(), fixed_files()) << "what is not there yet is added by ./dev archive";
}

// Whoever changes a sealed file changes its sum too; this sum of their sums is changed by nobody.
TEST(Archive, IsSealed) {
  const Outcome seal =
      run(std::string("grep -E '  (v1|candidate|rings)/' ") + kSums + " | sha256sum | cut -d ' ' -f 1", kArchive);
  EXPECT_EQ(seal.out, "1a3175b3267f6b4ab960a6392f1812ab19934992cb70a237408e5b71f75b969b\n");
}

// What a reader of this version has in text can be read back, whatever it was read from, but for what TEXT.md excepts:
// two fields of one name, fields of width 0, and the order that rows without text make.
std::vector<std::string> texts_to_read_back() {
  std::vector<std::string> texts = files({"v1", "future", "damaged"}, ".txt");
  for (const char* const excepted : {"damaged/fields_of_one_name.txt", "future/widths_of_0.txt",
                                     "future/times_of_other_rows.txt", "damaged/segment_without_a_stream.txt"}) {
    EXPECT_EQ(std::erase(texts, excepted), 1u) << excepted;
  }
  return texts;
}

class ArchivedText : public ::testing::TestWithParam<std::string> {};

TEST_P(ArchivedText, MakesATraceThatSaysTheSame) {
  const std::string text = read_file(kArchive + "/" + GetParam());
  std::string again = run("evt convert " + GetParam() + " | evt dump --canonical - 2>/dev/null", kArchive).out;
  // A session without an identity gets one.
  const bool has_uuid = text.find("\nsession uuid=") != std::string::npos;
  if (!has_uuid) again = std::regex_replace(again, std::regex("\nsession uuid=0x[0-9a-f]{32} "), "\nsession ");
  EXPECT_EQ(again, text);
}

INSTANTIATE_TEST_SUITE_P(Every, ArchivedText, ::testing::ValuesIn(texts_to_read_back()), test_name);

}  // namespace
}  // namespace evt::testing
