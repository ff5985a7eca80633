// The traces that a user views in a page.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "merged_trace.h"
#include "report.h"
#include "trace_answers.h"
#include "view_cache.h"

namespace evt::tools {

class ViewedTraces {
 public:
  ViewedTraces(const std::vector<std::string>& files, Report& report);
  // Large sessions are kept there for another time. REQUIRES: before place().
  void use_cache(std::string folder) { cache_.emplace(std::move(folder)); }

  // Owns the trace from now on. Returns the exit status.
  int add(Trace trace, const std::string& name);
  // No more are added: all sessions are on one timeline, or, where that is not wanted or cannot be, each on its own.
  void place(bool separate);
  // REQUIRES: place().
  TraceAnswers& answers() { return answers_; }
  // Without folders; of those that could be read.
  const std::vector<std::string>& names() const { return names_; }
  // The place in names() of the file that a session is in; names().size() of one that was made of several. REQUIRES:
  // place().
  std::size_t file_of(std::size_t session) const { return files_of_sessions_[session]; }

 private:
  bool has_one_session() const;
  // How long the one timeline would be, if nearly all of it were empty; else 0.
  std::uint64_t empty_ns() const;
  // Whether they are on one timeline; if not, the note has why.
  bool merge(std::string* note);

  Report& report_;
  std::optional<ViewCache> cache_;
  std::vector<std::string> paths_;  // of traces_
  std::deque<NamedTrace> traces_;
  std::optional<MergedTrace> merged_;
  TraceAnswers answers_;
  std::vector<std::string> names_;
  std::vector<std::size_t> files_of_sessions_;
};

}  // namespace evt::tools
