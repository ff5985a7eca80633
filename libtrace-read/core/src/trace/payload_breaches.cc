#include "payload_breaches.h"

#include <evt/describe.h>
#include <evt/format.h>
#include <evt/names.h>
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "libtrace-read/core/src/base/messages.h"
#include "libtrace-read/core/src/event/interned_fields.h"

namespace evt {
namespace {

// The fixed part of a payload, read value by value.
class FixedPart {
 public:
  FixedPart(const Block& block, const char* of, Bytes bytes, BreachList* breaches)
      : block_(block), of_(of), in_(bytes), breaches_(breaches) {}

  std::uint8_t u8() { return in_.u8(); }
  std::uint16_t u16() { return in_.u16(); }
  std::uint32_t u32() { return in_.u32(); }
  std::uint64_t u64() { return in_.u64(); }
  Bytes bytes(std::size_t size) { return in_.bytes(size); }

  void expect(const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found != expected) say(fmt::format("{} is {}, expected {}", what, found, expected));
  }
  void expect_only(const char* what, std::uint64_t found, std::uint64_t bits) {
    if ((found & ~bits) != 0) say(fmt::format("{} are {:#x}, expected only {:#x}", what, found, bits));
  }
  void expect_reserved(std::size_t size) {
    const Bytes reserved = in_.bytes(size);
    const bool is_zero = std::all_of(reserved.begin(), reserved.end(), [](std::byte b) { return b == std::byte{0}; });
    if (!is_zero) say("reserved bytes are not 0");
  }
  // Nothing of what is not there.
  void say(const std::string& what) {
    if (in_.ok()) breaches_->add(block_, fmt::format("{}: {}", of_, what));
  }

