// One event, as returned by the reader.
#pragma once

#include <evt/decode.h>
#include <evt/row.h>
#include <evt/session.h>

#pragma GCC visibility push(default)
namespace evt {

// A view, valid until the next call of Events::next().
class Event {
 public:
  const EventType& type() const { return *row_->type; }
  const StreamInfo& stream() const { return *piece().stream; }
  const Session& session() const { return *session_; }

  // Nanoseconds since the session's start; negative before it.
  std::int64_t ns() const;
  // UTC in nanoseconds since 1970: for display.
  std::int64_t utc_ns() const;
  // Time in units of its clock.
  std::uint64_t ticks() const { return row_->ticks; }
  // The recorded stamp: ticks(), unless it was impossible, later than its block was made. Such an event has the time of
  // the one before it (FORMAT.md, section 9).
  std::uint64_t stamp() const { return has_impossible_stamp() ? piece().stamp : row_->ticks; }
  bool has_impossible_stamp() const { return piece().stamp != 0; }
  // The number of its row in its stream.
  std::uint64_t ordinal() const { return piece().ordinal + static_cast<std::uint64_t>(row_ - rows_); }

  // True for the reader's own `!lost` events, which come only if requested: as many events as it counts were lost here.
  bool is_lost() const { return type().marker_ == EventType::Marker::kLost; }
  // True for `!jump`: the stream's time intentionally steps back here.
  bool is_jump() const { return type().marker_ == EventType::Marker::kJump; }
  // True for `!end`, which comes only if requested: the stream has ended here.
  bool is_end() const { return type().marker_ == EventType::Marker::kEnd; }

  // The fields as bytes.
  Bytes payload() const { return {row_->payload, row_->payload_size}; }
  // The values of the fields, one after another.
  FieldWalker values() const { return {type().fields(), payload()}; }
  // The value of a field; nothing if the type has no such field, or this event is too short to contain it.
  std::optional<Value> value(std::size_t index) const;
  std::optional<Value> value(std::string_view name) const;
  // The value of the first field with this role; nothing if it means none.
  std::optional<Value> value(Role role) const;
  // Like value(role), for an integer of fixed size, zero-extended; nothing if it is not one.
  std::optional<std::uint64_t> number(Role role) const {
    std::uint64_t found = 0;
    return get_number(role, &found) ? std::optional(found) : std::nullopt;
  }
  // Like number(), for analyses, which ask often: false if there is none, and then nothing is written.
  bool get_number(Role role, std::uint64_t* number) const {
    const decoding::RoleField* const field = type().role_field(role);
    if (field == nullptr) return false;
    if (field->width == 0 || row_->payload_size < field->offset + field->width) return odd_number(*field, number);
    const std::byte* const p = row_->payload + field->offset;
    switch (field->width) {
      case 1:
        *number = static_cast<std::uint8_t>(*p);
        return true;
      case 2:
        *number = evt_load_u16(p);
        return true;
      case 4:
        *number = evt_load_u32(p);
        return true;
      default:
        *number = evt_load_u64(p);
        return true;
    }
  }

  // Like get_number(), for a text.
  bool get_text(Role role, std::string_view* text) const {
    const decoding::RoleField* const field = type().role_field(role);
    if (field == nullptr) return false;
    const std::size_t begin = std::size_t{field->offset} + field->count;
    if (field->count == 0 || row_->payload_size < begin) return odd_text(role, text);
    const std::byte* const p = row_->payload + field->offset;
    const std::size_t size = field->count == sizeof(std::uint16_t) ? evt_load_u16(p) : evt_load_u32(p);
    if (row_->payload_size - begin < size) return false;
    *text = {reinterpret_cast<const char*>(p) + field->count, size};
    return true;
  }

