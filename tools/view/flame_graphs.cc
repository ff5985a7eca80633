#include "flame_graphs.h"

#include <evt/export/timeline_export.h>
#include <fmt/core.h>

#include "libtrace-read/text/number_with_unit.h"

namespace evt::tools {
view::FlameTree flame_tree(const Findings& folded, bool inverted, std::uint64_t parts) {
  std::vector<view::FlameTree::Stack> stacks;
  for (const Table& table : folded.tables) {
    for (const Table::Row& row : table.rows()) stacks.emplace_back(*row[0].text(), *row[1].as_unsigned());
  }
  return {stacks, inverted, parts};
}

Status FlameGraphs::add(Trace& trace, const std::string& name) {
  const bool is_of_samples =
      options_->of == "samples" || (options_->of == "true" && usual_weight(trace) == PathWeight::kSamples);
  RunOptions run;
  selection_->ask(&run);
  run.analysis.calls.fold = true;
  run.analysis.calls.threads = options_->threads;
  run.progress = [this](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
  const auto found = report::answer(trace, {is_of_samples ? "stacks" : "calls"}, run);
  progress_.clear();
  if (!found) return found.status();
  notes_ = found->notes;
  is_partial_ = !report::unmet_in(found->sessions).empty();
  for (const SessionFindings& session : found->sessions) {
    for (const auto& [kind, findings] : session.by_analysis) {
      is_partial_ |= findings.is_partial;
      view::FlameTree tree = flame_tree(findings, options_->inverted, parts_);
      if (tree.boxes().empty()) continue;
      const std::string& program = session.session->program;
      graphs_.push_back(
          {fmt::format("{}{}: {} {}", name, program.empty() ? "" : ": " + program, report::duration_text(tree.total()),
                       is_of_samples ? "of processor time" : "in spans and calls"),
           std::move(tree)});
    }
  }
  return {};
}

}  // namespace evt::tools
