#include <evt/analysis/heap_samples.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "parts.h"

namespace evt {
namespace {

std::uint64_t number_in(const Event& event, const char* field) {
  const auto value = event.value(field);
  return value && !value->is_sequence() ? value->as_unsigned() : 0;
}

std::string text_in(const Event& event, const char* field) {
  const auto value = event.value(field);
  if (!value) return "";
  if (value->kind() != Kind::kInterned) return std::string(value->as_text());
  const std::string* const text = event.session().text({static_cast<std::uint32_t>(value->as_unsigned())});
  return text != nullptr ? *text : "";
}

// GHC names an info table by its address: 0x4a3f58.
std::optional<std::uint64_t> address_of(std::string_view name) {
  std::uint64_t address = 0;
  if (!name.starts_with("0x")) return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + 2, name.data() + name.size(), address, 16);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(address) : std::nullopt;
}

}  // namespace

class HeapSamples::Impl {
 public:
  Impl(const Session& session, EventNames& names) : session_(&session), names_(&names) {
    for (const EventType& type : session.types) types_.push_back(what_of(type.name()));
    has_ends_ = std::ranges::find(types_, What::kEnd) != types_.end();
  }

  void take(const TimelineItem& item) {
    if (item.kind != ItemKind::kRow || item.event->event == nullptr) return;
    const Event& event = *item.event->event;
    const auto place = place_of(event.type(), *session_);
    switch (place ? types_[*place] : What::kNothing) {
      case What::kProfile:
        profiles_[number_in(event, "profile")] = breakdown_of(event);
        return;
      case What::kCostCentre:
        cost_centres_[number_in(event, "cost_centre")] =
            names_->of_text(text_in(event, "module") + "." + text_in(event, "label"));
        return;
      case What::kInfoTable:
        info_tables_[number_in(event, "info")] = place_in_source(event);
        return;
      case What::kBegin:
        end_sample();
        sample_ns_ = std::max(time_of(event, item.ns), at_ns_);
        is_open_ = true;
        return;
      case What::kOfCostCentre:
        return add(item, cost_centre_of(event));
      case What::kOfName:
        return add(item, names_->of(event, Role::kName));
      case What::kEnd:
        return end_sample();
      case What::kNothing:
        return;
    }
  }

  void restart(std::int64_t ns) {
    std::erase_if(held_, [](const auto& each) { return each.second.now == 0 && each.second.next == 0; });
    for (auto& [key, held] : held_) {
      held.samples = 0;
      held.area = 0;
      held.since_ns = ns;
      held.least = held.most = held.now;
    }
    if (has_begun_) begin(ns);
    sample_ns_ = std::max(sample_ns_, ns);
  }

  std::vector<Row> rows(std::int64_t ns, bool all) const {
    Impl until_now = *this;
    if (!has_ends_) until_now.end_sample();
    until_now.hold(ns);
    std::vector<Row> rows;
    for (const auto& [key, held] : until_now.held_) {
      const bool is_in_no_sample = held.samples == 0 && held.most == 0;  // only in one that did not end
      if (is_in_no_sample || (held.samples == 0 && !all)) continue;
      const std::uint64_t known_ns = length(until_now.began_ns_, until_now.at_ns_);
      Row& row = rows.emplace_back();
      row = {breakdown_named(key.first), shown_name(key.second), held.samples, held.least, held.most, held.now, 0};
      row.mean = known_ns > 0 ? until_now.area_of(held) / static_cast<double>(known_ns) : static_cast<double>(held.now);
    }
    return rows;
  }

 private:
  enum class What : std::uint8_t { kNothing, kProfile, kCostCentre, kInfoTable, kBegin, kOfCostCentre, kOfName, kEnd };

  using Key = std::pair<std::uint64_t, std::uint32_t>;  // profile, name

  struct Held {
    std::uint64_t samples = 0;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::uint64_t now = 0;
    double area = 0;  // bytes times ns, until
    std::int64_t since_ns = INT64_MIN;
    std::uint64_t next = 0;  // in the sample that is being read
    bool is_next_wanted = false;
  };

  static What what_of(std::string_view type) {
    if (type == "ghc.heap_prof_begin") return What::kProfile;
    if (type == "ghc.heap_prof_cost_centre") return What::kCostCentre;
    if (type == "ghc.ipe") return What::kInfoTable;
    if (type == "ghc.heap_prof_sample_begin" || type == "ghc.heap_bio_prof_sample_begin") return What::kBegin;
    if (type == "ghc.heap_prof_sample_cost_centre") return What::kOfCostCentre;
    if (type == "ghc.heap_prof_sample_string") return What::kOfName;
    return type == "ghc.heap_prof_sample_end" ? What::kEnd : What::kNothing;
  }

