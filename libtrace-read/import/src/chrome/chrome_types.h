// Event types and fields for events of Chrome's format.
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

// The kind of an event, whatever its fields.
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

// Events of one kind have a type for each list of fields, all of one name, such as `chrome.span`. If there are too many
// of these, or names that no field can have, the fields are one text, `json`.
class ChromeTypes {
 public:
  // Data of an event for its row beyond its own members.
  struct Facts {
    EventKind kind = EventKind::kOther;
    std::int64_t duration_ns = 0;  // for a whole one
    std::uint64_t id = 0;          // for an asynchronous event, or a flow
    // For a counter: its name, and its value.
    std::string_view counter;
    const JsonMember* value = nullptr;
    bool has_thread = false;  // its thread is a field, because it differs from the row's
  };
  // Returns the number of the type; the row's fields are appended.
  std::uint32_t add(const ChromeEvent& event, const Facts& facts, std::vector<std::byte>* fields);

  // Called once all are added: adds types of ends that also have a name, if spans are unfinished.
  void name_ends();
  bool has_names_of_ends() const { return !named_ends_.empty(); }
  // 0: none.
  std::uint32_t named_end(std::uint32_t type) const;

  // The kind for the number of a type; kOther for any other.
  EventKind kind_of(std::uint32_t type) const { return has(type) ? fronts_[place_of(type)].kind : EventKind::kOther; }
  bool begins_with_name(std::uint32_t type) const { return has(type) && fronts_[place_of(type)].has_name; }

  // The payload of a TYPES block: at most a few MiB.
  void put(const std::function<void(Bytes)>& put);

 private:
  static constexpr std::size_t kMaxShapes = 2048;
  static constexpr std::size_t kMaxShapesSize = 1 << 20;
  static constexpr std::size_t kMaxMembers = 64;
  static constexpr std::size_t kMaxKey = 128;

  // The kind of a type, and whether its first field is a name.
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
  // For the current event: its kind, then a code and the name of each field.
  std::string shape_;
  std::vector<std::byte> fields_;
};

}  // namespace evt::chrome
