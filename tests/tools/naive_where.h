// Conditions on events the slow way: a tree that is asked of each line of evt dump --json, with numbers as decimal
// digits. What the language means, a second time; nothing of the tools is in it.
#pragma once

#include <fnmatch.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "json_value.h"

namespace evt::testing {

// A field as a test declares it in the text form.
struct NaiveField {
  std::string type;
  std::string name;
  std::string kind;       // u8, text, u16[] ...
  std::string role = "";  // empty: none
  int power = -1;         // it is a number of 10^power nanoseconds; -1: of none
};

// What is on the right of an operator: how it is written, and what it is as a number, as a length of time and as a
// moment since the start, in decimal digits (and ns), where it is one.
struct NaiveLiteral {
  std::string written;
  std::optional<std::string> number = {};
  std::optional<std::string> length = {};
  std::optional<std::string> moment = {};
};

struct NaiveCondition {
  enum class Kind : std::uint8_t { kOr, kAnd, kNot, kComparison };
  Kind kind = Kind::kComparison;
  std::vector<NaiveCondition> parts;
  std::string subject;  // a name, role:NAME or @NAME
  std::string op;       // = != < <= > >= ~ !~
  NaiveLiteral literal;
};

// -1, 0 or 1: numbers of any length, with a fraction or without; inf and -inf.
inline int compare_decimals(const std::string& left, const std::string& right) {
  struct Parts {
    int sign;
    std::string whole;
    std::string fraction;
  };
  const auto parts_of = [](std::string text) {
    Parts parts{1, "", ""};
    if (text.starts_with('-')) parts.sign = -1;
    if (text.starts_with('-')) text.erase(0, 1);
    if (text == "inf") text = std::string(400, '9');
    const std::size_t point = std::min(text.find('.'), text.size());
    parts.whole = text.substr(0, point);
    parts.whole.erase(0, std::min(parts.whole.find_first_not_of('0'), parts.whole.size()));
    if (point < text.size()) parts.fraction = text.substr(point + 1);
    while (parts.fraction.ends_with('0')) parts.fraction.pop_back();
    if (parts.whole.empty() && parts.fraction.empty()) parts.sign = 0;
    return parts;
  };
  const Parts a = parts_of(left);
  const Parts b = parts_of(right);
  if (a.sign != b.sign) return a.sign < b.sign ? -1 : 1;
  const int larger = a.sign < 0 ? -1 : 1;
  if (a.whole.size() != b.whole.size()) return a.whole.size() < b.whole.size() ? -larger : larger;
  const int order = a.whole != b.whole ? a.whole.compare(b.whole) : a.fraction.compare(b.fraction);
  return order == 0 ? 0 : order < 0 ? -larger : larger;
}

class NaiveWhere {
 public:
  std::vector<NaiveField> fields;
  std::vector<std::pair<std::string, std::string>> labels;   // of all enumerations: number, text
  std::vector<std::pair<std::string, std::string>> threads;  // of streams, by their ids

  // Whether a comparison in it can be made with no type.
  bool is_refused(const NaiveCondition& condition) const {
    if (condition.kind != NaiveCondition::Kind::kComparison) {
      return std::any_of(condition.parts.begin(), condition.parts.end(),
                         [&](const NaiveCondition& part) { return is_refused(part); });
    }
    const std::string property = property_of(condition.subject);
    if (property == "stream" || property == "type") return is_order(condition.op);
    if (property == "time") return is_pattern(condition.op) || !condition.literal.moment;
    if (property == "size" || property == "ordinal") return !is_number(condition);
    if (property == "thread" && is_number(condition)) return false;
    return std::none_of(fields.begin(), fields.end(), [&](const NaiveField& field) {
      return is_subject(condition.subject, field) && can_compare(condition, field);
    });
  }

