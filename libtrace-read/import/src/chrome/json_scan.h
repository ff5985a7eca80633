// A file in Chrome's Trace Event Format, cut into its events: where each begins and ends, by brackets and quotes alone,
// as long as these can be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_cursor.h"

namespace evt::chrome {

// An object whose `traceEvents` is an array of events, or the bare array; and more of either behind it. Reads the file
// once, from the front; memory is that of one event.
//
// Where something is no JSON, reading goes on with the next object that is an event: one whose bracket is where an
// element of an array or a line begins, that is JSON, and that has a key `ph`. Up to where the brackets seemed to
// close, each event is then checked by its bytes. What is checked in vain is paid from what was read before, so the
// work is linear in the size of the file, whatever is in it.
class JsonScan {
 public:
  static constexpr std::size_t kMaxEvent = 4 << 20;
  static constexpr std::size_t kMaxProperty = 0xFFFF;

  explicit JsonScan(ByteSource& file) : in_(file) {}

  // `text` is that of an object, and valid until the next call.
  struct Element : JsonCursor::Value {
    enum class Kind : std::uint8_t {
      kObject,   // of the array
      kTooLong,  // a value of it that has more than kMaxEvent
      kOther,    // a value of it that is no object
      kBroken,   // what is no JSON, or is not read
    };
    Kind kind = Kind::kObject;
    // Of what is broken: whether an event is lost there, whether the file ends in it, and what is wrong.
    bool holds_event = false;
    bool is_cut = false;
    std::string_view why;  // valid until the next call
  };
  // The next value of the array, or place that is broken; false behind the last one.
  bool next(Element* element);
  // The object that came last cannot be read: `why`, which stays valid. It comes once more, as broken.
  void refuse(std::string_view why);

  // After the last one.
  bool has_events() const { return has_events_; }        // there was an array for them
  bool is_closed() const { return is_closed_; }          // the file ends where JSON does, or where an array may
  bool lacks_bracket() const { return lacks_bracket_; }  // it is an array without its end
  // What else the object has, as JSON; of what is longer than kMaxProperty the name alone.
  // At most kMaxProperties.
  const std::vector<std::pair<std::string, std::string>>& properties() const { return properties_; }
  std::uint64_t properties_left_out() const { return properties_left_out_; }

  // Bytes that were looked at beyond the first look at each, so far.
  std::uint64_t looked_at_again() const { return looked_at_again_; }

 private:
  static constexpr std::size_t kMaxProperties = 256;
  static constexpr std::int64_t kMaxCredit = 2 * std::int64_t{kMaxEvent};

  enum class State : std::uint8_t { kEvents, kMembers, kBehind };
  enum class Found : std::uint8_t { kEvent, kOther, kNothing };

  // A place that is no JSON, from its first byte to where its end seemed to be.
  struct Broken {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    bool holds_event = false;
    std::string_view why;
    bool is_passed_over = false;  // it is JSON, so its end is known
  };
  // The bytes of it up to where reading goes on, as they pass.
  struct Search;

  bool is_json(std::uint64_t from);

  void begin();
  void begin_array(bool is_bare);
  bool take_in_events(int c, bool has_comma, Element* element);
  bool take_checked(Element* element);
  void take_in_members(int c);
  void take_property();
  void take_behind(int c);
  bool is_followed();
  void set_broken(const Broken& broken);
  void pass_over(Element* element);
  void take_broken(Element* element);
  bool is_end(int c, char before) const;
  bool step(Search* search);
  Found try_event();
  void find_events();
  void earn();

  JsonCursor in_;
  bool has_begun_ = false;
  State state_ = State::kMembers;
  bool is_bare_ = false;      // the array is in no object
  bool has_bracket_ = false;  // the array has its first one
  bool has_value_ = false;    // something was in it
  bool is_cut_ = false;
  bool has_events_ = false;
  bool is_closed_ = false;
  bool lacks_bracket_ = false;
  bool is_broken_ = false;
  Broken broken_;
  std::string broken_member_;
  std::uint64_t last_from_ = 0;  // the last value
  std::uint64_t last_to_ = 0;
  std::uint64_t checked_to_ = 0;  // up to there brackets and quotes are not trusted
  std::int64_t credit_ = kMaxCredit;
  std::uint64_t earned_to_ = 0;
  std::uint64_t looked_at_again_ = 0;
  std::vector<std::pair<std::string, std::string>> properties_;
  std::uint64_t properties_left_out_ = 0;
};

}  // namespace evt::chrome
