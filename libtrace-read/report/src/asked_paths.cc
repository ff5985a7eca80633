#include "asked_paths.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace evt::report {
namespace {

ThreadGroups groups_of(const Actors& actors, const AnalysisOptions& options) {
  const auto is_by = [&](const char* by) { return std::ranges::find(options.by, by) != options.by.end(); };
  const ThreadGroups::By by = is_by("thread")      ? ThreadGroups::By::kThread
                              : is_by("pattern")   ? ThreadGroups::By::kPattern
                              : options.calls.fold ? ThreadGroups::By::kName
                                                   : ThreadGroups::By::kAll;
  return {actors, by, options.calls.threads};
}

void add_folded(const CallTables& tables, Findings* findings) {
  CallTables::Folded folded = tables.folded();
  findings->tables.push_back(std::move(folded.table));
  if (folded.left_out == 0) return;
  findings->add_missing(
      fmt::format("the names of all paths have more than {} MiB: {} with less time are in (other "
                  "paths)",
                  CallTables::kMaxFoldedText >> 20, folded.left_out));
}

}  // namespace

AskedPaths::AskedPaths(const AnalysisInput& input)
    : timeline_(input.timeline),
      options_(input.options.calls),
      groups_(groups_of(input.timeline.actors(), input.options)) {}

void AskedPaths::add(const CallTables& tables, bool has_other_paths, Findings* findings) const {
  add_tables(tables, findings);
  findings->unmet = groups_.unmet();
  if (!tables.is_empty()) add_unmet(tables, &findings->unmet);
  if (timeline_.names().is_full()) findings->notes.emplace_back(kTooManyNames);
  if (!has_other_paths) return;
  findings->notes.push_back(fmt::format(
      "there are paths of more than {} names, or more than {} paths: those count in (other paths), by name only",
      CallPaths::kMaxDepth, CallPaths::kMaxPaths));
  findings->is_partial |= asks_for_paths();
}

void AskedPaths::add_others(Findings* findings) const {
  if (groups_.needs_threads()) report::add_others(timeline_.actors(), findings);
}

void AskedPaths::add_tables(const CallTables& tables, Findings* findings) const {
  if (options_.fold) return add_folded(tables, findings);
  std::vector<std::string> patterns = options_.callers;
  patterns.insert(patterns.end(), options_.callees.begin(), options_.callees.end());
  if (!tables.is_empty()) findings->tables.push_back(tables.facts());
  findings->tables.push_back(tables.names(patterns));
  if (!options_.callers.empty()) findings->tables.push_back(tables.callers(options_.callers));
  if (!options_.callees.empty()) findings->tables.push_back(tables.callees(options_.callees));
}

void AskedPaths::add_unmet(const CallTables& tables, std::vector<Unmet>* unmet) const {
  for (const auto& [option, patterns] :
       {std::pair("callers", &options_.callers), std::pair("callees", &options_.callees)}) {
    const std::vector<Unmet> more = tables.unmet(option, *patterns);
    unmet->insert(unmet->end(), more.begin(), more.end());
  }
}

}  // namespace evt::report
