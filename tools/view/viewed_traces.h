// The traces that a user views in a page.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/report.h"
#include "input/trace_inputs.h"
#include "merged_trace.h"
#include "trace_answers.h"
#include "view_cache.h"

namespace evt::tools {

class ViewedTraces {
 public:
  ViewedTraces(const std::vector<TraceInput>& inputs, Report& report);
  // Large sessions are kept there for another time. REQUIRES: before place().
  void use_cache(std::string folder) { cache_.emplace(std::move(folder)); }

  // Owns the trace from now on. Returns the exit status.
  int add(Trace trace, const TraceInput& input);
  // In place of all others: this one, as it grows.
  Status follow(Follow follow, const TraceInput& input);
  // Reports what a trace that grew has to say, once it has ended. Returns the exit status.
  int finish_followed() const;
  // No more are added: all sessions are on one timeline, or, where that is not wanted or cannot be, each on its own.
  void place(bool separate);
  // REQUIRES: place().
  TraceAnswers& answers() { return answers_; }
  // As command lines have them, without folders; of those that could be read.
  const std::vector<std::string>& files() const { return files_; }

 private:
  bool has_one_session() const;
  // How long the one timeline would be, if nearly all of it were empty; else 0.
  std::uint64_t empty_ns() const;
  // Whether they are on one timeline; if not, the note has why.
  bool merge(std::string* note);

  Report& report_;
  std::optional<ViewCache> cache_;
  std::vector<std::string> paths_;  // of traces_; empty where there are several
  std::deque<NamedTrace> traces_;
  std::optional<MergedTrace> merged_;
  std::optional<LiveTrace> live_;
  std::string live_name_;
  TraceAnswers answers_;
  std::vector<std::string> files_;
};

}  // namespace evt::tools
