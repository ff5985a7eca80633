#include <evt/analysis/event_names.h>
#include <fmt/core.h>

#include "parts.h"

namespace evt {
namespace {

constexpr std::uint32_t kMaxIds = 1 << 20;  // that are looked up by an array; those beyond by their text

}  // namespace

std::uint32_t EventNames::of_text(std::string_view text) {
  const auto known = by_text_.find(text);
  if (known != by_text_.end()) return known->second;
  if (size() == kMax) texts_.emplace_back("(other names)");
  if (is_full()) return kMax;
  texts_.emplace_back(text);
  by_text_.emplace(text, size() - 1);
  return size() - 1;
}

std::uint32_t EventNames::of_type(const EventType& type) {
  const auto place = place_of(type, *session_);
  if (!place) return of_text(type.name());
  std::uint32_t& index = by_type_[*place];
  if (index == kNotAsked) index = of_text(type.name());
  return index;
}

std::uint32_t EventNames::of_interned(std::uint32_t id) {
  if (id < by_id_.size() && by_id_[id] != kNotAsked) return by_id_[id];
  const std::string* const text = session_->text({id});
  std::uint32_t index = kNone;
  if (text == nullptr) {
    index = of_text(fmt::format("#{}", id));
  } else if (!text->empty()) {
    index = of_text(*text);
  }
  if (id < kMaxIds) {
    if (id >= by_id_.size()) by_id_.resize(std::size_t{id} + 1, kNotAsked);
    by_id_[id] = index;
  }
  return index;
}

std::uint32_t EventNames::of_number(const Event& event, const Field& field, std::uint64_t number) {
  const auto known = by_number_.find({&field, number});
  if (known != by_number_.end()) return known->second;
  const Field::Label* const label = field.label(number);
  std::string text = label != nullptr ? label->text : fmt::format("{} {}", field.name, number);
  if (text.empty()) text = event.type().name();
  const std::uint32_t index = of_text(text);
  if (by_number_.size() < kMax) by_number_.emplace(std::pair(&field, number), index);
  return index;
}

std::uint32_t EventNames::said_by(const Event& event, Role role) {
  const Field* const field = event.type().field(role);
  if (field == nullptr || !field->known()) return kNone;
  if (field->kind == Kind::kText) {
    const std::optional<Value> value = event.value(role);
    if (!value || value->is_sequence() || value->as_text().empty()) return kNone;
    return of_text(value->as_text());
  }
  const std::optional<std::uint64_t> number = event.number(role);
  if (!number) return kNone;
  return field->kind == Kind::kInterned ? of_interned(static_cast<std::uint32_t>(*number))
                                        : of_number(event, *field, *number);
}

}  // namespace evt
