// evt stats share: how time is shared.
#include <evt/analysis/share.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

constexpr const char* kIdle = "(idle)";
constexpr const char* kItself = "(threads themselves)";
constexpr const char* kCollection = "(garbage collection)";
constexpr const char* kGc = "gc";

std::uint64_t nearest(const Uint128& sum) { return sum.high + (sum.low >> 63); }

// `other` is another model's value for it.
Cell off_by(std::uint64_t exact, std::uint64_t other) { return static_cast<std::int64_t>(other - exact); }

// The results of one model at the end of the time: rows of spans and calls, and of threads, whose shares are integer
// nanoseconds. In exact models they add up to the time in which anybody was active, or to the part of it in the
// selection. Total times do not depend on the selection.
class SharesFound {
 public:
  struct Row {
    std::string name;
    std::string_view kind;     // span, call, thread: all threads themselves, or gc: garbage collectors
    std::uint32_t thread = 0;  // in rows of threads; kNone: a collector
    std::uint64_t times = 0;
    SharedTime time;
    std::uint64_t share_ns = 0;
    Histogram::Outliers outliers{};  // for spans and calls: some that have far more than others of their name
    std::uint64_t self_ns = 0;       // for threads: without their spans and calls
  };

  SharesFound(const Share& share, const EventNames& names, const Actors& actors, TimeRange range)
      : wall_ns_(length_of(range)), idle_ns_(share.idle_ns(range.to_ns)) {
    const SharedTime all = share.time(range.to_ns);
    serial_ns_ = all.serial_ns;
    if (wall_ns_ > idle_ns_) parallelism_ = all.weighted.as_double() / static_cast<double>(wall_ns_ - idle_ns_);
    std::map<std::pair<std::uint32_t, bool>, std::size_t> span_of;
    std::map<std::uint32_t, std::size_t> thread_of;
    std::map<std::uint32_t, Uint128> in_spans;
    std::vector<Row> threads;
    std::vector<Share::Row> collectors;
    for (const Share::Row& row : share.rows(range.to_ns)) {
      if (row.thread == Share::kNone) {
        collectors.push_back(row);
        continue;
      }
      const bool is_thread = row.name == Share::kNone;
      const auto [span, is_new] = span_of.try_emplace({row.name, row.is_call}, spans_.size());
      if (is_new) {
        spans_.push_back({is_thread ? kItself : names.text(row.name),
                          is_thread     ? "thread"
                          : row.is_call ? "call"
                                        : "span",
                          0,
                          0,
                          {},
                          0,
                          {},
                          0});
      }
      spans_[span->second].times += row.times;
      spans_[span->second].time += row.time;
      const auto [thread, is_new_thread] = thread_of.try_emplace(row.thread, threads.size());
      if (is_new_thread) threads.push_back({"", "thread", row.thread, 0, {}, 0, {}, 0});
      Row& of_thread = threads[thread->second];
      of_thread.times += row.times;
      of_thread.time += row.time;
      if (!is_thread) in_spans[row.thread] += row.time.share;
    }
    for (const auto& [thread, place] : thread_of) threads_.push_back(threads[place]);
    for (const Share::Lengths& each : share.lengths()) {
      const auto span = span_of.find({each.name, each.is_call});
      if (span != span_of.end()) spans_[span->second].outliers = each.shares.outliers();
    }
    // The rest of a nanosecond goes to rows by their order.
    std::ranges::sort(spans_,
                      [](const Row& a, const Row& b) { return a.name != b.name ? a.name < b.name : a.kind < b.kind; });
    std::ranges::sort(threads_,
                      [&](const Row& a, const Row& b) { return comes_before(actors.threads(), a.thread, b.thread); });
    std::ranges::sort(collectors, {}, &Share::Row::name);
    for (const Share::Row& row : collectors) add_collector(row, actors.session());
    round(&spans_, share.model() != ShareModel::kPhase);
    round(&threads_, share.model() != ShareModel::kPhase);
    // Sums of outliers have a histogram's error: limited to the whole share.
    for (Row& row : spans_) row.outliers.sum = std::min(row.outliers.sum, row.share_ns);
    for (Row& row : threads_) row.self_ns = row.share_ns - std::min(row.share_ns, nearest(in_spans[row.thread]));
  }

