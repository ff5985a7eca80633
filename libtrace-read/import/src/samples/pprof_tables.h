// The tables of a pprof profile: types of values, texts, functions, places in code (google/pprof, proto/profile.proto).
#pragma once

#include <evt/schema.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "proto_fields.h"

namespace evt::samples {

// Refers to the profile. What is beyond the limits is left out, and counted.
class PprofTables {
 public:
  static constexpr std::size_t kMost = 1 << 19;  // entries of each table

  struct ValueType {
    std::uint64_t type = 0;  // texts
    std::uint64_t unit = 0;
  };
  // A function in a place; several if calls were inlined, the innermost first.
  struct Line {
    std::uint64_t function = 0;
    std::uint32_t number = 0;
    std::uint32_t frame = 0;  // for the caller
  };
  struct Location {
    std::uint64_t mapping = 0;
    std::uint64_t address = 0;
    std::uint32_t first_line = 0;
    std::uint32_t line_count = 0;
    std::uint32_t frame = 0;  // for the caller: without lines
  };
  struct Mapping {
    std::uint64_t start = 0;
    std::uint64_t offset = 0;
    std::uint64_t file = 0;  // text
  };

  // Takes a field of the profile; returns false if it does not fit its own size.
  bool take(const ProtoFields& field);

  // "": not there.
  std::string_view text(std::uint64_t number) const;
  const std::vector<ValueType>& value_types() const { return value_types_; }
  std::uint64_t default_type() const { return default_type_; }
  std::int64_t time_ns() const { return time_ns_; }
  Location* location(std::uint64_t id);
  Line* lines(const Location& location) { return lines_.data() + location.first_line; }
  // "": not there.
  std::string_view function_name(std::uint64_t id) const;
  Mapping mapping(std::uint64_t id) const;
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool take_value_type(Bytes message);
  bool take_mapping(Bytes message);
  bool take_location(Bytes message);
  bool take_function(Bytes message);
  template <typename Table>
  bool has_room(const Table& table) {
    if (table.size() < kMost) return true;
    ++left_out_;
    return false;
  }

  std::vector<ValueType> value_types_;
  std::vector<std::string_view> texts_;
  std::unordered_map<std::uint64_t, Mapping> mappings_;
  std::unordered_map<std::uint64_t, Location> locations_;
  std::unordered_map<std::uint64_t, std::uint64_t> functions_;  // texts of their names
  std::vector<Line> lines_;
  std::uint64_t default_type_ = 0;
  std::int64_t time_ns_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace evt::samples
