#include "ctf_folder.h"

#include <errno.h>
#include <fmt/core.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "libtrace-record/collect/installed_file.h"
#include "report.h"
#include "unlinked_file.h"

extern char** environ;

namespace evt::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kImporter = "evt-import-ctf";

bool has_metadata(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "metadata", error);
}

// Its sentences, a line each.
std::vector<std::string> sentences_in(int descriptor) {
  char text[1024];
  const ssize_t size = pread(descriptor, text, sizeof text, 0);
  std::istringstream lines(std::string(text, size > 0 ? static_cast<std::size_t>(size) : 0));
  std::vector<std::string> sentences;
  for (std::string line; std::getline(lines, line);) sentences.push_back(line);
  return sentences;
}

}  // namespace

bool is_ctf_folder(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return false;
  if (has_metadata(path)) return true;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    if (at.depth() > 2) at.disable_recursion_pending();
    if (at->is_directory(error) && has_metadata(at->path())) return true;
  }
  return false;
}

bool is_ctf_stream(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::string magic(4, '\0');
  std::ifstream(path, std::ios::binary).read(magic.data(), static_cast<std::streamsize>(magic.size()));
  return magic == "\xC1\x1F\xFC\xC1" || magic == "\xC1\xFC\x1F\xC1";  // of either byte order
}

Status read_ctf(const std::string& path, int descriptor) {
  if (!is_ctf_folder(path) && !has_metadata(fs::path(path).parent_path())) {
    return {Code::kNotATrace,
            fmt::format("{}: it is a stream of a CTF trace, and the file metadata is not beside it", path)};
  }
  const std::string program = record::installed_file(EVT_IMPORTER_FOLDER, kImporter, X_OK);
  if (program.empty()) {
    return {Code::kIo,
            fmt::format("{}: CTF is read by {}, which is not installed (package evtrace-ctf)", path, kImporter)};
  }
  auto messages = UnlinkedFile::make();
  if (!messages) return messages.status();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages->descriptor(), STDERR_FILENO);
  // A name that begins with a minus is a folder, too.
  const std::string folder = path.starts_with('-') ? "./" + path : path;
  char* const words[] = {const_cast<char*>(kImporter), const_cast<char*>(folder.c_str()), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {Code::kIo, fmt::format("{}: {}", program, strerror(error))};
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  const std::vector<std::string> sentences = sentences_in(messages->descriptor());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    for (const std::string& note : sentences) Report("evt").say(path + ": " + note);
    return {};
  }
  const std::string why =
      !sentences.empty() ? sentences[0] : fmt::format("{} ended by signal {}", kImporter, WTERMSIG(status));
  return {Code::kNotATrace, fmt::format("{}: {}", path, why)};
}

}  // namespace evt::tools