  const std::vector<Row>& spans() const { return spans_; }      // in the order of their names
  const std::vector<Row>& threads() const { return threads_; }  // in the order of their numbers; then collectors
  std::uint64_t wall_ns() const { return wall_ns_; }
  std::uint64_t idle_ns() const { return idle_ns_; }
  // The sum of the shares.
  std::uint64_t shared_ns() const {
    std::uint64_t sum = 0;
    for (const Row& row : threads_) sum += row.share_ns;
    return sum;
  }

  std::uint64_t serial_ns() const { return serial_ns_; }
  double parallelism() const { return parallelism_; }  // while anybody was active

 private:
  // One row for all collectors, and one for each.
  void add_collector(const Share::Row& row, const Session& session) {
    if (spans_.empty() || spans_.back().kind != kGc) spans_.push_back({kCollection, kGc, 0, 0, {}, 0, {}, 0});
    spans_.back().times += row.times;
    spans_.back().time += row.time;
    threads_.push_back({"gc of " + session.streams[row.name].name, kGc, Actor::kNone, row.times, row.time, 0, {}, 0});
  }

  static void round(std::vector<Row>* rows, bool exactly);

  std::vector<Row> spans_;
  std::vector<Row> threads_;
  std::uint64_t wall_ns_ = 0;
  std::uint64_t idle_ns_ = 0;
  std::uint64_t serial_ns_ = 0;
  double parallelism_ = 0;
};

using Row = SharesFound::Row;

// Cells of the time columns, after the key columns.
void add_times(Table::Row* cells, const Row& row, std::uint64_t wall_ns) {
  cells->push_back(row.time.ns);
  cells->push_back(row.time.serial_ns);
  cells->push_back(row.time.ns - row.time.serial_ns);
  cells->push_back(row.time.ns > 0 ? Cell(row.time.parallelism()) : Cell());
  cells->push_back(row.share_ns);
  cells->push_back(percent_of(row.share_ns, wall_ns));
}

// The first cells of a row of threads.
Table::Row who(const Row& row, const Actors& actors) {
  if (row.thread == Actor::kNone) return {Cell(), row.name};
  return {actor_cell(actors, actors.threads(), row.thread), actor_name(actors.threads(), row.thread)};
}

void add_idle(Table::Row* cells, const SharesFound& found) {
  cells->insert(cells->end(),
                {Cell(), Cell(), Cell(), Cell(), found.idle_ns(), percent_of(found.idle_ns(), found.wall_ns())});
}

void add_models(Table::Row* cells, std::uint64_t running, std::uint64_t existing, std::uint64_t phase) {
  cells->insert(cells->end(), {running, existing, off_by(running, existing), phase, off_by(running, phase)});
}

void SharesFound::round(std::vector<Row>* rows, bool exactly) {
  std::vector<Uint128> shares;
  Uint128 sum;
  for (const Row& row : *rows) sum += shares.emplace_back(row.time.share);
  const std::vector<std::uint64_t> whole = exactly ? whole_shares(shares, nearest(sum)) : std::vector<std::uint64_t>();
  for (std::size_t i = 0; i < rows->size(); ++i) {
    Row& row = (*rows)[i];
    row.share_ns = exactly ? whole[i] : nearest(shares[i]);
  }
}

Table share_time_table(const SharesFound& found, const std::string& model) {
  const std::uint64_t active = found.wall_ns() - found.idle_ns();
  return new_facts("share", "time",
                   {model, found.wall_ns(), found.idle_ns(), found.serial_ns(), active - found.serial_ns(),
                    active > 0 ? Cell(found.parallelism()) : Cell()});
}

