// What events of Chrome's format become: event types with their fields.
#pragma once

#include <evt/format.h>
#include <evt/schema.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chrome_event.h"
#include "libtrace-read/core/src/base/record_list.h"

namespace evt::chrome {

// What an event is, whatever its fields.
enum class EventKind : std::uint8_t {
  kSpan,  // a whole one
  kSpanBegin,
  kSpanEnd,
  kCall,
  kCallBegin,
  kCallEnd,
  kAsyncBegin,
  kAsyncEnd,
  kAsyncInstant,
  kCounter,
  kMark,
  kFlowOut,
  kFlowIn,
  kOther,
};

// Events of one kind have a type for each list of fields, all of one name, such as `chrome.span`. Where there are too
// many of these, or names that no field can have, the fields are one text, `json`.
class ChromeTypes {
 public:
  // What the rows have of an event beyond its own members.
  struct Facts {
    EventKind kind = EventKind::kOther;
    std::int64_t duration_ns = 0;  // of a whole one
    std::uint64_t id = 0;          // of what is asynchronous, and of a flow
    // Of a counter: how it is called, and its value.
    std::string_view counter;
    const JsonMember* value = nullptr;
  };
  // The number of the type; the row's fields are appended.
  std::uint32_t add(const ChromeEvent& event, const Facts& facts, std::vector<std::byte>* fields);

  // The payload of a TYPES block: at most a few MiB.
  void put(const std::function<void(Bytes)>& put);

 private:
  static constexpr std::size_t kMaxShapes = 2048;
  static constexpr std::size_t kMaxShapesSize = 1 << 20;
  static constexpr std::size_t kMaxMembers = 64;
  static constexpr std::size_t kMaxKey = 128;

  bool describe(const ChromeEvent& event, const Facts& facts);
  void describe_front(const ChromeEvent& event, const Facts& facts);
  bool describe_members(const ChromeEvent& event, const Facts& facts);
  void add_field(char code, std::string_view name, std::string_view text);
  void add_number(char code, std::string_view name, std::uint64_t value);
  void add_value(std::string_view name, const JsonValue& value);
  bool is_used(std::string_view name) const;
  void declare(const std::string& shape, std::uint32_t number);

  std::unordered_map<std::string, std::uint32_t> numbers_;  // by shape
  std::size_t shapes_size_ = 0;
  RecordList records_;
  // Of the event at hand: its kind, then of each field a code and its name.
  std::string shape_;
  std::vector<std::byte> fields_;
};

}  // namespace evt::chrome
