// Results of analyses on their way to standard output: for people, as JSON, or as CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "base/table.h"
#include "base/table_forms.h"

namespace evt::tools {

struct OutputOptions {
  bool json = false;
  bool json_safe = false;
  bool csv = false;
  bool raw = false;         // numbers without units
  bool fold = false;        // of tables of stacks: lines for programs that draw flame graphs
  bool several = false;     // traces
  bool with_facts = false;  // whose title has more
  bool of_all = true;       // events, so that what one takes in the file is known
  TableLook look;
};

// Of some session no row was read.
bool is_by_index(const std::vector<SessionFindings>& sessions);

class StatsOutput {
 public:
  explicit StatsOutput(const OutputOptions& options) : options_(options) { out_.set_json_safe(options.json_safe); }

  void append(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions);
  // What later traces have otherwise than earlier ones, by their names; sessions of a later one.
  void append_diff(const std::vector<std::string>& before, const std::vector<std::string>& after,
                   const std::vector<SessionFindings>& sessions);
  // The first table that comes is below these lines, and no empty one.
  void begin_anew(std::string_view lines) {
    out_.text() += lines;
    any_printed_ = false;
  }
  // Whether what is appended says of a trace that it is not verified.
  bool has_verdict() const { return options_.json || (options_.with_facts && !options_.csv && !options_.fold); }
  TextOutput& out() { return out_; }

 private:
  bool has_bytes_each(std::uint64_t events) const { return options_.of_all && events > 0; }
  void append_title(const std::string& title);
  void append_file_title(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions,
                         std::uint64_t events);
  void append_json(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions,
                   std::uint64_t events);
  // In CSV each row has its trace and session where there are several; `file` is empty for what is of two.
  void append_sessions(const std::string& file, const std::vector<SessionFindings>& sessions);
  // One below the other.
  void append(const std::vector<Table>& tables, const WhereInCsv& where);

  const OutputOptions& options_;
  TextOutput out_;
  bool any_printed_ = false;
};

}  // namespace evt::tools