Table share_table(const SharesFound& found) {
  Table table = new_table("share", "share");
  bool has_outliers = false;
  for (const Row& row : found.spans()) {
    const bool is_thread = row.times == 0 && row.kind == "thread";
    Table::Row cells = {row.name, std::string(row.kind), is_thread ? Cell() : Cell(row.times)};
    add_times(&cells, row, found.wall_ns());
    const bool is_single = row.kind == "span" || row.kind == "call";
    cells.push_back(is_single ? Cell(row.outliers.count) : Cell());
    cells.push_back(is_single ? Cell(row.share_ns - row.outliers.sum) : Cell());
    has_outliers |= row.outliers.count > 0;
    table.add(std::move(cells));
  }
  table.sort(*table.column("share"), false);
  Table::Row idle = {kIdle, "", Cell()};
  add_idle(&idle, found);
  idle.insert(idle.end(), {Cell(), Cell()});
  table.add(std::move(idle));
  if (!has_outliers) {
    for (const char* const column : {"outliers", "share without"}) table.hide(column);
  }
  return table;
}

Table share_threads_table(const SharesFound& found, const Actors& actors) {
  Table table = new_table("share", "threads");
  for (const Row& row : found.threads()) {
    Table::Row cells = who(row, actors);
    add_times(&cells, row, found.wall_ns());
    cells.push_back(row.self_ns);
    table.add(std::move(cells));
  }
  table.sort(*table.column("share"), false);
  Table::Row idle = {kIdle, ""};
  add_idle(&idle, found);
  idle.push_back(Cell());
  table.add(std::move(idle));
  return table;
}

// Each model's shares, and how far those of others are from the exact ones.
Table compared_spans_table(const SharesFound& running, const SharesFound& existing, const SharesFound& phase) {
  Table table = new_table("share", "models");
  // Threads that are never active in one model have no row in it, so this compares names, not indexes.
  using ByName = std::map<std::pair<std::string, std::string>, std::uint64_t>;
  const auto by_name = [](const SharesFound& found) {
    ByName shares;
    for (const Row& row : found.spans()) shares[{row.name, std::string(row.kind)}] = row.share_ns;
    return shares;
  };
  const ByName of_existing = by_name(existing);
  const ByName of_phase = by_name(phase);
  for (std::size_t i = 0; i < running.spans().size(); ++i) {
    const Row& row = running.spans()[i];
    const auto share_by = [&](const ByName& other) {
      const auto same = other.find({row.name, std::string(row.kind)});
      return same != other.end() ? same->second : 0;
    };
    Table::Row cells = {row.name, std::string(row.kind)};
    add_models(&cells, row.share_ns, share_by(of_existing), share_by(of_phase));
    table.add(std::move(cells));
  }
  table.sort(*table.column("running"), false);
  Table::Row idle = {kIdle, ""};
  add_models(&idle, running.idle_ns(), existing.idle_ns(), phase.idle_ns());
  table.add(std::move(idle));
  return table;
}

Table compared_threads_table(const SharesFound& running, const SharesFound& existing, const SharesFound& phase,
                             const Actors& actors) {
  Table table = new_table("share", "model_threads");
  struct OfThread {
    Row row;
    std::array<std::uint64_t, 3> by_model{};
  };
  std::map<std::pair<std::uint32_t, std::string>, OfThread> shares;
  const SharesFound* const all[] = {&running, &existing, &phase};
  for (std::size_t i = 0; i < 3; ++i) {
    for (const Row& row : all[i]->threads()) {
      OfThread& same = shares[{row.thread, row.name}];
      same.row = row;
      same.by_model[i] = row.share_ns;
    }
  }

  for (const auto& [key, of] : shares) {
    Table::Row cells = who(of.row, actors);
    add_models(&cells, of.by_model[0], of.by_model[1], of.by_model[2]);
    table.add(std::move(cells));
  }

  table.sort(*table.column("running"), false);
  return table;
}