 private:
  const Block& block_;
  const char* of_;
  Cursor in_;
  BreachList* breaches_;
};

void check_session(const Block& block, Bytes payload, BreachList* breaches) {
  const std::string_view text(reinterpret_cast<const char*>(payload.data()), payload.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return;
  const std::size_t begin = (line + EVT_ALIGNMENT) / EVT_ALIGNMENT * EVT_ALIGNMENT;
  const std::string_view first = text.substr(0, line);
  FixedPart part(block, "SESSION", payload.subspan(std::min(begin, payload.size())), breaches);
  const bool is_ascii = std::all_of(first.begin(), first.end(), [](char c) { return c >= ' ' && c <= '~'; });
  const std::string front = fmt::format("evtrace trace, format {}, written by ", EVT_FORMAT_NAME);
  if (!is_ascii || !first.starts_with(front) || !first.ends_with("; described in FORMAT.md")) {
    part.say(fmt::format("the first line is not '{}PROGRAM; described in FORMAT.md'", front));
  }
  part.expect("fixed_size", part.u16(), EVT_SESSION_FIXED_SIZE);
  part.expect("major", part.u16(), EVT_FORMAT_MAJOR);
  part.expect("minor", part.u16(), EVT_FORMAT_MINOR);
  part.expect_reserved(2);
  part.expect("incompat", part.u64(), EVT_FORMAT_INCOMPAT);
  part.expect("compat", part.u64(), 0);
  const Bytes uuid = part.bytes(16);
  if (uuid.size() == 16) {
    const unsigned version = static_cast<unsigned>(uuid[6]) >> 4;
    const bool is_rfc = static_cast<unsigned>(uuid[8]) >> 6 == 2;
    if (!is_rfc || (version != 4 && version != 7 && version != 8)) part.say("the uuid is not one of version 4, 7 or 8");
  }
  part.bytes(16);
  part.u32();
  part.expect_reserved(4);
  if (part.u16() > EVT_TIME_SCALE_SIMULATED) part.say("the time scale is not in REGISTRY.md");
  part.expect_reserved(6);
}

void check_clock(const Block& block, Bytes payload, BreachList* breaches) {
  FixedPart part(block, "CLOCK", payload, breaches);
  part.expect("fixed_size", part.u16(), EVT_CLOCK_FIXED_SIZE);
  if (part.u16() == 0) part.say("clock_id is 0");
  if (named_number(NumberList::kClock, part.u8()) == nullptr) part.say("the kind is not in REGISTRY.md");
  part.expect_reserved(3);
  if (part.u64() == 0) part.say("hz is 0");
}

// If it counts more rows than blocks before it have, some are missing.
void check_sync(const Block& block, Bytes payload, std::uint64_t rows, BreachList* breaches) {
  FixedPart part(block, "SYNC", payload, breaches);
  part.expect("fixed_size", part.u16(), EVT_SYNC_FIXED_SIZE);
  part.u16();
  const std::uint16_t flags = part.u16();
  part.expect_only("flags", flags, EVT_SYNC_COPY | EVT_SYNC_NO_ANCHOR);
  part.expect_reserved(2);
  part.bytes(24);  // times
  const std::uint64_t counted = part.u64();
  if (counted < rows && (flags & EVT_SYNC_COPY) == 0) {
    part.say(fmt::format("rows_before is {}, and blocks before it have {} rows", counted, rows));
  }
}

void check_trailer(const Block& block, Bytes payload, BreachList* breaches) {
  FixedPart part(block, "TRAILER", payload, breaches);
  const std::uint16_t size = part.u16();
  if (size != EVT_TRAILER_SEGMENT_SIZE) part.expect("fixed_size", size, EVT_TRAILER_FIXED_SIZE);
  part.expect_reserved(6);
}

void check_segment(const Block& block, Bytes payload, BreachList* breaches) {
  FixedPart part(block, "SEGMENT", payload, breaches);
  part.expect("fixed_size", part.u16(), EVT_SEGMENT_FIXED_SIZE);
  part.expect("stream_size", part.u16(), EVT_SEGMENT_STREAM_SIZE);
  const std::uint32_t streams = part.u32();
  part.bytes(50);
  part.expect_reserved(2);
  part.bytes(20);
  for (std::uint32_t i = 0; i < streams && part.bytes(6).size() == 6; ++i) {
    part.expect_reserved(2);
    part.bytes(24);
  }
}

void check_index(const Block& block, Bytes payload, BreachList* breaches) {
  FixedPart part(block, "INDEX", payload, breaches);
  part.expect("fixed_size", part.u16(), EVT_INDEX_FIXED_SIZE);
  part.expect_reserved(2);
}

// Calls f(record) with each whole one, as far as they fit.
template <typename Check>
void each_record(Bytes payload, Check check) {
  Cursor in(payload);
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    Cursor peek(in.rest());
    const Bytes record = in.bytes(peek.u32());
    if (record.size() < sizeof(std::uint32_t)) return;
    check(record);
  }
}

void check_types(const Block& block, Bytes payload, BreachList* breaches) {
  each_record(payload, [&](Bytes record) {
    FixedPart part(block, "TYPES", record, breaches);
    const std::uint32_t size = part.u32();
    part.bytes(6);
    std::uint64_t all = EVT_TYPE_RECORD_SIZE;
    all += part.u16();
    all += part.u16();
    part.expect_reserved(2);
    const std::uint32_t extension_size = part.u32();
    part.expect("record_size", size, all + extension_size);
    if (all + extension_size > record.size()) return;
    for (const std::string& field : overstated_fields(record.subspan(static_cast<std::size_t>(all), extension_size))) {
      part.say(fmt::format("field {} states what does not go with its kind", field));
    }
  });
}

void check_facts(const Block& block, Bytes payload, BreachList* breaches) {
  static constexpr std::string_view kOurs = "evt.";
  static constexpr std::string_view kGivenOut[] = {EVT_FACT_STREAM_NAME,       EVT_FACT_PART_BOOT,
                                                   EVT_FACT_PART_START,        EVT_FACT_PART_NOT_KEPT,
                                                   EVT_FACT_SNAPSHOT_REASON,   EVT_FACT_SNAPSHOTS_PASSED_OVER,
                                                   EVT_FACT_SUMS_OF_SAMPLES,   EVT_FACT_EXIT,
                                                   "evt.run.read_by_recording"};
  each_record(payload, [&](Bytes record) {
    FixedPart part(block, "FACTS", record, breaches);
    const std::uint32_t size = part.u32();
    const std::uint16_t scope = part.u16();
    const std::uint16_t key_size = part.u16();
    part.bytes(16);
    const std::uint32_t value_size = part.u32();
    part.expect_reserved(4);
    part.expect("record_size", size, std::uint64_t{EVT_FACT_RECORD_SIZE} + key_size + value_size);
    if (named_number(NumberList::kFactScope, scope) == nullptr) part.say("the scope is not in REGISTRY.md");
    const Bytes bytes = part.bytes(key_size);
    const std::string_view key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const bool is_given = std::find(std::begin(kGivenOut), std::end(kGivenOut), key) != std::end(kGivenOut) ||
                          key.starts_with(EVT_FACT_SNAPSHOT);
    if (key.starts_with(kOurs) && !is_given) part.say(fmt::format("the key {} is not in REGISTRY.md", key));
  });
}

// What is wrong with a field; empty if nothing is.
std::string why_not(const Field& field) {
  const auto number = [](auto value) { return static_cast<std::uint16_t>(value); };
  if (named_number(NumberList::kKind, number(field.kind)) == nullptr) return "its kind is not in REGISTRY.md";
  if (named_number(NumberList::kShape, number(field.shape)) == nullptr) return "its shape is not in REGISTRY.md";
  if (named_number(NumberList::kRole, number(field.role)) == nullptr) return "its role is not in REGISTRY.md";
  if (named_number(NumberList::kUnit, number(field.unit)) == nullptr) return "its unit is not in REGISTRY.md";
  if (named_number(NumberList::kScope, number(field.scope)) == nullptr) return "its scope is not in REGISTRY.md";
  if (!field.known() && !is_interned(field)) return "its kind does not go with its shape and width";
  const bool is_counted = field.role == Role::kAmount || field.role == Role::kLimit;
  if (field.scale != 0 && is_counted) return "it has a scale and is an amount or a limit";
  if (!field.unit_text.empty() && field.unit != Unit::kNone) return "it has a unit by number and one as text";
  return "";
}

}  // namespace

