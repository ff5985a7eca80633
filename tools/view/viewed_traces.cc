#include "viewed_traces.h"

#include <fmt/ranges.h>

#include "cli/reading.h"

namespace evt::tools {
namespace {

std::string without_folders(const std::string& file) {
  const std::string name = Reading::name_of(file);
  return name.substr(name.rfind('/') + 1);
}

std::vector<std::string> without_folders(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(without_folders(file));
  return names;
}

}  // namespace

ViewedTraces::ViewedTraces(const std::vector<std::string>& files, Report& report)
    : report_(report), answers_(fmt::format("{}", fmt::join(without_folders(files), ", "))) {}

int ViewedTraces::add(Trace trace, const std::string& name) {
  names_.push_back(without_folders(name));
  traces_.push_back({std::move(trace), names_.back()});
  return report_.finish(name, traces_.back().trace);
}

void ViewedTraces::place(bool separate) {
  std::string note;
  if (!separate && !has_one_session() && merge(&note)) return;
  for (std::size_t file = 0; file < traces_.size(); ++file) {
    answers_.add(traces_[file].trace, traces_[file].name, note);
    files_of_sessions_.resize(answers_.sessions(), file);
  }
}

bool ViewedTraces::has_one_session() const {
  std::size_t sessions = 0;
  for (const NamedTrace& each : traces_) sessions += each.trace.sessions().size();
  return sessions < 2;
}

bool ViewedTraces::merge(std::string* note) {
  auto merged = MergedTrace::of(traces_);
  if (!merged) {
    *note = fmt::format("not on one timeline: {}", merged.status().message());
    report_.say(*note);
    return false;
  }
  merged_.emplace(*std::move(merged));
  for (const std::string& sentence : merged_->alignments()) report_.say(sentence);
  std::vector<std::string> notes = merged_->notes();
  notes.insert(notes.end(), merged_->alignments().begin(), merged_->alignments().end());
  answers_.add_merged(merged_->trace(), std::move(notes));
  files_of_sessions_.resize(answers_.sessions(), names_.size());
  traces_.clear();
  return true;
}

}  // namespace evt::tools