class ShareOfTime : public CopiedAnalysis<ShareOfTime> {
 public:
  explicit ShareOfTime(const AnalysisInput& input)
      : timeline_(input.timeline), actors_(input.timeline.actors()), has_filter_(input.has_filter) {
    if (!input.options.share.compare) {
      models_.emplace_back(timeline_, input.options.share.model);
      return;
    }
    for (const ShareModel model : {ShareModel::kRunning, ShareModel::kExisting, ShareModel::kPhase}) {
      models_.emplace_back(timeline_, model);
    }
  }

  RoleSet rows() const override { return {}; }
  void take(const TimelineItem& item) override {
    for (Share& model : models_) model.take(item);
    doubts_.take(item);
  }
  void restart(std::int64_t ns) override {
    for (Share& model : models_) model.restart(ns);
    doubts_.restart(ns);
  }

  // Shares cover the range: they add up to it.
  void begin(std::int64_t ns) override { restart(ns); }

  Findings finish(TimeRange range) override {
    Findings findings;
    std::vector<SharesFound> found;
    for (const Share& model : models_) found.emplace_back(model, timeline_.names(), actors_, range);
    if (models_.size() > 1) {
      findings.tables.push_back(compared_spans_table(found[0], found[1], found[2]));
      findings.tables.push_back(compared_threads_table(found[0], found[1], found[2], actors_));
    } else {
      findings.tables.push_back(share_time_table(found[0], word_of(models_[0])));
      findings.tables.push_back(share_table(found[0]));
      findings.tables.push_back(share_threads_table(found[0], actors_));
    }
    if (found[0].threads().empty() && (has_filter_ || !models_[0].has_threads())) {
      findings.set_nothing("no event records a thread, a span or a call: the time cannot be divided");
      add_others(actors_, &findings);
      return findings;
    }
    for (std::size_t i = 0; i < models_.size(); ++i) add_model_notes(models_[i], found[i], &findings.notes);
    add_notes(range.to_ns, &findings.notes);
    add_others(actors_, &findings);
    return findings;
  }

 private:
  std::string word_of(const Share& share) const {
    if (share.assumed() > 0 && !share.has_runs() && !timeline_.records_runs())
      return "running: threads with an open span or call";
    static constexpr const char* kWords[] = {"running", "existing: diluted by threads that sleep",
                                             "phase: the most that existed in each phase"};
    return kWords[static_cast<std::size_t>(share.model())];
  }

  void add_model_notes(const Share& share, const SharesFound& found, std::vector<std::string>* notes) const {
    if (share.assumed() > 0) notes->push_back(assumed_to_run(share.assumed()));
    if (share.model() == ShareModel::kPhase && !has_filter_) {
      notes->push_back(fmt::format("by the model phase shares add up to {} ns of {} ns: it is an approximation",
                                   found.shared_ns() + found.idle_ns(), found.wall_ns()));
    }
  }

  // Models differ in who is active, not in what is open.
  void add_notes(std::int64_t ns, std::vector<std::string>* notes) const {
    const Share& share = models_.front();
    if (timeline_.names().is_full()) notes->push_back(kTooManyNames);
    if (share.never_active() > 0) {
      notes->push_back(counted(share.never_active(), "thread") + " with spans or calls never seen to run: no share");
    }
    add_span_notes(doubts_, notes);
    add_uncertain(share.uncertain_ns(ns), "the threads' time", notes);
    if (share.model() == ShareModel::kRunning) {
      add_doubts(timeline_.doubts(), notes);
    } else if (share.jumps() > 0) {
      notes->push_back(
          fmt::format("time steps back {} times: what went on in between is not counted twice", share.jumps()));
    }
  }

  Timeline& timeline_;
  const Actors& actors_;
  bool has_filter_;
  std::vector<Share> models_;
  SpanDoubts doubts_;
};

}  // namespace

std::unique_ptr<Analysis> make_share(const AnalysisInput& input) { return std::make_unique<ShareOfTime>(input); }

}  // namespace evt::report