  // Whether it holds for an event, a line of evt dump --json, the `ordinal`th of its stream.
  bool holds(const NaiveCondition& condition, const JsonValue& event, std::size_t ordinal) const {
    const auto part_holds = [&](const NaiveCondition& part) { return holds(part, event, ordinal); };
    const auto& parts = condition.parts;
    switch (condition.kind) {
      case NaiveCondition::Kind::kOr:
        return std::any_of(parts.begin(), parts.end(), part_holds);
      case NaiveCondition::Kind::kAnd:
        return std::all_of(parts.begin(), parts.end(), part_holds);
      case NaiveCondition::Kind::kNot:
        return !part_holds(parts.front());
      case NaiveCondition::Kind::kComparison:
        break;
    }
    const std::string property = property_of(condition.subject);
    if (!property.empty()) return property_holds(condition, property, event, ordinal);
    for (const NaiveField& field : fields) {
      if (field.type != event.member("event")->text || !is_subject(condition.subject, field)) continue;
      return field_holds(condition, field, event);
    }
    return false;
  }

 private:
  static bool is_order(const std::string& op) { return op.starts_with('<') || op.starts_with('>'); }
  static bool is_pattern(const std::string& op) { return op.ends_with('~'); }
  static bool is_text(const NaiveField& field) {
    return field.kind.starts_with("text") || field.kind.starts_with("interned");
  }
  static bool is_number(const NaiveCondition& comparison) {
    return !is_pattern(comparison.op) && comparison.literal.number && *comparison.literal.number != "nan";
  }

  // By its name or by its role.
  static bool is_subject(const std::string& subject, const NaiveField& field) {
    return subject.starts_with("role:") ? subject.substr(5) == field.role : subject == field.name;
  }

  // Empty: it is none, but a field or a role.
  std::string property_of(const std::string& subject) const {
    if (subject.starts_with('@')) return subject.substr(1);
    const bool is_field =
        std::any_of(fields.begin(), fields.end(), [&](const NaiveField& field) { return is_subject(subject, field); });
    constexpr const char* kNames[] = {"time", "stream", "thread", "type", "size", "ordinal"};
    const bool is_name = std::find(std::begin(kNames), std::end(kNames), subject) != std::end(kNames);
    return is_name && !is_field ? subject : "";
  }

  const std::string* label_number(const std::string& text) const {
    const auto found = std::find_if(labels.begin(), labels.end(), [&](const auto& one) { return one.second == text; });
    return found != labels.end() ? &found->first : nullptr;
  }

  bool can_compare(const NaiveCondition& comparison, const NaiveField& field) const {
    const NaiveLiteral& literal = comparison.literal;
    const std::string& kind = field.kind;
    if (kind.starts_with("text") || kind.starts_with("interned")) return true;
    if (kind.starts_with("enum") && is_pattern(comparison.op)) return true;
    if (kind.starts_with("enum")) return is_number(comparison) || label_number(literal.written) != nullptr;
    if (kind.starts_with("bytes")) return is_pattern(comparison.op) || literal.written.starts_with("0x");
    if (is_pattern(comparison.op)) return false;
    if (kind == "ticks") return literal.moment.has_value();
    if (kind == "tick_delta") return literal.length.has_value();
    if (kind == "bool" && (literal.written == "true" || literal.written == "false")) return true;
    if (kind.starts_with('f')) return literal.number || (field.power >= 0 && has_unit(literal));
    return is_number(comparison) || (field.power >= 0 && has_unit(literal));
  }
  static bool has_unit(const NaiveLiteral& literal) { return !literal.number && literal.length; }

  static bool passes(const std::string& op, int order) {
    if (op == "=") return order == 0;
    if (op == "!=") return order != 0;
    if (op == "<") return order < 0;
    if (op == "<=") return order <= 0;
    if (op == ">") return order > 0;
    return order >= 0;
  }
  static bool matches(const NaiveCondition& comparison, const std::string& text) {
    return fnmatch(comparison.literal.written.c_str(), text.c_str(), 0) == 0;
  }

  bool property_holds(const NaiveCondition& comparison, const std::string& name, const JsonValue& event,
                      std::size_t ordinal) const {
    const auto passes_number = [&](const std::string& number) {
      return is_number(comparison) && passes(comparison.op, compare_decimals(number, *comparison.literal.number));
    };
    const bool wanted = !comparison.op.starts_with('!');
    const std::string id = event.member("stream_id")->text;
    if (name == "time") {
      return passes(comparison.op, compare_decimals(event.member("ns")->text, *comparison.literal.moment));
    }
    if (name == "stream") {
      return (matches(comparison, event.member("stream")->text) || comparison.literal.written == "#" + id) == wanted;
    }
    if (name == "type") return matches(comparison, event.member("event")->text) == wanted;
    if (name == "size") return passes_number(std::to_string(size_of(event)));
    if (name == "ordinal") return passes_number(std::to_string(ordinal));
    for (const NaiveField& field : fields) {
      if (field.type == event.member("event")->text && field.role == "thread") {
        return field_holds(comparison, field, event);
      }
    }
    const auto thread = std::find_if(threads.begin(), threads.end(), [&](const auto& one) { return one.first == id; });
    return thread != threads.end() && passes_number(thread->second);
  }

