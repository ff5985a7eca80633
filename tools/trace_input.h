// What a command reads as one trace: a file, or the segments of a session, which are a file each.
#pragma once

#include <string>
#include <vector>

namespace evt::tools {

struct TraceInput {
  std::vector<std::string> files;  // as the command line has them; "-" is standard input

  const std::string& first() const { return files.front(); }
  bool is_one_file() const { return files.size() == 1; }
  // As messages call it.
  std::string name() const;
};

// Files that are segments of one session are one trace, in whatever order they are named; each other file is one.
std::vector<TraceInput> trace_inputs(const std::vector<std::string>& files);

}  // namespace evt::tools
