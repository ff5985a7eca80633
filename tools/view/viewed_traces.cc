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

ViewedTraces::ViewedTraces(const std::vector<std::string>& files)
    : answers_(fmt::format("{}", fmt::join(without_folders(files), ", "))) {}

int ViewedTraces::add(Trace trace, const std::string& name, const Report& report) {
  Trace& kept = traces_.emplace_back(std::move(trace));
  names_.push_back(without_folders(name));
  answers_.add(kept, names_.back());
  files_of_sessions_.resize(answers_.sessions(), names_.size() - 1);
  return report.finish(name, kept);
}

}  // namespace evt::tools
