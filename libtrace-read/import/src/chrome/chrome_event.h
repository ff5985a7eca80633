// One event of Chrome's format, from its JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace evt::chrome {

enum class JsonKind : std::uint8_t { kNone, kNumber, kText, kBool, kNull, kNested };

// `text`: the content of a text, the JSON of all others.
struct JsonValue {
  JsonKind kind = JsonKind::kNone;
  std::string_view text;
};

struct JsonMember {
  std::string_view key;
  JsonValue value;
  bool is_argument = false;  // in `args`; else in the event itself
};

// Missing members are kNone.
struct ChromeEvent {
  JsonValue phase, name, category, time, duration, process, thread, id, id2, scope;
  JsonValue args;                   // all of them, as JSON
  std::vector<JsonMember> members;  // arguments, and members of the event that are not listed above
  std::string_view text;            // all of it, as JSON
};

// Reads one after another.
class ChromeEventReader {
 public:
  ChromeEventReader();
  ChromeEventReader(const ChromeEventReader&) = delete;
  ChromeEventReader& operator=(const ChromeEventReader&) = delete;
  ~ChromeEventReader();

  // Returns why the text is not an event; empty if it is one. event() refers to the text, and is valid until the next
  // call.
  std::string_view read(std::string_view text);
  const ChromeEvent& event() const { return event_; }

 private:
  class Parser;

  ChromeEvent event_;
  std::string decoded_;  // texts
  std::unique_ptr<Parser> parser_;
};

}  // namespace evt::chrome
