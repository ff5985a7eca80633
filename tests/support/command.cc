#include "support/command.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "support/folder.h"
#include "support/shell_words.h"
#include "support/timed_process.h"

namespace evt::testing {
namespace {

constexpr int kNoFolder = 125;

// EVT_USER_TREE: what users build, in place of all that is built here (tests/spec/user_tree.py).
std::string programs() {
  const char* const tree = getenv("EVT_USER_TREE");
  return tree != nullptr ? std::string(tree) + "/bin" : EVT_BIN_FOLDER;
}

// A line that begins with a program of this build and has no syntax of a shell starts without one.
TimedProcess::Start start_of(const std::string& line, const Folder& scratch) {
  const auto words = shell_words(line);
  if (words && !words->empty() && words->front().find('/') == std::string::npos) {
    const std::string program = programs() + "/" + words->front();
    if (std::filesystem::is_regular_file(program)) return {.program = program, .words = *words};
  }
  return {.program = "/bin/bash", .words = {"bash", scratch.write("script", line + "\n")}};
}

std::vector<std::string> environment(const std::string& folder) {
  const char* const path = getenv("PATH");
  std::vector<std::string> values = {"PATH=" + programs() + ":" + (path != nullptr ? path : ""), "LC_ALL=C.UTF-8",
                                     "TZ=UTC"};
  if (!folder.empty()) values.push_back("PWD=" + folder);
  const std::size_t own = values.size();
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string value = *each;
    const std::string name = value.substr(0, value.find('=') + 1);
    bool is_own = false;
    for (std::size_t i = 0; i < own; ++i) is_own |= values[i].starts_with(name);
    if (!is_own) values.push_back(value);
  }
  return values;
}

}  // namespace

Outcome run(const std::string& line, const std::string& folder, const std::string& input, int seconds) {
  if (!folder.empty() && !std::filesystem::is_directory(folder)) return {kNoFolder, "", "no folder " + folder + "\n"};
  const Folder scratch;
  TimedProcess::Start start = start_of(line, scratch);
  start.environment = environment(folder);
  start.folder = folder;
  start.in = scratch.write("in", input);
  start.out = scratch / "out";
  start.err = scratch / "err";
  Outcome outcome;
  outcome.status = TimedProcess(start).end(std::chrono::seconds(seconds));
  outcome.out = read_file(start.out);
  outcome.err = read_file(start.err);
  return outcome;
}

}  // namespace evt::testing
