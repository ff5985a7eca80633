#include <evt/analysis/event_pairs.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "first_few.h"
#include "parts.h"

namespace evt {
namespace {

using Pair = EventPairs::Pair;
using Key = EventPairs::Key;

// Bytes, floating-point numbers and lists.
std::string bytes_text(Bytes bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "0x";
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

std::string text_of(const Value& value, const Session& session) {
  if (value.is_sequence()) return bytes_text(value.bytes());
  switch (value.kind()) {
    case Kind::kText:
      return std::string(value.as_text());
    case Kind::kInterned: {
      const std::string* const text = session.text(Interned{static_cast<std::uint32_t>(value.as_unsigned())});
      return text != nullptr ? *text : std::to_string(value.as_unsigned());
    }
    case Kind::kSigned:
      return std::to_string(value.as_signed());
    case Kind::kUnsigned:
    case Kind::kBool:
    case Kind::kEnumeration:
      return std::to_string(value.as_unsigned());
    default:
      return bytes_text(value.bytes());
  }
}

}  // namespace

class EventPairs::Impl {
 public:
  Impl(Actors& actors, const Options& options) : actors_(&actors), longest_(options.longest) {
    const std::vector<EventType>& types = actors.session().types;
    for (const EventType& type : types) types_.push_back({options.begins(type), options.ends(type)});
    has_begins_ = std::ranges::any_of(types_, &Type::begins);
    has_ends_ = std::ranges::any_of(types_, &Type::ends);
    key_ = options.field             ? Key::kField
           : all_have(Role::kFlow)   ? Key::kFlow
           : all_have(Role::kSpanId) ? Key::kSpanId
                                     : Key::kThread;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (types_[i].is_any()) find_key(types[i], options.field, &types_[i]);
    }
  }

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kLost) lost_ns_ = item.ns;
    if (item.kind == ItemKind::kFold) fold(*item.event->fold);
    if (item.kind != ItemKind::kRow || item.event->event == nullptr || item.event->is_facet) return;
    const std::optional<std::uint32_t> place = place_of(item.event->event->type(), actors_->session());
    if (!place || !types_[*place].is_any()) return;
    const Type& type = types_[*place];
    const std::optional<KeyValue> key = key_of(item, type);
    if (type.ends) end(item, key);
    if (type.begins) begin(item, key);
  }

  void restart() {
    begin_stretch();
    waiting_.clear();
    waiting_events_ = 0;
  }

  void begin_stretch() {
    counts_ = Counts();
    longest_.clear();
  }

  Counts counts() const {
    Counts counts = counts_;
    for (const auto& [key, waiting] : waiting_) {
      counts.without_end += static_cast<std::uint64_t>(std::ranges::count(waiting, true, &Waiting::is_wanted));
    }
    return counts;
  }
  std::vector<Pair> longest() const { return longest_.in_order(); }
  Key key() const { return key_; }
  bool has_begins() const { return has_begins_; }
  bool has_ends() const { return has_ends_; }
  const std::vector<const EventType*>& without_field() const { return without_field_; }

 private:
  struct KeyValue {
    std::string text;
    std::uint32_t part = Actor::kNone;  // in a merged session; for Key::kThread: the thread

    friend bool operator==(const KeyValue&, const KeyValue&) = default;
  };

  struct KeyHash {
    std::size_t operator()(const KeyValue& key) const { return std::hash<std::string>()(key.text) ^ key.part; }
  };

  struct Type {
    bool begins = false;
    bool ends = false;
    std::optional<std::size_t> field{};  // whose value is the key
    Role role = Role::kNone;             // the field's, if it is an id

    bool is_any() const { return begins || ends; }
  };
  struct Waiting {
    std::int64_t ns = 0;
    std::uint32_t thread = Actor::kNone;
    bool is_wanted = false;
  };

  bool all_have(Role role) const {
    const std::vector<EventType>& types = actors_->session().types;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (types_[i].is_any() && types[i].field(role) == nullptr) return false;
    }
    return true;
  }

  void find_key(const EventType& type, const std::optional<std::string>& name, Type* to) {
    if (key_ == Key::kThread) return;
    const Role role = key_ == Key::kFlow ? Role::kFlow : Role::kSpanId;
    for (std::size_t i = 0; i < type.fields().size() && !to->field; ++i) {
      const Field& field = type.fields()[i];
      if (name ? field.name != *name : field.role != role) continue;
      to->field = i;
      to->role = is_id(field.role) ? field.role : Role::kNone;
    }
    if (to->field) return;
    without_field_.push_back(&type);
    to->begins = to->ends = false;
  }

  static bool is_id(Role role) {
    constexpr Role kIds[] = {Role::kThread, Role::kCpu,   Role::kObject, Role::kProcess, Role::kParent,
                             Role::kWaker,  Role::kToCpu, Role::kFlow,   Role::kSpanId};
    return std::ranges::find(kIds, role) != std::end(kIds);
  }

  std::uint32_t thread_of(const TimelineItem& item) const {
    return item.event->thread != Actor::kNone ? item.event->thread : actors_->thread_of(*item.stream);
  }

  // Nothing: the event has none, or one that is not known.
  std::optional<KeyValue> key_of(const TimelineItem& item, const Type& type) const {
    if (key_ == Key::kThread) {
      const std::uint32_t thread = thread_of(item);
      return thread < Actor::kOthers ? std::optional(KeyValue{"", thread}) : std::nullopt;
    }
    const Event& event = *item.event->event;
    const std::optional<Value> value = event.value(*type.field);
    if (!value || value->is_absent()) return std::nullopt;
    const std::uint32_t part = type.role != Role::kNone ? actors_->part_of_ids(event, type.role) : Actor::kNone;
    return KeyValue{text_of(*value, actors_->session()), part};
  }

  void begin(const TimelineItem& item, const std::optional<KeyValue>& key) {
    if (key && waiting_events_ < kMostWaiting) {
      waiting_[*key].push_back({item.ns, thread_of(item), item.is_wanted});
      ++waiting_events_;
    } else if (item.is_wanted) {
      ++counts_.without_end;
      counts_.not_followed += key ? 1 : 0;
    }
  }

  void end(const TimelineItem& item, const std::optional<KeyValue>& key) {
    const auto found = key ? waiting_.find(*key) : waiting_.end();
    if (found == waiting_.end()) {
      counts_.without_begin += item.is_wanted ? 1 : 0;
      return;
    }
    for (const Waiting& waiting : found->second) {
      if (waiting.is_wanted || item.is_wanted) add(waiting, item, key->text);
    }
    waiting_events_ -= found->second.size();
    waiting_.erase(found);
  }

  void add(const Waiting& from, const TimelineItem& to, const std::string& key) {
    const std::uint64_t ns = length(from.ns, to.ns);
    longest_.add({ns, from.ns, key, from.thread, thread_of(to), counts_.lengths.count()});
    counts_.lengths.add(ns);
    counts_.uncertain += from.ns < lost_ns_ ? 1 : 0;
  }

  // Nothing ends a pair that is keyed by a thread which has ended.
  void fold(const FoldedActors& gone) {
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      const bool is_gone = key_ == Key::kThread && gone.is_gone(at->first.part);
      for (Waiting& waiting : at->second) {
        waiting.thread = gone(waiting.thread);
        counts_.without_end += is_gone && waiting.is_wanted ? 1 : 0;
      }
      waiting_events_ -= is_gone ? at->second.size() : 0;
      at = is_gone ? waiting_.erase(at) : std::next(at);
    }
    for (Pair& pair : longest_.kept()) {
      pair.from_thread = gone(pair.from_thread);
      pair.to_thread = gone(pair.to_thread);
    }
  }

  static bool is_longer(const Pair& a, const Pair& b) {
    return std::tuple(b.ns, a.began_ns, a.order) < std::tuple(a.ns, b.began_ns, b.order);
  }

  Actors* actors_;
  Key key_ = Key::kThread;
  std::vector<Type> types_;  // as in the session
  bool has_begins_ = false;
  bool has_ends_ = false;
  std::vector<const EventType*> without_field_;
  std::unordered_map<KeyValue, std::vector<Waiting>, KeyHash> waiting_;
  std::size_t waiting_events_ = 0;
  std::int64_t lost_ns_ = INT64_MIN;  // events were lost before
  Counts counts_;
  FirstFew<Pair, is_longer> longest_;
};

EventPairs::EventPairs(Actors& actors, const Options& options) : impl_(std::make_unique<Impl>(actors, options)) {}

void EventPairs::take(const TimelineItem& item) { impl_->take(item); }
void EventPairs::restart() { impl_->restart(); }
void EventPairs::begin_stretch() { impl_->begin_stretch(); }
EventPairs::Counts EventPairs::counts() const { return impl_->counts(); }
std::vector<EventPairs::Pair> EventPairs::longest() const { return impl_->longest(); }
EventPairs::Key EventPairs::key() const { return impl_->key(); }
bool EventPairs::has_begins() const { return impl_->has_begins(); }
bool EventPairs::has_ends() const { return impl_->has_ends(); }
const std::vector<const EventType*>& EventPairs::without_field() const { return impl_->without_field(); }

}  // namespace evt
