// The traces that a user views in a page.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <string>
#include <vector>

#include "report.h"
#include "trace_answers.h"

namespace evt::tools {

class ViewedTraces {
 public:
  explicit ViewedTraces(const std::vector<std::string>& files);

  // Owns the trace from now on. Returns the exit status.
  int add(Trace trace, const std::string& name, const Report& report);
  TraceAnswers& answers() { return answers_; }
  // Without folders; of those that could be read.
  const std::vector<std::string>& names() const { return names_; }
  // The place in names() of the file that a session is in.
  std::size_t file_of(std::size_t session) const { return files_of_sessions_[session]; }

 private:
  std::deque<Trace> traces_;
  TraceAnswers answers_;
  std::vector<std::string> names_;
  std::vector<std::size_t> files_of_sessions_;
};

}  // namespace evt::tools