  static std::int64_t time_of(const Event& event, std::int64_t ns) {
    const auto own = event.value("time");
    const bool has_own = own && own->kind() == Kind::kTicks && event.is_known(*own);
    return has_own ? std::min(ns, event.ticks_to_ns(event.ticks_in(*own))) : ns;
  }

  static std::string breakdown_of(const Event& event) {
    const auto value = event.value("breakdown");
    const Field::Label* const label = value ? value->field().label(value->as_unsigned()) : nullptr;
    std::string words = label != nullptr ? label->text : "";
    std::ranges::replace(words, '_', ' ');
    return words;
  }

  static std::string place_in_source(const Event& event) {
    const std::string source = text_in(event, "source");
    return text_in(event, "module") + "." + text_in(event, "label") + (source.empty() ? "" : " (" + source + ")");
  }

  // The first of the stack is the innermost. GHC leaves out MAIN, which is around all.
  std::uint32_t cost_centre_of(const Event& event) {
    const auto stack = event.value("stack");
    std::optional<std::uint64_t> innermost;
    if (stack) {
      stack->for_each([&](const Value& each) { innermost = innermost.value_or(each.as_unsigned()); });
    }
    if (!innermost) return names_->of_text("MAIN");
    const auto named = cost_centres_.find(*innermost);
    return named != cost_centres_.end() ? named->second : names_->of_text("cost centre " + std::to_string(*innermost));
  }

  std::string breakdown_named(std::uint64_t profile) const {
    const auto found = profiles_.find(profile);
    return found != profiles_.end() ? found->second : "";
  }

  std::string shown_name(std::uint32_t name) const {
    const std::string& text = names_->text(name);
    const auto address = address_of(text);
    const auto found = address ? info_tables_.find(*address) : info_tables_.end();
    return found != info_tables_.end() ? found->second : text;
  }

  void add(const TimelineItem& item, std::uint32_t name) {
    if (!is_open_) sample_ns_ = item.ns;  // its begin is lost
    is_open_ = true;
    const Event& event = *item.event->event;
    const Key key{number_in(event, "profile") & 0xFF, name};  // GHC's are of one byte
    sampled_.insert(key);
    Held& held = held_[key];
    if (__builtin_add_overflow(held.next, number_in(event, "residency"), &held.next)) held.next = UINT64_MAX;
    held.is_next_wanted |= item.is_wanted;
  }

  void begin(std::int64_t ns) {
    has_begun_ = true;
    began_ns_ = at_ns_ = ns;
  }

  // The last sample holds until then.
  void hold(std::int64_t ns) {
    if (!has_begun_ || ns <= at_ns_) return;
    at_ns_ = ns;
  }
  double area_of(const Held& held) const {
    const std::int64_t from_ns = std::max(held.since_ns, began_ns_);
    return at_ns_ <= from_ns ? held.area
                             : held.area + static_cast<double>(held.now) * static_cast<double>(length(from_ns, at_ns_));
  }

  void end_sample() {
    if (!is_open_) return;
    is_open_ = false;
    const bool is_first = !has_begun_;
    is_first ? begin(sample_ns_) : hold(sample_ns_);
    // Others occupy nothing, as before.
    sampled_.merge(occupying_);
    occupying_.clear();
    for (const Key& key : sampled_) {
      Held& held = held_[key];
      take_next(&held, is_first);
      if (held.now > 0) occupying_.insert(key);
    }
    sampled_.clear();
  }

  void take_next(Held* held, bool is_first) const {
    held->area = area_of(*held);
    held->since_ns = at_ns_;
    held->now = std::exchange(held->next, 0);
    held->least = is_first ? held->now : std::min(held->least, held->now);
    held->most = std::max(held->most, held->now);
    held->samples += std::exchange(held->is_next_wanted, false) ? 1 : 0;
  }

  const Session* session_;
  EventNames* names_;
  std::vector<What> types_;  // by the places of the session's types
  std::map<std::uint64_t, std::string> profiles_;
  std::map<std::uint64_t, std::uint32_t> cost_centres_;
  std::map<std::uint64_t, std::string> info_tables_;
  std::map<Key, Held> held_;
  std::set<Key> sampled_;    // in the sample that is being read
  std::set<Key> occupying_;  // in the one before
  bool has_ends_ = false;    // samples have an end of their own: GHC 8.8. Else they end where the next one begins
  bool is_open_ = false;     // a sample is being read
  bool has_begun_ = false;
  std::int64_t sample_ns_ = INT64_MIN;
  std::int64_t began_ns_ = 0;
  std::int64_t at_ns_ = INT64_MIN;
};

HeapSamples::HeapSamples(const Session& session, EventNames& names) : impl_(std::make_unique<Impl>(session, names)) {}
void HeapSamples::take(const TimelineItem& item) { impl_->take(item); }
void HeapSamples::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<HeapSamples::Row> HeapSamples::rows(std::int64_t ns, bool all) const { return impl_->rows(ns, all); }

}  // namespace evt
