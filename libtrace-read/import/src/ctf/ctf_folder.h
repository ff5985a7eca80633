// Finds the files of CTF traces.
#pragma once

#include <string>
#include <vector>

namespace evt::ctf {

struct TraceFiles {
  std::string metadata;
  std::vector<std::string> streams;  // by their names
};

// The traces in a folder and below it, in order: folders that have a file `metadata`. In a folder of many thousands of
// files, those that are found first.
std::vector<TraceFiles> traces_below(const std::string& folder);
// One stream, whose metadata is in the same folder; it may be missing.
TraceFiles trace_of_stream(const std::string& stream);
// True if traces_below() would find any: stops at the first.
bool has_trace(const std::string& folder);

}  // namespace evt::ctf
