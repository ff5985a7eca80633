#include "support/folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace evt::testing {
namespace {

// Gives the turn back when the test ends: the next one in this process takes its own.
class TurnEnd : public ::testing::EmptyTestEventListener {
 public:
  explicit TurnEnd(int turn) : turn_(turn) {}
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override { flock(turn_, LOCK_UN); }

 private:
  int turn_;
};

void take_turn(int operation) {
  static const int turn = [] {
    const int file = open(EVT_SOURCE_FOLDER "/tests/CMakeLists.txt", O_RDONLY | O_CLOEXEC);
    ::testing::UnitTest::GetInstance()->listeners().Append(new TurnEnd(file));
    return file;
  }();
  if (flock(turn, operation) != 0) throw std::runtime_error("no turn for the test");
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
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(std::string_view name, std::string_view content) const {
  std::string path = *this / name;
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  return path;
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
