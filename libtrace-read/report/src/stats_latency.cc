// evt stats latency: how long threads waited for a cpu, and times from events to others.
#include <evt/analysis/event_pairs.h>
#include <evt/analysis/scheduling_delays.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"

namespace evt::report {
namespace {

void add_lengths(const Histogram& lengths, Table::Row* row) {
  row->push_back(lengths.count());
  row->push_back(lengths.sum());
  for (const std::uint64_t ns :
       {lengths.min(), lengths.quantile(0.5), lengths.quantile(0.9), lengths.quantile(0.99), lengths.max()}) {
    row->push_back(lengths.count() > 0 ? Cell(ns) : Cell());
  }
}

Cell thread_cell(const Actors& actors, std::uint32_t thread) {
  return thread != Actor::kNone ? actor_cell(actors, actors.threads(), thread) : Cell();
}

Cell thread_name(const Actors& actors, std::uint32_t thread) {
  return thread < Actor::kOthers ? actor_name(actors.threads(), thread) : Cell();
}

class Delays : public CopiedAnalysis<Delays> {
 public:
  explicit Delays(const AnalysisInput& input)
      : timeline_(input.timeline),
        actors_(input.timeline.actors()),
        no_event_(input.no_event()),
        delays_(input.timeline.actors()) {}

  ItemKinds items() const override { return SchedulingDelays::items(); }
  RoleSet rows() const override { return {}; }
  void take(const TimelineItem& item) override { delays_.take(item); }
  void restart(std::int64_t) override { delays_.restart(); }
  void begin_stretch(std::int64_t) override { delays_.begin_stretch(); }

  Findings finish(TimeRange) override {
    Findings findings;
    findings.tables = {threads_table(), cpus_table()};
    if (findings.tables.front().rows().empty()) {
      findings.set_nothing(
          fmt::format("{} shows that a thread became runnable and then ran (roles threadWake, "
                      "threadCreate, threadStop, threadRun)",
                      no_event_));
    }
    add_doubts(timeline_.doubts(), &findings.notes);
    add_others(actors_, &findings);
    return findings;
  }

 private:
  using Row = SchedulingDelays::Row;

  static std::vector<Row> in_order(std::vector<Row> rows, const ActorList& list) {
    std::ranges::sort(rows, [&](const Row& a, const Row& b) { return comes_before(list, a.actor, b.actor); });
    return rows;
  }

  Table threads_table() const {
    Table table = new_table("latency", "threads");
    for (const Row& row : in_order(delays_.threads(), actors_.threads())) {
      add(row.actor, actors_.threads(), "all", row.runnable, &table);
      add(row.actor, actors_.threads(), "woken", row.woken, &table);
    }
    return table;
  }

  Table cpus_table() const {
    Table table = new_table("latency", "cpus");
    for (const Row& row : in_order(delays_.cpus(), actors_.cpus())) {
      add(row.actor, actors_.cpus(), "all", row.runnable, &table);
      add(row.actor, actors_.cpus(), "woken", row.woken, &table);
    }
    return table;
  }

  void add(std::uint32_t actor, const ActorList& list, const char* which, const SchedulingDelays::Delays& delays,
           Table* table) const {
    if (delays.lengths.count() + delays.unfinished == 0) return;
    Table::Row row = {actor_cell(actors_, list, actor), actor < Actor::kOthers ? actor_name(list, actor) : Cell(),
                      which};
    add_lengths(delays.lengths, &row);
    row.push_back(delays.lengths.count() > 0 ? Cell(delays.longest_ns) : Cell());
    const bool is_of_cpus = table->name() == "cpus";
    row.push_back(is_of_cpus ? thread_cell(actors_, delays.longest_thread) : Cell(delays.unfinished));
    row.push_back(delays.uncertain);
    table->add(std::move(row));
  }

  const Timeline& timeline_;
  const Actors& actors_;
  const char* no_event_;
  SchedulingDelays delays_;
};

class Pairs : public CopiedAnalysis<Pairs> {
 public:
  explicit Pairs(const AnalysisInput& input)
      : actors_(input.timeline.actors()),
        no_event_(input.no_event()),
        options_(input.options.pairs),
        pairs_(actors_, asked(input.options)) {}

  ItemKinds items() const override { return EventPairs::items(); }
  void take(const TimelineItem& item) override { pairs_.take(item); }
  void restart(std::int64_t) override { pairs_.restart(); }
  void begin_stretch(std::int64_t) override { pairs_.begin_stretch(); }

