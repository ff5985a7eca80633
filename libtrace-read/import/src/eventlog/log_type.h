// An event type as declared by one log, and the conversion of its payloads to those of rows.
#pragma once

#include <evt/describe.h>
#include <evt/little_endian.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "format-spec/src/base/buffer.h"
#include "ghc_event_table.h"

namespace evt::eventlog {

// Big-endian numbers of a GHC eventlog.
template <typename Number>
Number load(const std::uint8_t* p) {
  Number number;
  std::memcpy(&number, p, sizeof number);
  if constexpr (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
    if constexpr (sizeof number == 2) return __builtin_bswap16(number);
    if constexpr (sizeof number == 4) return __builtin_bswap32(number);
    if constexpr (sizeof number == 8) return __builtin_bswap64(number);
  }
  return number;
}

inline std::uint16_t load_u16(const std::uint8_t* p) { return load<std::uint16_t>(p); }
inline std::uint32_t load_u32(const std::uint8_t* p) { return load<std::uint32_t>(p); }
inline std::uint64_t load_u64(const std::uint8_t* p) { return load<std::uint64_t>(p); }

class LogType {
 public:
  // `size`: of every payload; `thread_size`: bytes of a thread's number. `place`: index among the types of its log.
  LogType(std::uint32_t place, std::uint16_t id, bool variable, std::uint16_t size, std::string description,
          std::uint8_t thread_size);

  std::uint16_t id() const { return id_; }
  bool is_variable() const { return variable_; }
  std::uint16_t size() const { return size_; }
  const std::string& name() const { return name_; }
  // Null: it is represented by its size and description.
  const KnownType* known() const { return known_; }
  // Its events describe the session as a whole.
  bool tells_of_session() const { return tells_of_session_; }
  // In rows.
  std::uint32_t number() const { return number_; }
  // Among the types of its log.
  std::uint32_t place() const { return place_; }

  // Another type of the log has the same name.
  void rename() { name_ += "_" + std::to_string(id_); }

  // Appends its record, for a TYPES block. `runtime`: the runtime system that wrote the log.
  void append_record(Buffer& out, std::string_view runtime) const;

  // Writes a row's payload, at most kMaxGrowth + kGrowth * size bytes; returns the place after it.
  static constexpr std::size_t kMaxGrowth = 64;
  static constexpr std::size_t kGrowth = 3;
  std::uint8_t* translate(const std::uint8_t* payload, std::size_t size, std::uint8_t* out) const {
    return only_numbers_ ? translate_numbers(payload, out) : translate_any(payload, size, out);
  }

 private:
  struct Step {
    FieldForm form;
    std::uint16_t size;  // for a fixed run of bytes
  };

  void add_steps(std::uint8_t thread_size);
  std::uint8_t* translate_any(const std::uint8_t* payload, std::size_t size, std::uint8_t* out) const;
  // Nearly all events have a few numbers and nothing else.
  std::uint8_t* translate_numbers(const std::uint8_t* p, std::uint8_t* out) const {
    for (const Step& step : steps_) {
      switch (step.size) {
        case 1:
          *out = *p;
          break;
        case 2:
          evt_store_u16(out, load_u16(p));
          break;
        case 4:
          evt_store_u32(out, load_u32(p));
          break;
        default:
          evt_store_u64(out, load_u64(p));
      }
      p += step.size;
      out += step.size;
    }
    return out;
  }
  bool has_rest() const;

  std::uint16_t id_;
  std::uint16_t size_;
  bool variable_;
  bool only_numbers_ = false;
  bool tells_of_session_ = false;
  std::uint32_t number_;
  std::uint32_t place_;
  std::uint8_t thread_size_;
  std::string name_;
  std::string description_;
  const KnownType* known_;
  std::size_t known_fields_ = 0;  // that its payloads have
  std::size_t rest_ = 0;          // bytes after them, of fixed size
  std::vector<Step> steps_;
};

}  // namespace evt::eventlog
