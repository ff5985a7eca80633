#include "selection.h"

#include <evt/report.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "asked_times.h"
#include "common_options.h"
#include "libtrace-read/export/src/base/name_pattern.h"
#include "libtrace-read/export/src/base/near_names.h"

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

// `take` has what the text is, or returns false.
template <typename Take>
void add_time(CLI::App& app, char letter, const char* name, const char* what, Take take) {
  app.add_option_function<std::string>(fmt::format("-{},{}", letter, name),
                                       [name, take](const std::string& text) {
                                         if (take(text)) return;
                                         throw CLI::ValidationError(
                                             name, fmt::format("expected {}, found {}", TimeSpec::kForms, text));
                                       })
      ->description(what)
      ->type_name("TIME");
}

}  // namespace

void Selection::check_order() const {
  // The one may be behind a midnight that the other is before; what counts from --from is behind it.
  const bool is_known = from_ && to_ && from_->from == to_->from && from_->from != TimeSpec::From::kDay;
  if (!is_known || to_->more_ns > 0 || from_->ns <= to_->ns) return;
  throw CLI::ValidationError("--to", fmt::format("{} is before --from {}", to_->text, from_->text));
}

void Selection::add_times(CLI::App& app) {
  add_time(app, 'f', "--from",
           "only from this time on: seconds since the start (1.5, 200ms, 5m, 2h), before the end (-2s),\n"
           "a time of day (14:05, 14:05:09.5) or a date (2026-11-21T22:48:09Z, or with +02:00)",
           [this](const std::string& text) { return (from_ = TimeSpec::parse(text)).has_value(); });
  // CLI11 takes options in the order in which they were added: the value of --from is known.
  add_time(app, 't', "--to", "only up to this time; +1ms counts from --from",
           [this](const std::string& text) { return take_to(text); });
}

bool Selection::take_to(const std::string& text) {
  const bool is_length = text.starts_with('+');
  const auto length = is_length ? parse_length(std::string_view(text).substr(1)) : std::nullopt;
  if (length && !from_) throw CLI::ValidationError("--to", text + " counts from --from, which is not there");
  std::optional<TimeSpec> time = length ? from_ : TimeSpec::parse(text);
  if (!time) return false;
  if (length) time->text = text;
  if (length) time->more_ns = *length;
  to_ = std::move(time);
  check_order();
  return true;
}

void Selection::add_options(CLI::App& app, Fields fields) {
  add_times(app);
  add_filters(app, fields);
}

void Selection::add_filters(CLI::App& app, Fields fields) {
  repeatable(app.add_option("-s,--stream", streams_, "only streams whose name matches, or #id (may be repeated)"))
      ->type_name("GLOB");
  repeatable(app.add_option("--thread", threads_.threads,
                            "only events of threads with this name, number or label, as tables print it\n"
                            "(may be repeated)"))
      ->type_name("GLOB");
  repeatable(app.add_option("--process", threads_.processes, "the same, of processes: by name, number or label"))
      ->type_name("GLOB");
  repeatable(app.add_option(fields == Fields::kNone ? "-e,--event,--type" : "-e,--event", events_,
                            "only event types whose name matches (may be repeated)"))
      ->type_name("GLOB");
  if (fields == Fields::kNone) return;
  const auto add_conditions = [this](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const Status status = where_.add(text);
      if (!status.ok()) throw CLI::ValidationError("--where", status.message());
    }
  };
  repeatable(app.add_option_function<std::vector<std::string>>("-w,--where", add_conditions))
      ->description("only events for which it holds: 'depth>3 and not function=sum' (several: all must hold)")
      ->type_name("CONDITION");
}

void Selection::narrow(EventOptions* options) const {
  if (from_ || to_) {
    options->range = [this](const Session& session) { return range(session); };
  }
  if (!streams_.empty()) {
    options->stream = [this](const Session&, const StreamInfo& stream) { return wants_stream(stream); };
  }
}

