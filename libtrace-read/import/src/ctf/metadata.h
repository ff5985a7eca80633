// The metadata of a CTF trace, of either version, its file, and the parsers of both.
#pragma once

#include <evt/status.h>

#include <map>
#include <string_view>
#include <variant>

#include "field_class.h"

namespace evt::ctf {

struct Clock {
  static constexpr std::uint64_t kMaxHz = 1'000'000'000'000;

  // Sets the offset from the origin to `seconds` plus so many ticks; one of centuries is ignored.
  void set_offset(std::int64_t seconds, std::int64_t ticks);
  // Since the clock's origin; nothing beyond 2^62 either way.
  std::optional<std::int64_t> ns_of(std::uint64_t ticks) const;

  std::string name;
  std::uint64_t hz = 1'000'000'000;
  std::int64_t offset_s = 0;
  std::uint64_t offset_ticks = 0;  // fewer than hz
  bool is_offset_left_out = false;
};

struct EventClass {
  std::uint64_t id = 0;
  std::string name;
  FieldPtr context;  // null: none
  FieldPtr payload;
};

struct StreamClass {
  std::uint64_t id = 0;
  FieldPtr packet_context;
  FieldPtr event_header;
  FieldPtr common_context;
  std::optional<Clock> clock;  // for its times
  std::map<std::uint64_t, EventClass> events;
};

struct Metadata {
  bool is_tsdl = true;
  ByteOrder order = ByteOrder::kLittle;
  FieldPtr packet_header;
  std::map<std::string, std::variant<std::int64_t, std::string>> environment;
  std::map<std::uint64_t, StreamClass> streams;
  std::uint32_t slots = 0;  // for values that other fields depend on

  bool has_event(std::string_view name) const;
  std::string text_of(const std::string& key) const;     // from the environment; empty if there is none
  std::int64_t number_of(const std::string& key) const;  // 0 if there is none
};

constexpr std::size_t kMaxMetadata = 16 << 20;  // bytes of the file

// Reads text, text in packets, or JSON. The error says where it is wrong and why.
Result<Metadata> read_metadata(std::string_view file);

// Metadata of CTF 2: consecutive JSON texts (RFC 7464). Errors: what is wrong, and the number of the fragment that it
// is in.
Result<Metadata> parse_ctf2(std::string_view text);

// Metadata of CTF 1.8, which is TSDL. Errors: what is wrong, and the line that it is in.
Result<Metadata> parse_tsdl(std::string_view text);

}  // namespace evt::ctf
