#include "pprof_tables.h"

#include <algorithm>

#include "libtrace-read/core/src/base/pprof_fields.h"

namespace evt::samples {
namespace {

using namespace pprof_fields;

constexpr std::size_t kMostTypes = 64;

}  // namespace

bool PprofTables::take(const ProtoFields& field) {
  switch (field.tag()) {
    case profile::kSampleType:
      return take_value_type(field.bytes());
    case profile::kMapping:
      return take_mapping(field.bytes());
    case profile::kLocation:
      return take_location(field.bytes());
    case profile::kFunction:
      return take_function(field.bytes());
    case profile::kText:
      if (has_room(texts_)) {
        texts_.emplace_back(reinterpret_cast<const char*>(field.bytes().data()), field.bytes().size());
      }
      return true;
    case profile::kTime:
      time_ns_ = static_cast<std::int64_t>(field.number());
      return true;
    case profile::kDefaultType:
      default_type_ = field.number();
      return true;
    default:
      return true;
  }
}

bool PprofTables::take_value_type(Bytes message) {
  ValueType type;
  ProtoFields fields(message);
  while (fields.next()) (fields.tag() == value_type::kType ? type.type : type.unit) = fields.number();
  if (value_types_.size() < kMostTypes) value_types_.push_back(type);
  return fields.ok();
}

bool PprofTables::take_mapping(Bytes message) {
  std::uint64_t id = 0;
  Mapping mapping;
  ProtoFields fields(message);
  while (fields.next()) {
    if (fields.tag() == mapping::kId) id = fields.number();
    if (fields.tag() == mapping::kStart) mapping.start = fields.number();
    if (fields.tag() == mapping::kOffset) mapping.offset = fields.number();
    if (fields.tag() == mapping::kFile) mapping.file = fields.number();
  }
  if (has_room(mappings_)) mappings_.try_emplace(id, mapping);
  return fields.ok();
}

bool PprofTables::take_location(Bytes message) {
  std::uint64_t id = 0;
  Location location;
  location.first_line = static_cast<std::uint32_t>(lines_.size());
  ProtoFields fields(message);
  while (fields.next()) {
    if (fields.tag() == location::kId) id = fields.number();
    if (fields.tag() == location::kMapping) location.mapping = fields.number();
    if (fields.tag() == location::kAddress) location.address = fields.number();
    if (fields.tag() != location::kLine || !has_room(lines_)) continue;
    Line line;
    ProtoFields parts(fields.bytes());
    while (parts.next()) {
      if (parts.tag() == line::kFunction) line.function = parts.number();
      if (parts.tag() == line::kNumber)
        line.number = static_cast<std::uint32_t>(std::min<std::uint64_t>(parts.number(), UINT32_MAX));
    }
    lines_.push_back(line);
  }
  location.line_count = static_cast<std::uint32_t>(lines_.size()) - location.first_line;
  if (has_room(locations_)) locations_.try_emplace(id, location);
  return fields.ok();
}

bool PprofTables::take_function(Bytes message) {
  std::uint64_t id = 0;
  std::uint64_t name = 0;
  ProtoFields fields(message);
  while (fields.next()) {
    if (fields.tag() == function::kId) id = fields.number();
    if (fields.tag() == function::kName) name = fields.number();
  }
  if (has_room(functions_)) functions_.try_emplace(id, name);
  return fields.ok();
}

std::string_view PprofTables::text(std::uint64_t number) const {
  return number < texts_.size() ? texts_[static_cast<std::size_t>(number)] : std::string_view();
}

PprofTables::Location* PprofTables::location(std::uint64_t id) {
  const auto found = locations_.find(id);
  return found == locations_.end() ? nullptr : &found->second;
}

std::string_view PprofTables::function_name(std::uint64_t id) const {
  const auto found = functions_.find(id);
  return found == functions_.end() ? std::string_view() : text(found->second);
}

PprofTables::Mapping PprofTables::mapping(std::uint64_t id) const {
  const auto found = mappings_.find(id);
  return found == mappings_.end() ? Mapping() : found->second;
}

}  // namespace evt::samples
