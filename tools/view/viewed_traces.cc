#include "viewed_traces.h"

#include <evt/timeline.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/table_forms.h"

namespace evt::tools {
namespace {

// Of a timeline that is shorter than a minute nothing is too far apart.
constexpr double kLongNs = 60e9;
// A timeline may be as many times as long as its sessions together.
constexpr double kMostOfLengths = 1000;

std::string without_folders(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::vector<std::string> shown_names(const std::vector<TraceInput>& inputs) {
  std::vector<std::string> names;
  for (const TraceInput& input : inputs) names.push_back(without_folders(input.name()));
  return names;
}

}  // namespace

ViewedTraces::ViewedTraces(const std::vector<TraceInput>& inputs, Report& report)
    : report_(report), answers_(fmt::format("{}", fmt::join(shown_names(inputs), ", "))) {}

int ViewedTraces::add(Trace trace, const TraceInput& input) {
  const std::string name = input.name();
  files_.push_back(without_folders(input.first()));
  paths_.push_back(input.is_one_file() ? input.first() : "");
  traces_.push_back({std::move(trace), without_folders(name)});
  return report_.finish(name, traces_.back().trace);
}

Status ViewedTraces::follow(Follow follow, const TraceInput& input) {
  live_.emplace(std::move(follow));
  live_name_ = input.name();
  return answers_.follow(*live_, without_folders(live_name_), without_folders(input.first()));
}

int ViewedTraces::finish_followed() const {
  const Trace* const trace = answers_.ended();
  return trace != nullptr ? report_.finish(live_name_, *trace) : int{kExitOk};
}

void ViewedTraces::place(bool separate) {
  std::string note;
  if (!separate && !has_one_session() && merge(&note)) return;
  for (std::size_t file = 0; file < traces_.size(); ++file) {
    const std::size_t before = answers_.sessions();
    answers_.add(traces_[file].trace, traces_[file].name, files_[file], note);
    if (cache_ && before < answers_.sessions() && !paths_[file].empty()) answers_.use_cache(*cache_, paths_[file]);
  }
}

bool ViewedTraces::has_one_session() const {
  std::size_t sessions = 0;
  for (const NamedTrace& each : traces_) sessions += each.trace.sessions().size();
  return sessions < 2;
}

// By UTC, which is enough for what is years apart. Doubles: what a trace claims may be anything.
std::uint64_t ViewedTraces::empty_ns() const {
  double begin = std::numeric_limits<double>::infinity();
  double end = -begin;
  double lengths = 0;
  for (const NamedTrace& each : traces_) {
    for (const Session& session : each.trace.sessions()) {
      const auto start = static_cast<double>(session.start_utc_ns);
      if (session.rows == 0 || session.start_utc_ns == 0) continue;
      const double from = start + static_cast<double>(first_event_ns(session));
      const double to = start + static_cast<double>(end_ns_of(session));
      begin = std::min(begin, from);
      end = std::max(end, to);
      lengths += to - from;
    }
  }
  const double all = end - begin;
  const bool is_empty = all > kLongNs && all > kMostOfLengths * lengths;
  return is_empty ? static_cast<std::uint64_t>(std::min(all, 9e18)) : 0;
}

bool ViewedTraces::merge(std::string* note) {
  if (const std::uint64_t ns = empty_ns(); ns > 0) {
    *note = fmt::format("not on one timeline, nearly all of whose {} would be empty; evt merge makes it all the same",
                        duration_text(ns));
    report_.say(*note);
    return false;
  }
  auto merged = MergedTrace::of(traces_);
  if (!merged) {
    *note = fmt::format("not on one timeline: {}", merged.status().message());
    report_.say(*note);
    return false;
  }
  merged_.emplace(*std::move(merged));
  for (const std::string& sentence : merged_->alignments()) report_.say(sentence);
  answers_.add_merged(merged_->trace(), files_, merged_->notes(), merged_->alignments());
  traces_.clear();
  return true;
}

}  // namespace evt::tools
