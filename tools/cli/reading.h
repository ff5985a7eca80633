// How subcommands open the traces that they are given, with the options that all of them have.
#pragma once

#include <evt/trace.h>

#include <string>

#include "report.h"
#include "trace_input.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace evt::tools {

class Reading {
 public:
  // --no-rings.
  CLI::Option* add_options(CLI::App& app);
  // The caller's options, and what the user asked for.
  ReadOptions with(ReadOptions options = {}) const;
  // "-" is standard input. A folder with the sessions of evt run is one trace; what of it could not be read is for the
  // report's finish().
  Result<Trace> open(const TraceInput& input, Report& report, const ReadOptions& options = {}) const;
  Result<Trace> open(const std::string& file, Report& report, const ReadOptions& options = {}) const {
    return open(TraceInput{{file}}, report, options);
  }
  // As messages call the file.
  static std::string name_of(const std::string& file) { return TraceInput{{file}}.name(); }

 private:
  bool no_rings_ = false;
};

}  // namespace evt::tools
