#include <errno.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "collect/collector.h"
#include "input/trace_inputs.h"

namespace evt::tools {

int run_collect(CollectArguments& options) {
  const Report report("evt collect");
  struct stat facts;
  if (::mkdir(options.folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return report.no_answer({Code::kIo, fmt::format("cannot make {}: {}", options.folder, ::strerror(errno))});
  }
  if (::stat(options.folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
    return report.no_answer({Code::kIo, options.folder + " is not a folder"});
  }
  Collector collector(options.folder, options.limits, report);
  if (!options.socket.empty()) return collector.listen(options.socket);
  return collector.receive(STDIN_FILENO, Reading::name_of("-"));
}

}  // namespace evt::tools
