// evt stats gc: garbage collection, and sparks.
#include <evt/analysis/collections.h>
#include <fmt/core.h>

#include <optional>
#include <vector>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

// True if the session may have collections or sparks.
bool may_collect(const Session& session) {
  return may_have(session, {Role::kGcStart, Role::kGcEnd, Role::kGcRequest, Role::kGcPauseBegin, Role::kGcPauseEnd,
                            Role::kGcConcurrentBegin, Role::kGcConcurrentEnd, Role::kSparkCreate, Role::kSparkDud,
                            Role::kSparkOverflow, Role::kSparkRun, Role::kSparkSteal, Role::kSparkCollect,
                            Role::kSparkFizzle, Role::kSparkCounters});
}

std::string no_collections(const char* no_event) {
  return fmt::format("{} records a garbage collection (roles gcStart, gcEnd)", no_event);
}

class Gc : public CopiedAnalysis<Gc> {
 public:
  explicit Gc(const AnalysisInput& input)
      : no_event_(input.no_event()),
        by_reason_(!input.options.by.empty()),
        names_(input.timeline.names()),
        collections_(input.collections) {
    collections_.keep_longest(input.options.longest);
  }

  ItemKinds items() const override { return Collections::items(); }
  RoleSet rows() const override {
    return {Role::kThreadRun,  Role::kThreadStop,        Role::kGcRequest,      Role::kGcPauseBegin,
            Role::kGcPauseEnd, Role::kGcConcurrentBegin, Role::kGcConcurrentEnd};
  }
  void take(const TimelineItem& item) override { collections_.take(item); }
  void restart(std::int64_t ns) override { collections_.restart(ns); }
  void begin(std::int64_t ns) override { collections_.begin(ns); }

  Findings finish(TimeRange range) override {
    Findings findings;
    const std::vector<Collections::Capability> rows = collections_.capabilities(range.to_ns);
    const bool has_pauses = collections_.pauses().count() > 0;
    if (has_pauses || collections_.doubts().unfinished > 0) findings.tables.push_back(whole(range));
    if (has_pauses) {
      findings.tables.push_back(by_reason_ ? reasons() : pauses());
      findings.tables.push_back(utilization(range));
      findings.tables.push_back(longest());
    }
    if (!rows.empty()) findings.tables.push_back(capabilities(rows, range));
    if (collections_.has_sparks()) findings.tables.push_back(sparks(rows));
    add_notes(rows, &findings);
    // Rows about running threads are not an answer if nothing collects.
    if (!findings.nothing.empty()) findings.tables.clear();
    return findings;
  }

 private:
  Table whole(TimeRange range) const {
    const std::uint64_t all = length_of(range);
    const std::uint64_t paused = std::min(collections_.paused_ns(), all);
    const std::uint64_t stopping = std::min(collections_.stopping_ns(range.to_ns), all - paused);
    const std::uint64_t mutator = all - paused - stopping;
    return new_facts("gc", "gc",
                     {all, mutator, paused, stopping, collections_.concurrent_ns(range.to_ns),
                      collections_.pauses().count(), percent_of(mutator, all)});
  }

  Table pauses() const {
    return pauses("pauses", collections_.by_generation(), Collections::kNoGeneration,
                  [](std::uint64_t generation) { return std::to_string(generation); });
  }
  // In the order of their texts, which does not depend on what came before the range.
  Table reasons() const {
    std::map<std::pair<bool, std::string>, Histogram> by_text;
    for (const auto& [name, of] : collections_.by_reason()) {
      const bool is_none = name == EventNames::kNone;
      by_text.emplace(std::pair(is_none, is_none ? "" : names_.text(name)), of);
    }
    return pauses("reasons", by_text, std::pair(true, std::string()), [](const auto& text) { return text.second; });
  }

  Table utilization(TimeRange range) const {
    Table table = new_table("gc", "utilization");
    const std::vector<std::optional<std::uint64_t>> least = collections_.utilization(range.to_ns);
    for (std::size_t i = 0; i < least.size(); ++i) {
      const auto window = static_cast<std::uint64_t>(Collections::windows()[i]);
      if (least[i]) table.add({window, *least[i], percent_of(*least[i], window)});
    }
    return table;
  }