  Findings finish(TimeRange) override {
    Findings findings;
    const EventPairs::Counts counts = pairs_.counts();
    find_unmet(&findings);
    if (!findings.unmet.empty()) return findings;
    if (counts.lengths.count() + counts.without_end + counts.without_begin > 0) {
      findings.tables = {pairs_table(counts), longest_table()};
    } else {
      findings.set_nothing(fmt::format("{} is called {} or {}", no_event_, options_.from, options_.to));
    }
    if (counts.not_followed > 0) {
      findings.add_missing(fmt::format("{} not followed to their ends: more than {} waited at a time",
                                       counted(counts.not_followed, "event"), EventPairs::kMostWaiting));
    }
    add_others(actors_, &findings);
    return findings;
  }

 private:
  static constexpr std::size_t kFew = 5;

  static EventPairs::Options asked(const AnalysisOptions& options) {
    const auto is_called = [](const std::string& pattern) {
      return [pattern](const EventType& type) { return matches_name(pattern, type.name()); };
    };
    const PairOptions& pairs = options.pairs;
    return {is_called(pairs.from), is_called(pairs.to), pairs.key.empty() ? std::nullopt : std::optional(pairs.key),
            options.longest > 0 ? options.longest : kFew};
  }

  void find_unmet(Findings* findings) const {
    std::vector<std::string> known;
    for (const EventType& type : actors_.session().types) known.push_back(type.name());
    for (const auto& [pattern, is_met] :
         {std::pair(options_.from, pairs_.has_begins()), std::pair(options_.to, pairs_.has_ends())}) {
      if (is_met) continue;
      findings->unmet.push_back({fmt::format("no event type is called {}", word_in_sentence(pattern)), pattern, known});
    }
    if (!findings->unmet.empty()) return;
    if (lacks_key()) {
      const std::string sentence = fmt::format("no event that is called {} or {} has a field {}", options_.from,
                                               options_.to, word_in_sentence(options_.key));
      findings->unmet.push_back({sentence, options_.key, fields_of(pairs_.without_field())});
      return;
    }
    for (const EventType* const type : pairs_.without_field()) {
      findings->add_missing(fmt::format("{} has no field {}{}: its events are not paired", type->name(), options_.key,
                                        did_you_mean(options_.key, fields_of({type}))));
    }
  }

  bool lacks_key() const {
    const auto is_asked = [&](const EventType& type) {
      return matches_name(options_.from, type.name()) || matches_name(options_.to, type.name());
    };
    const std::size_t lacking = pairs_.without_field().size();
    return lacking > 0 && std::cmp_equal(lacking, std::ranges::count_if(actors_.session().types, is_asked));
  }

  static std::vector<std::string> fields_of(const std::vector<const EventType*>& types) {
    std::vector<std::string> fields;
    for (const EventType* const type : types) {
      for (const Field& field : type->fields()) fields.push_back(field.name);
    }
    return fields;
  }

  std::string key_text() const {
    switch (pairs_.key()) {
      case EventPairs::Key::kField:
        return options_.key;
      case EventPairs::Key::kFlow:
        return "flow";
      case EventPairs::Key::kSpanId:
        return "async id";
      default:
        return "thread";
    }
  }

  Table pairs_table(const EventPairs::Counts& counts) const {
    Table table = new_table("latency", "pairs");
    Table::Row row = {options_.from, options_.to, key_text()};
    add_lengths(counts.lengths, &row);
    const std::vector<EventPairs::Pair> longest = pairs_.longest();
    row.push_back(longest.empty() ? Cell() : Cell(longest.front().began_ns));
    row.insert(row.end(), {counts.without_end, counts.without_begin, counts.uncertain});
    table.add(std::move(row));
    return table;
  }

  Table longest_table() const {
    Table table = new_table("latency", "longest");
    for (const EventPairs::Pair& pair : pairs_.longest()) {
      table.add({pair.ns, pair.began_ns, pair.key.empty() ? Cell() : Cell(pair.key),
                 thread_cell(actors_, pair.from_thread), thread_name(actors_, pair.from_thread),
                 thread_cell(actors_, pair.to_thread), thread_name(actors_, pair.to_thread)});
    }
    table.set_of_single_things();
    return table;
  }

  Actors& actors_;
  const char* no_event_;
  const PairOptions& options_;
  EventPairs pairs_;
};

}  // namespace

std::unique_ptr<Analysis> make_latency(const AnalysisInput& input) {
  if (input.options.pairs.from.empty()) return std::make_unique<Delays>(input);
  return std::make_unique<Pairs>(input);
}

}  // namespace evt::report
