#include "reading.h"

#include <unistd.h>

namespace evt::tools {

CLI::Option* Reading::add_options(CLI::App& app) {
  return app.add_flag("--no-rings", no_rings_,
                      "read files alone, and not the shared memory of programs that were killed or still run");
}

ReadOptions Reading::with(ReadOptions options) const {
  if (no_rings_) options.rings = false;
  return options;
}

Result<Trace> Reading::open(const std::string& file, const ReadOptions& options) const {
  return file == "-" ? Trace::open(STDIN_FILENO, name_of(file), with(options)) : Trace::open(file, with(options));
}

std::string Reading::name_of(const std::string& file) { return file == "-" ? "standard input" : file; }

}  // namespace evt::tools
