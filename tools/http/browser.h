// The user's browser, and what the user is to know to open a page without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace evt::tools::http {

// What decides how a page is opened. Empty: the variable is not set.
struct Surroundings {
  std::string browser{};         // BROWSER: commands, with a : between them
  bool has_display = false;      // DISPLAY or WAYLAND_DISPLAY
  std::string ssh_connection{};  // SSH_CONNECTION
  std::string folder{};          // XDG_RUNTIME_DIR, or that of temporary files
  std::string user{};

  static Surroundings of_process();
};

// Opens a page by a file of mode 0600 that redirects to it: an address in the arguments of a program is seen by every
// user of the machine, and ours has a secret. The file is there as long as this object.
class Browser {
 public:
  explicit Browser(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  // Whether a browser was started. False without a display, unless BROWSER is set.
  bool open(const std::string& url);

 private:
  bool write_redirection(const std::string& url);
  bool start(const std::string& command);

  Surroundings surroundings_;
  std::string folder_;  // of our own; empty: none yet
  std::string file_;
};

// How to reach this port from the machine that the user logged in from by ssh: a command. Nothing without such a login.
std::optional<std::string> ssh_line(const Surroundings& surroundings, std::uint16_t port);

}  // namespace evt::tools::http
