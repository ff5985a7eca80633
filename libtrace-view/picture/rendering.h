// SVG -> PDF and PNG, by librsvg and cairo.
#pragma once

#include <evt/status.h>

#include <string>

namespace evt::view {

// Where librsvg is not installed: an error with what can be done.
Result<std::string> pdf_of(const std::string& svg);
// 300 dots an inch.
Result<std::string> png_of(const std::string& svg);

}  // namespace evt::view
