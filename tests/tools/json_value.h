// JSON as a program reads it that knows nothing of traces. For tests: of JSON that is right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evt::testing {

struct JsonValue {
  enum class Kind : std::uint8_t { kNumber, kText, kWord, kArray, kObject };
  Kind kind = Kind::kWord;
  std::string text;                 // a number's digits; true, false or null; the content of a text
  std::vector<JsonValue> elements;  // an object's values too
  std::vector<std::string> names;   // an object's, of each element

  // Null when there is none.
  const JsonValue* member(std::string_view name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr : &elements[static_cast<std::size_t>(found - names.begin())];
  }
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : rest_(text) {}

  JsonValue value() {
    JsonValue made;
    if (front() == '"') {
      made.kind = JsonValue::Kind::kText;
      made.text = text();
    } else if (front() == '[') {
      made.kind = JsonValue::Kind::kArray;
      while (more(']')) made.elements.push_back(value());
    } else if (front() == '{') {
      made.kind = JsonValue::Kind::kObject;
      while (more('}')) {
        made.names.push_back(text());
        rest_.remove_prefix(1);  // the colon
        made.elements.push_back(value());
      }
    } else {
      const std::size_t size = std::min(rest_.find_first_of(",]}"), rest_.size());
      const bool is_word = front() == 't' || front() == 'f' || front() == 'n';
      made.kind = is_word ? JsonValue::Kind::kWord : JsonValue::Kind::kNumber;
      made.text = rest_.substr(0, size);
      rest_.remove_prefix(size);
    }
    return made;
  }

 private:
  char front() const { return rest_.empty() ? '\0' : rest_.front(); }

  // Takes what is in front of the next element, the bracket that opens or a comma; false at the end, which it takes
  // too.
  bool more(char end) {
    const char before = front();
    rest_.remove_prefix(1);
    if (before == end) return false;
    if (front() != end) return true;
    rest_.remove_prefix(1);
    return false;
  }

  std::uint32_t code() {
    const auto read = static_cast<std::uint32_t>(std::stoul(std::string(rest_.substr(0, 4)), nullptr, 16));
    rest_.remove_prefix(4);
    return read;
  }

  std::string text() {
    std::string made;
    for (rest_.remove_prefix(1); front() != '"';) {
      const char c = front();
      rest_.remove_prefix(1);
      if (c != '\\') {
        made += c;
        continue;
      }
      const char escape = front();
      rest_.remove_prefix(1);
      if (escape != 'u') {
        made += escape;  // of those that evt writes: \" and two backslashes
      } else {
        append_utf8(&made, code());
      }
    }
    rest_.remove_prefix(1);
    return made;
  }

  // Of 16 bits: more are not needed here.
  static void append_utf8(std::string* out, std::uint32_t code) {
    if (code < 0x80) {
      *out += static_cast<char>(code);
    } else if (code < 0x800) {
      *out += static_cast<char>(0xC0 | code >> 6);
      *out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      *out += static_cast<char>(0xE0 | code >> 12);
      *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      *out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }

  std::string_view rest_;
};

}  // namespace evt::testing
