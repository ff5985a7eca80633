#include "trace_input.h"

#include <evt/trace.h>

namespace evt::tools {

std::string TraceInput::name() const {
  const std::string name = first() == "-" ? "standard input" : first();
  return is_one_file() ? name : name + " and others";
}

std::vector<TraceInput> trace_inputs(const std::vector<std::string>& files) {
  std::vector<std::string> paths = files;
  for (std::string& path : paths) {
    if (path == "-") path.clear();  // a file may be called so
  }
  std::vector<TraceInput> inputs;
  for (const std::vector<std::size_t>& together : Trace::files_of_traces(paths)) {
    TraceInput& input = inputs.emplace_back();
    for (const std::size_t file : together) input.files.push_back(files[file]);
  }
  return inputs;
}

}  // namespace evt::tools
