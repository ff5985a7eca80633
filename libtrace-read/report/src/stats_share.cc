// evt stats share: how time is shared.
#include <fmt/core.h>

#include "libtrace-read/report/shared/analysis.h"
#include "share_table.h"

namespace evt::report {
namespace {

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
      findings.set_nothing("no event is about a thread, a span or a call: nothing is known of whose the time was");
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
          fmt::format("time steps back {} times: what went on meanwhile is not counted twice", share.jumps()));
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
