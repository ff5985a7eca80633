// The events of a log, one behind the other.
#pragma once

#include "big_endian.h"
#include "log_header.h"

namespace evt::eventlog {

struct LogEvent {
  const LogType* type = nullptr;
  std::uint64_t ticks = 0;  // nanoseconds since the runtime system started
  const std::uint8_t* payload = nullptr;
  std::size_t payload_size = 0;
  std::size_t size = 0;   // of all of it
  std::uint16_t cap = 0;  // if payloads have it
};

enum class Found : std::uint8_t {
  kEvent,
  kShort,       // it goes on behind these bytes
  kUndeclared,  // of a type that the log does not declare: its size is unknown
  kEnd,         // the mark that ends the events
};

inline Found read_event(const Dictionary& types, const std::uint8_t* p, std::size_t left, LogEvent* event) {
  constexpr std::size_t kHead = 10;  // u16 type, u64 time
  if (left < 2) return Found::kShort;
  const std::uint16_t id = load_u16(p);
  if (id == kEndOfData) return Found::kEnd;
  const LogType* const type = types.find(id);
  if (type == nullptr) return Found::kUndeclared;
  std::size_t head = kHead;
  std::size_t size = type->size();
  if (type->is_variable()) {
    head += 2;
    if (left < head) return Found::kShort;
    size = load_u16(p + kHead);
  } else if (types.caps_in_payloads()) {
    head += 2;
  }
  if (left < head + size) return Found::kShort;
  event->type = type;
  event->ticks = load_u64(p + 2);
  event->payload = p + head;
  event->payload_size = size;
  event->size = head + size;
  event->cap = types.caps_in_payloads() && !type->is_variable() ? load_u16(p + kHead) : std::uint16_t{0};
  return Found::kEvent;
}

}  // namespace evt::eventlog
