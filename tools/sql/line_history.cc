#include "sql/line_history.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "output.h"
#include "user_folders.h"

namespace evt::tools {
namespace {

bool write_lines(const std::string& path, int flags, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (file < 0) return false;
  const int error = write_all(file, text.data(), text.size());
  ::close(file);
  errno = error;
  return error == 0;
}

}  // namespace

std::vector<std::string> LineHistory::lines() const {
  std::vector<std::string> lines;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.size() <= kMaxLines) return lines;
  const bool has_many_more = lines.size() > 2 * kMaxLines;
  lines.erase(lines.begin(), lines.end() - kMaxLines);
  // Without it, the file only stays longer.
  const std::string anew = fmt::format("{}.{}", path_, getpid());
  if (has_many_more && write_lines(anew, O_EXCL, lines)) std::rename(anew.c_str(), path_.c_str());
  return lines;
}

void LineHistory::add(const std::string& line) {
  if (path_.empty()) return;
  make_private_folder(std::filesystem::path(path_).parent_path().string());
  if (write_lines(path_, O_APPEND, {line}) || !status_.ok()) return;
  status_ = {Code::kIo, fmt::format("cannot keep the lines that were typed in {}: {}", path_, strerror(errno))};
}

}  // namespace evt::tools
