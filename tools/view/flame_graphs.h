// Traces -> flame graphs to draw, one for each session.
#pragma once

#include <evt/trace.h>

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/table.h"
#include "input/selection.h"
#include "libtrace-view/picture/flame_picture.h"

namespace evt::tools {

struct FlameOptions {
  std::string of;  // samples, spans or, where the trace decides, true; empty: no flame graph
  bool inverted = false;
  std::vector<std::string> threads;  // patterns; empty: all
};

class FlameGraphs {
 public:
  FlameGraphs(const Selection& selection, const FlameOptions& options, std::uint64_t parts)
      : selection_(&selection), options_(&options), parts_(parts) {}

  // Reads the trace. Of a session without time there is no graph.
  Status add(Trace& trace, const std::string& name);
  const std::vector<view::FlameGraph>& all() const { return graphs_; }
  // Sentences about the trace that was added last, and whether part of what was asked for is missing.
  const std::vector<std::string>& notes() const { return notes_; }
  bool is_partial() const { return is_partial_; }

 private:
  const Selection* selection_;
  const FlameOptions* options_;
  std::uint64_t parts_;
  Progress progress_;
  std::vector<view::FlameGraph> graphs_;
  std::vector<std::string> notes_;
  bool is_partial_ = false;
};

// REQUIRES: findings of folded stacks.
view::FlameTree flame_tree(const Findings& folded, bool inverted, std::uint64_t parts);

}  // namespace evt::tools
