#include "reading.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "memory_limit.h"
#include "trace_folder.h"

namespace evt::tools {

CLI::Option* Reading::add_options(CLI::App& app) {
  return app.add_flag("--no-rings", no_rings_,
                      "read files alone, and not the shared memory of programs that were killed or still run");
}

ReadOptions Reading::with(ReadOptions options) const {
  if (no_rings_) options.rings = false;
  return options;
}

Result<Trace> Reading::open(const TraceInput& input, Report& report, const ReadOptions& options) const {
  if (!input.is_one_file()) return Trace::open(input.files, with(options));
  const std::string& file = input.first();
  if (file != "-" && is_trace_folder(file)) {
    auto opened = open_trace_folder(file);
    if (!opened) return opened.status();
    report.set_unread(file, std::move(opened->problems));
    return Trace::open(opened->descriptor, file, with(options));
  }
  auto trace = file != "-" ? Trace::open(file, with(options)) : Trace::open(STDIN_FILENO, name_of(file), with(options));
  if (!trace) return trace;
  // The sizes of a pipe and of a folder were not known before.
  if (file == "-" || std::filesystem::is_directory(file)) MemoryLimit::allow_for(trace->size());
  return trace;
}

}  // namespace evt::tools
