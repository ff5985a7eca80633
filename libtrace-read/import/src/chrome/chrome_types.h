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
  kSpanUnfinished,  // a whole one that had not ended
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
    bool has_thread = false;  // its thread is a field, as it is not the row's
  };
  // The number of the type; the row's fields are appended.
  std::uint32_t add(const ChromeEvent& event, const Facts& facts, std::vector<std::byte>* fields);

  // Once all are added: types of ends that have a name besides, if spans are unfinished.
  void name_ends();
  bool has_names_of_ends() const { return !named_ends_.empty(); }
  // 0: there is none.
  std::uint32_t named_end(std::uint32_t type) const;

  // Of the number of a type; kOther for any other.
  EventKind kind_of(std::uint32_t type) const { return has(type) ? fronts_[place_of(type)].kind : EventKind::kOther; }
  bool begins_with_name(std::uint32_t type) const { return has(type) && fronts_[place_of(type)].has_name; }

  // The payload of a TYPES block: at most a few MiB.
  void put(const std::function<void(Bytes)>& put);

 private:
  static constexpr std::size_t kMaxShapes = 2048;
  static constexpr std::size_t kMaxShapesSize = 1 << 20;
  static constexpr std::size_t kMaxMembers = 64;
  static constexpr std::size_t kMaxKey = 128;

  // What a type is, and whether its first field is a name.
  struct Front {
    EventKind kind;
    bool has_name;
  };

  static std::size_t place_of(std::uint32_t type) { return type - EVT_TYPE_FIRST_FREE; }
  bool has(std::uint32_t type) const { return type >= EVT_TYPE_FIRST_FREE && place_of(type) < fronts_.size(); }
  std::uint32_t number_of_shape();
  bool describe(const ChromeEvent& event, const Facts& facts);
  void describe_front(const ChromeEvent& event, const Facts& facts);
  bool describe_members(const ChromeEvent& event, const Facts& facts);
  void add_field(char code, std::string_view name, std::string_view text);
  void add_number(char code, std::string_view name, std::uint64_t value);
  void add_value(std::string_view name, const JsonValue& value);
  bool is_used(std::string_view name) const;
  void declare(const std::string& shape, std::uint32_t number);
  bool has_room() const { return numbers_.size() < kMaxShapes && shapes_size_ + shape_.size() <= kMaxShapesSize; }

  std::unordered_map<std::string, std::uint32_t> numbers_;  // by shape
  std::size_t shapes_size_ = 0;
  std::vector<Front> fronts_;  // by number
  bool has_unfinished_ = false;
  std::unordered_map<std::uint32_t, std::uint32_t> named_ends_;
  RecordList records_;
  // Of the event at hand: its kind, then of each field a code and its name.
  std::string shape_;
  std::vector<std::byte> fields_;
};

}  // namespace evt::chrome