  Table longest() const {
    Table table = new_table("gc", "longest");
    for (const Collections::Pause& pause : collections_.longest()) {
      const bool has_generation = pause.generation != Collections::kNoGeneration;
      const bool has_reason = pause.reason != EventNames::kNone;
      table.add({pause.began_ns, length_of({pause.began_ns, pause.ended_ns}), std::uint64_t{pause.stream->id},
                 pause.stream->name, has_generation ? Cell(pause.generation) : Cell(),
                 has_reason ? Cell(names_.text(pause.reason)) : Cell()});
    }
    table.set_of_single_things();
    return table;
  }

  template <typename Key, typename TextOf>
  Table pauses(const char* name, const std::map<Key, Histogram>& all, Key not_known, TextOf text_of) const {
    Table table = new_table("gc", name);
    const auto add = [&](std::string key, const Histogram& of) {
      table.add({std::move(key), of.count(), of.sum(), of.mean(), of.min(), of.quantile(0.5), of.quantile(0.9),
                 of.quantile(0.99), of.max()});
    };
    add("all", collections_.pauses());
    const bool any_is_known = all.begin()->first != not_known;
    for (const auto& [key, of] : all) {
      if (any_is_known) add(key == not_known ? "not known" : text_of(key), of);
    }
    return table;
  }

  Table capabilities(const std::vector<Collections::Capability>& rows, TimeRange range) const {
    const std::uint64_t all = length_of(range);
    Table table = new_table("gc", "capabilities");
    for (const Collections::Capability& row : rows) {
      const std::uint64_t collector = std::min(row.collector_ns, all);
      // If threads are not seen to run, all time outside of collections is theirs.
      const std::uint64_t mutator = collections_.has_threads() ? row.mutator_ns : all - collector;
      const std::uint64_t idle = all - std::min(all, collector + mutator);
      table.add({std::uint64_t{row.stream->id}, row.stream->name, mutator, percent_of(mutator, all), collector,
                 percent_of(collector, all), row.work_ns, row.idle_ns, row.sync_ns, idle, row.collections});
    }
    const auto has_phases = [](const Collections::Capability& row) { return row.idle_ns + row.sync_ns > 0; };
    if (std::ranges::none_of(rows, has_phases)) {
      for (const char* const phase : {"work", "gc idle", "sync"}) table.hide(phase);
    }
    return table;
  }

  Table sparks(const std::vector<Collections::Capability>& rows) const {
    Table table = new_table("gc", "sparks");
    Collections::Sparks sum;
    const auto add = [&](const std::string& name, const Collections::Sparks& of) {
      // The fate of a spark is counted too: these three were offered.
      table.add(
          {name, of.created + of.dud + of.overflowed, of.converted, of.overflowed, of.dud, of.collected, of.fizzled});
    };
    for (const Collections::Capability& row : rows) {
      sum.created += row.sparks.created;
      sum.dud += row.sparks.dud;
      sum.overflowed += row.sparks.overflowed;
      sum.converted += row.sparks.converted;
      sum.collected += row.sparks.collected;
      sum.fizzled += row.sparks.fizzled;
    }
    add("all", sum);
    for (const Collections::Capability& row : rows) add(row.stream->name, row.sparks);
    return table;
  }

  void add_notes(const std::vector<Collections::Capability>& rows, Findings* findings) const {
    const Collections::Doubts doubts = collections_.doubts();
    const bool has_collections =
        collections_.pauses().count() > 0 || doubts.unfinished > 0 ||
        std::ranges::any_of(rows, [](const Collections::Capability& row) { return row.collections > 0; });
    if (!has_collections) {
      std::string sentence = no_collections(no_event_);
      collections_.has_sparks() ? findings->notes.push_back(std::move(sentence))
                                : findings->set_nothing(std::move(sentence));
    }
    const auto add = [&](std::uint64_t count, const char* what) {
      if (count > 0) findings->notes.push_back(fmt::format("{}: {}", what, count));
    };
    add(doubts.unmatched_ends, "ends of collections that were not seen to begin");
    add(doubts.unended, "collections that were not seen to end before the next on their stream");
    add(doubts.unfinished, "collections that have not ended yet, which are no pauses");
    add(doubts.lost_in, "collections during which events were lost");
  }

  const char* no_event_;
  bool by_reason_;
  const EventNames& names_;
  Collections collections_;
};

}  // namespace

std::unique_ptr<Analysis> make_gc(const AnalysisInput& input) { return std::make_unique<Gc>(input); }

std::optional<Findings> gc_of_index(const Session& session, TimeRange, const AnalysisOptions&) {
  if (may_collect(session)) return std::nullopt;
  Findings findings;
  findings.set_nothing(no_collections(kNoEvent));
  return findings;
}

}  // namespace evt::report
