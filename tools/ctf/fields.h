// Values in events of a CTF trace.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evt::ctf {

struct NumberType {
  std::uint16_t kind = 0;   // enum evt_kind
  std::uint32_t width = 0;  // bytes
};
// Of a class whose fields are numbers of some kind; an enumeration of `false` and `true` is one of truth values.
std::optional<NumberType> number_type(const bt_field_class* type);
// Of such a field, an integer sign-extended.
std::uint64_t bits_of(const bt_field* number);

// The numbers that an enumeration has labels for, but for ranges of more than one, which have no place in labels.
std::vector<std::pair<std::uint64_t, const char*>> labels_of(const bt_field_class* enumeration);

// Whether a member is the number of elements of the one behind it, as LTTng calls it: no value of its own.
bool is_count_of_next(const bt_field_class* structure, std::uint64_t member);
// The bytes of a structure {length, bytes[length]} or {bytes[N]}, as evt writes them in sequences; null for others.
const bt_field_class* bytes_in(const bt_field_class* structure);

// Of an integer of any kind, sign-extended; nothing of others.
std::optional<std::uint64_t> number_in(const bt_field* field);
// Of a member of a structure, which may be null, and have none of the name.
std::optional<std::uint64_t> number_in(const bt_field* structure, const char* name);
// As babeltrace2 prints it, all of it in one line. Once: strings in it are empty then.
void append_text(std::string* out, const bt_field* field);

}  // namespace evt::ctf