  // The clock's reading that a value of kind ticks means: 4 bytes mean the latest reading that is not later than the
  // event.
  std::uint64_t ticks_in(const Value& value) const {
    const std::uint64_t stored = value.as_unsigned();
    return value.bytes().size() == sizeof(std::uint64_t) ? stored : decoding::widened(stored, recorded_ticks());
  }
  // True if it is known when the clock read this. If not, that was before a step of the clock, after which the event
  // was recorded: converting it by the event's clock would give a wrong time.
  bool is_known(std::uint64_t ticks) const;
  // As above for a value of kind ticks, and for the beginning of a tick delta; true for all other values.
  bool is_known(const Value& value) const {
    return (value.kind() != Kind::kTicks && value.kind() != Kind::kTickDelta) || is_known_time(value);
  }
  // A `ticks` value of this event in nanoseconds since the session's start, and a tick delta in nanoseconds; times that
  // are not known are converted as if the clock had not stepped.
  std::int64_t ticks_to_ns(std::uint64_t ticks) const;
  std::int64_t delta_to_ns(std::int64_t ticks) const;
  // UTC, in nanoseconds since 1970, of another moment by this event's clock: `ns` is since the session's start.
  std::int64_t ns_to_utc(std::int64_t ns) const;

  // The event as a struct that has a schema<T>: nothing if it is of another type, or if a field of the same name has
  // another kind (then Events::status() names it). Fields that the file lacks keep T's defaults; views in T live as
  // long as the event.
  template <Traced T>
  std::optional<T> as() const;

 private:
  friend class Events;
  friend class EventTime;
  friend class FacetEvent;
  friend class KeptEvent;

  const decoding::Binding& bound(std::size_t number, decoding::Binding (*make)(const EventType&)) const {
    const auto& known = type().bindings_;
    const bool is_good = number < known.size() && known[number] != nullptr && known[number]->error.ok();
    return is_good ? *known[number] : bind(number, make);
  }
  const decoding::Binding& bind(std::size_t number, decoding::Binding (*make)(const EventType&)) const;

  bool is_known_time(const Value& value) const;
  bool odd_number(const decoding::RoleField& field, std::uint64_t* number) const;
  bool odd_text(Role role, std::string_view* text) const;
  // The time that times in its fields relate to: its own, or for a twin that of the original event.
  std::uint64_t recorded_ticks() const;

  const rows::Piece& piece() const { return pieces_[row_->piece]; }

  const rows::Row* row_ = nullptr;
  const rows::Row* rows_ = nullptr;  // the array that row_ is in
  const rows::Piece* pieces_ = nullptr;
  const Session* session_ = nullptr;
  Status* status_ = nullptr;                                  // in the Events that made it
  mutable std::vector<std::unique_ptr<std::byte[]>> copies_;  // arrays that as() had to unpack
};

template <Traced T>
std::optional<T> Event::as() const {
  const decoding::Binding& binding = bound(decoding::kNumberOf<T>, &decoding::make_binding<T>);
  if (!binding.matches) return std::nullopt;
  T result{};
  FieldWalker walker = values();
  const auto read = [&]<typename F>(const F& f, const decoding::Binding::Step& step) {
    using M = typename F::Member;
    if (step.index < 0) return;
    if constexpr (wire_of<M>().shape == Shape::kFixed) {
      if (step.offset >= 0) {
        if (row_->payload_size < static_cast<std::size_t>(step.offset) + wire_of<M>().width) return;
        result.*f.member = decoding::load_exact<M>(row_->payload + step.offset);
        return;
      }
    }
    const auto index = static_cast<std::size_t>(step.index);
    if (walker.index() > index) walker = values();
    std::optional<Value> value;
    do {
      value = walker.next();
    } while (value && walker.index() <= index);
    if constexpr (std::is_same_v<M, Ticks>) {
      if (value) result.*f.member = {ticks_in(*value)};
    } else {
      if (value) result.*f.member = decoding::convert<M>(*value, copies_);
    }
  };
  std::size_t i = 0;
  std::apply([&](const auto&... f) { (read(f, binding.steps[i++]), ...); }, schema<T>.fields);
  return result;
}

}  // namespace evt
#pragma GCC visibility pop
