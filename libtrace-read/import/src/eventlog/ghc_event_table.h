// The meaning of event types of GHC's runtime system, and Eden's. This table has the order of fields; each log declares
// how many bytes they have.
#pragma once

#include <evt/schema.h>

#include <span>
#include <string_view>

namespace evt::eventlog {

// How a log stores a field, and how a row does.
enum class FieldForm : std::uint8_t {
  kNone,  // after the last field
  kU8,
  kU16,
  kU32,
  kU64,
  kThread,    // u32, in some pre-releases u64
  kTime,      // u64, nanoseconds since the start
  kText,      // from here on of variable size: the rest
  kBytes,     // all that is left
  kTextBut4,  // the rest except the last field, a u32
  kTextZ,     // up to a zero
  kTextsZ,    // the rest: texts, each up to a zero or the end
  kStack,     // u8 count, then `count` u32
};

struct KnownField {
  const char* name = nullptr;
  FieldForm form = FieldForm::kNone;
  Role role = Role::kNone;
  Unit unit = Unit::kNone;
};

struct KnownType {
  static constexpr std::size_t kMaxFields = 10;

  std::uint16_t id;
  const char* name;
  const char* description;  // from GHC 9.0.2
  Role role;
  KnownField fields[kMaxFields];

  std::span<const KnownField> known_fields() const {
    std::size_t count = 0;
    while (count < kMaxFields && fields[count].form != FieldForm::kNone) ++count;
    return {fields, count};
  }
};

// Types that the importer itself interprets.
enum KnownId : std::uint16_t {
  kCreateThread = 0,
  kStopThread = 2,
  kSparkToThread = 14,
  kCreateSparkThread = 15,
  kStartup = 17,
  kBlockMarker = 18,
  kProgramInvocation = 24,
  kRtsIdentifier = 29,
  kProgramArguments = 30,
  kProcessId = 32,
  kParentProcessId = 33,
  kWallClockTime = 43,
  kEndOfData = 0xFFFF,
};

// Bytes of a field of this form in a log: the minimum, if it varies.
std::size_t size_of(FieldForm form);

// The type that a log means by these words, or else by this number and size; null if it is unknown, or another
// producer's: they reuse numbers. `size`: of its payloads, unless they vary.
const KnownType* find_known_type(std::uint16_t id, bool variable, std::size_t size, std::string_view description);

// Labels for the status of a thread that stops, by the runtime system's version: "GHC-7.8.2 rts_thr_l".
std::span<const Label> stop_labels(std::string_view runtime);
// Labels of the other enumerations; empty for other fields.
std::span<const Label> labels_of(const KnownType& type, std::string_view field);

}  // namespace evt::eventlog
