// One event, as the reader hands it out.
#pragma once

#include <evt/session.h>

namespace evt {
class ClockMap;
}

#pragma GCC visibility push(default)
namespace evt {

// A view, valid until the next call of Events::next().
class Event {
 public:
  const EventType& type() const { return *type_; }
  const StreamInfo& stream() const { return *stream_; }
  const Session& session() const { return *session_; }

  // Nanoseconds since the session's start; negative before it.
  std::int64_t ns() const;
  // UTC in nanoseconds since 1970: for display.
  std::int64_t utc_ns() const;
  // As recorded, in units of its clock.
  std::uint64_t ticks() const { return ticks_; }
  // The number of its row in its stream.
  std::uint64_t ordinal() const { return ordinal_; }

  // True for the reader's own `!lost` events, which come only if asked for: so many events were lost here.
  bool is_lost() const { return is_lost_; }
  // True for `!jump`: the stream's time steps back here by intent.
  bool is_jump() const { return is_jump_; }

  // The fields as bytes.
  Bytes payload() const { return payload_; }
  // The values of the fields, one after another.
  FieldWalker values() const { return {type_->fields(), payload_}; }
  // The value of a field; nothing when the type has none such, or this event is too short to hold it.
  std::optional<Value> value(std::size_t index) const;
  std::optional<Value> value(std::string_view name) const;

  // A `ticks` value of this event in nanoseconds since the session's start, and a tick delta in nanoseconds.
  std::int64_t ticks_to_ns(std::uint64_t ticks) const;
  std::int64_t delta_to_ns(std::int64_t ticks) const;

  // The event as a struct that has a schema<T>: nothing when it is of another type, or when a field of the same name
  // has another kind (then Events::status() says which). Fields that the file lacks keep T's defaults; views in T live
  // as long as the event.
  template <Traced T>
  std::optional<T> as() const;

 private:
  friend class Events;

  const decoding::Binding& bind(std::size_t number, decoding::Binding (*make)(const EventType&)) const;

  const EventType* type_ = nullptr;
  const StreamInfo* stream_ = nullptr;
  const Session* session_ = nullptr;
  const ClockMap* clock_ = nullptr;
  std::uint64_t ticks_ = 0;
  std::uint64_t ordinal_ = 0;
  Bytes payload_;
  bool is_lost_ = false;
  bool is_jump_ = false;
  Status* status_ = nullptr;                                  // of the Events that made it
  mutable std::vector<std::unique_ptr<std::byte[]>> copies_;  // arrays that as() had to unpack
};

}  // namespace evt
#pragma GCC visibility pop

#include <evt/decode.h>