void find_payload_breaches(const Block& block, Bytes payload, std::uint64_t rows, BreachList* breaches) {
  switch (block.header.type) {
    case EVT_BLOCK_SESSION:
      return check_session(block, payload, breaches);
    case EVT_BLOCK_CLOCK:
      return check_clock(block, payload, breaches);
    case EVT_BLOCK_SYNC:
      return check_sync(block, payload, rows, breaches);
    case EVT_BLOCK_TRAILER:
      return check_trailer(block, payload, breaches);
    case EVT_BLOCK_SEGMENT:
      return check_segment(block, payload, breaches);
    case EVT_BLOCK_INDEX:
      return check_index(block, payload, breaches);
    case EVT_BLOCK_TYPES:
      return check_types(block, payload, breaches);
    case EVT_BLOCK_FACTS:
      return check_facts(block, payload, breaches);
    default:
      return;
  }
}

void find_type_breaches(const Block& block, const EventType& type, BreachList* breaches) {
  const auto say = [&](const std::string& what) {
    breaches->add(block, fmt::format("event type {}: {}", type.name(), what));
  };
  if (type.number() < EVT_TYPE_FIRST_FREE) {
    const auto number = static_cast<std::uint16_t>(type.number());
    const NamedNumber* const standard = named_number(NumberList::kStandardEvent, number);
    if (standard == nullptr || standard->words != type.name()) {
      say(fmt::format("its number is {}, which REGISTRY.md gives out", type.number()));
    }
  }
  if (named_number(NumberList::kRole, static_cast<std::uint16_t>(type.role())) == nullptr) {
    say("its role is not in REGISTRY.md");
  }
  std::set<std::string_view> names;
  for (const Field& field : type.fields()) {
    if (field.name.empty()) say("a field has no name");
    if (!field.name.empty() && !names.insert(field.name).second) {
      say(fmt::format("two fields are called {}", field.name));
    }
    if (const std::string why = why_not(field); !why.empty()) say(fmt::format("field {}: {}", field.name, why));
  }
}

}  // namespace evt
