#include "browser.h"

#include <fcntl.h>
#include <pwd.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "descriptor.h"

namespace evt::tools::http {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string user_name() {
  const passwd* const entry = getpwuid(geteuid());
  return entry == nullptr ? "" : entry->pw_name;
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream from(text);
  for (std::string part; std::getline(from, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::string redirection_to(const std::string& url) {
  return "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<meta http-equiv=\"refresh\" content=\"0; url=" +
         url +
         "\">\n<title>evt view</title>\n"
         "<a href=\"" +
         url + "\">evt view</a>\n";
}

// The words of a command, the file in the place of %s or behind them.
std::vector<std::string> words_of(const std::string& command, const std::string& file) {
  std::vector<std::string> words = parts_of(command, ' ');
  bool has_file = false;
  for (std::string& word : words) {
    const std::size_t at = word.find("%s");
    if (at == std::string::npos) continue;
    word.replace(at, 2, file);
    has_file = true;
  }
  if (!has_file) words.push_back(file);
  return words;
}

}  // namespace

Surroundings Surroundings::of_process() {
  Surroundings found;
  found.browser = variable("BROWSER");
  found.has_display = !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
  found.ssh_connection = variable("SSH_CONNECTION");
  found.folder = variable("XDG_RUNTIME_DIR");
  std::error_code error;
  if (found.folder.empty()) found.folder = std::filesystem::temp_directory_path(error).string();
  found.user = user_name();
  return found;
}

Browser::~Browser() {
  if (!file_.empty()) unlink(file_.c_str());
  if (!folder_.empty()) rmdir(folder_.c_str());
}

bool Browser::write_redirection(const std::string& url) {
  std::string folder = surroundings_.folder + "/evt-view-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return false;  // of mode 0700
  folder_ = folder;
  const std::string path = folder + "/open.html";
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return false;
  file_ = path;
  const std::string text = redirection_to(url);
  return write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// In a session of its own: a Ctrl-C that is for the server does not end the browser. Its messages go to standard error,
// as standard output may have the address.
bool Browser::start(const std::string& command) {
  std::vector<std::string> words = words_of(command, file_);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0;
}

bool Browser::open(const std::string& url) {
  if (surroundings_.browser.empty() && !surroundings_.has_display) return false;
  if (!write_redirection(url)) return false;
  std::vector<std::string> commands = parts_of(surroundings_.browser, ':');
  if (surroundings_.has_display) commands.push_back("xdg-open");
  for (const std::string& command : commands) {
    if (start(command)) return true;
  }
  return false;
}

std::optional<std::string> ssh_line(const Surroundings& surroundings, std::uint16_t port) {
  // Address and port of the client, then those of this machine as the client knows them.
  const std::vector<std::string> words = parts_of(surroundings.ssh_connection, ' ');
  if (words.size() != 4) return std::nullopt;
  const std::string number = std::to_string(port);
  const std::string ssh_port = words[3] == "22" ? "" : " -p " + words[3];
  return "ssh" + ssh_port + " -L " + number + ":127.0.0.1:" + number + " " + surroundings.user + "@" + words[2];
}

}  // namespace evt::tools::http
