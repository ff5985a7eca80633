#include "stats/analysis.h"

#include <fmt/format.h>

#include <algorithm>

namespace evt::tools {
namespace {

constexpr const char* kByCpu[] = {"thread", "cpu", "thread,cpu", "cpu,thread"};
constexpr const char* kBySpans[] = {"thread"};
constexpr const char* kByUsage[] = {"function", "object", "thread", "resource"};

constexpr AnalysisKind kKinds[] = {
    {"cpu", "how long each thread ran, and on which cpu", make_cpu, kByCpu, true, cpu_of_states},
    {"threads", "the life of each thread: running, runnable, waiting and for what", make_threads},
    {"gc", "pauses for collecting garbage, time of collectors and mutators, sparks", make_gc},
    {"spans", "how long spans and calls took, with and without what was within them", make_spans, kBySpans},
    {"share", "the time of spans, calls and threads, divided by how many ran at each moment", make_share},
    {"usage", "calls by function, object and resource, how much and how fast; time that was stopped", make_usage,
     kByUsage},
    {"overhead", "what tracing itself took, by reason and stream", make_overhead},
    {"events", "how many events of each type", make_events, {}, true, events_of_states},
};

}  // namespace

std::span<const AnalysisKind> analysis_kinds() { return kKinds; }

const AnalysisKind* analysis_kind(const std::string& name) {
  const auto found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const AnalysisKind& kind) { return kind.name == name; });
  return found != std::end(kKinds) ? &*found : nullptr;
}

Cell actor_cell(const Actors& actors, const ActorTable& table, std::uint32_t index) {
  const Actor& actor = table[index];
  const auto number = [&] { return actor.is_stream ? fmt::format("#{}", actor.number) : std::to_string(actor.number); };
  if (actor.part != Actor::kNone) return fmt::format("{}:{}", actors.session().parts[actor.part].name, number());
  return actor.is_stream ? Cell(number()) : Cell(actor.number);
}

Cell actor_name(const ActorTable& table, std::uint32_t index) { return table[index].name; }

Cell percent_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t length_of(TimeRange range) {
  return range.to_ns > range.from_ns
             ? static_cast<std::uint64_t>(range.to_ns) - static_cast<std::uint64_t>(range.from_ns)
             : 0;
}

std::string counted(std::uint64_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace evt::tools
