// SVG -> PDF and PNG, by librsvg and cairo.
#pragma once

#include <evt/status.h>

#include <string>

namespace evt::view {

// Without librsvg, where it was built or where it runs: an error with what can be done.
Result<std::string> pdf_of(const std::string& svg);
// 300 dots an inch.
Result<std::string> png_of(const std::string& svg);

}  // namespace evt::view
