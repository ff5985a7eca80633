// A JSON object as it is written, member by member; what states nothing (an empty text, false, an empty list of texts)
// is left out.
#pragma once

#include <evt/export/text_buffer.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "libtrace-read/export/src/json/plain_value.h"

namespace evt::tools {

class JsonObject {
 public:
  explicit JsonObject(TextBuffer& out) : out_(out) { out_ += '{'; }
  void text(const char* name, std::string_view value) {
    if (!value.empty()) name_text(name, value);
  }
  // Also an empty one.
  void name_text(const char* name, std::string_view value) { append_json_text(member(name), value); }
  // null in the place of an empty one.
  void text_or_null(const char* name, std::string_view value) { value.empty() ? null(name) : name_text(name, value); }
  template <typename Number>
  void number(const char* name, Number value) {
    fmt::format_to(std::back_inserter(member(name)), "{}", value);
  }
  template <typename Number>
  void number_unless_0(const char* name, Number value) {
    if (value != 0) number(name, value);
  }
  template <typename Number>
  void number_or_null(const char* name, Number value, bool is_known) {
    is_known ? number(name, value) : null(name);
  }
  void null(const char* name) { member(name) += "null"; }
  void yes(const char* name, bool value) {
    if (value) member(name) += "true";
  }
  // Also false.
  void truth(const char* name, bool value) { member(name) += value ? "true" : "false"; }
  void texts(const char* name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    list(name, values, [&](const std::string& value) { append_json_text(out_, value); });
  }
  // Also an empty one. `append`: of each element.
  template <typename List, typename Append>
  void list(const char* name, const List& values, Append append) {
    member(name) += '[';
    const char* between = "";
    for (const auto& value : values) {
      out_ += between;
      between = ",";
      append(value);
    }
    out_ += ']';
  }
  // `append`: what the member is.
  template <typename Append>
  void value(const char* name, Append append) {
    append(member(name));
  }
  // `add_members`: to the object that the member is.
  template <typename AddMembers>
  void object(const char* name, AddMembers add_members) {
    JsonObject inner(member(name));
    add_members(inner);
    inner.end();
  }
  void end() { out_ += '}'; }

 private:
  TextBuffer& member(const char* name) {
    out_ += between_;
    between_ = ",";
    fmt::format_to(std::back_inserter(out_), "\"{}\":", name);
    return out_;
  }

  TextBuffer& out_;
  const char* between_ = "";
};

}  // namespace evt::tools
