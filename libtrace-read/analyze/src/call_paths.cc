#include <evt/analysis/call_paths.h>

#include <algorithm>
#include <utility>

#include "account.h"
#include "path_tree.h"

namespace evt {

CallPaths::Time& CallPaths::Time::operator+=(const Time& other) {
  ns += other.ns;
  running_ns += other.running_ns;
  stopped_ns += other.stopped_ns;
  subtracted_ns += other.subtracted_ns;
  share += other.share;
  return *this;
}

class CallPaths::Impl {
 public:
  Impl(Timeline& timeline, const Options& options)
      : by_thread_(options.by_thread),
        account_(timeline, {.has_shares = options.divides, .subtract_event_ps = options.subtract_event_ps}) {}

  void take(const TimelineItem& item) {
    if (!moved_.empty() && item.ns > moved_ns_) place_moved();
    switch (item.kind) {
      case ItemKind::kBegan:
        return begin(item);
      case ItemKind::kEnded:
        return end(item);
      case ItemKind::kFold:
        place_moved();
        account_.take(item);
        return fold(*item.event->fold);
      default:
        return account_.take(item);
    }
  }

  void restart(std::int64_t ns) {
    moved_.clear();
    account_.restart(ns);
    tree_ = PathTree();
    for (std::uint32_t i = 0; i < account_.threads().size(); ++i) {
      OpenStack<Account::Frame>& open = account_.threads()[i].open;
      for (std::size_t depth = 0; depth < open.size(); ++depth) {
        open[depth].row = node_of(i, depth);
        open[depth].counted_row = kNone;
      }
    }
  }

  std::vector<CallPaths::Inside> inside() const {
    std::vector<Inside> all;
    for (std::uint32_t i = 0; i < account_.threads().size(); ++i) {
      const Account::Time& inside = account_.threads()[i].inside;
      if (inside.ns > 0) all.push_back({i, time_of(inside, {})});
    }
    return all;
  }

  // Frames of a thread from the first one on whose path has changed, because an enclosing one ended.
  struct Moved {
    std::uint32_t thread = 0;
    std::size_t depth = 0;
  };

  static Time time_of(const Account::Time& time, const SharedTime& shared) {
    return {time.ns, time.running_ns, time.stopped_ns, time.subtracted_ns, shared.share};
  }

  // The tree node of a frame. REQUIRES: enclosing frames have one.
  std::uint32_t node_of(std::uint32_t thread, std::size_t depth) {
    const OpenStack<Account::Frame>& open = account_.threads()[thread].open;
    const std::uint32_t around = depth > 0 ? open[depth - 1].row : tree_.root(by_thread_ ? thread : Actor::kNone);
    return tree_.child(around, open[depth].name, open[depth].is_call);
  }

  void begin(const TimelineItem& item) {
    if (!moved_.empty()) place_moved();
    Account::Frame& frame = account_.begin(item);
    frame.row = node_of(item.thread, item.depth);
  }

  void end(const TimelineItem& item) {
    Account::Frame& ended = account_.end(item);
    const Account::Thread& thread = account_.threads()[item.thread];
    flush(thread, &ended);
    if (ended.is_wanted && (item.is_open || item.is_cut)) ++tree_[ended.counted_row].unfinished;
    if (item.depth == thread.open.size()) return;
    const bool is_known = !moved_.empty() && moved_.back().thread == item.thread;
    if (!is_known) moved_.push_back({item.thread, item.depth});
    moved_.back().depth = std::min<std::size_t>(moved_.back().depth, item.depth);
    moved_ns_ = item.ns;
  }

  // Time of frames before they moved belongs to their old path. For many that end at one moment this is done once,
  // before time moves on.
  void place_moved() {
    for (const Moved& moved : moved_) {
      Account::Thread& thread = account_.threads()[moved.thread];
      for (std::size_t depth = moved.depth; depth < thread.open.size(); ++depth) {
        flush(thread, &thread.open[depth]);
        thread.open[depth].row = node_of(moved.thread, depth);
      }
    }
    moved_.clear();
  }

  // A frame that may not be wanted keeps its time: it belongs to the path on which it ends.
  void flush(const Account::Thread& thread, Account::Frame* frame) {
    if (!frame->is_wanted) return;
    Node& node = tree_[frame->row];
    if (frame->counted_row == kNone) {
      frame->counted_row = frame->row;
      ++node.count;
    }
    if (frame->is_outermost) node.sum_ns += (thread.inside - std::exchange(frame->outer_before, thread.inside)).ns;
    node.self += time_of(std::exchange(frame->self, {}), std::exchange(frame->shared, {}));
  }

  void fold(const FoldedActors& gone) {
    if (!by_thread_) return;
    const std::vector<std::uint32_t> to = tree_.fold(gone);
    for (Account::Thread& thread : account_.threads()) {
      for (Account::Frame& frame : thread.open) {
        frame.row = to[frame.row];
        if (frame.counted_row != kNone) frame.counted_row = to[frame.counted_row];
      }
    }
  }

  bool by_thread_;
  Account account_;
  PathTree tree_;             // Account::Frame::row is a path, and counted_row the one on which the frame was counted
  std::vector<Moved> moved_;  // at `moved_ns_`
  std::int64_t moved_ns_ = 0;
};

CallPaths::CallPaths(Timeline& timeline, const Options& options) : impl_(std::make_unique<Impl>(timeline, options)) {}

void CallPaths::take(const TimelineItem& item) { impl_->take(item); }
void CallPaths::restart(std::int64_t ns) { impl_->restart(ns); }
const std::vector<CallPaths::Node>& CallPaths::nodes() const { return impl_->tree_.nodes(); }
std::vector<CallPaths::Inside> CallPaths::inside() const { return impl_->inside(); }
bool CallPaths::has_other_paths() const { return impl_->tree_.has_other_paths(); }
std::uint64_t CallPaths::assumed() const { return impl_->account_.assumed(); }

}  // namespace evt
