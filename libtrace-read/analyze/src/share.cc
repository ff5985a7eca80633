#include <evt/analysis/share.h>

#include <algorithm>

#include "account.h"
#include "index_table.h"
#include "shows_runs.h"
#include "uncertain_time.h"

namespace evt {

class Share::Impl {
 public:
  Impl(Timeline& timeline, ShareModel model)
      : model_(model),
        account_(timeline, {.has_times = false, .has_outermost = false, .has_shares = true, .model = model}) {}

  void take(const TimelineItem& item) {
    uncertain_.take(item);
    switch (item.kind) {
      case ItemKind::kBegan:
        return begin(item);
      case ItemKind::kEnded:
        return end(item);
      case ItemKind::kJump:
        ++jumps_;
        return;
      case ItemKind::kState:
        has_runs_ |= !item.is_open && shows_runs(item);
        break;
      default:
        break;
    }
    account_.take(item);
    if (item.kind == ItemKind::kCollectorEnded) end_collection(item);
    if (item.kind == ItemKind::kFold) fold(*item.event->fold);
  }

  void restart(std::int64_t ns) {
    account_.restart(ns);
    uncertain_.restart(ns);
    jumps_ = 0;
    lengths_.clear();
    lengths_by_name_.clear();
    for (Row& row : rows_) {
      row.time = SharedTime();
      row.times = 0;
    }
    for (std::uint32_t i = 0; i < has_spans_.size(); ++i) has_spans_[i] = !account_.threads()[i].open.empty();
  }

  std::vector<Share::Row> rows(std::int64_t ns) const {
    Account now = account_;
    now.settle_all(ns);
    std::vector<Row> rows = rows_;
    for (const Account::Thread& thread : now.threads()) {
      for (const Account::Frame& frame : thread.open) {
        if (!frame.is_wanted) continue;
        rows[frame.row].time += frame.shared;
        rows[frame.row].times += 1;
      }
    }
    std::erase_if(rows, [](const Row& row) { return row.times == 0 && row.time.ns == 0; });
    for (std::uint32_t i = 0; i < now.threads().size(); ++i) {
      const Account::Thread& thread = now.threads()[i];
      // A new one may have had no time.
      if (thread.own.ns > 0 || (!thread.is_old && thread.was_wanted)) rows.push_back({i, kNone, false, 0, thread.own});
    }
    for (std::uint32_t place = 0; place < now.collectors().size(); ++place) {
      const Account::Collector& collector = now.collectors()[place];
      if (!collector.collects || !collector.is_wanted) continue;
      const auto found =
          std::ranges::find_if(rows, [&](const Row& row) { return row.thread == kNone && row.name == place; });
      Row& row = found != rows.end() ? *found : rows.emplace_back(Row{kNone, place, false, 0, {}});
      row.time += collector.shared;
      row.times += 1;
    }
    return rows;
  }

  std::uint64_t assumed() const { return model_ == ShareModel::kRunning ? account_.assumed() : 0; }
  bool has_threads() const { return !account_.threads().empty(); }
  std::uint64_t never_active() const {
    std::uint64_t never = 0;
    for (std::uint32_t i = 0; i < has_spans_.size(); ++i) {
      never += has_spans_[i] && !account_.threads()[i].was_active ? 1 : 0;
    }
    return never;
  }

  std::uint64_t uncertain_ns(std::int64_t ns) const { return uncertain_.ns(ns); }

  std::uint32_t row_of(std::uint32_t thread, std::uint32_t name, bool is_call) {
    const auto next = static_cast<std::uint32_t>(rows_.size());
    const std::uint32_t row = by_kind_.index(thread, name << 1 | std::uint32_t{is_call}, next);
    if (row == next) rows_.push_back({thread, name, is_call, 0, {}});
    return row;
  }

  void begin(const TimelineItem& item) {
    const std::uint32_t row = row_of(item.thread, item.name, item.is_call);
    account_.begin(item).row = row;
    __builtin_prefetch(&rows_[row].time, 1);  // it gets its time when this ends, usually soon
    if (item.thread >= has_spans_.size()) has_spans_.resize(item.thread + std::size_t{1});
    has_spans_[item.thread] = true;
  }

  void end(const TimelineItem& item) {
    const Account::Frame& ended = account_.end(item);
    if (!ended.is_wanted) return;
    rows_[ended.row].time += ended.shared;
    rows_[ended.row].times += 1;
    add_length(ended);
  }

  void add_length(const Account::Frame& ended) {
    const auto [index, is_new] = lengths_by_name_.add(std::uint64_t{ended.name} << 1 | (ended.is_call ? 1 : 0));
    if (is_new) {
      *index = static_cast<std::uint32_t>(lengths_.size());
      lengths_.push_back({ended.name, ended.is_call, {}});
    }
    lengths_[*index].shares.add(ended.shared.share.high);
  }

  void end_collection(const TimelineItem& item) {
    const std::uint32_t place = account_.place_of(*item.stream);
    const Account::Collector& collector = account_.collectors()[place];
    if (!collector.is_wanted) return;
    Row& row = rows_[row_of(kNone, place, false)];
    row.time += collector.shared;
    row.times += 1;
  }

  void fold(const FoldedActors& gone) {
    const std::vector<Row> before = std::move(rows_);
    rows_.clear();
    by_kind_ = IndexTable();
    std::vector<std::uint32_t> to;
    for (const Row& row : before) {
      to.push_back(row_of(gone(row.thread), row.name, row.is_call));
      rows_[to.back()].times += row.times;
      rows_[to.back()].time += row.time;
    }
    for (Account::Thread& thread : account_.threads()) {
      for (Account::Frame& frame : thread.open) frame.row = to[frame.row];
    }
    for (const std::uint32_t thread : gone.all()) {
      if (thread < has_spans_.size()) has_spans_[thread] = false;
    }
  }

  ShareModel model_;
  Account account_;  // Account::Frame::row is one of rows_
  UncertainTime uncertain_;
  bool has_runs_ = false;
  std::vector<bool> has_spans_;  // by thread, since counting began
  std::vector<Row> rows_;        // except those of threads themselves
  IndexTable by_kind_;           // index of a thread and a kind of row
  std::vector<Lengths> lengths_;
  FlatMap<std::uint32_t> lengths_by_name_;  // indexes of them
  std::uint64_t jumps_ = 0;
};

Share::Share(Timeline& timeline, ShareModel model) : impl_(std::make_unique<Impl>(timeline, model)) {}

void Share::take(const TimelineItem& item) { impl_->take(item); }
void Share::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<Share::Row> Share::rows(std::int64_t ns) const { return impl_->rows(ns); }
const std::vector<Share::Lengths>& Share::lengths() const { return impl_->lengths_; }
SharedTime Share::time(std::int64_t ns) const { return impl_->account_.clock().counted(ns); }
std::uint64_t Share::idle_ns(std::int64_t ns) const { return impl_->account_.clock().idle_ns(ns); }
ShareModel Share::model() const { return impl_->model_; }
std::uint64_t Share::assumed() const { return impl_->assumed(); }
bool Share::has_threads() const { return impl_->has_threads(); }
bool Share::has_runs() const { return impl_->has_runs_; }
std::uint64_t Share::never_active() const { return impl_->never_active(); }
std::uint64_t Share::jumps() const { return impl_->jumps_; }
std::uint64_t Share::uncertain_ns(std::int64_t ns) const { return impl_->uncertain_ns(ns); }

}  // namespace evt
