#include "input/selection.h"

#include <evt/report.h>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "input/asked_times.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

bool matches_stream(const std::string& pattern, const StreamInfo& stream) {
  return matches_name(pattern, stream.name) || pattern == fmt::format("#{}", stream.id);
}

// Of streams, or of types.
template <typename List, typename NameOf>
std::vector<std::string> names_in(const std::vector<const Trace*>& traces, List Session::*list, NameOf name_of) {
  std::vector<std::string> names;
  for (const Trace* const trace : traces) {
    for (const Session& session : trace->sessions()) {
      for (const auto& each : session.*list) names.push_back(name_of(each));
    }
  }
  return names;
}

}  // namespace

void Selection::narrow(EventOptions* options) const {
  if (from || to) {
    options->range = [this](const Session& session) { return range(session); };
  }
  if (!streams.empty()) {
    options->stream = [this](const Session&, const StreamInfo& stream) { return wants_stream(stream); };
  }
}

void Selection::ask(report::RunOptions* options) const {
  if (from || to) {
    options->range = [this](const Session& session) { return range(session); };
  }
  if (!leaves_out_events()) return;
  options->counts = [this](const Event& event) { return counts(event); };
  if (!threads.empty()) {
    options->counts_thread = [this](const Event& event, const Actor* thread) { return wants_thread(event, thread); };
  }
  options->filter = filters();
  if (options->filter == "--stream") {
    options->filter += ": it selects by where events were recorded; --thread by the thread they are about";
  }
}

std::string Selection::filters() const {
  std::string names;
  const auto add_if = [&](bool is_given, const char* name) {
    if (is_given) names += (names.empty() ? "" : " and ") + std::string(name);
  };
  add_if(!streams.empty(), "--stream");
  add_if(!threads.threads.empty(), "--thread");
  add_if(!threads.processes.empty(), "--process");
  add_if(!events.empty(), "--event");
  add_if(!where.empty(), "--where");
  return names;
}

bool Selection::wants_stream(const StreamInfo& stream) const {
  return streams.empty() ||
         std::ranges::any_of(streams, [&](const std::string& pattern) { return matches_stream(pattern, stream); });
}

bool Selection::remembers_stream(const StreamInfo& stream) const {
  if (streams.empty()) return true;
  const auto [known, is_new] = known_streams_.try_emplace(&stream, false);
  if (is_new) known->second = wants_stream(stream);
  return known->second;
}

bool Selection::wants_type(const EventType& type) const {
  return events.empty() ||
         std::ranges::any_of(events, [&](const std::string& pattern) { return matches_name(pattern, type.name()); });
}

// wants_type, remembered. Only a declared type lives as long as its trace: the place of another may become that of one
// with another name, so those are known by number.
bool Selection::remembers_type(const EventType& type) const {
  // No honest trace has that many; a hostile one shall not make this grow with its events.
  constexpr std::size_t kMaxUndeclared = 4096;
  if (type.number() == 0) return wants_type(type);  // of the reader's own: !lost and !jump, which are rare
  if (type.declared()) {
    const auto [known, first] = declared_.try_emplace(&type);
    if (first) known->second = wants_type(type);
    return known->second;
  }
  if (const auto known = undeclared_.find(type.number()); known != undeclared_.end()) return known->second;
  const bool wanted = wants_type(type);
  if (undeclared_.size() < kMaxUndeclared) undeclared_[type.number()] = wanted;
  return wanted;
}

Status Selection::resolve(const std::vector<const Trace*>& traces) {
  // Another trace may have a type where one had its own that is gone.
  latest_ = {};
  declared_.clear();
  undeclared_.clear();
  known_streams_.clear();
  threads.clear();
  if (where.empty()) return {};
  Status status = where.resolve(traces, [this](const EventType& type) { return wants_type(type); });
  return status.ok() ? status : Status(status.code(), "--where: " + status.message());
}

std::vector<std::string> Selection::nowhere_in(const std::vector<const Trace*>& traces) const {
  const auto in_any = [&](auto test) {
    return std::ranges::any_of(traces,
                               [&](const Trace* trace) { return std::ranges::any_of(trace->sessions(), test); });
  };
  std::vector<std::string> sentences;
  if (const Status status = check_times(from, to, traces); !status.ok()) sentences.push_back(status.message());
  for (const std::string& pattern : streams) {
    const bool found = in_any([&](const Session& session) {
      return std::ranges::any_of(session.streams,
                                 [&](const StreamInfo& stream) { return matches_stream(pattern, stream); });
    });
    if (found) continue;
    const std::vector<std::string> known =
        names_in(traces, &Session::streams, [](const StreamInfo& stream) { return stream.name; });
    sentences.push_back(
        fmt::format("no stream is called {}{}", word_in_sentence(pattern), did_you_mean(pattern, known)));
  }
  for (std::string& sentence : threads.nowhere()) sentences.push_back(std::move(sentence));
  for (const std::string& pattern : events) {
    // Types that are not declared are only met among the events.
    if (pattern.find("type#") != pattern.npos || matches_name(pattern, "!lost") || matches_name(pattern, "!jump"))
      continue;
    const bool found = in_any([&](const Session& session) {
      return std::ranges::any_of(session.types,
                                 [&](const EventType& type) { return matches_name(pattern, type.name()); });
    });
    if (found) continue;
    const std::vector<std::string> known =
        names_in(traces, &Session::types, [](const EventType& type) { return type.name(); });
    sentences.push_back(
        fmt::format("no event type is called {}{}", word_in_sentence(pattern), did_you_mean(pattern, known)));
  }
  for (std::string& sentence : where.nowhere_in(traces)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace evt::tools
