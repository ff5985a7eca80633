#include <evt/analysis/stack_paths.h>
#include <evt/little_endian.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "path_tree.h"
#include "unit_time.h"

namespace evt {
namespace {

constexpr const char* kUnknownFrame = "[unknown]";

// Returns the text of the field with this role, or an empty one.
std::string text_of(const Session& session, const SharedRow& row, Role role) {
  const std::optional<Value> value = row.value(role);
  if (!value || value->is_sequence()) return "";
  if (value->kind() == Kind::kText) return std::string(value->as_text());
  const std::string* const text =
      value->kind() == Kind::kInterned ? session.text({static_cast<std::uint32_t>(value->as_unsigned())}) : nullptr;
  return text == nullptr ? "" : *text;
}

constexpr std::size_t kId = sizeof(std::uint32_t);

// One, or an array of them.
bool is_reference(const Field& field) { return field.kind == Kind::kReference && field.width == kId; }

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

class StackPaths::Impl {
 public:
  Impl(Timeline& timeline, const Options& options) : timeline_(&timeline), options_(options) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kFold) return fold(*item.event->fold);
    if (item.kind != ItemKind::kRow || item.event->role != Role::kSample || !item.is_wanted) return;
    if (item.event->lost || item.event->event == nullptr) return;
    const Event& event = *item.event->event;
    const bool is_wait = event.type().field(Role::kDuration) != nullptr;
    if (is_wait != options_.waiting) return;
    const Role role = is_wait ? Role::kDuration : Role::kWeight;
    const Field* const weight = event.type().field(role);
    const std::uint64_t unit_ns = weight == nullptr ? 0 : ns_in(weight->unit);
    if (unit_ns == 0) {
      ++doubts_.no_time;
      return;
    }
    const std::vector<std::uint32_t>* const stack = stack_of(event);
    if (stack == nullptr || stack->empty()) {
      ++doubts_.no_stack;
      return;
    }
    add(*stack, options_.by_thread ? item.event->thread : Actor::kNone, event.number(role).value_or(0) * unit_ns);
  }

  void restart() {
    tree_ = PathTree();
    inside_.clear();
    samples_ = 0;
    doubts_ = {};
  }

  const PathTree& tree() const { return tree_; }
  std::uint64_t samples() const { return samples_; }
  const Doubts& doubts() const { return doubts_; }
  std::vector<CallPaths::Inside> inside() const {
    std::vector<CallPaths::Inside> all;
    for (const auto& [thread, ns] : inside_) all.push_back({thread, {ns, ns, 0, 0, {}}});
    return all;
  }

 private:
  // The outermost frame first.
  void add(const std::vector<std::uint32_t>& stack, std::uint32_t thread, std::uint64_t ns) {
    ++samples_;
    inside_[thread] += ns;
    std::uint32_t at = tree_.root(thread);
    for (std::size_t i = 0; i < stack.size(); ++i) {
      at = tree_.child(at, stack[i], false);
      const auto before = stack.begin() + static_cast<std::ptrdiff_t>(i);
      const bool is_outermost = std::find(stack.begin(), before, stack[i]) == before;
      if (is_outermost) tree_[at].sum_ns += ns;
    }
    CallPaths::Node& innermost = tree_[at];
    ++innermost.count;
    innermost.self.ns += ns;
    innermost.self.running_ns += ns;
  }

  // Null: the trace does not have it.
  const std::vector<std::uint32_t>* stack_of(const Event& event) {
    const std::optional<Value> value = event.value(Role::kStack);
    if (!value) return nullptr;
    if (value->field().shape != Shape::kFixed) {
      recent_ = frames_of(*value);
      return &recent_;
    }
    if (!is_reference(value->field())) return nullptr;
    const std::uint32_t id = evt_load_u32(value->bytes().data());
    const auto [known, is_new] = stacks_.try_emplace(id);
    if (!is_new) return &known->second;
    const std::optional<SharedRow> row = timeline_->actors().session().row({id});
    const std::optional<Value> frames = row ? row->value(Role::kStack) : std::nullopt;
    if (frames) known->second = frames_of(*frames);
    return &known->second;
  }

  // Addresses, texts or references; the innermost is first there.
  std::vector<std::uint32_t> frames_of(const Value& frames) {
    std::vector<std::uint32_t> names;
    if (is_reference(frames.field())) {
      for (std::size_t i = 0; i + kId <= frames.bytes().size(); i += kId) {
        names.push_back(name_of(frames.field(), evt_load_u32(frames.bytes().data() + i)));
      }
    } else if (frames.is_sequence()) {
      frames.for_each([&](const Value& frame) { names.push_back(name_of(frames.field(), frame.as_unsigned())); });
    }
    std::ranges::reverse(names);
    return names;
  }

  std::uint32_t name_of(const Field& field, std::uint64_t number) {
    if (field.kind == Kind::kUnsigned) return timeline_->names().of_text(fmt::format("0x{:x}", number));
    const auto id = static_cast<std::uint32_t>(number);
    const auto known = frames_.find(id);
    if (known != frames_.end()) return known->second;
    return frames_[id] = timeline_->names().of_text(is_reference(field) ? text_of_row(id) : text_of_id(id));
  }

  std::string text_of_id(std::uint32_t id) const {
    const std::string* const text = timeline_->actors().session().text({id});
    return text == nullptr || text->empty() ? kUnknownFrame : *text;
  }

  std::string text_of_row(std::uint32_t id) const {
    const Session& session = timeline_->actors().session();
    const std::optional<SharedRow> row = session.row({id});
    if (!row) return kUnknownFrame;
    const std::string module = text_of(session, *row, Role::kModule);
    if (options_.by == By::kModule) return module.empty() ? kUnknownFrame : base_name(module);
    std::string text = text_of(session, *row, Role::kFunction);
    const std::optional<Value> address = row->value(Role::kAddress);
    if (text.empty() && address) text = fmt::format("{}+0x{:x}", base_name(module), address->as_unsigned());
    if (text.empty()) text = kUnknownFrame;
    const std::optional<Value> line = row->value(Role::kLine);
    if (options_.by == By::kLine && line && line->as_unsigned() > 0) text += fmt::format(":{}", line->as_unsigned());
    return text;
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
  std::map<std::uint32_t, std::uint64_t> inside_;                         // by thread, ns
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> stacks_;  // names, the outermost first, by id
  std::unordered_map<std::uint32_t, std::uint32_t> frames_;               // names, by id
  std::vector<std::uint32_t> recent_;                                     // a stack that the event itself has
  std::uint64_t samples_ = 0;
  Doubts doubts_;
};

StackPaths::StackPaths(Timeline& timeline, const Options& options) : impl_(std::make_unique<Impl>(timeline, options)) {}

void StackPaths::take(const TimelineItem& item) { impl_->take(item); }
void StackPaths::restart() { impl_->restart(); }
const std::vector<CallPaths::Node>& StackPaths::nodes() const { return impl_->tree().nodes(); }
std::vector<CallPaths::Inside> StackPaths::inside() const { return impl_->inside(); }
bool StackPaths::has_other_paths() const { return impl_->tree().has_other_paths(); }
std::uint64_t StackPaths::samples() const { return impl_->samples(); }
const StackPaths::Doubts& StackPaths::doubts() const { return impl_->doubts(); }

}  // namespace evt
