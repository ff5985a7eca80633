#include <evt/analysis/names.h>
#include <fmt/format.h>

#include <algorithm>

namespace evt {

std::uint32_t Names::index(std::string_view text) {
  auto found = by_text_.find(text);
  if (found == by_text_.end()) {
    found = by_text_.emplace(text, size()).first;
    all_.push_back(&found->first);
  }
  return found->second;
}

std::uint32_t Names::of(const Event& event, Role role) {
  const Field* const field = event.type().field(role);
  if (field == nullptr) {
    const auto [name, is_new] = types_.add(event.type().number());
    if (is_new) *name = index(event.type().name());
    return *name;
  }
  if (field->kind == Kind::kInterned) {
    if (const auto id = event.number(role)) return of_interned(static_cast<std::uint32_t>(*id));
  }
  return of_value(event, *field);
}

std::uint32_t Names::of_new_interned(std::uint32_t id) {
  if (const std::uint32_t* const known = interned_.find(id)) return *known;
  const std::string* const text = session_->text({id});
  const std::uint32_t name = index(text != nullptr ? *text : fmt::format("#{}", id));
  if (id >= kSmallIds) return interned_[id] = name;
  if (id >= small_ids_.size()) small_ids_.resize(std::max<std::size_t>(id + 1, small_ids_.size() * 2), kUnknown);
  return small_ids_[id] = name;
}

std::uint32_t Names::of_value(const Event& event, const Field& field) {
  const std::optional<Value> value = event.value(field.role);
  if (!value || value->is_sequence()) return index("");
  if (value->kind() == Kind::kText) return index(value->as_text());
  const std::optional<std::uint64_t> number = event.number(field.role);
  if (!number) return index("");
  if (const Field::Label* const label = field.label(*number)) return index(label->text);
  char digits[24];
  const auto end = fmt::format_to_n(digits, sizeof digits, "{}", *number).out;
  return index({digits, static_cast<std::size_t>(end - digits)});
}

}  // namespace evt
