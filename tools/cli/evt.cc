// The evt command. Under the name tracedump it is evt dump.
#include <evt/status.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "base/huge_pages.h"
#include "base/memory_limit.h"
#include "base/report.h"
#include "cli/command_line.h"

namespace {

// A standard stream that the parent closed must not become the next file that is opened: a message would go into a
// trace. What takes its place fails as a closed one does, being opened for the other direction.
void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  hold_standard_streams();
  evt::tools::HugePages::begin();
  if (const evt::Status begun = evt::tools::MemoryLimit::begin(argc, argv); !begun.ok()) {
    return evt::tools::Report("evt").usage(begun.message());
  }
  const std::string_view path(argc > 0 ? argv[0] : "evt");
  const std::string_view name = path.substr(path.rfind('/') + 1);
  // What evt run starts has its signals as they are.
  const bool starts_program = name != "tracedump" && argc > 1 && argv[1] == std::string_view("run");
  if (starts_program) return evt::tools::run_evt(argc, argv);
  // A reader of our output that goes away ends us quietly, also where the parent ignored the signal.
  signal(SIGPIPE, SIG_DFL);
  // A file that may not grow further is an error that can be reported, after the temporary file was removed.
  signal(SIGXFSZ, SIG_IGN);
  return name == "tracedump" ? evt::tools::run_tracedump(argc, argv) : evt::tools::run_evt(argc, argv);
} catch (const std::bad_alloc&) {
  const evt::Status limited = evt::tools::MemoryLimit::lift();
  if (!limited.ok()) {
    std::fprintf(stderr, "evt: %s\n", limited.message().c_str());
    return evt::tools::kExitPartly;
  }
  std::fputs("evt: there is not enough memory\n", stderr);
  return evt::tools::kExitNoAnswer;
} catch (const std::exception& error) {
  std::fprintf(stderr, "evt: %s\n", error.what());
  return evt::tools::kExitNoAnswer;
}
