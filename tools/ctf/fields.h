// Values in events of a CTF trace.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace evt::ctf {

// Of a number of any kind, sign-extended; nothing of others.
std::optional<std::uint64_t> number_in(const bt_field* field);
// Of a member of a structure, which may be null, and have none of the name.
std::optional<std::uint64_t> number_in(const bt_field* structure, const char* name);
// As babeltrace2 prints it, all of it in one line.
void append_text(std::string* out, const bt_field* field);

}  // namespace evt::ctf
