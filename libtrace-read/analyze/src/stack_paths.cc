#include <evt/analysis/stack_paths.h>
#include <evt/analysis/stated_stacks.h>
#include <evt/events.h>
#include <fmt/core.h>

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "path_tree.h"

namespace evt {

class StackPaths::Impl {
 public:
  Impl(Timeline& timeline, const Options& options)
      : timeline_(&timeline), options_(options), stacks_(timeline.actors().session()) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kFold) return fold(*item.event->fold);
    if (item.kind != ItemKind::kRow || item.event->role != Role::kSample || !item.is_wanted) return;
    if (item.event->lost || item.event->event == nullptr) return;
    const Event& event = *item.event->event;
    const StatedStacks::Weight weight = StatedStacks::weight_of(event);
    if (weight.is_wait != options_.waiting) return;
    if (!weight.ns) {
      ++doubts_.no_time;
      return;
    }
    is_exact_ = is_exact_ && !stacks_.is_sum(event);
    const std::vector<std::uint32_t>* const stack = stacks_.stack_of(event).frames;
    if (stack == nullptr || stack->empty()) {
      ++doubts_.no_stack;
      return;
    }
    add(*stack, options_.by_thread ? item.event->thread : Actor::kNone, *weight.ns);
  }

  void restart() {
    tree_ = PathTree();
    inside_.clear();
    samples_ = 0;
    last_sample_.clear();
    doubts_ = {};
    is_exact_ = true;
  }

  const PathTree& tree() const { return tree_; }
  std::uint64_t samples() const { return samples_; }
  bool is_exact() const { return is_exact_; }
  std::string module_of(std::uint32_t name) const {
    const auto frame = first_frame_.find(name);
    return frame != first_frame_.end() ? stacks_.frame(frame->second).module : "";
  }
  const Doubts& doubts() const { return doubts_; }
  std::vector<CallPaths::Inside> inside() const {
    std::vector<CallPaths::Inside> all;
    for (const auto& [thread, ns] : inside_) all.push_back({thread, {ns, ns, 0, 0, {}}});
    return all;
  }

 private:
  // The innermost frame first.
  void add(const std::vector<std::uint32_t>& stack, std::uint32_t thread, std::uint64_t ns) {
    ++samples_;
    inside_[thread] += ns;
    if (!stack.empty() && stacks_.frame(stack.back()).function == events::kTruncatedStack) doubts_.truncated_ns += ns;
    std::uint32_t at = tree_.root(thread);
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
      const std::uint32_t name = name_of(*frame);
      at = tree_.child(at, name, false);
      if (name >= last_sample_.size()) last_sample_.resize(name + std::size_t{1});
      const bool is_outermost = std::exchange(last_sample_[name], samples_) != samples_;
      if (is_outermost) tree_[at].sum_ns += ns;
    }
    CallPaths::Node& innermost = tree_[at];
    ++innermost.count;
    innermost.self.ns += ns;
    innermost.self.running_ns += ns;
    innermost.squares += static_cast<double>(ns) * static_cast<double>(ns);
  }

  std::uint32_t name_of(std::uint32_t frame) {
    if (frame >= name_of_.size()) name_of_.resize(frame + std::size_t{1}, CallPaths::kNone);
    if (name_of_[frame] == CallPaths::kNone)
      name_of_[frame] = timeline_->names().of_text(text_of(stacks_.frame(frame)));
    first_frame_.try_emplace(name_of_[frame], frame);
    return name_of_[frame];
  }

  std::string text_of(const StatedStacks::Frame& frame) const {
    if (options_.by == By::kModule && frame.id) return frame.module_name();
    return options_.by == By::kLine && frame.line > 0 ? fmt::format("{}:{}", frame.name(), frame.line) : frame.name();
  }

  void fold(const FoldedActors& gone) {
    if (!options_.by_thread) return;
    tree_.fold(gone);
    std::map<std::uint32_t, std::uint64_t> before = std::exchange(inside_, {});
    for (const auto& [thread, ns] : before) inside_[gone(thread)] += ns;
  }

  Timeline* timeline_;
  Options options_;
  PathTree tree_;
  std::map<std::uint32_t, std::uint64_t> inside_;  // by thread, ns
  StatedStacks stacks_;
  std::vector<std::uint32_t> name_of_;                            // by frame
  std::unordered_map<std::uint32_t, std::uint32_t> first_frame_;  // by name
  std::vector<std::uint64_t> last_sample_;                        // that had it in its stack, by name
  std::uint64_t samples_ = 0;
  bool is_exact_ = true;
  Doubts doubts_;
};

StackPaths::StackPaths(Timeline& timeline, const Options& options) : impl_(std::make_unique<Impl>(timeline, options)) {}

void StackPaths::take(const TimelineItem& item) { impl_->take(item); }
void StackPaths::restart() { impl_->restart(); }
const std::vector<CallPaths::Node>& StackPaths::nodes() const { return impl_->tree().nodes(); }
std::vector<CallPaths::Inside> StackPaths::inside() const { return impl_->inside(); }
bool StackPaths::has_other_paths() const { return impl_->tree().has_other_paths(); }
std::string StackPaths::module_of(std::uint32_t name) const { return impl_->module_of(name); }
std::uint64_t StackPaths::samples() const { return impl_->samples(); }
bool StackPaths::is_exact() const { return impl_->is_exact(); }
const StackPaths::Doubts& StackPaths::doubts() const { return impl_->doubts(); }

}  // namespace evt
