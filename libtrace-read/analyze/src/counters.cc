#include <evt/analysis/counters.h>
#include <evt/unit_text.h>

#include <cmath>
#include <map>
#include <optional>

namespace evt {
namespace {

std::optional<double> number_of(const Value& value) {
  if (value.is_sequence()) return std::nullopt;
  const double scale = std::pow(10.0, value.field().scale);
  switch (value.kind()) {
    case Kind::kUnsigned:
      return static_cast<double>(value.as_unsigned()) * scale;
    case Kind::kSigned:
      return static_cast<double>(value.as_signed()) * scale;
    case Kind::kFloat: {
      const double number = value.as_double();
      return std::isfinite(number) ? std::optional(number) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

class Counters::Impl {
 public:
  Impl(const Session& session, EventNames& names) : session_(&session), names_(&names) {}

  std::uint32_t take(const TimelineItem& item) {
    if (!is_about(item)) return kNone;
    const Event& event = *item.event->event;
    const std::optional<Value> value = event.value(Role::kValue);
    const std::optional<double> number = value ? number_of(*value) : std::nullopt;
    if (!number) return kNone;
    const auto stream = static_cast<std::size_t>(item.stream - session_->streams.data());
    const auto [known, is_new] = places_.try_emplace({stream, names_->text(names_->of(event, Role::kName))},
                                                     static_cast<std::uint32_t>(all_.size()));
    if (is_new) all_.push_back({item.stream, known->first.second, unit_text(value->field()), 0});
    Counter& counter = all_[known->second];
    counter.value = item.event->role == Role::kCounterDelta ? counter.value + *number : *number;
    return known->second;
  }

  void go_on_from(const Impl& other) {
    places_ = other.places_;
    all_ = other.all_;
  }

  const Session* session_;
  EventNames* names_;
  std::map<std::pair<std::size_t, std::string>, std::uint32_t> places_;  // by the places of streams, and names
  std::vector<Counter> all_;
};

Counters::Counters(const Session& session, EventNames& names) : impl_(std::make_unique<Impl>(session, names)) {}
std::uint32_t Counters::take(const TimelineItem& item) { return impl_->take(item); }
const std::vector<Counters::Counter>& Counters::all() const { return impl_->all_; }
void Counters::go_on_from(const Counters& other) { impl_->go_on_from(*other.impl_); }

}  // namespace evt
