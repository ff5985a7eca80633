// A file in Chrome's Trace Event Format, cut into its events: only brackets and quotes show where each begins and ends,
// as long as these can be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_cursor.h"

namespace evt::chrome {

// An object whose `traceEvents` is an array of events, or the bare array; and more of either after it. Reads the file
// once, from the start; memory is that of one event.
//
// After bytes that are not JSON, reading continues with the next object that is an event: one whose bracket is where an
// element of an array or a line begins, that is JSON, and that has a key `ph`. Up to where the brackets seemed to
// close, each event is then checked by its bytes. Bytes read before pay for failed checks, so the work is linear in the
// size of the file, whatever is in it.
class JsonScan {
 public:
  static constexpr std::size_t kMaxEvent = 4 << 20;
  static constexpr std::size_t kMaxProperty = 0xFFFF;

  explicit JsonScan(ByteSource& file) : in_(file) {}

  // `text` is that of an object, and valid until the next call.
  struct Element : JsonCursor::Value {
    enum class Kind : std::uint8_t {
      kObject,   // in the array
      kTooLong,  // a value in it that has more than kMaxEvent
      kOther,    // a value in it that is not an object
      kBroken,   // not JSON, or not read
    };
    Kind kind = Kind::kObject;
    // For broken bytes: whether an event is lost there, whether the file ends in them, and what is wrong.
    bool holds_event = false;
    bool is_cut = false;
    std::string_view why;  // valid until the next call
  };
  // The next value of the array, or broken place; false after the last one.
  bool next(Element* element);
  // The latest object cannot be read: `why`, which must stay valid. It is returned once more, as broken.
  void refuse(std::string_view why);

  // After the last one.
  bool has_events() const { return has_events_; }        // there was an array for them
  bool is_closed() const { return is_closed_; }          // the file ends where JSON, or an array, may end
  bool lacks_bracket() const { return lacks_bracket_; }  // it is an array without its end
  // Other members of the object, as JSON; only the name of those longer than kMaxProperty. At most kMaxProperties.
  const std::vector<std::pair<std::string, std::string>>& properties() const { return properties_; }
  std::uint64_t properties_left_out() const { return properties_left_out_; }

  // Bytes that were looked at more than once, so far.
  std::uint64_t looked_at_again() const { return looked_at_again_; }

 private:
  static constexpr std::size_t kMaxProperties = 256;
  static constexpr std::int64_t kMaxCredit = 2 * std::int64_t{kMaxEvent};

  enum class State : std::uint8_t { kEvents, kMembers, kBehind };
  enum class Found : std::uint8_t { kEvent, kOther, kNothing };

  // A place that is not JSON, from its first byte to where its end seemed to be.
  struct Broken {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    bool holds_event = false;
    std::string_view why;
    bool is_passed_over = false;  // it is JSON, so its end is known
  };
  // Its bytes up to where reading continues, as they pass.
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
  bool is_bare_ = false;      // the array is not in an object
  bool has_bracket_ = false;  // the array has its first event
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
  std::uint64_t checked_to_ = 0;  // brackets and quotes are not trusted up to there
  std::int64_t credit_ = kMaxCredit;
  std::uint64_t earned_to_ = 0;
  std::uint64_t looked_at_again_ = 0;
  std::vector<std::pair<std::string, std::string>> properties_;
  std::uint64_t properties_left_out_ = 0;
};

}  // namespace evt::chrome
