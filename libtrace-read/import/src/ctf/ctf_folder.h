// Where the files of CTF traces are.
#pragma once

#include <string>
#include <vector>

namespace evt::ctf {

struct TraceFiles {
  std::string metadata;
  std::vector<std::string> streams;  // by their names
};

// Of the traces in a folder and below it, in order: those folders that have a file `metadata`. Of a folder of many
// thousands of files, those that are found first.
std::vector<TraceFiles> traces_below(const std::string& folder);
// One stream, whose metadata is beside it; there may be none.
TraceFiles trace_of_stream(const std::string& stream);
// Whether traces_below() finds any: ends with the first.
bool has_trace(const std::string& folder);

}  // namespace evt::ctf
