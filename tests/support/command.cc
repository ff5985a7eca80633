#include "support/command.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "support/folder.h"

namespace evt::testing {
namespace {

// EVT_USER_TREE: what users build, in place of all that is built here (tests/spec/user_tree.py).
std::string programs() {
  const char* const tree = getenv("EVT_USER_TREE");
  return tree != nullptr ? std::string(tree) + "/bin" : EVT_BIN_FOLDER;
}

}  // namespace

Outcome run(const std::string& line, const std::string& folder, const std::string& input, int seconds) {
  const Folder scratch;
  const std::string script = "export PATH='" + programs() + "':$PATH LC_ALL=C.UTF-8 TZ=UTC\n" +
                             (folder.empty() ? "" : "cd '" + folder + "' || exit 125\n") + line + "\n";
  scratch.write("script", script);
  scratch.write("in", input);
  const std::string command = "timeout -k 5 " + std::to_string(seconds) + " bash '" + scratch / "script" + "' <'" +
                              scratch / "in" + "' >'" + scratch / "out" + "' 2>'" + scratch / "err" + "'";
  const int status = system(command.c_str());
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(scratch / "out");
  outcome.err = read_file(scratch / "err");
  return outcome;
}

}  // namespace evt::testing
