#include "text_search.h"

#include <algorithm>
#include <utility>

#include "libtrace-read/export/src/base/letter_case.h"
#include "libtrace-read/export/src/text/event_text.h"
#include "where/where_value.h"

namespace evt::tools {
namespace {

bool is_of_number(const std::string& text) { return text.find_first_not_of("-.0123456789") == std::string::npos; }

// What is shown of it has no other characters.
bool has_digits_alone(const Value& value) {
  return (value.kind() == Kind::kUnsigned || value.kind() == Kind::kSigned) && !value.field().absent;
}

}  // namespace

TextSearch::TextSearch(std::vector<std::string> texts, std::vector<std::string> patterns, bool ignore_case)
    : texts_(std::move(texts)), patterns_(std::move(patterns)), ignore_case_(ignore_case) {
  may_be_in_number_ = !patterns_.empty() || std::any_of(texts_.begin(), texts_.end(), is_of_number);
  if (!ignore_case_) return;
  for (std::string& text : texts_) text = in_lower_case(text);
  for (std::string& pattern : patterns_) pattern = in_lower_case(pattern);
}

void TextSearch::begin() {
  streams_.clear();
  types_.clear();
}

bool TextSearch::is_in(std::string_view text) const {
  const std::string lower = ignore_case_ ? in_lower_case(text) : std::string();
  const std::string_view searched = ignore_case_ ? lower : text;
  return std::any_of(texts_.begin(), texts_.end(),
                     [&](const std::string& each) { return searched.find(each) != searched.npos; }) ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const std::string& each) { return matches_pattern(each, searched); });
}

bool TextSearch::value_has_it(const Event& event, const Value& value) {
  if (value.is_sequence()) {
    bool any = false;
    value.for_each([&](const Value& element) { any = any || value_has_it(event, element); });
    return any;
  }
  if (has_digits_alone(value) && !may_be_in_number_) return false;
  if (!value.is_absent() && value.kind() == Kind::kText) return is_in(value.as_text());
  if (!value.is_absent() && value.kind() == Kind::kInterned) {
    const std::string* const text = event.session().text({static_cast<std::uint32_t>(value.as_unsigned())});
    if (text != nullptr) return is_in(*text);
  }
  WholePeopleStyle style;
  made_.clear();
  append_value(made_, event, value, style);
  return is_in(made_.text());
}

bool TextSearch::finds(const Event& event) {
  if (texts_.empty() && patterns_.empty()) return true;
  if (types_.of(event.type(), [&] { return is_in(event.type().name()); })) return true;
  if (streams_.of(&event.stream(), [&] { return is_in(event.stream().name); })) return true;
  FieldWalker walker = event.values();
  while (const std::optional<Value> value = walker.next()) {
    if (value_has_it(event, *value)) return true;
  }
  return false;
}

}  // namespace evt::tools