void Selection::ask(report::RunOptions* options) const {
  if (from_ || to_) {
    options->range = [this](const Session& session) { return range(session); };
  }
  if (!leaves_out_events()) return;
  options->counts = [this](const Event& event) { return counts(event); };
  if (!threads_.empty()) {
    options->counts_thread = [this](const Event& event, const Actor* thread) { return wants_thread(event, thread); };
  }
  options->filter = filters();
  if (options->filter == "--stream") {
    options->filter += ": it chooses by where events were recorded; --thread by who they are about";
  }
}

std::string Selection::filters() const {
  std::string names;
  const auto add_if = [&](bool is_given, const char* name) {
    if (is_given) names += (names.empty() ? "" : " and ") + std::string(name);
  };
  add_if(!streams_.empty(), "--stream");
  add_if(!threads_.threads.empty(), "--thread");
  add_if(!threads_.processes.empty(), "--process");
  add_if(!events_.empty(), "--event");
  add_if(!where_.empty(), "--where");
  return names;
}

TimeRange Selection::range(const Session& session) const {
  TimeRange range;
  if (from_) range.from_ns = from_->in(session);
  if (to_) range.to_ns = to_->in(session);
  return range;
}

bool Selection::wants_stream(const StreamInfo& stream) const {
  return streams_.empty() || std::any_of(streams_.begin(), streams_.end(),
                                         [&](const std::string& pattern) { return matches_stream(pattern, stream); });
}

bool Selection::remembers_stream(const StreamInfo& stream) const {
  if (streams_.empty()) return true;
  const auto [known, is_new] = known_streams_.try_emplace(&stream, false);
  if (is_new) known->second = wants_stream(stream);
  return known->second;
}

bool Selection::wants_type(const EventType& type) const {
  return events_.empty() || std::any_of(events_.begin(), events_.end(),
                                        [&](const std::string& pattern) { return matches_name(pattern, type.name()); });
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
  declared_.clear();
  undeclared_.clear();
  threads_.clear();
  if (where_.empty()) return {};
  Status status = where_.resolve(traces, [this](const EventType& type) { return wants_type(type); });
  return status.ok() ? status : Status(status.code(), "--where: " + status.message());
}

std::vector<std::string> Selection::nowhere_in(const std::vector<const Trace*>& traces) const {
  const auto in_any = [&](auto test) {
    return std::any_of(traces.begin(), traces.end(), [&](const Trace* trace) {
      return std::any_of(trace->sessions().begin(), trace->sessions().end(), test);
    });
  };
  std::vector<std::string> sentences;
  if (const Status status = check_times(from_, to_, traces); !status.ok()) sentences.push_back(status.message());
  for (const std::string& pattern : streams_) {
    const bool found = in_any([&](const Session& session) {
      return std::any_of(session.streams.begin(), session.streams.end(),
                         [&](const StreamInfo& stream) { return matches_stream(pattern, stream); });
    });
    if (found) continue;
    const std::vector<std::string> known =
        names_in(traces, &Session::streams, [](const StreamInfo& stream) { return stream.name; });
    sentences.push_back(
        fmt::format("no stream is called {}{}", word_in_sentence(pattern), did_you_mean(pattern, known)));
  }
  for (std::string& sentence : threads_.nowhere()) sentences.push_back(std::move(sentence));
  for (const std::string& pattern : events_) {
    // Types that are not declared are only met among the events.
    if (pattern.find("type#") != pattern.npos || matches_name(pattern, "!lost") || matches_name(pattern, "!jump"))
      continue;
    const bool found = in_any([&](const Session& session) {
      return std::any_of(session.types.begin(), session.types.end(),
                         [&](const EventType& type) { return matches_name(pattern, type.name()); });
    });
    if (found) continue;
    const std::vector<std::string> known =
        names_in(traces, &Session::types, [](const EventType& type) { return type.name(); });
    sentences.push_back(
        fmt::format("no event type is called {}{}", word_in_sentence(pattern), did_you_mean(pattern, known)));
  }
  for (std::string& sentence : where_.nowhere_in(traces)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace evt::tools
