// One comparison of a condition, as it is made with the events of one type.
#pragma once

#include <evt/trace.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <variant>
#include <vector>

#include "where_expression.h"
#include "where_lengths.h"
#include "where_number.h"
#include "where_value.h"

namespace evt::tools {

// What a comparison becomes in a session whatever the type of the event: found out once. Refers to the session, to the
// lengths and to the comparisons.
class WhereSession {
 public:
  WhereSession(const Session& session, const WhereLengths& lengths) : session_(&session), lengths_(&lengths) {}

  const Session& session() const { return *session_; }
  // Of each of its streams, whether events of it pass.
  std::shared_ptr<const std::vector<bool>> streams(const WhereComparison& comparison);
  // Events of what has a duration that passes; null: it was not looked for.
  std::shared_ptr<const WhereEvents> lengths(const WhereComparison& comparison) const {
    return lengths_->of(*session_, comparison);
  }
  // Of interned texts by their ids, whether they pass: as far as that was found out.
  enum class Verdict : std::uint8_t { kNotKnown, kPasses, kFails };
  std::shared_ptr<std::vector<Verdict>> texts(const WhereComparison& comparison);

 private:
  const Session* session_;
  const WhereLengths* lengths_;
  std::unordered_map<const WhereComparison*, std::shared_ptr<const std::vector<bool>>> streams_;
  std::unordered_map<const WhereComparison*, std::shared_ptr<std::vector<Verdict>>> texts_;
};

// Refers to the session of its events.
class WhereTest {
 public:
  // What the comparison becomes for a type: the same for all its events, or a test. Of a type that lacks the field, or
  // whose field cannot be compared with the value, it is false. REQUIRES: the subject is not kName.
  static std::variant<bool, WhereTest> make(const WhereComparison& comparison, const EventType& type,
                                            WhereSession& session);

  bool holds_for(const Event& event) const {
    if (source_ != Source::kInteger) return other_holds_for(event);
    const Bytes payload = event.payload();
    std::uint64_t bits = 0;
    if (payload.size() >= integer_.room) {
      bits = evt_load_u64(payload.data() + integer_.at) << integer_.shift;
    } else if (payload.size() >= integer_.end) {
      bits = few_bits(payload.data() + integer_.end);
    } else {
      return false;
    }
    return range_.contains((bits & integer_.mask) ^ integer_.sign);
  }

 private:
  enum class Source : std::uint8_t {
    kInteger,  // of fixed size, at a fixed place: most of what is asked for
    kValue,    // any other field
    kTime,
    kStream,
    kStreamThread,
    kSize,
    kOrdinal,
    kDuration
  };

  // Where its bytes are: read together with their neighbours, eight at a time, so that each width takes the same few
  // instructions, and moved to the highest bits.
  struct Integer {
    std::uint32_t room = 0;  // bytes that a payload must have for that
    std::uint32_t at = 0;
    std::uint32_t end = 0;  // of the field
    std::uint8_t shift = 0;
    std::uint8_t width = 0;
    std::uint64_t mask = 0;
    std::uint64_t sign = 0;  // the highest bit, if it is one
  };
  static Integer integer_at(std::uint32_t offset, const Field& field);
  // Of a payload of less than eight bytes.
  std::uint64_t few_bits(const std::byte* end) const {
    switch (integer_.width) {
      case 1:
        return std::uint64_t{static_cast<std::uint8_t>(end[-1])} << 56;
      case 2:
        return std::uint64_t{evt_load_u16(end - 2)} << 48;
      default:
        return std::uint64_t{evt_load_u32(end - 4)} << 32;
    }
  }

  static std::variant<bool, WhereTest> of_field(const WhereComparison& comparison, const EventType& type,
                                                std::size_t index, WhereSession& session);
  static std::variant<bool, WhereTest> of_range(Source source, const WhereBound& bound);
  static std::variant<bool, WhereTest> of_lengths(std::shared_ptr<const WhereEvents> lengths);
  static WhereTest of_streams(const WhereComparison& comparison, WhereSession& session);

  bool other_holds_for(const Event& event) const;
  bool field_holds_for(const Event& event) const;
  bool value_passes(const Event& event, const Value& value) const;

  Source source_ = Source::kInteger;
  Integer integer_;
  WhereRange range_;
  std::size_t index_ = 0;  // of the field
  WhereValueTest value_test_;
  std::shared_ptr<std::vector<WhereSession::Verdict>> texts_;  // of an interned field
  std::shared_ptr<const std::vector<bool>> streams_;           // which of the session's pass
  const StreamInfo* first_stream_ = nullptr;
  std::shared_ptr<const WhereEvents> lengths_;
};

// Whether a name is as @stream or @type are asked to be, by = != ~ !~. A stream can be #id, too.
bool where_name_passes(const WhereComparison& comparison, const std::string& name);
bool where_stream_passes(const WhereComparison& comparison, const StreamInfo& stream);

}  // namespace evt::tools
