// JSON as it is written: an object member by member, a list element by element. What states nothing (an empty text,
// false, an empty list of texts) is left out of an object.
#pragma once

#include <evt/text/text_buffer.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "libtrace-read/text/plain_value.h"

namespace evt::tools {

// `append`: called with the text and each element.
template <typename List, typename Append>
void append_json_list(TextBuffer& out, const List& values, Append append) {
  out += '[';
  const char* between = "";
  for (const auto& value : values) {
    out += between;
    between = ",";
    append(out, value);
  }
  out += ']';
}

// Ends the object when it is destroyed.
class JsonObject {
 public:
  explicit JsonObject(TextBuffer& out) : out_(out) { out_ += '{'; }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;
  ~JsonObject() { out_ += '}'; }

  void text(std::string_view name, std::string_view value) {
    if (!value.empty()) name_text(name, value);
  }
  // Also an empty one.
  void name_text(std::string_view name, std::string_view value) { append_json_text(member(name), value); }
  // null in the place of an empty one.
  void text_or_null(std::string_view name, std::string_view value) {
    value.empty() ? null(name) : name_text(name, value);
  }
  template <typename Number>
  void number(std::string_view name, Number value) {
    fmt::format_to(std::back_inserter(member(name)), "{}", value);
  }
  template <typename Number>
  void number_unless_0(std::string_view name, Number value) {
    if (value != 0) number(name, value);
  }
  template <typename Number>
  void number_or_null(std::string_view name, Number value, bool is_known) {
    is_known ? number(name, value) : null(name);
  }
  // A number as a text: readers whose numbers are doubles keep all its digits.
  template <typename Number>
  void digits(std::string_view name, Number value) {
    name_text(name, std::to_string(value));
  }
  void null(std::string_view name) { member(name) += "null"; }
  void yes(std::string_view name, bool value) {
    if (value) truth(name, true);
  }
  // Also false.
  void truth(std::string_view name, bool value) { member(name) += value ? "true" : "false"; }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    if (!values.empty()) all_texts(name, values);
  }
  // Also an empty list, as in those below.
  void all_texts(std::string_view name, const std::vector<std::string>& values) {
    list(name, values, [](TextBuffer& out, const std::string& value) { append_json_text(out, value); });
  }
  // `append`: as that of append_json_list().
  template <typename List, typename Append>
  void list(std::string_view name, const List& values, Append append) {
    append_json_list(member(name), values, append);
  }
  // An object for each element: `add_members` is called with it and the element.
  template <typename List, typename AddMembers>
  void objects(std::string_view name, const List& values, AddMembers add_members) {
    list(name, values, [&](TextBuffer& out, const auto& value) {
      JsonObject each(out);
      add_members(each, value);
    });
  }
  template <typename List, typename AddMembers>
  void objects_if_any(std::string_view name, const List& values, AddMembers add_members) {
    if (!values.empty()) objects(name, values, add_members);
  }
  // `append`: what the member is.
  template <typename Append>
  void value(std::string_view name, Append append) {
    append(member(name));
  }
  // `add_members`: to the object that the member is.
  template <typename AddMembers>
  void object(std::string_view name, AddMembers add_members) {
    JsonObject inner(member(name));
    add_members(inner);
  }

 private:
  TextBuffer& member(std::string_view name) {
    out_ += between_;
    between_ = ",";
    append_json_text(out_, name);
    out_ += ':';
    return out_;
  }

  TextBuffer& out_;
  const char* between_ = "";
};

template <typename AddMembers>
void append_json_object(TextBuffer& out, AddMembers add_members) {
  JsonObject json(out);
  add_members(json);
}

// The same, as a line.
template <typename AddMembers>
void append_json_line(TextBuffer& out, AddMembers add_members) {
  append_json_object(out, add_members);
  out += '\n';
}

// The same, as a text.
template <typename AddMembers>
std::string json_text(AddMembers add_members) {
  return text_from([&](TextBuffer& out) { append_json_object(out, add_members); });
}

}  // namespace evt::tools
