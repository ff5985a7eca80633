#include "support/folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "format-spec/src/ring/ring_layout.h"

namespace evt::testing {
namespace {

// Gives the turn back when the test ends: the next one in this process takes its own.
class TurnEnd : public ::testing::EmptyTestEventListener {
 public:
  explicit TurnEnd(int turn) : turn_(turn) {}
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override {
    flock(turn_, LOCK_UN);
    taken = 0;
  }

  static inline std::atomic<int> taken{0};  // LOCK_SH, LOCK_EX; 0: none

 private:
  int turn_;
};

// One that is to be alone waits at the entrance, where those that come after it wait too.
void take_turn(int operation) {
  static const int entrance = open(EVT_SOURCE_FOLDER "/tests/support/folder.cc", O_RDONLY | O_CLOEXEC);
  static const int turn = [] {
    const int file = open(EVT_SOURCE_FOLDER "/tests/CMakeLists.txt", O_RDONLY | O_CLOEXEC);
    ::testing::UnitTest::GetInstance()->listeners().Append(new TurnEnd(file));
    return file;
  }();
  if (TurnEnd::taken == operation || TurnEnd::taken == LOCK_EX) return;
  flock(turn, LOCK_UN);
  const bool has_entered = flock(entrance, operation) == 0 && flock(turn, operation) == 0;
  flock(entrance, LOCK_UN);
  if (!has_entered) throw std::runtime_error("no turn for the test");
  TurnEnd::taken = operation;
}

// Does not wait: other tests put FIFOs there, which nobody writes.
std::string front_of(const std::string& path) {
  std::string front(4 * ring::kPage, '\0');
  const int fd = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const ssize_t size = fd < 0 ? 0 : read(fd, front.data(), front.size());
  if (fd >= 0) close(fd);
  front.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return front;
}

}  // namespace

void keeps_dead_rings() { take_turn(LOCK_SH); }
void leaves_many_dead_rings() { take_turn(LOCK_EX); }

Folder::Folder() {
  keeps_dead_rings();
  std::string name = (std::filesystem::temp_directory_path() / "evt-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
  path_ = name;
}

Folder::~Folder() {
  remove_rings_of(*this);
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(std::string_view name, std::string_view content) const {
  std::string path = *this / name;
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  return path;
}

std::vector<std::string> rings_of(const Folder& folder) {
  std::vector<std::string> rings;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(ring::kFolder, ignored)) {
    if (!ring::is_ring_name(entry.path().filename().c_str())) continue;
    if (front_of(entry.path()).find(folder.path() + "/") != std::string::npos) rings.push_back(entry.path().string());
  }
  return rings;
}

void remove_rings_of(const Folder& folder) {
  for (const std::string& ring : rings_of(folder)) {
    unlink(ring.c_str());
    const std::string front = ring.substr(0, ring.size() - strlen(ring::kNameEnd) + 1);
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(ring::kFolder, ignored)) {
      if (entry.path().string().starts_with(front)) unlink(entry.path().c_str());
    }
  }
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream content;
  content << in.rdbuf();
  return std::move(content).str();
}

std::string source_file(std::string_view path) {
  return read_file(std::string(EVT_SOURCE_FOLDER "/") + std::string(path));
}

}  // namespace evt::testing