  bool field_holds(const NaiveCondition& comparison, const NaiveField& field, const JsonValue& event) const {
    const JsonValue* const value = event.member("fields")->member(field.name);
    if (value == nullptr || !can_compare(comparison, field)) return false;
    if (is_text(field) && is_order(comparison.op) && is_of_numbers(comparison)) return false;
    if (value->kind != JsonValue::Kind::kArray) return value_holds(comparison, field, *value);
    return std::any_of(value->elements.begin(), value->elements.end(),
                       [&](const JsonValue& element) { return value_holds(comparison, field, element); });
  }

  // Some type has a number there that the value can be compared with.
  bool is_of_numbers(const NaiveCondition& comparison) const {
    return std::any_of(fields.begin(), fields.end(), [&](const NaiveField& field) {
      return is_subject(comparison.subject, field) && !is_text(field) && can_compare(comparison, field);
    });
  }

  bool value_holds(const NaiveCondition& comparison, const NaiveField& field, const JsonValue& value) const {
    const NaiveLiteral& literal = comparison.literal;
    if (is_pattern(comparison.op)) return matches(comparison, value.text) == (comparison.op == "~");
    if (is_text(field)) return passes(comparison.op, value.text.compare(literal.written));
    if (field.kind.starts_with("bytes")) return passes(comparison.op, value.text.compare(literal.written));
    std::string left = value.text;
    if (field.kind.starts_with("enum") && value.kind == JsonValue::Kind::kText) left = *label_number(left);
    if (left == "true" || left == "false") left = left == "true" ? "1" : "0";
    const std::string right = number_for(comparison, field, &left);
    if (left == "nan" || right == "nan") {
      return comparison.op == "!=" ? left != right : comparison.op == "=" && left == right;
    }
    return passes(comparison.op, compare_decimals(left, right));
  }

  // The literal as a number that can be compared with `left`, which may have to be in nanoseconds for that.
  std::string number_for(const NaiveCondition& comparison, const NaiveField& field, std::string* left) const {
    const NaiveLiteral& literal = comparison.literal;
    if (field.kind.starts_with("enum") && label_number(literal.written) != nullptr)
      return *label_number(literal.written);
    if (field.kind == "bool" && literal.written == "true") return "1";
    if (field.kind == "bool" && literal.written == "false") return "0";
    if (field.kind == "ticks") return *literal.moment;
    if (field.kind == "tick_delta") return *literal.length;
    if (literal.number) return *literal.number;
    *left += std::string(static_cast<std::size_t>(field.power), '0');
    return *literal.length;
  }

  // Bytes of all that a line shows.
  std::size_t size_of(const JsonValue& event) const {
    std::size_t size = 0;
    for (const NaiveField& field : fields) {
      if (field.type != event.member("event")->text) continue;
      const JsonValue* const value = event.member("fields")->member(field.name);
      if (value == nullptr) break;
      const bool is_array = value->kind == JsonValue::Kind::kArray;
      if (is_array) size += 2;
      for (const JsonValue& element : is_array ? value->elements : std::vector<JsonValue>{*value}) {
        size += width_of(field.kind, element);
      }
    }
    if (const JsonValue* const rest = event.member("rest")) size += rest->text.size() / 2 - 1;
    return size;
  }
  static std::size_t width_of(const std::string& kind, const JsonValue& value) {
    if (kind.starts_with("text")) return 2 + value.text.size();
    if (kind.starts_with("bytes")) return 2 + value.text.size() / 2 - 1;
    if (kind == "bool") return 1;
    if (kind == "interned") return 4;
    if (kind.starts_with("tick")) return 8;
    return std::stoul(kind.substr(kind.find_first_of("0123456789"))) / 8;
  }
};

}  // namespace evt::testing
