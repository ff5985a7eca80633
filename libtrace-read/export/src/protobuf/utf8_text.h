// Texts of protobuf messages.
#pragma once

#include <protozero/data_view.hpp>
#include <string>
#include <string_view>

namespace evt {

inline protozero::data_view view_of(std::string_view text) { return {text.data(), text.size()}; }

// Text in protobuf is UTF-8: each byte that is none becomes U+FFFD, in `made`.
std::string_view as_utf8(std::string_view text, std::string* made);

}  // namespace evt
